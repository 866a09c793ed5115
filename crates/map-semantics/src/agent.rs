//! The state of one agent: a cactus stack of activations with threads at its tips, and a mailbox.

use std::sync::Arc;

use map_ir::{AgentId, ClauseId, PerformativeId, PointId, Symbol, Value};

use crate::mailbox::rename_agent;
use crate::{Mailbox, Message, UnderWay};

/// Whether an agent has ended, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Its entry clause has not ended.
    Running,
    /// Its entry clause succeeded.
    Done,
    /// Its entry clause failed.
    Failed,
    /// It has stopped for ever, wherever it was.
    Crashed,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Running, Self::Done, Self::Failed, Self::Crashed];

    /// The word for it in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Crashed => "crashed",
        }
    }
}

/// The complete local state of one agent: everything that determines its future.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AgentState {
    /// Running, done, failed or crashed. An agent that has ended has no control and no mailbox, but keeps its counters.
    pub status: Status,
    /// Places of its threads with their open activations.
    pub control: Control,
    /// The cells of its role's memory, in the order of [`map_ir::Memory::cells`].
    pub memory: Vec<Value>,
    /// Messages received and not yet taken, oldest first; in a fixed order if it is a bag.
    pub mailbox: Mailbox,
    /// Messages on their way to it; none unless the network delays messages.
    pub under_way: UnderWay,
    /// Calls made, for each bound on calls ([`crate::Bounds::counters`]).
    pub calls: Vec<u32>,
}

/// An agent's next state without its mailbox, from which the step has taken at most one message
/// ([`AgentState::go_on`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// Running, done, failed or crashed.
    pub status: Status,
    /// Places of its threads with their open activations.
    pub control: Control,
    /// The cells of its memory.
    pub memory: Vec<Value>,
    /// Calls made, for each bound on calls.
    pub calls: Vec<u32>,
    /// The place in [`AgentState::under_way`] of the message that arrives with the step, if it is an arrival.
    pub arrives: Option<u32>,
    /// The first symbol behind those that the step created.
    pub fresh: Symbol,
}

/// The open activations and `par`s of an agent, each resting on the one below it, with the threads at the tips.
///
/// Nodes are in preorder and sides in order, so equal controls are equal vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Control {
    /// The nodes. A node comes after the one it rests on.
    pub nodes: Vec<Node>,
}

/// An element of a [`Control`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The node it rests on; `None` for the entry clause's activation.
    pub below: Option<u32>,
    /// What it is.
    pub kind: NodeKind,
}

/// What a [`Node`] is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// An open activation of a clause.
    Activation {
        /// The clause.
        clause: ClauseId,
        /// Its variables bound so far.
        variables: Vec<Option<Value>>,
        /// The call, in the activation below, that opened it; `None` for the entry clause.
        call: Option<PointId>,
    },
    /// A `par` whose sides have not all ended.
    Fork {
        /// The `par`.
        point: PointId,
        /// Its sides. A suffix of ended sides is merged into one ended side (`par` groups to the right).
        sides: Vec<Side>,
    },
    /// The side with this index of the fork below, still running.
    SideOf(u32),
    /// A thread at its place, which is an ask, a send, a receive or a `waitfor` of the activation below.
    Thread(PointId),
}

/// A side of a `par`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// It has not ended.
    Running,
    /// It has ended: true for success.
    Ended(bool),
}

impl Control {
    /// The indices of the thread nodes, in order.
    pub fn threads(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| matches!(node.kind, NodeKind::Thread(_)))
            .map(|(i, _)| i)
    }

    /// The place of a thread node.
    ///
    /// # Panics
    /// If the node is no thread.
    #[must_use]
    pub fn place(&self, thread: usize) -> PointId {
        match self.nodes[thread].kind {
            NodeKind::Thread(point) => point,
            _ => panic!("node {thread} is a thread"),
        }
    }

    /// The pairs of values in which this control and another of the agent differ only if they are unequal, which is
    /// open: none if the controls are the same. `None` if they differ in any case. `equals` says whether two values are
    /// equal.
    pub fn open_differences(
        &self,
        other: &Self,
        mut equals: impl FnMut(Value, Value) -> Option<bool>,
    ) -> Option<Vec<(Value, Value)>> {
        let mut open = Vec::new();
        if self.nodes.len() != other.nodes.len() {
            return None;
        }
        for (here, there) in self.nodes.iter().zip(&other.nodes) {
            let (variables, others) = match (&here.kind, &there.kind) {
                (
                    NodeKind::Activation { clause, variables, call },
                    NodeKind::Activation { clause: other_clause, variables: others, call: other_call },
                ) if (here.below, clause, call) == (there.below, other_clause, other_call) => {
                    (variables, others)
                }
                _ if here == there => continue,
                _ => return None,
            };
            for pair in variables.iter().zip(others) {
                match pair {
                    (&Some(value), &Some(other)) => match equals(value, other) {
                        Some(true) => {}
                        Some(false) => return None,
                        None if open.contains(&(other, value)) => {}
                        None => open.push((value, other)),
                    },
                    (None, None) => {}
                    _ => return None,
                }
            }
        }
        Some(open)
    }

    /// The activations that a node rests on, innermost first, as clause and variables.
    pub fn activations(&self, node: usize) -> impl Iterator<Item = (ClauseId, &[Option<Value>])> + '_ {
        std::iter::successors(Some(node), |&at| self.nodes[at].below.map(|below| below as usize)).filter_map(
            |at| match &self.nodes[at].kind {
                NodeKind::Activation { clause, variables, .. } => Some((*clause, variables.as_slice())),
                _ => None,
            },
        )
    }
}

