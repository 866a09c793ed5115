//! Interned agent states, with their steps and deliveries memoised.
//!
//! An interned state numbers its abstract values 0, 1, .. by first occurrence; the symbols of the scene that these
//! stand for are kept in the global state, as its *tail*. So agent states that differ only in the names of symbols
//! are one. With symmetry the same holds for names of interchangeable agents ([`crate::abstraction::symmetry`]). With
//! slicing irrelevant values are removed first ([`crate::abstraction::slicing`]), and equal adjacent messages are
//! collapsed into one whose count goes into the tail. That does not change what the agent can do, because a receive
//! takes the oldest message that fits.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use map_ir::{AgentId, ClauseId, PerformativeId, Program};
use map_semantics::{AgentState, Bounds, Status};
use rustc_hash::FxBuildHasher;

use crate::abstraction::slicing::Slicer;
use crate::abstraction::symmetry::Symmetry;
use crate::footprint::{Footprint, Messages};

mod counts;
mod cycle_exclusion;
mod deliver;
mod intern;
mod interner;
mod local;
mod monitors;
mod progress;
mod sizes;
mod states;
mod steps;

pub(crate) use counts::Places;
pub(crate) use deliver::Delivered;
pub(crate) use intern::Whole;
pub(crate) use local::{After, End, Label, LocalStep, Locals, Sent, Thread};
pub(crate) use monitors::{MonitoredId, Monitors};

use deliver::Deliveries;
use local::{Steps, StepsAt};
use progress::Progress;
use sizes::{ALLOCATION_OVERHEAD, INDEXED, slice_bytes};
use states::States;

/// Number of an interned state of one agent, or of any agent of its class.
pub(crate) type StateId = u32;

/// What the search loop needs of every agent state. The tail of a state consists of its symbols, names and counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brief {
    pub(crate) status: Status,
    /// Whether its mailbox is a bag whose order depends on the scene ([`map_semantics::order_bags`]).
    pub(crate) ties: bool,
    /// Number of symbols it holds.
    pub(crate) symbols: u32,
    /// Number of names of interchangeable agents it holds besides its own.
    pub(crate) names: u32,
    /// Number of messages it holds or that are on their way, or of kinds of messages if these are counted in its tail.
    messages: u32,
    counted: bool,
    /// Whether its steps were computed.
    pub(crate) expanded: bool,
    /// Summary of its steps; meaningful once they are.
    pub(crate) summary: Summary,
    /// Orders the states of a class in a way that does not depend on when they were interned.
    pub(crate) fingerprint: u64,
}

/// The part of [`local::Outline`] that most decisions need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    pub(crate) all_waiting: bool,
    pub(crate) waiting_compared: bool,
    /// Number of acts of all threads, and of timeouts of its waiting threads.
    pub(crate) acts: u32,
    pub(crate) waiting_timeouts: u32,
    /// Whether it may crash, if some agent may.
    pub(crate) crashes: bool,
    /// How far it has come.
    pub(crate) progress: u32,
    pub(crate) footprint: Footprint,
}

impl Brief {
    /// For a state that holds these numbers of symbols and messages, and nothing else.
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
            fingerprint: 0,
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

    /// Number of messages in the mailbox and on their way there.
    pub(crate) fn mailbox(&self, tail: &[u32]) -> u32 {
        if self.counted { self.split(tail).2.iter().sum() } else { self.messages }
    }
}

/// The data of an interned state.
struct Row {
    brief: Brief,
    /// Number of the list of names that it holds besides its owner's, in the order of first occurrence.
    names: u32,
    /// Its steps, once they are known.
    steps: StepsAt,
}

/// Renumbers the symbols, then the names, of a message for its recipient; those that the recipient does not hold get
/// the next numbers. Among names, 0 is the recipient's own, and the others that it holds follow.
pub(crate) type Pattern = Box<[u32]>;

/// An entry that the tables lack.
#[derive(Debug)]
pub(crate) enum Missing {
    /// The id of an agent state.
    State(Box<(AgentId, AgentState)>),
    /// The steps of an agent state.
    Locals(StateId),
    /// A delivery under the pattern of this number.
    Delivery { recipient: StateId, message: u32, pattern: u32 },
    /// A delivery under a pattern that has no number yet: recipient, message, pattern.
    DeliveryUnder(Box<(StateId, u32, Pattern)>),
    /// What is noted after something has happened: the numbers of what was noted before, and of what happens.
    Monitored(MonitoredId, u32),
}

