//! The scene under each cast that a log needs.

use std::collections::HashMap;
use std::sync::Arc;

use map_check::{CastOverride, CheckOptions};
use map_compile::OpenScene;
use map_conform::{Counts, Fault, FaultKind, Scene, Settings};
use map_diagnostics::SourceFile;
use map_ir::{Part, Program};
use map_session::{PropertySelection, compile};

/// The maximum number of different casts: each has a program of its own.
const MAX_CASTS: usize = 1_000;
/// The maximum number of agents of a role that a log may ask for.
const MAX_AGENTS: usize = 1_000;

/// The scenes so far.
pub(super) struct Scenes<'a> {
    source: &'a Arc<SourceFile>,
    options: &'a CheckOptions,
    settings: Settings,
    /// The scene with the cast of the file.
    first: Arc<Scene>,
    others: HashMap<Counts, Arc<Scene>>,
}

impl<'a> Scenes<'a> {
    /// The scene with the cast of the file.
    pub(super) fn new(
        source: &'a Arc<SourceFile>,
        options: &'a CheckOptions,
        program: Arc<Program>,
        settings: Settings,
    ) -> Self {
        let first = Arc::new(Scene::new(program, settings.clone()));
        Self { source, options, settings, first, others: HashMap::new() }
    }

    /// The scene that agents join.
    pub(super) fn open(
        source: &'a Arc<SourceFile>,
        options: &'a CheckOptions,
        scene: OpenScene,
        settings: Settings,
    ) -> Self {
        let parts = scene.parts.into_iter().map(|it| (it.part, it.base)).collect();
        let first = Arc::new(Scene::open(Arc::new(scene.program), settings.clone(), parts));
        Self { source, options, settings, first, others: HashMap::new() }
    }

    /// The scene with the cast of the file.
    pub(super) fn first(&self) -> &Arc<Scene> {
        &self.first
    }

    /// The scene with this cast. If the file does not allow it, that with the cast of the file.
    ///
    /// # Errors
    /// If there are too many casts, or too many agents.
    pub(super) fn with(&mut self, counts: Counts) -> Result<Arc<Scene>, Fault> {
        if counts.iter().all(|&it| it == 0) {
            return Ok(Arc::clone(&self.first));
        }
        if let Some(scene) = self.others.get(&counts) {
            return Ok(Arc::clone(scene));
        }
        let beyond = |text: String| Fault { kind: FaultKind::BeyondCast, text };
        if counts.iter().any(|&it| it > MAX_AGENTS) {
            return Err(beyond(format!("more than {MAX_AGENTS} agents of one role")));
        }
        if self.others.len() >= MAX_CASTS {
            return Err(beyond(format!("more than {MAX_CASTS} different casts")));
        }
        let counted = counts.iter().map(|&count| (count > 0).then_some(count));
        let agents = overrides(self.first.program(), counted);
        let options = CheckOptions { agents, ..self.options.clone() };
        let scene = match compile(self.source, &options, PropertySelection::Nothing).program {
            Some(program) => Arc::new(Scene::new(program, self.settings.clone())),
            None => Arc::clone(&self.first),
        };
        self.others.insert(counts, Arc::clone(&scene));
        Ok(scene)
    }
}

/// The numbers of agents of a scene that are not those of the file.
pub(super) fn changed(first: &Program, scene: &Scene) -> Vec<CastOverride> {
    let pairs = scene.program().parts.iter().zip(&first.parts);
    let count =
        |(its, first): (&Part, &Part)| (its.agents.len() != first.agents.len()).then_some(its.agents.len());
    overrides(first, pairs.map(count))
}

/// These numbers of agents, by part.
fn overrides(program: &Program, counts: impl Iterator<Item = Option<usize>>) -> Vec<CastOverride> {
    let named = |(part, count): (&Part, Option<usize>)| {
        Some(CastOverride { name: program.role_name(part.role).to_owned(), count: count? as i64 })
    };
    program.parts.iter().zip(counts).filter_map(named).collect()
}
