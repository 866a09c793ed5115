//! Interned agent states, and what `map-semantics` says of each, computed once.
//!
//! An interned state names its abstract values 0, 1, .. by first occurrence; which symbols of the scene these are is
//! kept beside it in the global state, as its *tail*. So agent states that differ only in the names of symbols are one.
//! With symmetry it is the same for the names of interchangeable agents ([`crate::reduced::symmetry`]). With slicing
//! what cannot matter is taken out first ([`crate::reduced::slicing`]), and messages that are equal and follow each other
//! stand in the interned state once; how many they are is in the tail, too. As a receive takes the oldest of those it
//! may take, what the agent can do is the same.

use hashbrown::HashMap;
use indexmap::IndexSet;
use map_ir::{AgentId, ClauseId, PerformativeId, PointId, Program};
use map_semantics::{AgentState, BoundHit, Bounds, Message, Status, StepKind};
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::reduced::ample::{Firmness, Messages, Performatives};
use crate::reduced::slicing::Slicer;
use crate::reduced::symmetry::Symmetry;

mod counts;
mod deliver;
mod intern;
mod sizes;
mod steps;

pub(crate) use counts::Places;
pub(crate) use deliver::Delivered;

/// Index of an interned state of one particular agent, or of any of its class.
pub(crate) type StateId = u32;

/// A step of one agent as a patch of the global state. Symbols are numbered as in the state before; new ones follow.
pub(crate) struct LocalStep {
    pub(crate) thread: u32,
    pub(crate) kind: StepKind,
    /// Whether it rests on an open comparison.
    pub(crate) compared: bool,
    pub(crate) ending: LocalEnding,
    pub(crate) sent: Option<Sent>,
    /// How what was open was settled.
    pub(crate) options: Vec<u32>,
    pub(crate) ran: Vec<PointId>,
    pub(crate) entered: Vec<ClauseId>,
}

pub(crate) enum LocalEnding {
    State {
        after: After,
        /// What comes of it instead if it takes a message of which there are more: where these are counted.
        more: Option<(u32, After)>,
        /// Whether the agent ends by this step, but not by a crash, and if so with success.
        ended: Option<bool>,
        /// A move or timeout that changes at most which symbols the agent holds, and counters: it is no step where it
        /// leaves the whole scene as it was.
        may_be_idle: bool,
    },
    Cut(BoundHit),
    Runaway,
    RunError,
    TooLong,
}

/// The agent's state after a step.
pub(crate) struct After {
    /// Its number among all that were computed.
    pub(crate) id: u32,
    pub(crate) next: StateId,
    /// Which symbols it holds.
    pub(crate) symbols: Box<[u32]>,
    /// Which names of interchangeable agents it holds beside its own.
    pub(crate) names: Box<[AgentId]>,
    /// How many messages it holds of each kind.
    pub(crate) counts: Places,
    /// What the agent leaves unread by ending.
    pub(crate) left: Box<[PerformativeId]>,
}

/// A message and whom it goes to.
pub(crate) struct Sent {
    pub(crate) message: u32,
    pub(crate) performative: PerformativeId,
    pub(crate) symbols: Box<[u32]>,
    pub(crate) names: Box<[AgentId]>,
    /// Classes of interchangeable agents to all of which it goes, but for the sender.
    pub(crate) classes: Box<[usize]>,
    /// Agents that no other can stand for.
    pub(crate) to: Box<[AgentId]>,
    /// Interchangeable agents, as the sender names them.
    pub(crate) named: Box<[AgentId]>,
}

/// All steps of one interned agent state.
pub(crate) struct Locals {
    pub(crate) threads: Vec<LocalThread>,
    pub(crate) all_waiting: bool,
    /// Some thread waits only if open comparisons come out so.
    pub(crate) waiting_compared: bool,
    /// Its crash, if agents may crash.
    pub(crate) crash: Option<LocalStep>,
    pub(crate) firmness: Firmness,
}

