//! Storage of the steps of agent states: their successor states in one flat list, and everything that many steps
//! share, interned.

use map_ir::{AgentId, ClauseId, PerformativeId, PointId};
use map_semantics::{BoundHit, StepKind};

use super::interner::Interner;
use super::sizes::{HeapBytes, allocation_bytes, make_room, slice_bytes};
use super::{Places, StateId};
use crate::footprint::{Footprint, Missed};

/// A step of one agent as a patch of the global state. Symbols are numbered as in the state before; new ones follow.
#[derive(Clone, Copy)]
pub(crate) struct LocalStep<'t> {
    pub(crate) label: &'t Label,
    all: &'t Steps,
    template: &'t StepTemplate,
    /// The first successor state of the agent's state.
    first: u32,
}

impl<'t> LocalStep<'t> {
    /// Its message and recipients, if it sends.
    #[inline]
    pub(crate) fn sent(self) -> Option<&'t Sent> {
        self.template.sent.map(|sent| &self.all.sent[sent])
    }

    /// How it ends.
    #[inline]
    pub(crate) fn end(self) -> End {
        self.template.end
    }

    /// The agent's state after it, by its place in [`End::State`].
    #[inline]
    pub(crate) fn after(self, place: u32) -> After<'t> {
        let id = self.first + place;
        let Following { next, kept } = self.all.following[id as usize];
        After { id, next, kept: &self.all.kept[kept] }
    }
}

/// A step without its effects.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Label {
    pub(crate) thread: u32,
    pub(crate) kind: StepKind,
    /// Whether it depends on an open comparison.
    pub(crate) compared: bool,
    /// How its open choices were resolved.
    pub(crate) options: Vec<u32>,
    pub(crate) ran: Vec<PointId>,
    /// The operations that failed.
    pub(crate) failed: Vec<PointId>,
    pub(crate) entered: Vec<ClauseId>,
}

/// The agent's state after a step.
#[derive(Clone, Copy)]
pub(crate) struct After<'t> {
    /// Its index in the list of all successors.
    pub(crate) id: u32,
    pub(crate) next: StateId,
    pub(crate) kept: &'t MemoEntry,
}

/// What an agent holds after a step.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct MemoEntry {
    pub(crate) symbols: Box<[u32]>,
    /// Names of interchangeable agents that it holds besides its own.
    pub(crate) names: Box<[AgentId]>,
    /// How its message counts change.
    pub(crate) counts: Places,
    /// The performatives of messages left unread, if the step ends the agent.
    pub(crate) left: Box<[PerformativeId]>,
}

/// What an agent holds after a delivery.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Received {
    /// Its symbols, and its names except its own, as places among those it held followed by new ones of the message.
    pub(crate) symbols: Box<[u32]>,
    pub(crate) names: Box<[u32]>,
    /// How its message counts change.
    pub(crate) counts: Places,
}

/// A message and its recipients.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Sent {
    pub(crate) message: u32,
    pub(crate) performative: PerformativeId,
    pub(crate) symbols: Box<[u32]>,
    pub(crate) names: Box<[AgentId]>,
    /// Classes of which it goes to every agent except the sender.
    pub(crate) classes: Box<[usize]>,
    /// Fixed agents.
    pub(crate) to: Box<[AgentId]>,
    /// Single interchangeable agents, by the sender's names for them.
    pub(crate) named: Box<[AgentId]>,
}

/// The threads of an agent state, and what partial-order reduction needs to know of it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Outline {
    pub(crate) threads: Box<[Thread]>,
    pub(crate) all_waiting: bool,
    /// Whether some thread waits only for some outcomes of open comparisons.
    pub(crate) waiting_compared: bool,
    /// Whether the last of its steps is its crash, if agents may crash.
    pub(crate) crashes: bool,
    pub(crate) footprint: Footprint,
    /// Messages whose absence may influence the agent from here on.
    pub(crate) missed: Missed,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Thread {
    /// Whose messages come, if it is a way.
    pub(crate) sender: Option<AgentId>,
    /// Number of acts, and of timeouts.
    pub(crate) acts: u32,
    pub(crate) timeouts: u32,
    pub(crate) waiting: bool,
    pub(crate) waiting_compared: bool,
    pub(crate) act_may_vanish: bool,
    pub(crate) timeout_may_vanish: bool,
}

/// The steps of an agent state without their successors: shared by all states whose steps look alike.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct SharedSteps {
    pub(super) outline: Outline,
    /// Thread by thread, acts before timeouts; then the crash.
    pub(super) templates: Box<[StepTemplate]>,
    /// Its acts alone.
    pub(super) acts: Box<[StepTemplate]>,
}

impl SharedSteps {
    pub(super) fn new(outline: Outline, templates: Vec<StepTemplate>) -> Self {
        let mut acts = Vec::new();
        let mut rest = templates.as_slice();
        for thread in &outline.threads {
            let (its_acts, behind) = rest.split_at(thread.acts as usize);
            acts.extend_from_slice(its_acts);
            rest = &behind[thread.timeouts as usize..];
        }
        Self { outline, templates: templates.into(), acts: acts.into() }
    }
}

/// A step without its successor states.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct StepTemplate {
    pub(super) label: u32,
    pub(super) sent: Option<u32>,
    pub(super) end: End,
}

