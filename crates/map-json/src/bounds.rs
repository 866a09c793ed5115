//! Bounds by name.

use map_ir::{Program, Value, show_value};
use map_semantics::{Bounds, Network, Timeouts};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Word;

/// The bounds in force.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BoundsOutput {
    /// Who plays.
    pub agents: Vec<PlayerOutput>,
    /// The most activations one thread may hold open.
    pub depth: u32,
    /// The most calls each agent makes; absent if any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// The most calls each agent makes with that first argument.
    pub rounds_of: Vec<RoundsOutput>,
    /// The longest mailbox.
    pub mailbox: u32,
    /// When time can run out.
    pub timeouts: Word<Timeouts>,
    /// `instant`, `unordered`, `delayed`, `lossy:K` or `crash:K`, or several with commas between.
    #[serde(serialize_with = "as_text", deserialize_with = "from_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub network: Network,
}

/// An agent of the cast.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlayerOutput {
    /// Its name, without `!`.
    pub name: String,
    /// Its role.
    pub role: String,
}

/// A bound on calls with a constant as first argument.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RoundsOutput {
    /// The constant, in source form.
    pub constant: String,
    /// The most calls.
    pub limit: u32,
}

impl BoundsOutput {
    /// The bounds for the agents of a scene.
    #[must_use]
    pub fn new(program: &Program, bounds: &Bounds) -> Self {
        let player = |agent| PlayerOutput {
            name: program.agent_name(agent).to_owned(),
            role: program.role_name(program.agent(agent).role).to_owned(),
        };
        let constant = |value: Value| show_value(program, value, &|_| String::new());
        // Runs in outputs are whole: no program asks what follows on some steps.
        let Bounds { depth, rounds, ref rounds_of, mailbox, timeouts, network, after: _ } = *bounds;
        Self {
            agents: program.cast().map(player).collect(),
            depth,
            rounds,
            rounds_of: rounds_of
                .iter()
                .map(|&(value, limit)| RoundsOutput { constant: constant(value), limit })
                .collect(),
            mailbox,
            timeouts: timeouts.into(),
            network,
        }
    }
}

fn as_text<S: Serializer>(network: &Network, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(network)
}

fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Network, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}
