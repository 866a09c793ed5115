//! The limits of a search.

use std::time::Duration;

use map_verify::Limits;

/// The limits of a search. States and memory are heeded by the search, the time by whoever watches it.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits {
    /// States, memory and threads.
    pub limits: Limits,
    /// How long it may take, if there is a limit.
    pub time: Option<TimeLimit>,
    /// Those that whoever asks cannot raise.
    pub fixed: FixedLimits,
}

/// The limits that are as high as they may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedLimits {
    /// The most states.
    pub states: bool,
    /// The memory.
    pub memory: bool,
    /// The time.
    pub time: bool,
}

/// How long a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit {
    /// This search.
    pub search: Duration,
    /// All searches that share the time, this one included.
    pub whole: Duration,
    /// Whether there are others.
    pub is_shared: bool,
}

impl SearchLimits {
    /// The most states, if there is a limit.
    #[must_use]
    pub fn states(&self) -> Option<u64> {
        (self.limits.states != usize::MAX).then_some(self.limits.states as u64)
    }
}