pub(crate) struct LocalThread {
    pub(crate) acts: Vec<LocalStep>,
    pub(crate) timeouts: Vec<LocalStep>,
    pub(crate) waiting: bool,
    pub(crate) waiting_compared: bool,
    pub(crate) act_may_vanish: bool,
    pub(crate) timeout_may_vanish: bool,
}

/// What the search loop needs of every agent state. The tail of such a state are its symbols, names and counts.
#[derive(Clone, Copy)]
pub(crate) struct Brief {
    pub(crate) status: Status,
    /// Its mailbox is a bag whose order depends on the scene ([`map_semantics::order_bags`]).
    pub(crate) ties: bool,
    /// How many symbols it holds.
    pub(crate) symbols: u32,
    /// How many names of interchangeable agents it holds beside its own.
    pub(crate) names: u32,
    /// How many kinds of messages are counted in its tail.
    pub(crate) counts: u32,
    /// How many messages it holds, if they are not counted.
    mailbox: u32,
    /// Whether its steps are known.
    pub(crate) expanded: bool,
    /// What may be sent from here on, once its steps are known.
    pub(crate) may_send: Performatives,
}

impl Brief {
    /// Number of words in the tail.
    pub(crate) fn tail(self) -> usize {
        (self.symbols + self.names + self.counts) as usize
    }

    /// Whether it holds symbols, or names of interchangeable agents.
    pub(crate) fn holds(self) -> bool {
        self.symbols + self.names > 0
    }

    /// Splits a tail into symbols, names and counts.
    pub(crate) fn split(self, tail: &[u32]) -> (&[u32], &[u32], &[u32]) {
        let (symbols, rest) = tail.split_at(self.symbols as usize);
        let (names, counts) = rest.split_at(self.names as usize);
        (symbols, names, counts)
    }

    /// How many messages lie in the mailbox.
    pub(crate) fn mailbox(self, tail: &[u32]) -> u32 {
        self.mailbox + self.split(tail).2.iter().sum::<u32>()
    }
}

#[derive(PartialEq, Eq, Hash)]
struct Owned {
    agent: AgentId,
    state: AgentState,
}

/// Where symbols, then names, stand in another numbering, such as a message's in that of the recipient; those it does
/// not hold get the next numbers. The recipient's own name is number 0, the others it holds follow.
pub(crate) type Pattern = Vec<u32>;

/// Something that the tables do not say yet.
#[derive(Debug)]
pub(crate) enum Missing {
    /// The id of an agent state.
    State { agent: AgentId, state: AgentState },
    /// The steps of an agent state.
    Locals(StateId),
    /// What becomes of an agent state when a message is delivered to it.
    Delivery { recipient: StateId, message: u32, pattern: Pattern },
}

/// The tables. Threads read them side by side; what is missing is filled in by one while the others rest, in an order that
/// does not depend on their number, so that neither do the ids.
pub(crate) struct Agents<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    slicer: Option<Slicer<'a>>,
    symmetry: Symmetry,
    messages_text: Messages,
    states: IndexSet<Owned, FxBuildHasher>,
    briefs: Vec<Brief>,
    /// The names that each state holds beside its owner's, in the order of first occurrence.
    names: Vec<Box<[AgentId]>>,
    locals: Vec<Option<Box<Locals>>>,
    /// How many states after a step were computed.
    afters: u32,
    any_ties: bool,
    /// Clauses whose values slicing took out although a move may depend on them.
    doubtful: BTreeSet<ClauseId>,
    messages: IndexSet<Arc<Message>, FxBuildHasher>,
    patterns: IndexSet<Pattern, FxBuildHasher>,
    deliveries: HashMap<(StateId, u32, u32), Delivered, FxBuildHasher>,
    bytes: usize,
}

