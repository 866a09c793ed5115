//! Lines of one log that wait for earlier ones, which may follow them if its times run back.

use std::collections::BTreeMap;

use map_ir::AgentId;

use crate::own::Own;
use crate::report::Mark;

/// The lines that earlier ones may follow.
#[derive(Default)]
pub(crate) struct Waiting {
    /// By time and in their own order.
    lines: BTreeMap<(u64, u64), (AgentId, Mark, Own)>,
    added: u64,
    /// The latest time so far.
    clock: u64,
    /// By how much, in nanoseconds, a line may be earlier than one before it.
    most: u64,
}

impl Waiting {
    pub(crate) fn new(most: u64) -> Self {
        Self { most, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Adds a line; one without a time is where the log has it.
    pub(crate) fn push(&mut self, agent: AgentId, mark: Mark, own: Own) {
        let time = mark.time.unwrap_or(self.clock);
        self.clock = self.clock.max(time);
        self.added += 1;
        self.lines.insert((time, self.added), (agent, mark, own));
    }

    /// The next line by the times, if none can come any more that belongs before it; `is_last` if no lines come.
    pub(crate) fn pop(&mut self, is_last: bool) -> Option<(AgentId, Mark, Own)> {
        let first = self.lines.first_entry()?;
        let is_due = is_last || first.key().0 < self.clock.saturating_sub(self.most);
        is_due.then(|| first.remove())
    }
}
