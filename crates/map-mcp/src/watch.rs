//! What ends the work for a request early: it is cancelled, the input is closed, or its time is up.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use map_session::SearchLimits;
use map_verify::{Limit, Progress, Snapshot, Stop};

/// The time between two measurements of the memory of the process.
const MEASURE: Duration = Duration::from_millis(50);

/// What ends the work for a request, shared by those who wait for it and the thread that does it.
#[derive(Clone, Default)]
pub(crate) struct Ends {
    stop: Stop,
    limit: Arc<OnceLock<Limit>>,
}

impl Ends {
    /// Ends the work; the first reason counts.
    pub(crate) fn end(&self, limit: Limit) {
        let _ = self.limit.set(limit);
        self.stop.raise();
    }

    /// Why the work is to end.
    pub(crate) fn reason(&self) -> Option<Limit> {
        self.limit.get().copied()
    }
}

/// The work for a request: what ends it, since when it is done, and how memory is measured.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) ends: Ends,
    pub(crate) started: Instant,
    /// The bytes that the process occupies, if that is known.
    pub(crate) resident: fn() -> Option<u64>,
}

impl Task {
    /// Work that begins now.
    pub(crate) fn new(resident: fn() -> Option<u64>) -> Self {
        Self { ends: Ends::default(), started: Instant::now(), resident }
    }

    /// Watches one search, which begins now.
    pub(crate) fn watch(&self, limits: &SearchLimits) -> Watch {
        let now = Instant::now();
        Watch {
            ends: self.ends.clone(),
            started: now,
            until: limits.time.and_then(|time| now.checked_add(time.search)),
            resident: self.resident,
            before: (self.resident)().unwrap_or(0),
            memory: limits.limits.memory as u64,
            measured: now,
        }
    }
}

/// Ends a search when its time is up, memory is short, or the request has ended.
pub(crate) struct Watch {
    ends: Ends,
    started: Instant,
    until: Option<Instant>,
    resident: fn() -> Option<u64>,
    /// The bytes that the process occupied when the search began: what earlier requests have left is not its own.
    before: u64,
    /// The bytes that it may need besides.
    memory: u64,
    measured: Instant,
}

impl Watch {
    fn exceeds_memory(&mut self, now: Instant) -> bool {
        if now - self.measured < MEASURE {
            return false;
        }
        self.measured = now;
        (self.resident)().is_some_and(|bytes| bytes.saturating_sub(self.before) > self.memory)
    }
}

impl Progress for Watch {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        let now = Instant::now();
        let time = self.until.filter(|&until| now >= until).map(|_| Limit::Time);
        let ended = self.ends.reason().or(time);
        ended.or_else(|| self.exceeds_memory(now).then_some(Limit::Memory))
    }

    fn stop(&self) -> Stop {
        self.ends.stop.clone()
    }
}

impl map_session::Watch for Watch {
    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
