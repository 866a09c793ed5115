//! What the declared costs come to.

use serde::Serialize;

use crate::StepOutput;

/// What a declared cost comes to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CostOutput {
    /// Its name, which is its unit.
    pub name: String,
    /// It is a measure of the file, of what events bring.
    pub measure: bool,
    /// What all agents pay together; none if it cannot be added up.
    #[serde(flatten)]
    pub total: Option<CostRangeOutput>,
    /// Every run was searched: without, neither the least nor the most is known, unless there is no bound.
    pub searched: bool,
    /// The most that a run costs that was seen, if not every run was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<i64>,
    /// Some step was cut by a bound: it is about runs within the bounds only.
    pub cut: bool,
    /// The run depends on an open comparison.
    pub possible: bool,
    /// What the agents of each role pay together, of roles that pay, if there are several.
    pub roles: Vec<RoleCostOutput>,
    /// A shortest run that costs most; without bound, one that ends with steps that can be repeated without end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<StepOutput>>,
    /// The values with which cells start that may start with several: `!Buyer@limit = 5`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub initial: Vec<String>,
    /// The trace as something to repeat it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// The steps from this one on, counted from 0, can be repeated without end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated_from: Option<usize>,
    /// What these steps cost each time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each_time: Option<i64>,
    /// Why it cannot be added up.
    pub reasons: Vec<String>,
}

/// The least and the most that something costs.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CostRangeOutput {
    /// The least that a run costs that comes to the good end; none if there is no such run, or if it is not known.
    pub least: Option<i64>,
    /// The most that a run costs; none if there is no bound, if it passes 64 bits, or if it is not known.
    pub most: Option<i64>,
    /// It is proved that no run costs more than some amount.
    pub bounded: bool,
}

/// What the agents of a role pay.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RoleCostOutput {
    /// The role, without `%`.
    pub role: String,
    /// What they pay together.
    #[serde(flatten)]
    pub range: CostRangeOutput,
}