impl<'a> Agents<'a> {
    pub(crate) fn new(
        program: &'a Program,
        bounds: &'a Bounds,
        slicer: Option<Slicer<'a>>,
        symmetry: Symmetry,
    ) -> Self {
        Self {
            messages_text: Messages::new(program, slicer.as_ref()),
            program,
            bounds,
            slicer,
            symmetry,
            states: IndexSet::default(),
            briefs: Vec::new(),
            names: Vec::new(),
            locals: Vec::new(),
            afters: 0,
            any_ties: false,
            doubtful: BTreeSet::new(),
            messages: IndexSet::default(),
            // The empty pattern is the one that is looked for most: number 0.
            patterns: IndexSet::from_iter([Pattern::new()]),
            deliveries: HashMap::default(),
            bytes: 0,
        }
    }

    pub(crate) fn brief(&self, id: StateId) -> Brief {
        self.briefs[id as usize]
    }

    /// Whether two states are the same but for counters.
    pub(crate) fn is_like(&self, one: StateId, other: StateId) -> bool {
        let without_counters = |id| AgentState { calls: Vec::new(), ..self.state(id).clone() };
        one == other || without_counters(one) == without_counters(other)
    }

    /// An interned state; if messages are counted, with one of each kind in its mailbox.
    pub(crate) fn state(&self, id: StateId) -> &AgentState {
        &self.states[id as usize].state
    }

    /// The performatives of the messages in the mailbox of a state.
    pub(crate) fn unread(&self, id: StateId) -> impl Iterator<Item = PerformativeId> + '_ {
        self.state(id).mailbox.iter().map(|message| message.performative)
    }

    /// The names that a state holds beside its owner's, as it has them.
    pub(crate) fn names(&self, id: StateId) -> &[AgentId] {
        &self.names[id as usize]
    }

    /// What the text says of messages.
    pub(crate) fn messages(&self) -> &Messages {
        &self.messages_text
    }

    pub(crate) fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// Whether messages that are equal and follow each other are counted.
    fn counts_messages(&self) -> bool {
        self.slicer.is_some()
    }

    /// Whether tails hold symbols and nothing else.
    pub(crate) fn only_symbols(&self) -> bool {
        !self.counts_messages() && self.symmetry.classes().is_empty()
    }

    /// Clauses that slicing must leave as they are, after all.
    pub(crate) fn doubtful(&self) -> &BTreeSet<ClauseId> {
        &self.doubtful
    }

    /// Whether some state has a bag whose order depends on the scene.
    pub(crate) fn any_ties(&self) -> bool {
        self.any_ties
    }

    /// How many states after a step were computed.
    pub(crate) fn after_count(&self) -> usize {
        self.afters as usize
    }

    /// The steps of an agent state, if they are known.
    pub(crate) fn locals(&self, id: StateId) -> Option<&Locals> {
        self.locals[id as usize].as_deref()
    }

    /// Finds out what was missing.
    pub(crate) fn fill(&mut self, missing: Missing) {
        match missing {
            Missing::State { agent, state } => {
                self.intern(agent, state, Vec::new());
            }
            Missing::Locals(id) => {
                if self.locals[id as usize].is_none() {
                    let locals = self.compute_locals(id);
                    let brief = &mut self.briefs[id as usize];
                    (brief.expanded, brief.may_send) = (true, locals.firmness.may_send);
                    self.locals[id as usize] = Some(Box::new(locals));
                }
            }
            Missing::Delivery { recipient, message, pattern } => {
                let (pattern, _) = self.patterns.insert_full(pattern);
                let key = (recipient, message, pattern as u32);
                if !self.deliveries.contains_key(&key) {
                    let result = self.delivered(recipient, message, pattern);
                    self.deliveries.insert(key, result);
                }
            }
        }
    }
}

/// Where the item is; at the end if it is new.
fn position_or_push<T: PartialEq>(items: &mut Vec<T>, item: T) -> u32 {
    let known = items.iter().position(|it| *it == item);
    known.unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    }) as u32
}
