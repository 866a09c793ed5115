//! Follows one agent through the log: the set of states that it may be in.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, PointId, Program};
use map_semantics::{AgentState, Ending, Message, Status, start};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hypothesis::{Frame, Hypothesis};
use crate::pending::{Arrivals, MAX_UNDER_WAY, enqueue};
use crate::steps::{Sending, Steps, steps};

/// A message as the log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// Who sent it.
    pub from: AgentId,
    /// To whom.
    pub to: Vec<AgentId>,
    /// The message.
    pub message: Arc<Message>,
}

/// What the monitors of a scene share.
pub(crate) struct Shared {
    pub(crate) frame: Frame,
    pub(crate) arrivals: Arrivals,
    /// The maximum number of hypotheses of an agent at a line.
    pub(crate) limit: usize,
    /// By agent: what sets of hypotheses lead to. Conversations of one scene pass through the same sets.
    memo: RefCell<Vec<FxHashMap<Vec<Hypothesis>, Arc<Closure>>>>,
}

/// The maximum number of sets that are remembered for an agent, and of their hypotheses and what can be sent: large ones
/// hardly occur twice.
const MAX_REMEMBERED: usize = 4_096;
const MAX_SIZE: usize = 32;

impl Shared {
    pub(crate) fn new(frame: Frame, arrivals: Arrivals, limit: usize) -> Self {
        let memo = RefCell::new(vec![FxHashMap::default(); frame.program.agents.len()]);
        Self { frame, arrivals, limit, memo }
    }

    fn closure(&self, agent: AgentId, hypotheses: &[Hypothesis]) -> Arc<Closure> {
        if let Some(known) = self.memo.borrow()[agent.index()].get(hypotheses) {
            return Arc::clone(known);
        }
        let closure = Arc::new(close(&self.frame, self.arrivals, agent, hypotheses, self.limit));
        if hypotheses.len() + closure.sends.len() + closure.sensitive.len() <= MAX_SIZE {
            let memo = &mut self.memo.borrow_mut()[agent.index()];
            if memo.len() >= MAX_REMEMBERED {
                memo.clear();
            }
            memo.insert(hypotheses.to_vec(), Arc::clone(&closure));
        }
        closure
    }
}

/// Follows one agent.
#[derive(Clone)]
pub(crate) struct Monitor {
    pub(crate) agent: AgentId,
    /// The states after the last line that concerns the agent. Empty if it has violated the protocol.
    hypotheses: Vec<Hypothesis>,
    /// Whether something was cut off: then nothing can be said against it.
    pub(crate) cut: bool,
    /// The largest number of hypotheses so far.
    pub(crate) most: usize,
    /// What its hypotheses lead to without a line of the log.
    closure: Option<Arc<Closure>>,
}

/// What a set of hypotheses leads to without sends.
#[derive(Default)]
pub(crate) struct Closure {
    /// What can be sent.
    pub(crate) sends: Vec<Sending>,
    /// States that a message would have prevented, had it arrived before, with the performatives of such messages;
    /// `None` stands for all, since time ran out.
    sensitive: Vec<(Hypothesis, Option<Vec<PerformativeId>>)>,
    /// Whether a state is reached in which the agent has ended: for certain, or possibly.
    pub(crate) may_end: bool,
    /// The same for certain.
    pub(crate) certainly_ends: bool,
    /// Whether the agent comes to rest without a timeout.
    pub(crate) comes_to_rest: bool,
    /// Whether it can do nothing but end, if it has not ended yet.
    pub(crate) has_ended: bool,
    /// The points at which it waits when it is at rest.
    pub(crate) waits_at: Vec<PointId>,
    /// Whether something was cut off, so that what is not found may exist all the same.
    pub(crate) cut: bool,
}

/// The result of a line for its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Some hypothesis explains it.
    Fits,
    /// None does.
    Violated,
    /// None of those that were looked at does.
    Unknown,
}

impl Monitor {
    /// The monitor before the first line.
    pub(crate) fn new(frame: &Frame, agent: AgentId, limit: usize) -> Self {
        let mut monitor = Self { agent, hypotheses: Vec::new(), cut: false, most: 0, closure: None };
        let mut seen = FxHashSet::default();
        for options in initial_options(&frame.program, agent) {
            if seen.len() >= limit {
                monitor.cut = true;
                break;
            }
            match first(frame, agent, &options) {
                Ok(hypothesis) => {
                    if seen.insert(hypothesis.clone()) {
                        monitor.hypotheses.push(hypothesis);
                    }
                }
                Err(cut) => monitor.cut |= cut,
            }
        }
        monitor.most = monitor.hypotheses.len();
        monitor
    }

    /// The monitor of an agent of which all is known and that has ended.
    pub(crate) fn ended(&self) -> Self {
        let mut hypotheses = self.hypotheses.clone();
        hypotheses.truncate(1);
        for it in &mut hypotheses {
            it.state.status = Status::Done;
        }
        Self { hypotheses, cut: false, closure: None, ..*self }
    }

