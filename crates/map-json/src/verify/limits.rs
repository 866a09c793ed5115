//! The limits of a search.

use serde::Serialize;

/// The limits of the search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LimitsOutput {
    /// The most states; absent if any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// The most bytes for states, transitions and tables.
    pub memory_bytes: u64,
    /// The longest time, the share of this search if several have a limit together; absent if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}
