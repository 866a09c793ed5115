//! Limits, for programs.

use map_session::SearchLimits;

use crate::LimitsOutput;

impl LimitsOutput {
    /// The limits of a search.
    #[must_use]
    pub fn new(within: &SearchLimits) -> Self {
        let time = within.time.map(|time| if time.is_shared { time.search } else { time.whole });
        Self {
            states: within.states(),
            memory_bytes: within.limits.memory as u64,
            seconds: time.map(|time| time.as_secs_f64()),
        }
    }
}
