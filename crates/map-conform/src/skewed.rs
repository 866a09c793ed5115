//! Clocks that differ: by the time of an agent, what others say may have happened earlier than the log shows, or later.
//!
//! What concerns an agent is put into the order of its own time: a message is there from `skew` before its line on, and if
//! messages arrive with their sends it is there `skew` after it at the latest. So lines wait until nothing can come that
//! belongs before them.
//!
//! Each line by itself may be off by as much, and no run need exist for clocks that go evenly. So the conversation is
//! judged by the order of the log, too; what conforms only in the order of some clocks does so possibly.

use std::collections::BTreeMap;
use std::sync::Arc;

use map_ir::AgentId;
use map_semantics::Message;
use rustc_hash::FxHashMap;

use crate::conversation::{Conversation, Own};
use crate::pending::{Arrivals, MAX_UNDER_WAY};
use crate::report::{Mark, Report, Verdict};

/// What happens to an agent at a time. Of what happens at the same time, the first kinds come first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    MayArrive,
    Own,
    HasArrived,
}

/// What happens to an agent.
enum Event {
    MayArrive(AgentId, Arc<Message>),
    Own(AgentId, Own),
    HasArrived(AgentId, AgentId),
}

/// The lines that wait for others.
pub(crate) struct Window {
    skew: u64,
    /// By time, shifted by the skew so that it is never negative, by kind and in the order of the lines.
    events: BTreeMap<(u64, Order, u64), (Mark, Event)>,
    added: u64,
    /// The latest time so far.
    clock: u64,
    /// By recipient and sender: how many messages may have arrived, and need not.
    open: FxHashMap<(AgentId, AgentId), usize>,
}

impl Window {
    pub(crate) fn new(skew: u64) -> Self {
        Self { skew, events: BTreeMap::new(), added: 0, clock: 0, open: FxHashMap::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.events.clear();
    }

    /// Adds what happens so many skews after the one before a time.
    fn add(&mut self, mark: Mark, skews: u64, order: Order, event: Event) {
        self.added += 1;
        let time = mark.time.unwrap_or(self.clock).saturating_add(self.skew.saturating_mul(skews));
        self.events.insert((time, order, self.added), (mark, event));
    }

    /// The next event, if nothing can come any more that belongs before it: lines are late by the skew at most, and by
    /// this much their messages may be earlier. `is_last` if no lines come.
    fn next(&mut self, is_last: bool) -> Option<(Mark, Event)> {
        let (time, ..) = self.events.first_key_value()?.0;
        // The times of events are one skew ahead.
        let is_due = is_last || time.saturating_add(self.skew) < self.clock;
        is_due.then(|| self.events.pop_first().map(|(_, it)| it)).flatten()
    }
}

impl Conversation {
    /// A line of an agent, at its place among the others.
    pub(crate) fn skewed(&mut self, agent: AgentId, mark: Mark, own: Own) {
        let sent = self.scene.settings.arrivals == Arrivals::Sent;
        let Some(window) = &mut self.window else { return };
        if window.events.len() >= MAX_UNDER_WAY {
            return self.give_up(agent, mark);
        }
        if let Own::Sends(spoken) = &own {
            for &to in spoken.to.iter().filter(|&&to| to != spoken.from) {
                let message = Arc::clone(&spoken.message);
                window.add(mark, 0, Order::MayArrive, Event::MayArrive(to, message));
                if sent {
                    window.add(mark, 2, Order::HasArrived, Event::HasArrived(to, spoken.from));
                }
            }
        }
        window.add(mark, 1, Order::Own, Event::Own(agent, own));
        self.pass(mark.time.unwrap_or(0));
    }

    /// It is this time by now, in nanoseconds, so that lines that waited for others need not wait any more.
    pub fn pass(&mut self, now: u64) {
        if let Some(window) = &mut self.window {
            window.clock = window.clock.max(now);
        }
        self.go_on(false);
    }

    /// The latest time at which something may happen that waits.
    #[must_use]
    pub fn waits_until(&self) -> Option<u64> {
        let window = self.window.as_ref()?;
        window.events.last_key_value().map(|((time, ..), _)| time.saturating_add(window.skew))
    }

    /// Judges the lines that need not wait any more, or all.
    pub(crate) fn go_on(&mut self, is_last: bool) {
        while let Some((mark, event)) = self.window.as_mut().and_then(|it| it.next(is_last)) {
            match event {
                Event::Own(agent, own) => self.own(agent, mark, own),
                Event::MayArrive(to, message) => {
                    if let Some(window) = &mut self.window {
                        *window.open.entry((to, message.sender)).or_default() += 1;
                    }
                    self.may_arrive(mark, to, &message);
                }
                Event::HasArrived(to, from) => self.has_arrived(mark, to, from),
            }
        }
    }

    /// The oldest message of a sender that may have arrived has.
    fn has_arrived(&mut self, mark: Mark, to: AgentId, from: AgentId) {
        let open = self.window.as_mut().and_then(|it| it.open.get_mut(&(to, from)));
        let Some(open) = open else { return };
        *open -= 1;
        let open = *open;
        self.check_deadline(to, mark);
        if !self.broke[to.index()] {
            self.monitors[to.index()].has_arrived(&self.scene.shared, from, open);
        }
        self.note_owing(to, mark);
    }

    /// The report by the order of the log, if that explains it, and else by the order of some clocks.
    pub(crate) fn report_skewed(mut self, in_order: Self) -> Report {
        self.go_on(true);
        self.window = None;
        let in_order = in_order.report();
        match in_order.verdict {
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck => in_order,
            Verdict::Violated | Verdict::Inconclusive => {
                let mut report = self.report();
                report.possibly |=
                    matches!(report.verdict, Verdict::Conforms | Verdict::SoFar | Verdict::Stuck);
                report
            }
        }
    }
}
