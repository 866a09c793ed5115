//! The time that searches share.

use std::cell::Cell;
use std::time::{Duration, Instant};

use map_session::{FixedLimits, SearchLimits, TimeLimit};
use map_verify::Limits;

/// The time limit of a command, which its searches share.
pub(in crate::commands) struct SharedTime {
    limit: Option<Duration>,
    started: Instant,
    searches: usize,
    /// How many of them have not begun.
    to_come: Cell<usize>,
}

impl SharedTime {
    pub(in crate::commands) fn new(limit: Option<Duration>, searches: usize) -> Self {
        Self { limit, started: Instant::now(), searches, to_come: Cell::new(searches) }
    }

    /// The time for one search that may take no longer than `own`, nor than what is left.
    pub(in crate::commands) fn within(&self, own: Option<Duration>) -> Self {
        let left = self.left();
        let limit = own.zip(left).map(|(own, left)| own.min(left)).or(own).or(left);
        Self::new(limit, 1)
    }

    /// What is left of it, if there is a limit.
    pub(in crate::commands) fn left(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.started.elapsed()))
    }

    /// The time for the next search: an equal share of what is left for all that have not begun. A search that needs
    /// less leaves more for the others.
    fn next_share(&self) -> Option<Duration> {
        let to_come = self.to_come.get().max(1);
        self.to_come.set(to_come - 1);
        let left = self.left()?;
        Some(left / u32::try_from(to_come).unwrap_or(u32::MAX))
    }

    /// The limits of the next search.
    pub(in crate::commands) fn next(&self, limits: Limits) -> SearchLimits {
        let share = self.next_share();
        let is_shared = self.searches > 1;
        let time = share.zip(self.limit).map(|(search, whole)| TimeLimit { search, whole, is_shared });
        SearchLimits { limits, time, fixed: FixedLimits::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::SharedTime;

    #[test]
    fn searches_have_equal_shares_of_what_is_left() {
        let shared = SharedTime::new(Some(Duration::from_secs(3000)), 3);
        let share = |of: u64| Duration::from_secs(of)..=Duration::from_secs(of + 1);
        let around = |seconds: u64| share(seconds - 1);
        assert!(around(1000).contains(&shared.next_share().expect("there is a limit")));
        // Hardly anything was used of the first share.
        assert!(around(1500).contains(&shared.next_share().expect("there is a limit")));
        assert!(around(3000).contains(&shared.next_share().expect("there is a limit")));
        assert_eq!(SharedTime::new(None, 2).next_share(), None);
        let over = SharedTime::new(Some(Duration::ZERO), 2);
        assert_eq!(over.next_share(), Some(Duration::ZERO));
    }
}