    /// Whether no hypothesis is left.
    pub(crate) fn is_lost(&self) -> bool {
        self.hypotheses.is_empty()
    }

    /// Whether some hypothesis surely belongs to a run.
    pub(crate) fn is_certain(&self) -> bool {
        self.hypotheses.iter().any(Hypothesis::is_certain)
    }

    /// The last message, by hypothesis, with the recipients to whom no copy has been logged.
    pub(crate) fn copies(&self) -> impl Iterator<Item = &(Arc<Message>, Vec<AgentId>)> {
        self.hypotheses.iter().filter_map(|it| it.copies.as_ref())
    }

    /// Whether copies of the last message are missing under all hypotheses.
    pub(crate) fn lacks_copies(&self) -> bool {
        !self.is_lost() && self.copies().count() == self.hypotheses.len()
    }

    /// Whether the agent may have ended, and cannot send anything unless more arrives.
    pub(crate) fn is_over(&mut self, shared: &Shared) -> bool {
        if self.cut || self.hypotheses.iter().any(|it| it.copies.is_some()) {
            return false;
        }
        let closure = self.closure(shared);
        closure.may_end && closure.sends.is_empty() && !closure.cut
    }

    /// What its hypotheses lead to without a line of the log.
    pub(crate) fn closure(&mut self, shared: &Shared) -> Arc<Closure> {
        if let Some(closure) = &self.closure {
            return Arc::clone(closure);
        }
        let closure = shared.closure(self.agent, &self.hypotheses);
        self.closure = Some(Arc::clone(&closure));
        closure
    }

    /// A message has been sent to the agent, and may arrive at any time.
    pub(crate) fn will_arrive(&mut self, arrivals: Arrivals, message: &Arc<Message>) {
        for hypothesis in self.hypotheses.iter_mut().filter(|it| !it.has_ended()) {
            if hypothesis.pending.len() >= MAX_UNDER_WAY {
                self.cut = true;
                continue;
            }
            enqueue(arrivals, &mut hypothesis.pending, Arc::new((**message).clone()));
        }
        self.closure = None;
    }

    /// A message arrives.
    pub(crate) fn arrive(&mut self, shared: &Shared, message: &Arc<Message>) {
        if self.hypotheses.iter().all(Hypothesis::has_ended) {
            return;
        }
        let closure = self.closure(shared);
        self.cut |= closure.cut;
        self.closure = None;
        let missed = |it: &&(Hypothesis, Option<Vec<PerformativeId>>)| {
            it.1.as_ref().is_none_or(|missed| missed.contains(&message.performative))
        };
        let mut all = std::mem::take(&mut self.hypotheses);
        all.extend(closure.sensitive.iter().filter(missed).map(|(it, _)| it.clone()));
        let mut seen = FxHashSet::default();
        for mut hypothesis in all {
            match map_semantics::deliver(&shared.frame.bounds, &mut hypothesis.state, message) {
                map_semantics::Delivery::Delivered | map_semantics::Delivery::Dropped => {}
                map_semantics::Delivery::Overflow => {
                    self.cut = true;
                    continue;
                }
            }
            if seen.insert(hypothesis.clone()) {
                self.hypotheses.push(hypothesis);
            }
        }
        self.bounded(shared.limit);
    }

    /// The agent sends a message.
    pub(crate) fn send(&mut self, shared: &Shared, spoken: &Spoken) -> Fit {
        let closure = self.closure(shared);
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        let copies = self.hypotheses.iter().filter_map(|it| copy(it, spoken));
        let sends = closure.sends.iter().filter_map(|it| matched(&shared.frame, self.agent, it, spoken));
        for hypothesis in copies.chain(sends) {
            if seen.insert(hypothesis.clone()) {
                next.push(hypothesis);
            }
        }
        self.cut |= closure.cut;
        if next.is_empty() {
            // The hypotheses stay: what it could have done instead is told from them.
            return if self.cut { Fit::Unknown } else { Fit::Violated };
        }
        self.hypotheses = next;
        self.closure = None;
        self.bounded(shared.limit);
        Fit::Fits
    }

    /// Whether the last message may have gone to all of its recipients; then nothing else is held possible.
    pub(crate) fn has_sent_all(&mut self) -> bool {
        self.hypotheses.retain(|it| it.copies.is_none());
        self.closure = None;
        !self.is_lost()
    }

    fn bounded(&mut self, limit: usize) {
        self.most = self.most.max(self.hypotheses.len());
        if self.hypotheses.len() > limit {
            self.cut = true;
            self.hypotheses.truncate(limit);
        }
    }
}