impl AgentState {
    /// A state with an empty mailbox.
    #[must_use]
    pub fn new(state: Next) -> Self {
        let Next { status, control, memory, calls, .. } = state;
        Self { status, control, memory, mailbox: Mailbox::default(), under_way: UnderWay::default(), calls }
    }

    /// The number of messages in its mailbox and on their way there.
    #[must_use]
    pub fn messages(&self) -> usize {
        self.mailbox.len() + self.under_way.len()
    }

    /// Calls `see` with the symbol of every abstract or fresh value in the state, in the order of
    /// [`AgentState::rename_symbols`].
    pub fn visit_symbols(&self, see: &mut impl FnMut(Symbol)) {
        self.visit_own_symbols(see);
        for value in self.mailbox.iter().flat_map(|message| &message.arguments) {
            if let Some(symbol) = value.symbol() {
                see(symbol);
            }
        }
    }

    /// Like [`AgentState::visit_symbols`], without the mailbox.
    pub(crate) fn visit_own_symbols(&self, see: &mut impl FnMut(Symbol)) {
        let variables = self.control.nodes.iter().flat_map(|node| match &node.kind {
            NodeKind::Activation { variables, .. } => variables.as_slice(),
            _ => &[],
        });
        let under_way = self.under_way.iter().flat_map(|message| &message.arguments);
        for value in variables.flatten().chain(&self.memory).chain(under_way) {
            if let Some(symbol) = value.symbol() {
                see(symbol);
            }
        }
    }

    /// Replaces every agent's name by the result of `rename`. Values are visited in the order of
    /// [`AgentState::rename_symbols`]. The sender of a message is renamed, before its arguments, only if `senders` is
    /// true for its performative.
    pub fn rename_agents(
        &mut self,
        senders: impl Fn(PerformativeId) -> bool,
        rename: &mut impl FnMut(AgentId) -> AgentId,
    ) {
        for node in &mut self.control.nodes {
            if let NodeKind::Activation { variables, .. } = &mut node.kind {
                variables.iter_mut().flatten().for_each(|value| rename_agent(value, rename));
            }
        }
        self.memory.iter_mut().for_each(|value| rename_agent(value, rename));
        for message in self.under_way.iter_mut().chain(self.mailbox.iter_mut()) {
            let sender = senders(message.performative);
            if message.names_agents(sender) {
                Arc::make_mut(message).rename_agents(sender, rename);
            }
        }
    }

    /// Replaces every value, also the sender of every message as an agent's name, by the result of `replace`, which
    /// gives agents for agents. In a bag the order of messages becomes stale.
    pub fn replace_values(&mut self, replace: &mut impl FnMut(Value) -> Value) {
        for node in &mut self.control.nodes {
            if let NodeKind::Activation { variables, .. } = &mut node.kind {
                variables.iter_mut().flatten().for_each(|value| *value = replace(*value));
            }
        }
        self.memory.iter_mut().for_each(|value| *value = replace(*value));
        for message in self.under_way.iter_mut().chain(self.mailbox.iter_mut()) {
            Message::replace_values(message, replace);
        }
    }

    /// Replaces the symbol of every abstract or fresh value by the result of `rename`. Values are visited in a fixed
    /// order: variables of the control, memory, what is under way, then the mailbox, oldest message first.
    pub fn rename_symbols(&mut self, rename: &mut impl FnMut(Symbol) -> Symbol) {
        for node in &mut self.control.nodes {
            if let NodeKind::Activation { variables, .. } = &mut node.kind {
                for symbol in variables.iter_mut().flatten().filter_map(Value::symbol_mut) {
                    *symbol = rename(*symbol);
                }
            }
        }
        for symbol in self.memory.iter_mut().filter_map(Value::symbol_mut) {
            *symbol = rename(*symbol);
        }
        for message in self.under_way.iter_mut().chain(self.mailbox.iter_mut()) {
            for index in 0..message.arguments.len() {
                let Some(symbol) = message.arguments[index].symbol() else { continue };
                let renamed = rename(symbol);
                // Mailboxes share their messages: copy only those that change.
                if renamed != symbol {
                    let argument = &mut Arc::make_mut(message).arguments[index];
                    argument.symbol_mut().iter_mut().for_each(|it| **it = renamed);
                }
            }
        }
    }
}
