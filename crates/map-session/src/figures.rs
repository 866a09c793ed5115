//! What an answer cost.

use std::time::Duration;

/// What an answer cost, as measured by whoever watched ([`crate::Watch`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The search for termination.
    pub searching: Duration,
    /// That and the judging of properties.
    pub took: Duration,
    /// States that were taken from a checkpoint instead of being found.
    pub resumed: usize,
    /// Bytes: the most memory that the process has occupied so far or, if that is not known, those of the search's
    /// tables.
    pub peak_memory: u64,
}
