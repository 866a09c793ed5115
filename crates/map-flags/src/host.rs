//! The program that asks on behalf of flags.

use std::time::Duration;

use map_session::{Scene, SearchLimits, Watch};

use crate::search::SearchArgs;

/// The program that asks on behalf of flags: it has the clock, shares the time out among searches, and watches them.
pub trait Host {
    /// How it watches a search.
    type Watch: Watch;

    /// The limits of the next search under these flags.
    fn next_limits(&self, args: &SearchArgs) -> SearchLimits;

    /// The time that is left for all searches together, if there is a limit.
    fn time_left(&self) -> Option<Duration>;

    /// Watches a search of the scene, which begins now.
    fn watch(&self, scene: &Scene, limits: &SearchLimits) -> Self::Watch;

    /// Whether no further search is to begin.
    fn is_stopped(&self) -> bool;
}
