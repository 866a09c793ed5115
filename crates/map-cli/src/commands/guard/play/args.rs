//! The flags of `--play`, and who plays whom.

use std::path::PathBuf;

use map_guard::{Moment, OnSilent, Policy};
use map_ir::{AgentId, Program};

/// The flags of `--play`.
#[derive(clap::Args, Clone, Debug)]
pub(in super::super) struct PlayArgs {
    /// Play these agents, such as !Desk, and those of these roles, such as %supplier; the one that is left is tested
    #[arg(long, value_name = "AGENTS", value_delimiter = ',', requires = "start")]
    pub(super) play: Vec<String>,

    /// The program that speaks for the agent under test; it is started for each dialogue
    #[arg(long, value_name = "COMMAND", requires = "play")]
    pub(super) start: Option<String>,

    /// The number of dialogues
    #[arg(long, value_name = "N", default_value_t = 100, requires = "play")]
    pub(super) dialogues: u64,

    /// The seed of what is drawn
    #[arg(long, value_name = "N", default_value_t = 0, requires = "play")]
    pub(super) seed: u64,

    /// Hold one dialogue, with these choices: those of a dialogue that failed
    #[arg(long, value_name = "NUMBERS", requires = "play")]
    pub(super) replay: Option<String>,

    /// Fail with exit code 4 unless this share of the clauses and branches is covered, such as 90%
    #[arg(long, value_name = "PERCENT", requires = "play", value_parser = percent)]
    pub(super) cover: Option<u8>,

    /// Also write the results in JUnit's format: a case for each clause and branch
    #[arg(long, value_name = "FILE", requires = "play")]
    pub(super) junit: Option<PathBuf>,

    /// Also draw the chart of the role under test, as SVG: bold what is covered, dashed what is not
    #[arg(long, value_name = "FILE", requires = "play")]
    pub(super) chart: Option<PathBuf>,

    /// Also write the journal of the dialogue that failed, which map conform reads with --from guard
    #[arg(long, value_name = "FILE", requires = "play")]
    pub(super) save_failure: Option<PathBuf>,
}

/// How long the agent under test may take if the configuration does not say it: ten seconds.
const ANSWERS: Moment = 10_000_000_000;

impl PlayArgs {
    /// Whether agents are played.
    pub(in super::super) fn is_wanted(&self) -> bool {
        !self.play.is_empty()
    }

    /// The agent under test: the only one that is not played.
    ///
    /// # Errors
    /// If it is not the only one, or a name means nobody.
    pub(in super::super) fn tested(&self, program: &Program) -> Result<AgentId, String> {
        let mut rest: Vec<AgentId> = program.cast().collect();
        for name in &self.play {
            let played: Vec<AgentId> = match name.strip_prefix('%') {
                Some(role) => {
                    program.cast().filter(|&it| program.role_name(program.agent(it).role) == role).collect()
                }
                None => map_conform::agent_named(program, name).into_iter().collect(),
            };
            if played.is_empty() {
                return Err(format!("--play: the scene has no agent {name:?}"));
            }
            rest.retain(|agent| !played.contains(agent));
        }
        match rest[..] {
            [tested] => Ok(tested),
            [] => Err("--play: everybody is played, and nobody is left to be tested".to_owned()),
            _ => {
                let names: Vec<String> =
                    rest.iter().map(|&agent| format!("!{}", program.agent_name(agent))).collect();
                Err(format!("--play: {} are left, but one is tested at a time", names.join(", ")))
            }
        }
    }

    /// The choices of `--replay`.
    pub(super) fn choices(&self) -> Result<Option<Vec<u32>>, String> {
        let Some(text) = &self.replay else { return Ok(None) };
        let numbers = text.split(',').map(str::trim).filter(|number| !number.is_empty());
        let numbers: Result<Vec<u32>, _> = numbers.map(str::parse).collect();
        numbers.map(Some).map_err(|_| "--replay: numbers with commas between them were expected".to_owned())
    }
}

/// What holds in dialogues that are played: whoever is silent stays, and the agent under test is never waited for
/// without end.
pub(in super::super) fn adapt(policy: &mut Policy, tested: AgentId) {
    policy.on_silent = OnSilent::Tell;
    policy.limits.conversations = usize::MAX;
    policy.answers[tested.index()].get_or_insert(ANSWERS);
}

fn percent(text: &str) -> Result<u8, String> {
    let number = text.strip_suffix('%').unwrap_or(text).parse().ok();
    number.filter(|&number| number <= 100).ok_or_else(|| "a share such as 90% was expected".to_owned())
}
