//! Says how far a search has come, and ends it when its time is up.

use std::time::{Duration, Instant};

use map_session::SearchLimits;
use map_verify::{Limit, Progress, Snapshot};
use serde::Serialize;

/// The time between two reports.
const EVERY: Duration = Duration::from_millis(100);

/// Watches one search.
pub(crate) struct Watch {
    /// What is searched, if there are several searches: a cast or a weather.
    about: String,
    started: Instant,
    until: Option<Instant>,
    reported: Instant,
}

/// A line on standard error.
#[derive(Serialize)]
struct Report<'a> {
    about: &'a str,
    states: usize,
    depth: usize,
    /// States that have not been looked at yet.
    left: usize,
    /// Bytes.
    memory: usize,
    seconds: f64,
}

impl Watch {
    /// A search that begins now.
    pub(crate) fn new(about: &str, limits: &SearchLimits) -> Self {
        let started = Instant::now();
        let until = limits.time.and_then(|time| started.checked_add(time.search));
        Self { about: about.to_owned(), started, until, reported: started }
    }
}

impl Progress for Watch {
    fn tick(&mut self, snapshot: &Snapshot) -> Option<Limit> {
        let now = Instant::now();
        if now - self.reported >= EVERY {
            self.reported = now;
            let report = Report {
                about: &self.about,
                states: snapshot.states,
                depth: snapshot.depth,
                left: snapshot.frontier,
                memory: snapshot.memory,
                seconds: (now - self.started).as_secs_f64(),
            };
            eprintln!("{}", serde_json::to_string(&report).unwrap_or_default());
        }
        self.until.filter(|&until| now >= until).map(|_| Limit::Time)
    }
}

impl map_session::Watch for Watch {
    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
