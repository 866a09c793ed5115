//! The scenes of a text that are to be verified: the one that is chosen, or all, each with the flags that concern it.

use std::sync::Arc;

use map_diagnostics::{Diagnostic, SourceFile};
use map_session::{Compilation, PropertyState, compile, is_called_with};
use map_syntax::ast::{Scene, Who};

use crate::any::refuse_beside_any;
use crate::only::check_only;
use crate::scene::{Cast, SceneArgs};
use crate::search::SearchArgs;

/// A scene of a text, or a text with errors.
pub struct SceneOfText {
    /// The flags that concern it: if the text has several scenes, they choose this one, with the agents that it has.
    pub args: SearchArgs,
    /// What it compiled to.
    pub compilation: Compilation,
    /// Which cast it is, if several are asked for.
    pub cast: Option<CastOfSeveral>,
}

/// One of the casts with which a scene is verified.
#[derive(Clone, Debug)]
pub struct CastOfSeveral {
    /// Its place among them.
    pub index: usize,
    /// As in `bidder=2,seller=1`.
    pub name: String,
}

/// Why the scenes of a text cannot be searched under these flags, whatever is in the text.
pub enum Unsearchable {
    /// What is wrong with the flags.
    Flags(String),
    /// What is wrong with formulas that are given: each with its diagnostics.
    Formulas(Vec<(SourceFile, Vec<Diagnostic>)>),
}

impl SearchArgs {
    /// The scenes of a text that are to be searched. Some may have errors.
    ///
    /// # Errors
    /// If the flags, or formulas among them, do not fit the text.
    pub fn searchable(&self, source: &Arc<SourceFile>) -> Result<Vec<SceneOfText>, Unsearchable> {
        let scenes = self.fitting(source).map_err(Unsearchable::Flags)?;
        let entries = scenes.iter().flat_map(|scene| &scene.compilation.properties.entries);
        let refused = entries.filter_map(|entry| match &entry.state {
            PropertyState::Refused(Some(formula), errors) => Some((formula.clone(), errors.clone())),
            _ => None,
        });
        let refused: Vec<_> = refused.collect();
        if refused.is_empty() { Ok(scenes) } else { Err(Unsearchable::Formulas(refused)) }
    }

    /// The scenes of a text, if the flags fit it.
    fn fitting(&self, source: &Arc<SourceFile>) -> Result<Vec<SceneOfText>, String> {
        self.scene.casts()?;
        let any = self.scene.any()?;
        if !any.is_empty() {
            refuse_beside_any(any.first(), &self.bounds)?;
        }
        let scenes = self.scenes_of(compile(source, &self.options(), self.judge.wanted()));
        for scene in &scenes {
            let any = scene.args.scene.any_in(source)?;
            let Some(first) = any.first() else { continue };
            refuse_beside_any(Some(first), &scene.args.bounds)?;
            if scene.cast.is_some() {
                return Err(format!(
                    "--agents: the text asks for any number of %{}; give a number for it, such as --agents {0}=2",
                    first.role
                ));
            }
        }
        if scenes.iter().all(|scene| scene.compilation.program.is_some()) {
            check_only(&self.judge.only, &scenes.iter().map(|scene| &scene.compilation))?;
        }
        Ok(scenes)
    }

    /// The options for the compiler. Of a role of which there may be any number of agents, two show most of what can be
    /// wrong.
    #[must_use]
    pub fn options(&self) -> map_check::CheckOptions {
        self.scene.with_least(2)
    }