/// The tables of agent states. Threads read them concurrently; missing entries are filled in by one thread between
/// rounds, in an order that does not depend on the number of threads, so ids do not depend on it either.
pub(crate) struct Agents<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    slicer: Option<Slicer<'a>>,
    symmetry: Symmetry,
    messages_text: Messages,
    progress: Progress,
    states: States,
    rows: Vec<Row>,
    /// Lists of the names that states hold besides their owners'.
    names: IndexSet<Box<[AgentId]>, FxBuildHasher>,
    steps: Steps,
    any_ties: bool,
    /// Clauses with sliced values that a move may depend on after all.
    doubtful: BTreeSet<ClauseId>,
    /// The empty pattern comes first.
    patterns: IndexSet<Pattern, FxBuildHasher>,
    deliveries: Deliveries,
    /// What the properties that are searched for remember of earlier steps, if they do.
    pub(crate) monitors: Option<Monitors<'a>>,
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
            progress: Progress::new(program),
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
            monitors: None,
        }
    }

    /// Number of interned states; their ids are smaller.
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn brief(&self, id: StateId) -> &Brief {
        &self.rows[id as usize].brief
    }

    /// An interned state; if messages are counted, its mailbox has one of each kind.
    pub(crate) fn state(&self, id: StateId) -> AgentState {
        self.states.state(id)
    }

    /// How many messages are on their way to the agent.
    pub(crate) fn under_way(&self, id: StateId) -> u32 {
        self.states.under_way(id)
    }

    /// The performatives of the messages in the mailbox of a state.
    pub(crate) fn unread(&self, id: StateId) -> impl Iterator<Item = PerformativeId> + '_ {
        self.states.mailbox(id).map(|message| message.performative)
    }

    /// The names that a state holds besides its owner's, in its own numbering.
    pub(crate) fn names(&self, id: StateId) -> &[AgentId] {
        &self.names[self.rows[id as usize].names as usize]
    }

    /// Static facts about messages.
    pub(crate) fn messages(&self) -> &Messages {
        &self.messages_text
    }

    pub(crate) fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// Whether equal adjacent messages are collapsed and counted.
    fn counts_messages(&self) -> bool {
        self.slicer.is_some()
    }

    /// Whether tails consist of symbols alone.
    pub(crate) fn only_symbols(&self) -> bool {
        !self.counts_messages() && self.symmetry.classes().is_empty()
    }

    /// Whether the content of a cell, given by its index in the agent's memory, is part of a state.
    pub(crate) fn cell_matters(&self, agent: AgentId, index: usize) -> bool {
        self.slicer.as_ref().is_none_or(|slicer| slicer.cell_matters(agent, index))
    }

    /// Clauses that slicing has to leave alone after all.
    pub(crate) fn doubtful(&self) -> &BTreeSet<ClauseId> {
        &self.doubtful
    }

    /// Whether something was abstracted from that matters after all.
    pub(crate) fn is_doubtful(&self) -> bool {
        !self.doubtful.is_empty() || self.monitors.as_ref().is_some_and(|it| !it.decreased().is_empty())
    }

    /// Whether some state has a bag whose order depends on the scene.
    pub(crate) fn any_ties(&self) -> bool {
        self.any_ties
    }

    /// Number of successor states computed.
    pub(crate) fn after_count(&self) -> usize {
        self.steps.following()
    }

    /// The steps of an agent state, if they were computed.
    pub(crate) fn locals(&self, id: StateId) -> Option<Locals<'_>> {
        self.steps.at(self.rows[id as usize].steps)
    }

    /// Whether an agent of the same role, in some state, waits only for some outcomes of open comparisons.
    pub(crate) fn waits_in_doubt(&self, agent: AgentId) -> bool {
        let role = self.program.agent(agent).role;
        (0..self.rows.len() as u32).any(|id| {
            let Summary { all_waiting, waiting_compared, .. } = self.rows[id as usize].brief.summary;
            all_waiting && waiting_compared && self.program.agent(self.states.owner(id)).role == role
        })
    }

    /// Computes a missing entry.
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
            Missing::Monitored(before, happening) => {
                let monitors = self.monitors.as_mut().expect("only they lack such an entry");
                monitors.fill((before, happening));
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
                progress: self.progress.of(&self.states.state(id).control),
                footprint: outline.footprint,
            };
            let row = &mut self.rows[id as usize];
            row.brief.expanded = true;
            row.brief.summary = summary;
            row.steps = steps;
        }
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        let names = self.names.iter().map(|names| size_of::<Box<[AgentId]>>() + INDEXED + slice_bytes(names));
        self.states.bytes()
            + self.rows.capacity() * size_of::<Row>()
            + names.sum::<usize>()
            + self.steps.bytes()
            + self.patterns.len() * (size_of::<Pattern>() + 4 + ALLOCATION_OVERHEAD + INDEXED)
            + self.deliveries.bytes()
            + self.monitors.as_ref().map_or(0, Monitors::bytes)
    }
}

/// The index of an item; a new one is appended.
fn position_or_push<T: PartialEq>(items: &mut Vec<T>, item: T) -> u32 {
    let known = items.iter().position(|it| *it == item);
    known.unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    }) as u32
}
