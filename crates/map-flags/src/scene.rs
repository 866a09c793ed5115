//! Flags about the scene: which one, its cast, and the bounds under which it is played.

use clap::ValueEnum;
use map_check::{CastOverride, CheckOptions};
use map_semantics::{Bounds, Network};

use crate::values::{self, CastArg, Rounds};

/// Which scene, and who plays it.
#[derive(clap::Args, Clone, Debug)]
pub struct SceneArgs {
    /// Which scene of the file; the default is the first
    #[arg(long, value_name = "NAME")]
    pub scene: Option<String>,

    /// How many agents play a role, such as bidder=3; may be repeated
    ///
    /// NAME is a role, or the name of an agent of which there are to be several. `map verify` takes a role with COUNT any,
    /// or 2..any: then it tries to prove the verdict for any number of its agents, two or more.
    #[arg(long, value_name = "NAME=COUNT", value_delimiter = ',', value_parser = values::parse_cast_arg)]
    pub agents: Vec<CastArg>,
}

impl SceneArgs {
    /// The options for the checker.
    ///
    /// # Errors
    /// What is wrong with the flags.
    pub fn to_options(&self) -> Result<CheckOptions, String> {
        match self.any()? {
            None => Ok(self.with(0)),
            Some((role, from)) => Err(format!(
                "--agents: any number is for `map verify` alone; give a number, such as {role}={}",
                from.max(3)
            )),
        }
    }

    /// The role of which there may be any number of agents, and the least.
    ///
    /// # Errors
    /// What is wrong with the flags.
    pub fn any(&self) -> Result<Option<(&str, u32)>, String> {
        for (index, cast) in self.agents.iter().enumerate() {
            if self.agents[..index].iter().any(|earlier| earlier.name() == cast.name()) {
                return Err(format!("--agents is given twice for {}: give one number", cast.name()));
            }
        }
        let mut any = self.agents.iter().filter_map(|cast| match cast {
            CastArg::Any { name, from } => Some((name.as_str(), *from)),
            CastArg::Exactly(_) => None,
        });
        match (any.next(), any.next()) {
            (first, None) => Ok(first),
            (_, Some(_)) => Err("--agents: any number is for one role at a time".to_owned()),
        }
    }

    /// The options for the checker, with so many agents of the role of which there may be any number, if there is one.
    #[must_use]
    pub fn with(&self, count: u32) -> CheckOptions {
        let agents = self.agents.iter().map(|cast| match cast {
            CastArg::Exactly(cast) => cast.clone(),
            CastArg::Any { name, .. } => CastOverride { name: name.clone(), count: i64::from(count) },
        });
        CheckOptions { scene: self.scene.clone(), agents: agents.collect() }
    }

    /// The same with this number of them.
    #[must_use]
    pub fn counting(&self, count: u32) -> Self {
        let CheckOptions { scene, agents } = self.with(count);
        Self { scene, agents: agents.into_iter().map(CastArg::Exactly).collect() }
    }
}

/// The bounds under which a scene is played.
#[derive(clap::Args, Clone, Debug)]
pub struct BoundArgs {
    /// The most calls that a thread may have open
    #[arg(long, value_name = "N", default_value_t = Bounds::USUAL.depth, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,

    /// The most calls that each agent makes, such as 3 or bidloop=3
    ///
    /// A number alone bounds all calls of an agent, CONSTANT=N those with that constant as first argument. May be repeated.
    #[arg(long, value_name = "N|CONSTANT=N", value_delimiter = ',', value_parser = values::parse_rounds)]
    pub rounds: Vec<Rounds>,

    /// The most messages in a mailbox; one more is a violation
    #[arg(long, value_name = "N", default_value_t = Bounds::USUAL.mailbox)]
    pub mailbox: u32,

    /// When a waiting agent's time can run out
    #[arg(long, value_enum, default_value_t = TimeoutsArg::Quiescent, value_name = "WHEN", help_heading = "Network")]
    pub timeouts: TimeoutsArg,

    /// What the network does, such as unordered or lossy:1,crash:1
    ///
    /// What the network does: instant, unordered, lossy:K (up to K copies of messages are lost), crash:K (up to K
    /// agents stop for ever), or several with commas between
    #[arg(
        long,
        value_name = "KIND",
        default_value = "instant",
        value_parser = values::parse_network,
        help_heading = "Network"
    )]
    pub network: Network,
}

/// `--timeouts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TimeoutsArg {
    /// When everybody is waiting: time is long compared with talking
    Quiescent,
    /// Whenever the agent itself is waiting: messages may be slow
    Any,
}
