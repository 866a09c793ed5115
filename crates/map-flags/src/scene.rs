//! Flags about the scene: which one, its cast, and the bounds under which it is played.

use clap::ValueEnum;
use map_check::{CastOverride, CheckOptions};
use map_semantics::{Bounds, Network};

use crate::values::{self, Rounds};

/// Which scene, and who plays it.
#[derive(clap::Args, Clone, Debug)]
pub struct SceneArgs {
    /// Which scene of the file; the default is the first
    #[arg(long, value_name = "NAME")]
    pub scene: Option<String>,

    /// How many agents play a role, such as bidder=3; may be repeated
    ///
    /// NAME is a role, or the name of an agent of which there are to be several.
    #[arg(long, value_name = "NAME=COUNT", value_delimiter = ',', value_parser = values::parse_cast)]
    pub agents: Vec<CastOverride>,
}

impl SceneArgs {
    /// The options for the checker.
    ///
    /// # Errors
    /// What is wrong with the flags.
    pub fn to_options(&self) -> Result<CheckOptions, String> {
        for (index, cast) in self.agents.iter().enumerate() {
            if self.agents[..index].iter().any(|earlier| earlier.name == cast.name) {
                return Err(format!("--agents is given twice for {}: give one number", cast.name));
            }
        }
        Ok(CheckOptions { scene: self.scene.clone(), agents: self.agents.clone() })
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