    /// The scenes of a text that was compiled under [`SearchArgs::options`]. The casts were checked
    /// ([`SceneArgs::casts`]).
    #[must_use]
    pub fn scenes_of(&self, whole: Compilation) -> Vec<SceneOfText> {
        let source = Arc::clone(&whole.source);
        let of = |scene: &SceneArgs, cast: Option<CastOfSeveral>| {
            let compilation = compile(&source, &scene.with_least(2), self.judge.wanted());
            SceneOfText { args: Self { scene: scene.clone(), ..self.clone() }, compilation, cast }
        };
        let with_casts = |scene: &SceneArgs| {
            let casts = scene.casts().expect("the flags were checked");
            let several = casts.len() > 1;
            let of_cast = |(index, Cast { args, name }): (usize, Cast)| {
                of(&args, several.then_some(CastOfSeveral { index, name }))
            };
            casts.into_iter().enumerate().map(of_cast).collect::<Vec<_>>()
        };
        let named = self.scene.scenes.len() > 1;
        if whole.unchosen.is_empty() && !named {
            let has_several = self.scene.casts().is_ok_and(|casts| casts.len() > 1);
            if !has_several || whole.program.is_none() {
                return vec![SceneOfText { args: self.clone(), compilation: whole, cast: None }];
            }
            let mut casts = with_casts(&self.scene);
            say_warnings_once(&mut casts);
            return casts;
        }
        let parsed = map_syntax::parse(&source).file;
        let mut all: Vec<&Scene> = parsed.scenes().collect();
        let is_there = |name: &&String| all.iter().any(|scene| scene.name.text == **name);
        if let Some(unknown) = self.scene.scenes.iter().find(|name| named && !is_there(name)) {
            let scene = SceneArgs { scenes: vec![unknown.clone()], ..self.scene.clone() };
            return vec![of(&scene, None)];
        }
        all.retain(|scene| !named || self.scene.scenes.contains(&scene.name.text));
        let chosen = all.iter().flat_map(|scene| with_casts(&choosing(&self.scene, scene, &all)));
        let mut chosen: Vec<SceneOfText> = chosen.collect();
        if chosen.iter().all(|scene| scene.compilation.program.is_none()) {
            // All scenes of a file are checked at once: only what a cast of the flags brings about is wrong with some
            // alone.
            chosen.truncate(1);
        }
        keep_rounds_that_fit(&mut chosen);
        keep_formulas_that_fit(&mut chosen);
        say_warnings_once(&mut chosen);
        chosen
    }
}

/// The flags for one of several scenes. `--agents` and `--set` are for the scenes that have the role or agent; if none
/// has it, for all, where it is an error.
fn choosing(args: &SceneArgs, scene: &Scene, all: &[&Scene]) -> SceneArgs {
    let mut args = SceneArgs { scenes: vec![scene.name.text.clone()], ..args.clone() };
    let is_meant = |name: &str| has(scene, name) || !all.iter().any(|scene| has(scene, name));
    args.agents.retain(|cast| is_meant(cast.name()));
    args.set.retain(|value| is_meant(&value.role));
    args
}

/// Whether a scene has a role or an agent of that name.
fn has(scene: &Scene, name: &str) -> bool {
    scene.clauses.iter().any(|clause| {
        clause.role.text == name || matches!(&clause.who, Who::Agent(agent) if agent.text == name)
    })
}

/// `--rounds CONSTANT=N` is for the scenes that have such calls; if none has, for all, where it is an error.
fn keep_rounds_that_fit(scenes: &mut [SceneOfText]) {
    let fits = |scene: &SceneOfText, constant: &str| {
        scene.compilation.program.as_ref().is_some_and(|program| is_called_with(program, constant))
    };
    let Some(first) = scenes.first() else { return };
    let constants = first.args.bounds.rounds.iter().filter_map(|rounds| rounds.constant.clone());
    let known: Vec<String> =
        constants.filter(|constant| scenes.iter().any(|scene| fits(scene, constant))).collect();
    for scene in scenes {
        let mut rounds = std::mem::take(&mut scene.args.bounds.rounds);
        rounds.retain(|rounds| {
            rounds.constant.as_ref().is_none_or(|it| !known.contains(it) || fits(scene, it))
        });
        scene.args.bounds.rounds = rounds;
    }
}

/// A formula of the command line is for the scenes of which it can speak; if it can speak of none, the first refuses
/// it.
fn keep_formulas_that_fit(scenes: &mut [SceneOfText]) {
    let states = |scene: &SceneOfText| -> Vec<bool> {
        let entries = scene.compilation.properties.entries.iter();
        entries.map(|entry| !matches!(entry.state, PropertyState::Refused(Some(_), _))).collect()
    };
    let judged: Vec<Vec<bool>> = scenes.iter().map(states).collect();
    let first = judged.iter().position(|judged| !judged.is_empty());
    for (index, scene) in scenes.iter_mut().enumerate() {
        let properties = Arc::get_mut(&mut scene.compilation.properties).expect("nobody else has them yet");
        for (place, entry) in properties.entries.iter_mut().enumerate() {
            // A scene with errors has no properties.
            let is_judged = judged.iter().any(|judged| judged.get(place) == Some(&true));
            if !judged[index][place] && (is_judged || first != Some(index)) {
                entry.state = PropertyState::OfOtherScene;
            }
        }
    }
}

/// What is said of the file is said with the first scene alone.
fn say_warnings_once(scenes: &mut [SceneOfText]) {
    let mut said = Vec::new();
    for scene in scenes {
        scene.compilation.diagnostics.retain(|it| !said.contains(it));
        said.extend(scene.compilation.diagnostics.iter().cloned());
    }
}
