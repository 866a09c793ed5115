//! The output of `map replay`.

use serde::Serialize;

use crate::{AgentOutput, BoundsOutput, Header, Origin, StepOutput, UnreadOutput};

/// `map replay --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReplayOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// What it was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// What the trace leads to: a verdict of `map run` or `map verify`, or `not ended` if more can happen.
    pub verdict: String,
    /// What it is said to lead to by whoever saved it.
    pub recorded: String,
    /// How many steps were made.
    pub steps: u64,
    /// The steps.
    pub trace: Vec<StepOutput>,
    /// The values with which cells start that may start with several: `!Buyer@limit = 5`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub initial: Vec<String>,
    /// The steps as something to repeat them by.
    pub choices: Vec<String>,
    /// The steps from this one on, counted from 0, are repeated for ever: they lead back to where they begin.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repeated_from: Option<usize>,
    /// The values that programs and people answered, as in traces.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub values: Vec<String>,
    /// How each agent stands at the end; none if there is no first state.
    pub agents: Vec<AgentOutput>,
    /// Messages that agents which had ended have not read.
    pub unread: Vec<UnreadOutput>,
    /// The bounds in force.
    pub bounds: BoundsOutput,
}
