//! Lines that wait until nothing can come that belongs before them by the time of their agent.

use std::collections::BTreeMap;
use std::sync::Arc;

use map_ir::AgentId;
use map_semantics::Message;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::own::Own;
use crate::report::Mark;

/// What happens to an agent at a time. Of what happens at the same time, the first kinds come first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Order {
    MayArrive,
    Own,
    HasArrived,
}

/// What happens to an agent.
pub(crate) enum Event {
    MayArrive(AgentId, Arc<Message>),
    Own(AgentId, Own),
    HasArrived(AgentId, AgentId),
}

/// The lines that wait for others.
pub(crate) struct Window {
    pub(crate) skew: u64,
    /// By time, shifted by the skew so that it is never negative, by kind and in the order of the lines.
    pub(crate) events: BTreeMap<(u64, Order, u64), (Mark, Event)>,
    added: u64,
    /// The latest time so far.
    pub(crate) clock: u64,
    /// By recipient and sender: how many messages may have arrived, and need not.
    pub(crate) open: FxHashMap<(AgentId, AgentId), usize>,
    /// If clocks agree: the agents that have lines at this time, with the logs in which these are.
    heard: FxHashSet<(AgentId, usize)>,
}

impl Window {
    pub(crate) fn new(skew: u64) -> Self {
        Self {
            skew,
            events: BTreeMap::new(),
            added: 0,
            clock: 0,
            open: FxHashMap::default(),
            heard: FxHashSet::default(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.events.clear();
        self.heard.clear();
    }

    /// Whether all that waits belongs before a line: if clocks agree, only what has the same time is without order.
    pub(crate) fn is_behind(&self, mark: Mark) -> bool {
        self.skew == 0 && mark.time != Some(self.clock)
    }

    /// Where the arrival of a message belongs that this line sends: before what its recipient does at the same time,
    /// but for the earlier lines of the same log.
    pub(crate) fn order_of_arrival(&self, mark: Mark, to: AgentId) -> Order {
        if self.heard.contains(&(to, mark.log)) { Order::Own } else { Order::MayArrive }
    }

    /// Adds what happens so many skews after the one before a time.
    pub(crate) fn add(&mut self, mark: Mark, skews: u64, order: Order, event: Event) {
        self.added += 1;
        if let (0, Event::Own(agent, _)) = (self.skew, &event) {
            self.heard.insert((*agent, mark.log));
        }
        let time = mark.time.unwrap_or(self.clock).saturating_add(self.skew.saturating_mul(skews));
        self.events.insert((time, order, self.added), (mark, event));
    }

    /// The next event, if nothing can come any more that belongs before it: lines are late by the skew at most, and by
    /// this much their messages may be earlier. `is_last` if no lines come.
    pub(crate) fn next(&mut self, is_last: bool) -> Option<(Mark, Event)> {
        let Some(((time, ..), _)) = self.events.first_key_value() else {
            self.heard.clear();
            return None;
        };
        // The times of events are one skew ahead.
        let is_due = is_last || time.saturating_add(self.skew) < self.clock;
        is_due.then(|| self.events.pop_first().map(|(_, it)| it)).flatten()
    }
}
