//! Verdicts on properties alone.

use map_verify::Limit;
use serde::Serialize;

use crate::{BoundsOutput, Header, LimitsOutput, Origin, PropertyOutput, Word};

/// A file of which only the properties were judged (`--properties-only`).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JudgedOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// What it was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// Every reachable state was seen and nothing was cut. Verdicts may be final without: a search ends where all that
    /// it is made for is decided.
    pub complete: bool,
    /// Some step was cut by a bound.
    pub cut: bool,
    /// Every reachable state was expanded.
    pub searched: bool,
    /// What ended the search or the judging early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Word<Limit>>,
    /// How many states were found.
    pub states: usize,
    /// How many steps between them.
    pub transitions: usize,
    /// Verdicts on the properties of the file, then on those of the command line.
    pub properties: Vec<PropertyOutput>,
    /// The bounds in force.
    pub bounds: BoundsOutput,
    /// The limits in force.
    pub limits: LimitsOutput,
    /// What the verdicts take for granted.
    pub assumptions: Vec<String>,
    /// How long it took.
    pub seconds: f64,
    /// The most memory the process has occupied so far.
    pub peak_memory_bytes: u64,
    /// The most that one of the searches needed for its visited set and the graph that it kept.
    pub states_memory_bytes: usize,
}
