//! The flags of `--play`, and who plays whom.

use std::path::PathBuf;

use map_conform::CastRules;
use map_doors::PlayedAgents;
use map_guard::{Moment, OnSilent, Policy};
use map_ir::{AgentId, Program};

/// The flags of `--play`.
#[derive(clap::Args, Clone, Debug)]
pub(in super::super) struct PlayArgs {
    /// Play these agents, such as !Desk, and those of these roles, such as %supplier, or all that do not speak for
    /// themselves: all
    #[arg(long, value_name = "AGENTS", value_delimiter = ',')]
    pub(super) play: Vec<String>,

    /// The program that speaks for the agent that is left, to test it; it is started for each dialogue
    #[arg(long, value_name = "COMMAND", requires = "play")]
    pub(in super::super) start: Option<String>,

    /// The number of dialogues; 100 if nothing is said
    #[arg(long, value_name = "N")]
    pub(super) dialogues: Option<u64>,

    /// The seed of what is drawn
    #[arg(long, value_name = "N", default_value_t = 0, requires = "play")]
    pub(in super::super) seed: u64,

    /// Hold one dialogue, with these choices: those of a dialogue that failed
    #[arg(long, value_name = "NUMBERS")]
    pub(super) replay: Option<String>,

    /// Fail with exit code 4 unless this share of the clauses and branches is covered, such as 90%
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(super) cover: Option<u8>,

    /// Also write the results in JUnit's format: a case for each clause and branch
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,

    /// Also draw the chart of the role under test, as SVG: bold what is covered, dashed what is not
    #[arg(long, value_name = "FILE")]
    pub(super) chart: Option<PathBuf>,

    /// Also write the journal of the dialogue that failed, which map conform reads with --from guard
    #[arg(long, value_name = "FILE")]
    pub(super) save_failure: Option<PathBuf>,
}

/// What `--play` is given for everybody who does not speak for itself.
const ALL: &str = "all";

/// The agent that a name means, by the configuration or the file.
pub(in super::super) fn agent_meant(program: &Program, cast: &CastRules, name: &str) -> Option<AgentId> {
    let by_configuration =
        program.cast().find(|&agent| cast.name_of(program.agent_name(agent)) == Some(name));
    by_configuration.or_else(|| map_conform::agent_named(program, name))
}

/// The agents of `--as`.
///
/// # Errors
/// If a name means nobody.
pub(in super::super) fn agents_meant(
    program: &Program,
    cast: &CastRules,
    names: &[String],
) -> Result<Vec<AgentId>, String> {
    let meant = |name: &String| {
        agent_meant(program, cast, name).ok_or_else(|| format!("--as: the scene has no agent {name:?}"))
    };
    names.iter().map(meant).collect()
}

/// How long the agent under test may take if the configuration does not say it: ten seconds.
const ANSWERS: Moment = 10_000_000_000;

impl PlayArgs {
    /// Whether agents are played.
    pub(in super::super) fn is_wanted(&self) -> bool {
        !self.play.is_empty()
    }

    /// The agent under test: the only one that is not played, or the one that is `present` if all others are.
    ///
    /// # Errors
    /// If it is not the only one, or a name means nobody.
    pub(in super::super) fn tested(
        &self,
        program: &Program,
        cast: &CastRules,
        present: &[String],
    ) -> Result<AgentId, String> {
        let present = agents_meant(program, cast, present)?;
        if self.is_all() && present.is_empty() {
            return Err("--play all: say with --as NAME who is tested".to_owned());
        }
        let played = self.played(program, cast, &present)?;
        let rest: Vec<AgentId> = program.cast().filter(|agent| !played.contains(agent)).collect();
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

    /// Who is played while those who are `present` speak for themselves.
    ///
    /// # Errors
    /// If nobody is, or a name means nobody.
    pub(in super::super) fn company(
        &self,
        program: &Program,
        cast: &CastRules,
        present: &[AgentId],
    ) -> Result<PlayedAgents, String> {
        if self.is_all() && present.is_empty() {
            return Ok(PlayedAgents::Absent);
        }
        let played = self.played(program, cast, present)?;
        match played.is_empty() {
            true => {
                Err("--play all: all agents speak for themselves, and nobody is left to be played".to_owned())
            }
            false => Ok(PlayedAgents::These(played)),
        }
    }

    /// A flag that is about dialogues with a program that is started, if there is one.
    pub(in super::super) fn of_dialogues(&self) -> Option<&'static str> {
        let given = [
            ("--dialogues", self.dialogues.is_some()),
            ("--replay", self.replay.is_some()),
            ("--cover", self.cover.is_some()),
            ("--junit", self.junit.is_some()),
            ("--chart", self.chart.is_some()),
            ("--save-failure", self.save_failure.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }

    /// Whether all are played that do not speak for themselves.
    pub(in super::super) fn is_all(&self) -> bool {
        self.play.iter().any(|name| name == ALL)
    }

    /// Those who are played, none of whom is `present`.
    fn played(
        &self,
        program: &Program,
        cast: &CastRules,
        present: &[AgentId],
    ) -> Result<Vec<AgentId>, String> {
        let mut all: Vec<AgentId> = Vec::new();
        for name in self.play.iter().filter(|name| *name != ALL) {
            let played: Vec<AgentId> = match name.strip_prefix('%') {
                Some(role) => {
                    program.cast().filter(|&it| program.role_name(program.agent(it).role) == role).collect()
                }
                None => agent_meant(program, cast, name).into_iter().collect(),
            };
            if played.is_empty() {
                return Err(format!("--play: the scene has no agent {name:?}"));
            }
            all.extend(played);
        }
        if let Some(&agent) = present.iter().find(|agent| all.contains(agent)) {
            return Err(format!("--as: !{} is played", program.agent_name(agent)));
        }
        if self.is_all() {
            return Ok(program.cast().filter(|agent| !present.contains(agent)).collect());
        }
        Ok(all)
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
