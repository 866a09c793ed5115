//! The time of a guard: that of the machine, but that it never runs back.

use std::time::{SystemTime, UNIX_EPOCH};

use map_guard::Moment;

/// A clock.
#[derive(Default)]
pub(super) struct Clock {
    last: Moment,
}

impl Clock {
    /// The time that it is, in nanoseconds since 1970.
    pub(super) fn now(&mut self) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.last = self.last.max(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX));
        self.last
    }
}
