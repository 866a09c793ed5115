//! The scenes to be verified: of each file the one that is chosen, or all.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_flags::Cast;
use map_session::{Compilation, PropertyState, compile, is_called_with};
use map_syntax::ast::{Scene, Who};

use super::args::Args;
use crate::input::load;

/// A scene to be verified, or a file with errors.
pub(super) struct SceneOfFile {
    /// The flags. If the file has several scenes, they choose this one, and have what concerns it alone.
    pub(super) args: Args,
    /// As on the command line.
    pub(super) file: PathBuf,
    pub(super) loaded: Compilation,
    /// Which cast it is, if several are asked for.
    pub(super) cast: Option<CastOfSeveral>,
}

/// One of the casts with which a scene is verified.
pub(super) struct CastOfSeveral {
    /// Its place among them.
    pub(super) index: usize,
    /// As in `bidder=2,seller=1`.
    pub(super) name: String,
}

impl SceneOfFile {
    /// Whether it is the same scene as the one before, with another cast.
    pub(super) fn is_further_cast(&self) -> bool {
        self.cast.as_ref().is_some_and(|cast| cast.index > 0)
    }

    /// The name of the cast; empty if there is only one.
    pub(super) fn cast_name(&self) -> &str {
        self.cast.as_ref().map_or("", |cast| &cast.name)
    }
}

/// The scenes of all files, in order.
pub(super) fn of_files(args: &Args) -> Vec<SceneOfFile> {
    args.files.iter().flat_map(|file| of_file(args, file)).collect()
}

fn of_file(args: &Args, file: &Path) -> Vec<SceneOfFile> {
    let load = |args: &Args, source: Option<&Arc<SourceFile>>| {
        // Of a role of which there may be any number of agents, two show most of what can be wrong.
        let options = args.scene.with_least(2);
        match source {
            None => load(file, &options, args.judge.wanted()),
            // Standard input is read once only.
            Some(source) => compile(source, &options, args.judge.wanted()),
        }
    };
    let of_args = |args: Args, source: Option<&Arc<SourceFile>>| {
        let loaded = load(&args, source);
        SceneOfFile { args, file: file.to_owned(), loaded, cast: None }
    };
    let whole = of_args(args.clone(), None);
    let source = &whole.loaded.source;
    let with_casts = |args: Args| {
        let casts = args.scene.casts().expect("the flags were checked");
        let several = casts.len() > 1;
        let of_cast = move |(index, Cast { args: scene, name }): (usize, Cast)| SceneOfFile {
            cast: several.then_some(CastOfSeveral { index, name }),
            ..of_args(Args { scene, ..args.clone() }, Some(source))
        };
        casts.into_iter().enumerate().map(of_cast).collect::<Vec<_>>()
    };
    let named = args.scene.scenes.len() > 1;
    if whole.loaded.unchosen.is_empty() && !named {
        let has_several = args.scene.casts().is_ok_and(|casts| casts.len() > 1);
        if !has_several || whole.loaded.program.is_none() {
            return vec![whole];
        }
        let mut casts = with_casts(args.clone());
        say_warnings_once(&mut casts);
        return casts;
    }
    let parsed = map_syntax::parse(source).file;
    let mut all: Vec<&Scene> = parsed.scenes().collect();
    let is_there = |name: &&String| all.iter().any(|scene| scene.name.text == **name);
    if let Some(unknown) = args.scene.scenes.iter().find(|name| named && !is_there(name)) {
        let mut args = args.clone();
        args.scene.scenes = vec![unknown.clone()];
        return vec![of_args(args, Some(source))];
    }
    all.retain(|scene| !named || args.scene.scenes.contains(&scene.name.text));
    let chosen = all.iter().flat_map(|scene| with_casts(choosing(args, scene, &all)));
    let mut chosen: Vec<SceneOfFile> = chosen.collect();
    if chosen.iter().all(|scene| scene.loaded.program.is_none()) {
        // All scenes of a file are checked at once: only what a cast of the flags brings about is wrong with some alone.
        chosen.truncate(1);
    }
    keep_rounds_that_fit(&mut chosen);
    keep_formulas_that_fit(&mut chosen);
    say_warnings_once(&mut chosen);
    chosen
}

/// The flags for one of several scenes. `--agents` is for the scenes that have the role or agent; if none has it, for all,
/// where it is an error.
fn choosing(args: &Args, scene: &Scene, all: &[&Scene]) -> Args {
    let mut args = args.clone();
    args.scene.scenes = vec![scene.name.text.clone()];
    args.scene.agents.retain(|cast| {
        let name = cast.name();
        has(scene, name) || !all.iter().any(|scene| has(scene, name))
    });
    args
}

/// Whether a scene has a role or an agent of that name.
fn has(scene: &Scene, name: &str) -> bool {
    scene.clauses.iter().any(|clause| {
        clause.role.text == name || matches!(&clause.who, Who::Agent(agent) if agent.text == name)
    })
}

/// `--rounds CONSTANT=N` is for the scenes that have such calls; if none has, for all, where it is an error.
fn keep_rounds_that_fit(scenes: &mut [SceneOfFile]) {
    let fits = |scene: &SceneOfFile, constant: &str| {
        scene.loaded.program.as_ref().is_some_and(|program| is_called_with(program, constant))
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

/// A formula of the command line is for the scenes of which it can speak; if it can speak of none, the first refuses it.
fn keep_formulas_that_fit(scenes: &mut [SceneOfFile]) {
    let states = |scene: &SceneOfFile| -> Vec<bool> {
        let entries = scene.loaded.properties.entries.iter();
        entries.map(|entry| !matches!(entry.state, PropertyState::Refused(Some(_), _))).collect()
    };
    let judged: Vec<Vec<bool>> = scenes.iter().map(states).collect();
    let first = judged.iter().position(|judged| !judged.is_empty());
    for (index, scene) in scenes.iter_mut().enumerate() {
        let properties = Arc::get_mut(&mut scene.loaded.properties).expect("nobody else has them yet");
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
fn say_warnings_once(scenes: &mut [SceneOfFile]) {
    let mut said = Vec::new();
    for scene in scenes {
        scene.loaded.diagnostics.retain(|it| !said.contains(it));
        said.extend(scene.loaded.diagnostics.iter().cloned());
    }
}
