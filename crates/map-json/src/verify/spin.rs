//! What SPIN found.

use map_verify::{PropertyVerdict, ViolationKind};
use serde::Serialize;

use crate::Word;

/// What SPIN found in the exported model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpinOutput {
    /// Its version, as it prints it.
    pub version: String,
    /// The kinds of violation, in our words; the first is that of the trail.
    pub violations: Vec<Word<ViolationKind>>,
    /// Whether some run never ends.
    pub infinite_runs: bool,
    /// What kept it from a complete search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// How many states were found.
    pub states: u64,
    /// How many steps between them.
    pub transitions: u64,
    /// Of its searches alone.
    pub seconds: f64,
    /// The number of steps of its trail, which has been replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trail_steps: Option<usize>,
    /// Whether its verdict is of the same class; left out if there is nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
    /// What it found about the properties that the model states.
    pub properties: Vec<SpinPropertyOutput>,
}

/// What SPIN found about a property, in all runs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpinPropertyOutput {
    /// Its name.
    pub name: String,
    /// Its verdict.
    pub verdict: Word<PropertyVerdict>,
    /// What kept it from an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Our own verdict in all runs, as with `--fairness none`.
    pub ours: Word<PropertyVerdict>,
    /// How many states were found.
    pub states: u64,
    /// The number of steps of its trail, which has been replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trail_steps: Option<usize>,
    /// Whether the two verdicts are the same; left out if there is nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
}
