//! `--save-trace`: a run that explains the conversation, replayed before it is saved.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use map_check::CastOverride;
use map_conform::{Cast, Explanation, Scene, Verdict};
use map_diagnostics::SourceFile;
use map_doors::shown;
use map_explain::Namer;
use map_flags::{CastArg, SceneArgs};
use map_session::enabled;
use map_simulate::{EndWord, first, repeat};

use crate::console::Console;
use crate::failure::Failure;
use crate::json;
use crate::trace::{NewTrace, save, to_text};

/// The run to be saved.
pub(super) enum Explained {
    /// There was no conversation.
    Nothing,
    /// There is none, and why.
    No(String),
    /// It is this one.
    Run(Box<Found>),
}

/// A run.
pub(super) struct Found {
    explanation: Explanation,
    scene: Arc<Scene>,
    /// The numbers of agents that are not those of the file.
    agents: Vec<CastOverride>,
    cast: Cast,
    /// How the conversation goes on, if it breaks the protocol.
    violation: Option<String>,
}

impl Explained {
    /// Adds what explains a conversation, the number of which says how many there are.
    pub(super) fn add(
        &mut self,
        number: u64,
        (verdict, violation): (Verdict, Option<String>),
        explanation: Result<Explanation, String>,
        (scene, agents): (&Arc<Scene>, Vec<CastOverride>),
        cast: &Cast,
    ) {
        *self = match (verdict, explanation) {
            _ if number > 1 => {
                let advice = "there are several conversations; choose one with --conversation";
                Self::No(advice.to_owned())
            }
            (Verdict::Inconclusive, _) => Self::No(format!("the conversation is {}", verdict.words())),
            (Verdict::Violated, Err(why)) => Self::No(format!("the conversation is violated, and {why}")),
            (_, Err(why)) => Self::No(why),
            (_, Ok(explanation)) => {
                let scene = Arc::clone(scene);
                Self::Run(Box::new(Found { explanation, scene, agents, cast: cast.clone(), violation }))
            }
        };
    }

    /// Replays the run, and saves it; says so if there is none.
    pub(super) fn save(
        self,
        target: &Path,
        source: &SourceFile,
        asked: &SceneArgs,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let why = match self {
            Self::Nothing => "there is no conversation".to_owned(),
            Self::No(why) => why,
            Self::Run(found) => {
                let Found { explanation, scene, agents, cast, violation } = *found;
                let (program, bounds) = (scene.program(), scene.bounds());
                let Explanation { initial, steps, values } = &explanation;
                let mut run = first(program, bounds, initial.clone());
                let replayed =
                    repeat(program, bounds, &mut run, steps, values, &mut |_| ControlFlow::Continue(()));
                if let Err((at, why)) = replayed {
                    let why = format!("step {} of the run that was found is none: {why}", at + 1);
                    return refuse(target, &why, console);
                }
                enabled(program, bounds, &mut run);
                let mut namer = Namer::new(source, program);
                namer.names.foreign = cast.foreign;
                let agents = asked.agents.iter().cloned().chain(agents.into_iter().map(CastArg::Exactly));
                let saved = NewTrace {
                    command: "conform",
                    source,
                    program,
                    bounds,
                    cast: &agents.collect::<Vec<_>>(),
                    verdict: EndWord::of(&run).word(),
                    initial,
                    choices: steps.iter().map(json::choice).collect(),
                    repeated_from: None,
                    values: values.iter().map(|&value| to_text(&namer, value)).collect(),
                };
                if save(saved, target, console)?
                    && let Some(what) = violation
                {
                    console.complain(&format!("note: {} has what came before: {what}\n", shown(target)))?;
                }
                return Ok(());
            }
        };
        refuse(target, &why, console)
    }
}

fn refuse(target: &Path, why: &str, console: &mut Console) -> Result<(), Failure> {
    Ok(console.complain(&format!("no trace is saved to {}: {why}\n", shown(target)))?)
}
