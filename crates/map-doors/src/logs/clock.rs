//! The clock on the wall, for logs that are still being written.

use std::time::{SystemTime, UNIX_EPOCH};

use map_conform::Mark;
use serde::{Deserialize, Serialize};

/// How far the times of lines lag behind the clock on the wall, for logs that are still being written.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub struct WallClock {
    /// The least distance in nanoseconds, of the lines so far.
    lag: Option<i64>,
    /// The last line.
    last: Mark,
}

impl WallClock {
    /// The time by the clock on the wall, in nanoseconds since 1970.
    #[must_use]
    pub fn now() -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }

    /// Notes a line that has just been read.
    pub fn note(&mut self, mark: Mark) {
        let Some(time) = mark.time else { return };
        let lag = i64::try_from(i128::from(Self::now()) - i128::from(time)).unwrap_or(i64::MAX);
        self.lag = Some(self.lag.map_or(lag, |least| least.min(lag)));
        self.last = mark;
    }

    /// The time by the clock of the log; `None` before the first line.
    #[must_use]
    pub fn time_of_log(&self) -> Option<Mark> {
        let time = i128::from(Self::now()) - i128::from(self.lag?);
        Some(Mark { time: Some(u64::try_from(time).unwrap_or(0)), ..self.last })
    }
}
