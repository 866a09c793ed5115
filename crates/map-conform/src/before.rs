//! Conversations that began before the log.
//!
//! What is known of an agent then is only that it has got somewhere by itself, whatever it has been told; the values
//! are abstract. And what it was sent before the log begins may be taken at any time: until it has taken a message of
//! the log, with the same sender and performative, in front of which all older ones would have been taken.

use map_ir::{AgentId, PerformativeId, PointKind, Program, Test};

/// What the log does not show of an agent, since it begins in the middle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Before {
    /// Sorted: senders and performatives of which nothing is left from before the log.
    pub(crate) settled: Vec<(AgentId, PerformativeId)>,
    /// Of how many messages of its own the log has copies, up to two. Copies of the first one may be missing.
    pub(crate) own: u8,
    /// The performative and the recipients of its last message from before the log, if copies of it may still come.
    pub(crate) copied: Option<(PerformativeId, Vec<AgentId>)>,
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
    pub(crate) senders: Vec<Vec<AgentId>>,
    /// By part and performative: whether its receives take whatever message comes first from a sender.
    pub(crate) takes_any: Vec<Vec<bool>>,
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
