//! A saved trace.

use serde::Serialize;

use crate::{BoundsOutput, Header, Origin};

/// What `--save-trace` writes and `map replay` reads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// What it was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// How the trace ends.
    pub verdict: String,
    /// The bounds in force.
    pub bounds: BoundsOutput,
    /// The values with which cells start that may start with several: `!Buyer@limit = 5`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub initial: Vec<String>,
    /// The steps: number of the agent, number of the thread, `act`, `timeout`, `crash` or `arrive`, and how what was
    /// open was settled.
    pub choices: Vec<String>,
    /// The steps from this one on, counted from 0, are repeated for ever: they lead back to where they begin.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repeated_from: Option<usize>,
    /// The values that programs and people answered: an option of 3 or more of an ask means one of these. In source
    /// form; `#7` and `fresh#7` are abstract and fresh values by their number.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub values: Vec<String>,
}