/// The options for the cells of an agent that may start with several values, one after the other.
pub(crate) fn initial_options(program: &Program, agent: AgentId) -> impl Iterator<Item = Vec<u32>> {
    let cells = map_semantics::open_cells(program).filter(|cell| cell.agent == agent);
    let sizes: Vec<u32> = cells.map(|cell| cell.values.len() as u32).collect();
    // Like an odometer.
    std::iter::successors(Some(vec![0; sizes.len()]), move |options| {
        let at = (0..sizes.len()).rev().find(|&at| options[at] + 1 < sizes[at])?;
        let mut next = options.clone();
        next[at] += 1;
        next[at + 1..].fill(0);
        Some(next)
    })
}

/// The state in which an agent starts with these options for its cells; else whether a bound is the reason.
pub(crate) fn first(frame: &Frame, agent: AgentId, mut options: &[u32]) -> Result<Hypothesis, bool> {
    match start(&frame.program, &frame.bounds, agent, &mut options).ending {
        Ending::State(next) => {
            let mut hypothesis = Hypothesis::new(AgentState::new(next));
            hypothesis.normalise(frame, agent);
            Ok(hypothesis)
        }
        Ending::Cut(_) | Ending::TooLong(_) => Err(true),
        Ending::Nothing | Ending::Runaway(_) | Ending::RunError(_) => Err(false),
    }
}

/// The hypothesis after a copy of its last message.
fn copy(from: &Hypothesis, spoken: &Spoken) -> Option<Hypothesis> {
    let (message, left) = from.copies.as_ref()?;
    let is_one = **message == *spoken.message && spoken.to.iter().all(|to| left.contains(to));
    is_one.then(|| {
        let left: Vec<AgentId> = left.iter().copied().filter(|it| !spoken.to.contains(it)).collect();
        let copies = (!left.is_empty()).then(|| (Arc::clone(message), left));
        Hypothesis { copies, ..from.clone() }
    })
}

/// The hypothesis after a send, if it can be the one in the log.
pub(crate) fn matched(frame: &Frame, agent: AgentId, send: &Sending, spoken: &Spoken) -> Option<Hypothesis> {
    let is_candidate = send.message.performative == spoken.message.performative
        && !spoken.to.is_empty()
        && spoken.to.iter().all(|to| send.to.contains(to));
    if !is_candidate {
        return None;
    }
    let mut next = send.next.clone();
    let equal = next.says(&frame.program, &send.message, &spoken.message)?;
    if !next.assume(&frame.program, equal) {
        return None;
    }
    let left: Vec<AgentId> = send.to.iter().copied().filter(|it| !spoken.to.contains(it)).collect();
    next.copies = (!left.is_empty()).then(|| (Arc::clone(&spoken.message), left));
    next.normalise(frame, agent);
    Some(next)
}

/// Follows all silent steps from these hypotheses.
fn close(frame: &Frame, arrivals: Arrivals, agent: AgentId, from: &[Hypothesis], limit: usize) -> Closure {
    let mut closure = Closure { has_ended: true, ..Closure::default() };
    let mut some_end = false;
    let mut queue: VecDeque<(Hypothesis, bool)> = from.iter().map(|it| (it.clone(), false)).collect();
    let mut seen: FxHashSet<(Hypothesis, bool)> = queue.iter().cloned().collect();
    while let Some((hypothesis, timed_out)) = queue.pop_front() {
        let Steps { silent, sends, cut, at_rest } = steps(frame, arrivals, agent, &hypothesis);
        closure.cut |= cut;
        closure.comes_to_rest |= at_rest && !timed_out;
        closure.has_ended &= hypothesis.has_ended() || !at_rest && sends.is_empty();
        some_end |= hypothesis.has_ended();
        if at_rest && !timed_out {
            let places = hypothesis.state.control.threads().map(|it| hypothesis.state.control.place(it));
            closure.waits_at.extend(places);
        }
        if hypothesis.has_ended() && hypothesis.copies.is_none() {
            closure.may_end = true;
            closure.certainly_ends |= hypothesis.is_certain();
        }
        // Before the next send, all copies of the last one have to be there.
        if hypothesis.copies.is_none() {
            closure.sends.extend(sends);
        }
        for step in silent {
            if step.timeout || !step.missed.is_empty() {
                let missed = (!step.timeout).then_some(step.missed);
                closure.sensitive.push((step.next.clone(), missed));
            }
            let entry = (step.next, timed_out || step.timeout);
            // What is reached without timeouts need not be followed with them, too.
            if entry.1 && seen.contains(&(entry.0.clone(), false)) || !seen.insert(entry.clone()) {
                continue;
            }
            if seen.len() > limit {
                closure.cut = true;
                continue;
            }
            queue.push_back(entry);
        }
    }
    // A run that goes wrong does not end.
    closure.has_ended &= some_end;
    closure.waits_at.sort_unstable();
    closure.waits_at.dedup();
    closure
}
