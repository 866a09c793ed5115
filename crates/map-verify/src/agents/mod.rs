//! Interned agent states, and what `map-semantics` says of each, computed once.
//!
//! An interned state names its abstract values 0, 1, .. by first occurrence; which symbols of the scene these are is
//! kept beside it in the global state, as its *tail*. So agent states that differ only in the names of symbols are one.
//! With symmetry it is the same for the names of interchangeable agents ([`crate::abstraction::symmetry`]). With slicing
//! what cannot matter is taken out first ([`crate::abstraction::slicing`]), and messages that are equal and follow each other
//! stand in the interned state once; how many they are is in the tail, too. As a receive takes the oldest of those it
//! may take, what the agent can do is the same.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use map_ir::{AgentId, ClauseId, PerformativeId, Program};
use map_semantics::{AgentState, Bounds, Status};
use rustc_hash::FxBuildHasher;

use crate::abstraction::slicing::Slicer;
use crate::abstraction::symmetry::Symmetry;
use crate::footprint::{Firmness, Messages};

mod circles;
mod counts;
mod deliver;
mod intern;
mod local;
mod once;
mod sizes;
mod states;
mod steps;

pub(crate) use counts::Places;
pub(crate) use deliver::Delivered;
pub(crate) use local::{After, End, Label, LocalStep, Locals, Sent, Thread};

use deliver::Deliveries;
use local::{Place, Steps};
use sizes::{INDEXED, PIECE, pieces_of};
use states::States;

/// Index of an interned state of one particular agent, or of any of its class.
pub(crate) type StateId = u32;

/// What the search loop needs of every agent state. The tail of such a state are its symbols, names and counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brief {
    pub(crate) status: Status,
    /// Its mailbox is a bag whose order depends on the scene ([`map_semantics::order_bags`]).
    pub(crate) ties: bool,
    /// How many symbols it holds.
    pub(crate) symbols: u32,
    /// How many names of interchangeable agents it holds beside its own.
    pub(crate) names: u32,
    /// How many messages it holds, or how many kinds of them if they are counted in its tail.
    messages: u32,
    counted: bool,
    /// Whether its steps are known.
    pub(crate) expanded: bool,
    /// What is known of its steps once they are.
    pub(crate) summary: Summary,
}

/// The outline of an agent state's steps ([`local::Outline`]), as far as most states are judged by it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    pub(crate) all_waiting: bool,
    pub(crate) waiting_compared: bool,
    /// How many acts it has in all, and how many timeouts its waiting threads have.
    pub(crate) acts: u32,
    pub(crate) waiting_timeouts: u32,
    /// Whether it may crash, if some agent may.
    pub(crate) crashes: bool,
    pub(crate) footprint: Firmness,
}

impl Brief {
    /// Of a state that holds so many symbols and messages, and nothing else.
    pub(crate) fn new(status: Status, symbols: u32, messages: u32) -> Self {
        Self {
            status,
            ties: false,
            symbols,
            names: 0,
            messages,
            counted: false,
            expanded: false,
            summary: Summary::default(),
        }
    }

    /// Number of words in the tail.
    pub(crate) fn tail(&self) -> usize {
        let counts = if self.counted { self.messages } else { 0 };
        (self.symbols + self.names + counts) as usize
    }

    /// Whether it holds symbols, or names of interchangeable agents.
    pub(crate) fn holds(&self) -> bool {
        self.symbols + self.names > 0
    }

    /// Splits a tail into symbols, names and counts.
    pub(crate) fn split<'t>(&self, tail: &'t [u32]) -> (&'t [u32], &'t [u32], &'t [u32]) {
        let (symbols, rest) = tail.split_at(self.symbols as usize);
        let (names, counts) = rest.split_at(self.names as usize);
        (symbols, names, counts)
    }

    /// How many messages lie in the mailbox.
    pub(crate) fn mailbox(&self, tail: &[u32]) -> u32 {
        if self.counted { self.split(tail).2.iter().sum() } else { self.messages }
    }
}

/// What is known of an interned state.
struct Row {
    brief: Brief,
    /// The names that it holds beside its owner's, in the order of first occurrence, as a number.
    names: u32,
    /// Its steps, once they are known.
    steps: Place,
}

/// Where symbols, then names, stand in another numbering, such as a message's in that of the recipient; those it does
/// not hold get the next numbers. The recipient's own name is number 0, the others it holds follow.
pub(crate) type Pattern = Box<[u32]>;

