//! The steps of agent states as they are kept: the states that follow one after the other in one list, and what many have in
//! common, once.

use map_ir::{AgentId, ClauseId, PerformativeId, PointId};
use map_semantics::{BoundHit, StepKind};

use super::once::Numbered;
use super::sizes::{Pieces, make_room, piece, pieces_of};
use super::{Places, StateId};
use crate::footprint::{Firmness, Missed};

/// A step of one agent as a patch of the global state. Symbols are numbered as in the state before; new ones follow.
#[derive(Clone, Copy)]
pub(crate) struct LocalStep<'t> {
    pub(crate) label: &'t Label,
    all: &'t Steps,
    deed: &'t Deed,
    /// The first of the states that follow the agent's state.
    first: u32,
}

impl<'t> LocalStep<'t> {
    /// What it sends, and to whom.
    #[inline]
    pub(crate) fn sent(self) -> Option<&'t Sent> {
        self.deed.sent.map(|sent| &self.all.sent[sent])
    }

    /// How it ends.
    #[inline]
    pub(crate) fn end(self) -> End {
        self.deed.end
    }

    /// The agent's state after it, by its place in [`End::State`].
    #[inline]
    pub(crate) fn after(self, place: u32) -> After<'t> {
        let id = self.first + place;
        let Following { next, kept } = self.all.following[id as usize];
        After { id, next, kept: &self.all.kept[kept] }
    }
}

/// What happens in a step, but for what it leads to.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Label {
    pub(crate) thread: u32,
    pub(crate) kind: StepKind,
    /// Whether it rests on an open comparison.
    pub(crate) compared: bool,
    /// How what was open was settled.
    pub(crate) options: Vec<u32>,
    pub(crate) ran: Vec<PointId>,
    pub(crate) entered: Vec<ClauseId>,
}

/// The agent's state after a step.
#[derive(Clone, Copy)]
pub(crate) struct After<'t> {
    /// Its number among all that were computed.
    pub(crate) id: u32,
    pub(crate) next: StateId,
    pub(crate) kept: &'t Kept,
}

/// What an agent holds after a step.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Kept {
    pub(crate) symbols: Box<[u32]>,
    /// Which names of interchangeable agents it holds beside its own.
    pub(crate) names: Box<[AgentId]>,
    /// How many messages it holds of each kind.
    pub(crate) counts: Places,
    /// The performatives of what the agent leaves unread by ending.
    pub(crate) left: Box<[PerformativeId]>,
}

/// What an agent holds after a message was put into its mailbox.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Received {
    /// Which symbols, and which names but its own, by its numbering and that of the pattern.
    pub(crate) symbols: Box<[u32]>,
    pub(crate) names: Box<[u32]>,
    /// How many messages it holds of each kind.
    pub(crate) counts: Places,
}

/// A message and whom it goes to.
#[derive(Clone, PartialEq, Eq, Hash)]
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

/// What is known of the threads of an agent state.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Outline {
    pub(crate) threads: Box<[Thread]>,
    pub(crate) all_waiting: bool,
    /// Some thread waits only if open comparisons come out so.
    pub(crate) waiting_compared: bool,
    /// Whether the last of its steps is its crash, if agents may crash.
    pub(crate) crashes: bool,
    pub(crate) firmness: Firmness,
    /// What the agent can tell from here on not to have come yet.
    pub(crate) missed: Missed,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Thread {
    /// Numbers of steps.
    pub(crate) acts: u32,
    pub(crate) timeouts: u32,
    pub(crate) waiting: bool,
    pub(crate) waiting_compared: bool,
    pub(crate) act_may_vanish: bool,
    pub(crate) timeout_may_vanish: bool,
}

/// The steps of an agent state but for what they lead to, as numbers of what many have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub(super) outline: Outline,
    /// Thread by thread, acts before timeouts; then the crash.
    pub(super) deeds: Box<[Deed]>,
    /// Its acts alone.
    pub(super) acts: Box<[Deed]>,
}

impl Shape {
    pub(super) fn new(outline: Outline, deeds: Vec<Deed>) -> Self {
        let mut acts = Vec::new();
        let mut rest = deeds.as_slice();
        for thread in &outline.threads {
            let (its_acts, behind) = rest.split_at(thread.acts as usize);
            acts.extend_from_slice(its_acts);
            rest = &behind[thread.timeouts as usize..];
        }
        Self { outline, deeds: deeds.into(), acts: acts.into() }
    }
}

/// A step, but for what it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Deed {
    pub(super) label: u32,
    pub(super) sent: Option<u32>,
    pub(super) end: End,
}

