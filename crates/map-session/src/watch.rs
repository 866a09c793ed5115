//! Those who watch a search, and may end it.

use std::time::Duration;

use map_verify::{Limit, Progress, Snapshot};

/// Watches a search: ends it at limits of its own, and has the clock that this crate lacks.
pub trait Watch: Progress {
    /// The time since the question was asked; zero without a clock.
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    /// The most bytes that the process has occupied so far, if that is known.
    fn peak_memory(&self) -> Option<u64> {
        None
    }

    /// The number of states that the search has taken from a checkpoint.
    fn resumed(&self) -> usize {
        0
    }
}

/// Watches nothing: the search goes on until it is complete, or reaches a limit of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWatch;

impl Progress for NoWatch {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        None
    }
}

impl Watch for NoWatch {}
