//! A saved trace.

use serde::Serialize;

use super::{BoundsOutput, Header};

/// What `--save-trace` writes and `map replay` reads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TraceOutput {
    #[serde(flatten)]
    pub(crate) header: Header,
    /// The file with the dialogue, as it was named.
    pub(crate) file: String,
    /// What its text is known by: `sha256:` and the digest in hexadecimal digits.
    pub(crate) source: String,
    pub(crate) scene: String,
    /// The numbers of agents asked for, as `--agents` takes them.
    pub(crate) cast: Vec<String>,
    /// How the trace ends.
    pub(crate) verdict: String,
    pub(crate) bounds: BoundsOutput,
    /// The steps: number of the agent, number of the thread, `act`, `timeout` or `crash`, and how what was open was settled.
    pub(crate) choices: Vec<String>,
    /// The values that programs and people answered: an option of 3 or more of an ask means one of these. In source
    /// form; `#7` and `fresh#7` are abstract and fresh values by their number.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) values: Vec<String>,
}
