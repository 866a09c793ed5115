//! Conversations that began before the log.
//!
//! What is known of an agent then is only that it has got somewhere by itself, whatever it has been told; the values
//! are abstract. And what it was sent before the log begins may be taken at any time: until it has taken a message of
//! the log, with the same sender and performative, in front of which all older ones would have been taken.

use std::collections::VecDeque;
use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, PointKind, Program, Test, Value};
use map_semantics::Message;
use rustc_hash::FxHashSet;

use crate::hypothesis::Hypothesis;
use crate::pending::{Alike, Arrivals};
use crate::steps::{Steps, steps};
use crate::subject::Subject;

/// What the log does not show of an agent, since it begins in the middle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Before {
    /// Sorted: senders and performatives of which nothing is left from before the log.
    pub(crate) settled: Vec<(AgentId, PerformativeId)>,
    /// Of how many messages of its own the log has copies, up to two. Copies of the first one may be missing.
    pub(crate) own: u8,
}

impl Before {
    /// Nothing is left from before the log of what this sender says with this performative.
    pub(crate) fn settle(&mut self, sender: AgentId, performative: PerformativeId) {
        let entry = (sender, performative);
        if let Err(at) = self.settled.binary_search(&entry) {
            self.settled.insert(at, entry);
        }
    }
}

/// What the text says of messages from before the log.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    /// By performative: the agents whose parts send it.
    senders: Vec<Vec<AgentId>>,
    /// By part and performative: whether its receives take whatever message comes first from a sender.
    takes_any: Vec<Vec<bool>>,
}

impl Words {
    pub(crate) fn new(program: &Program) -> Self {
        let mut senders = vec![Vec::new(); program.performatives.len()];
        let mut takes_any = Vec::new();
        for part in &program.parts {
            let mut takes = vec![true; program.performatives.len()];
            for &clause in &part.clauses {
                for point in &program.points[program.clause(clause).points.clone()] {
                    match &point.kind {
                        PointKind::Send { performative, .. } => {
                            let senders: &mut Vec<AgentId> = &mut senders[performative.index()];
                            senders.extend(&part.agents);
                        }
                        PointKind::Receive { performative, pattern, .. } => {
                            let arity = program.performative(*performative).arity;
                            let is_of_sender = |test: &Test| match *test {
                                Test::Operand(place, _) => place as usize >= arity,
                                Test::Same(..) => false,
                            };
                            takes[performative.index()] &= pattern.tests.iter().all(is_of_sender);
                        }
                        _ => {}
                    }
                }
            }
            takes_any.push(takes);
        }
        for agents in &mut senders {
            agents.sort_unstable();
            agents.dedup();
        }
        Self { senders, takes_any }
    }
}

impl Subject<'_> {
    /// The messages from before the log, with abstract arguments, that may still be taken; of senders that are `alike`,
    /// those of one.
    pub(crate) fn from_before(
        self,
        from: &Hypothesis,
        wanted: &[PerformativeId],
        alike: &Alike,
    ) -> Vec<Arc<Message>> {
        let Some(before) = &from.before else { return Vec::new() };
        let fresh = from.fresh().0;
        let mut messages = Vec::new();
        for &performative in wanted {
            let senders = self.frame.words.senders[performative.index()].iter();
            for &sender in senders.filter(|sender| !before.settled.contains(&(**sender, performative))) {
                let arity = self.frame.program.performative(performative).arity;
                let value = |place| Value::Abstract(map_ir::Symbol(fresh + place as u32));
                let arguments = (0..arity).map(value).collect();
                messages.push(Arc::new(Message { performative, sender, arguments }));
            }
        }
        messages.retain(|message| message.sender != self.agent && alike.before(message.sender).is_none());
        messages
    }

    /// Notes that a message of the log has been taken.
    pub(crate) fn settle(self, taken: &Message, before: &mut Before) {
        let part = self.frame.program.agent(self.agent).part;
        let takes_any = self.frame.words.takes_any[part.index()][taken.performative.index()];
        if takes_any && self.arrivals != Arrivals::Unordered {
            before.settle(taken.sender, taken.performative);
        }
    }
}

/// The states that an agent may be in when the log begins, and whether there are too many.
pub(crate) fn states_before(
    subject: Subject<'_>,
    starts: Vec<Hypothesis>,
    limit: usize,
) -> (Vec<Hypothesis>, bool) {
    let mut cut = false;
    let mut found: Vec<Hypothesis> = Vec::new();
    let mut seen: FxHashSet<Hypothesis> = FxHashSet::default();
    let mut queue: VecDeque<Hypothesis> = starts.into();
    while let Some(mut hypothesis) = queue.pop_front() {
        hypothesis.before = Some(Before::default());
        hypothesis.forget_freshness();
        hypothesis.normalise(subject.frame, subject.agent);
        if !seen.insert(hypothesis.clone()) {
            continue;
        }
        if seen.len() > limit || subject.work.is_over() {
            return (found, true);
        }
        let Steps { silent, sends, cut: is_cut, .. } = steps(subject, &hypothesis, &Alike::default());
        cut |= is_cut;
        queue.extend(silent.into_iter().map(|step| step.next));
        queue.extend(sends.into_iter().map(|sending| sending.next));
        found.push(hypothesis);
    }
    (found, cut)
}
