//! The clock of the logs, and what is due by it.

use std::collections::BTreeSet;

use crate::report::Mark;

/// The latest time of all lines, and the conversations in which something is due.
#[derive(Default)]
pub(super) struct Clock {
    latest: Mark,
    /// By the time at which it is due.
    due: BTreeSet<(u64, String)>,
}

impl Clock {
    /// A clock that shows this, by which nothing is due.
    pub(super) fn at(latest: Mark) -> Self {
        Self { latest, due: BTreeSet::new() }
    }

    /// The latest time, and where it is.
    pub(super) fn latest(&self) -> Mark {
        self.latest
    }

    /// A line, or a later time.
    pub(super) fn note(&mut self, mark: Mark) {
        if mark.time > self.latest.time {
            self.latest = mark;
        }
    }

    /// Notes when something is due in a conversation, which was noted as `before`.
    pub(super) fn set_due(&mut self, before: &mut Option<u64>, due: Option<u64>, name: &str) {
        if *before != due {
            self.forget(*before, name);
            self.due.extend(due.map(|due| (due, name.to_owned())));
            *before = due;
        }
    }

    /// Nothing is due any more.
    pub(super) fn forget(&mut self, due: Option<u64>, name: &str) {
        if let Some(due) = due {
            self.due.remove(&(due, name.to_owned()));
        }
    }

    /// Takes out all conversations in which something is due, whether by now or later, with the latest time.
    pub(super) fn take_all(&mut self) -> (Vec<String>, Mark) {
        (std::mem::take(&mut self.due).into_iter().map(|(_, name)| name).collect(), self.latest)
    }

    /// Takes out a conversation in which something was due by this many nanoseconds before the latest time.
    pub(super) fn next_overdue(&mut self, lag: u64) -> Option<(String, Mark)> {
        let now = self.latest.time?;
        let (due, _) = self.due.first()?;
        if due.saturating_add(lag) >= now {
            return None;
        }
        self.due.pop_first().map(|(_, name)| (name, self.latest))
    }
}