/// How a step ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum End {
    State {
        /// The place of the successor state.
        after: u32,
        /// The kind of message that it takes, if messages are counted: if more than one of the kind are there, the
        /// successor is at the next place instead.
        more: Option<u32>,
        /// Whether the agent succeeded, if this step ends it other than by a crash.
        ended: Option<bool>,
    },
    Cut(BoundHit),
    Runaway,
    RunError,
    TooLong,
}

/// A successor state, and the number of what the agent then holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Following {
    pub(super) next: StateId,
    pub(super) kept: u32,
}

/// Locates the steps of an agent state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct StepsAt {
    shared: u32,
    /// The first successor state.
    first: u32,
}

impl StepsAt {
    /// Not computed yet.
    pub(super) const UNKNOWN: Self = Self { shared: u32::MAX, first: 0 };
}

/// All steps of one interned agent state.
#[derive(Clone, Copy)]
pub(crate) struct Locals<'t> {
    all: &'t Steps,
    shared: &'t SharedSteps,
    first: u32,
}

impl<'t> Locals<'t> {
    pub(crate) fn outline(self) -> &'t Outline {
        &self.shared.outline
    }

    /// The threads with their acts and timeouts, to be passed to [`Locals::step`].
    pub(crate) fn threads(
        self,
    ) -> impl Iterator<Item = (&'t Thread, &'t [StepTemplate], &'t [StepTemplate])> {
        let SharedSteps { outline, templates, .. } = self.shared;
        let mut rest = &**templates;
        outline.threads.iter().map(move |thread| {
            let (acts, behind) = rest.split_at(thread.acts as usize);
            let (timeouts, behind) = behind.split_at(thread.timeouts as usize);
            rest = behind;
            (thread, acts, timeouts)
        })
    }

    pub(crate) fn acts(self) -> impl Iterator<Item = LocalStep<'t>> {
        self.shared.acts.iter().map(move |template| self.step(template))
    }

    /// All steps, thread by thread, acts before timeouts; then the crash.
    pub(crate) fn all(self) -> impl Iterator<Item = LocalStep<'t>> {
        self.shared.templates.iter().map(move |template| self.step(template))
    }

    /// The crash, if there is one.
    pub(crate) fn crash(self) -> Option<LocalStep<'t>> {
        let last = self.shared.templates.last().filter(|_| self.outline().crashes)?;
        Some(self.step(last))
    }

    #[inline]
    pub(crate) fn step(self, template: &'t StepTemplate) -> LocalStep<'t> {
        LocalStep { label: &self.all.labels[template.label], all: self.all, template, first: self.first }
    }
}

/// The steps of all agent states, and the interned values they share.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) shared: Interner<SharedSteps>,
    following: Vec<Following>,
    pub(super) labels: Interner<Label>,
    pub(super) sent: Interner<Sent>,
    pub(super) kept: Interner<MemoEntry>,
}

impl Steps {
    /// Adds the steps of a state: the number of their shared, and their successor states.
    pub(super) fn add(&mut self, shared: u32, following: &[Following]) -> StepsAt {
        let first = u32::try_from(self.following.len()).expect("steps of agents are fewer than 2^32");
        make_room(&mut self.following, following.len());
        self.following.extend_from_slice(following);
        StepsAt { shared, first }
    }

    #[inline]
    pub(super) fn at(&self, place: StepsAt) -> Option<Locals<'_>> {
        let shared = (place != StepsAt::UNKNOWN).then(|| &self.shared[place.shared])?;
        Some(Locals { all: self, shared, first: place.first })
    }

    /// Number of successor states.
    pub(super) fn following(&self) -> usize {
        self.following.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.shared.bytes()
            + self.following.capacity() * size_of::<Following>()
            + self.labels.bytes()
            + self.sent.bytes()
            + self.kept.bytes()
    }
}

impl HeapBytes for SharedSteps {
    fn heap_bytes(&self) -> usize {
        slice_bytes(&self.outline.threads)
            + allocation_bytes(self.outline.missed.bytes())
            + slice_bytes(&self.templates)
            + slice_bytes(&self.acts)
    }
}

impl HeapBytes for Label {
    fn heap_bytes(&self) -> usize {
        let Self { options, ran, failed, entered, .. } = self;
        slice_bytes(options) + slice_bytes(ran) + slice_bytes(failed) + slice_bytes(entered)
    }
}

impl HeapBytes for Sent {
    fn heap_bytes(&self) -> usize {
        let Self { symbols, names, classes, to, named, .. } = self;
        slice_bytes(symbols)
            + slice_bytes(names)
            + slice_bytes(classes)
            + slice_bytes(to)
            + slice_bytes(named)
    }
}

impl HeapBytes for MemoEntry {
    fn heap_bytes(&self) -> usize {
        let Self { symbols, names, counts, left } = self;
        slice_bytes(symbols) + slice_bytes(names) + allocation_bytes(counts.bytes()) + slice_bytes(left)
    }
}

impl HeapBytes for Received {
    fn heap_bytes(&self) -> usize {
        slice_bytes(&self.symbols) + slice_bytes(&self.names) + allocation_bytes(self.counts.bytes())
    }
}