/// Something that the tables do not say yet.
#[derive(Debug)]
pub(crate) enum Missing {
    /// The id of an agent state.
    State(Box<(AgentId, AgentState)>),
    /// The steps of an agent state.
    Locals(StateId),
    /// What becomes of an agent state when a message is delivered to it under the pattern of this number.
    Delivery { recipient: StateId, message: u32, pattern: u32 },
    /// The same under a pattern that has no number yet.
    DeliveryUnder(Box<(StateId, u32, Pattern)>),
}

/// The tables. Threads read them side by side; what is missing is filled in by one while the others rest, in an order that
/// does not depend on their number, so that neither do the ids.
pub(crate) struct Agents<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    slicer: Option<Slicer<'a>>,
    symmetry: Symmetry,
    messages_text: Messages,
    states: States,
    rows: Vec<Row>,
    /// The names that states hold beside their owners'.
    names: IndexSet<Box<[AgentId]>, FxBuildHasher>,
    steps: Steps,
    any_ties: bool,
    /// Clauses whose values slicing took out although a move may depend on them.
    doubtful: BTreeSet<ClauseId>,
    /// The empty one comes first.
    patterns: IndexSet<Pattern, FxBuildHasher>,
    deliveries: Deliveries,
}

impl<'a> Agents<'a> {
    pub(crate) fn new(
        program: &'a Program,
        bounds: &'a Bounds,
        slicer: Option<Slicer<'a>>,
        symmetry: Symmetry,
    ) -> Self {
        Self {
            messages_text: Messages::new(program, bounds.timeouts, slicer.as_ref()),
            program,
            bounds,
            slicer,
            symmetry,
            states: States::default(),
            rows: Vec::new(),
            names: IndexSet::default(),
            steps: Steps::default(),
            any_ties: false,
            doubtful: BTreeSet::new(),
            patterns: std::iter::once(Pattern::default()).collect(),
            deliveries: Deliveries::default(),
        }
    }

    /// How many states are interned: their ids are below that.
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn brief(&self, id: StateId) -> &Brief {
        &self.rows[id as usize].brief
    }

    /// An interned state; if messages are counted, with one of each kind in its mailbox.
    pub(crate) fn state(&self, id: StateId) -> AgentState {
        self.states.state(id)
    }

    /// The performatives of the messages in the mailbox of a state.
    pub(crate) fn unread(&self, id: StateId) -> impl Iterator<Item = PerformativeId> + '_ {
        self.states.mailbox(id).map(|message| message.performative)
    }

    /// The names that a state holds beside its owner's, as it has them.
    pub(crate) fn names(&self, id: StateId) -> &[AgentId] {
        &self.names[self.rows[id as usize].names as usize]
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
        self.steps.following()
    }

    /// The steps of an agent state, if they are known.
    pub(crate) fn locals(&self, id: StateId) -> Option<Locals<'_>> {
        self.steps.at(self.rows[id as usize].steps)
    }

    /// Finds out what was missing.
    pub(crate) fn fill(&mut self, missing: Missing) {
        match missing {
            Missing::State(missing) => {
                let (agent, state) = *missing;
                self.intern(agent, state, Vec::new());
            }
            Missing::Locals(id) => self.fill_locals(id),
            Missing::Delivery { recipient, message, pattern } => {
                self.fill_delivery(recipient, message, pattern);
            }
            Missing::DeliveryUnder(missing) => {
                let (recipient, message, pattern) = *missing;
                let (pattern, _) = self.patterns.insert_full(pattern);
                self.fill_delivery(recipient, message, pattern as u32);
            }
        }
    }

    fn fill_locals(&mut self, id: StateId) {
        if !self.brief(id).expanded {
            let steps = self.compute_locals(id);
            let locals = self.steps.at(steps).expect("they were computed just now");
            let outline = locals.outline();
            let waiting = outline.threads.iter().filter(|thread| thread.waiting);
            let summary = Summary {
                all_waiting: outline.all_waiting,
                waiting_compared: outline.waiting_compared,
                acts: outline.threads.iter().map(|thread| thread.acts).sum(),
                waiting_timeouts: waiting.map(|thread| thread.timeouts).sum(),
                crashes: outline.crashes,
                footprint: outline.firmness,
            };
            let row = &mut self.rows[id as usize];
            row.brief.expanded = true;
            row.brief.summary = summary;
            row.steps = steps;
        }
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        let names = self.names.iter().map(|names| size_of::<Box<[AgentId]>>() + INDEXED + pieces_of(names));
        self.states.bytes()
            + self.rows.capacity() * size_of::<Row>()
            + names.sum::<usize>()
            + self.steps.bytes()
            + self.patterns.len() * (size_of::<Pattern>() + 4 + PIECE + INDEXED)
            + self.deliveries.bytes()
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