/// How a step ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum End {
    State {
        /// The place of the state that follows.
        after: u32,
        /// The kind of message that it takes, where these are counted: if there are more of it, the state at the next place
        /// follows.
        more: Option<u32>,
        /// Whether the agent ends by this step, but not by a crash, and if so with success.
        ended: Option<bool>,
    },
    Cut(BoundHit),
    Runaway,
    RunError,
    TooLong,
}

/// A state that follows, and what the agent then holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Following {
    pub(super) next: StateId,
    pub(super) kept: u32,
}

/// Where the steps of an agent state are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    shape: u32,
    /// The first of the states that follow.
    first: u32,
}

impl Place {
    /// They are not known.
    pub(super) const UNKNOWN: Self = Self { shape: u32::MAX, first: 0 };
}

/// All steps of one interned agent state.
#[derive(Clone, Copy)]
pub(crate) struct Locals<'t> {
    all: &'t Steps,
    shape: &'t Shape,
    first: u32,
}

impl<'t> Locals<'t> {
    pub(crate) fn outline(self) -> &'t Outline {
        &self.shape.outline
    }

    /// The threads with their acts and timeouts, to be told by [`Locals::step`].
    pub(crate) fn threads(self) -> impl Iterator<Item = (&'t Thread, &'t [Deed], &'t [Deed])> {
        let Shape { outline, deeds, .. } = self.shape;
        let mut rest = &**deeds;
        outline.threads.iter().map(move |thread| {
            let (acts, behind) = rest.split_at(thread.acts as usize);
            let (timeouts, behind) = behind.split_at(thread.timeouts as usize);
            rest = behind;
            (thread, acts, timeouts)
        })
    }

    pub(crate) fn acts(self) -> impl Iterator<Item = LocalStep<'t>> {
        self.shape.acts.iter().map(move |deed| self.step(deed))
    }

    /// All steps, thread by thread, acts before timeouts; then the crash.
    pub(crate) fn all(self) -> impl Iterator<Item = LocalStep<'t>> {
        self.shape.deeds.iter().map(move |deed| self.step(deed))
    }

    /// The crash, if there is one.
    pub(crate) fn crash(self) -> Option<LocalStep<'t>> {
        let last = self.shape.deeds.last().filter(|_| self.outline().crashes)?;
        Some(self.step(last))
    }

    #[inline]
    pub(crate) fn step(self, deed: &'t Deed) -> LocalStep<'t> {
        LocalStep { label: &self.all.labels[deed.label], all: self.all, deed, first: self.first }
    }
}

/// The steps of all agent states, and what they have in common.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) shapes: Numbered<Shape>,
    following: Vec<Following>,
    pub(super) labels: Numbered<Label>,
    pub(super) sent: Numbered<Sent>,
    pub(super) kept: Numbered<Kept>,
}

impl Steps {
    /// Adds the steps of a state that have that shape, with the states that follow.
    pub(super) fn add(&mut self, shape: u32, following: &[Following]) -> Place {
        let first = u32::try_from(self.following.len()).expect("steps of agents are fewer than 2^32");
        make_room(&mut self.following, following.len());
        self.following.extend_from_slice(following);
        Place { shape, first }
    }

    #[inline]
    pub(super) fn at(&self, place: Place) -> Option<Locals<'_>> {
        let shape = (place != Place::UNKNOWN).then(|| &self.shapes[place.shape])?;
        Some(Locals { all: self, shape, first: place.first })
    }

    /// How many states that follow there are.
    pub(super) fn following(&self) -> usize {
        self.following.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.shapes.bytes()
            + self.following.capacity() * size_of::<Following>()
            + self.labels.bytes()
            + self.sent.bytes()
            + self.kept.bytes()
    }
}

impl Pieces for Shape {
    fn pieces(&self) -> usize {
        pieces_of(&self.outline.threads)
            + piece(self.outline.missed.bytes())
            + pieces_of(&self.deeds)
            + pieces_of(&self.acts)
    }
}

impl Pieces for Label {
    fn pieces(&self) -> usize {
        pieces_of(&self.options) + pieces_of(&self.ran) + pieces_of(&self.entered)
    }
}

impl Pieces for Sent {
    fn pieces(&self) -> usize {
        let Self { symbols, names, classes, to, named, .. } = self;
        pieces_of(symbols) + pieces_of(names) + pieces_of(classes) + pieces_of(to) + pieces_of(named)
    }
}

impl Pieces for Kept {
    fn pieces(&self) -> usize {
        let Self { symbols, names, counts, left } = self;
        pieces_of(symbols) + pieces_of(names) + piece(counts.bytes()) + pieces_of(left)
    }
}

impl Pieces for Received {
    fn pieces(&self) -> usize {
        pieces_of(&self.symbols) + pieces_of(&self.names) + piece(self.counts.bytes())
    }
}
