//! What a search is made for: an observer notes what the threads come to, and takes it over batch by batch. And what it is shown
//! of a batch.

use std::ops::Range;

use super::targets::{Listed, Targets};
use map_semantics::Judgement;

use crate::agents::Missing;
use crate::partial_order::overflow::Weights;
use crate::state::Successor;
use crate::state::space::Space;
use crate::state::store::Store;
use crate::system::System;

/// The state being expanded.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    /// Its number.
    pub(crate) state: u32,
    /// Length of the shortest traces to it.
    pub(crate) depth: usize,
}

/// What a batch is expanded in. Nothing of it changes meanwhile.
pub(crate) struct Setting<'s, 'a, O> {
    pub(crate) system: &'s System<'a>,
    pub(crate) store: &'s Store,
    pub(crate) observer: &'s O,
    /// Number of the batch's first state.
    pub(super) first: u32,
    /// Length of the shortest traces to its states.
    pub(super) depth: usize,
}

/// What is kept of the steps of a state to stored states.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// All are transitions, and of each is kept what is kept of a step.
    All,
    /// All are transitions, of which nothing is kept but where they lead.
    Targets,
    /// Some, as [`Observer::select`] and [`Observer::is_kept`] say.
    Some,
}

/// What a search notes of the states and steps that it comes to.
///
/// Threads note what they see in notes of their own, by [`Observer::step`] and [`Observer::close`], and must not depend on
/// each other. Once a batch is expanded and its states have their numbers, [`Observer::admit`] looks at it in order,
/// [`Observer::digest`] is called by all threads, each for some shares of it, and [`Observer::commit`] takes it over.
pub(crate) trait Observer: Send + Sync + Sized {
    /// What one thread has noted since the last batch was committed.
    type Notes: Send + Sync;
    /// What is kept of a step to a stored state until its batch is committed.
    type Step: Copy + Send + Sync;
    /// What is kept of an expanded state, likewise.
    type Visit: Copy + Default + Send + Sync;

    /// The notes of a thread that has seen nothing.
    fn notes(&self) -> Self::Notes;

    /// More is known of agents. Called while no thread expands states.
    fn prepare(&mut self, _space: &Space<'_>) {}

    /// Before a thread begins its part of a round.
    fn begin(&self, _notes: &mut Self::Notes, _space: &Space<'_>) {}

    /// Before a state is expanded. What was noted of a state that was not closed does not count.
    fn open(&self, _notes: &mut Self::Notes) {}

    /// Notes a step out of the state being expanded; what is kept of it if it leads to a state that is stored.
    fn step(&self, notes: &mut Self::Notes, source: Source, successor: &Successor<'_>) -> Self::Step;

    /// Asks for what the agent tables have to say of a state before it is stored. As long as something is missing, the
    /// state that leads to it is set aside.
    fn require(&self, _space: &Space<'_>, _words: &[u32], _missing: &mut Vec<Missing>) {}

    /// Notes that all steps of the state are known, and what is judged of it.
    fn close(
        &self,
        notes: &mut Self::Notes,
        system: &System<'_>,
        source: Source,
        judgement: Judgement,
        words: &[u32],
    ) -> Self::Visit;

    /// What is kept of the steps of a state. `numbers` are those of their targets.
    fn keep(_steps: &[Self::Step], _numbers: &[u32]) -> Keep {
        Keep::All
    }

    /// Which steps of a state are kept, by their places, in order; and how many transitions they are. Asked where some are
    /// kept.
    fn select(steps: &[Self::Step], _numbers: &[u32], kept: &mut Vec<u32>) -> usize {
        kept.extend(0..steps.len() as u32);
        steps.len()
    }

    /// Whether something has to be kept of a step beside where it leads.
    fn is_kept(_step: &Self::Step) -> bool {
        true
    }

    /// A look at a batch whose states have their numbers, by one thread.
    fn admit(&mut self, _batch: &Finished<Self>) {}

    /// Into how many shares a batch is divided for [`Observer::digest`].
    fn shares(&self, _batch: &Finished<Self>) -> usize {
        0
    }

    /// Work on a share of a batch that needs no order.
    fn digest(&self, _system: &System<'_>, _store: &Store, _batch: &Finished<Self>, _share: usize) {}

    /// Takes over a batch and what threads have noted.
    fn commit(&mut self, system: &System<'_>, batch: &mut Finished<Self>);

    /// A level is done: whether the search is to end.
    fn level_done(&mut self) -> bool;

    /// Bytes kept for states and transitions.
    fn bytes(&self) -> usize;

    /// Bytes of buffers.
    fn buffer_bytes(&self) -> usize {
        0
    }

    /// Bytes of what threads have noted.
    fn notes_bytes(_notes: &Self::Notes) -> usize {
        0
    }

    /// Bytes that a batch of so many states with so many transitions may add.
    fn bytes_for(&self, states: usize, transitions: usize) -> usize;
}

/// A state that was expanded.
#[derive(Clone, Copy, Default)]
pub(super) struct Expanded<V> {
    /// Its place in the batch.
    pub(super) place: u32,
    pub(super) targets: Listed,
    pub(super) visit: V,
}

/// What one thread has expanded of a batch.
pub(super) struct Part<O: Observer> {
    pub(super) expanded: Vec<Expanded<O::Visit>>,
    pub(super) targets: Targets<O::Step>,
    pub(super) notes: O::Notes,
    /// What merged steps send to each part of the scene, numbered.
    pub(super) weights: Weights,
}

impl<O: Observer> Part<O> {
    /// Of a thread that has expanded nothing yet.
    pub(super) fn new(notes: O::Notes) -> Self {
        Self { expanded: Vec::new(), targets: Targets::default(), notes, weights: Weights::default() }
    }
}

/// A batch whose states were expanded, in the order of their numbers.
pub(crate) struct Finished<O: Observer> {
    /// What each thread has expanded.
    pub(super) parts: Vec<Part<O>>,
    /// For each state the thread that has expanded it, and what came of it.
    pub(super) states: Vec<(u32, Expanded<O::Visit>)>,
    /// Number of the first of them.
    pub(crate) first: usize,
    /// For each state the first number that it may have found; then the number after the last.
    pub(super) fresh: Vec<u32>,
    /// Number of the first state of the next level.
    pub(crate) level_end: usize,
}

impl<O: Observer> Finished<O> {
    /// How many states the batch has.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// What was kept of the state at a place.
    pub(crate) fn visit(&self, place: usize) -> O::Visit {
        self.states[place].1.visit
    }

    /// The numbers of the states to which the steps of the one at a place lead; what was kept of each, if anything was.
    #[inline]
    pub(crate) fn targets(&self, place: usize) -> (&[u32], Option<&[O::Step]>) {
        let (thread, Expanded { targets, .. }) = &self.states[place];
        let part = &self.parts[*thread as usize];
        (part.targets.numbers(*targets), part.targets.steps(*targets))
    }

    /// Which thread has expanded the state at a place.
    pub(crate) fn thread(&self, place: usize) -> usize {
        self.states[place].0 as usize
    }

    /// How many threads have expanded states.
    pub(crate) fn threads(&self) -> usize {
        self.parts.len()
    }

    /// The states that are found first by the one at a place: they stand among its targets in this order.
    pub(crate) fn found_by(&self, place: usize) -> Range<u32> {
        self.fresh[place]..self.fresh[place + 1]
    }

    /// The states found by the batch.
    pub(crate) fn found(&self) -> Range<u32> {
        self.fresh[0]..self.fresh[self.len()]
    }

    /// What a thread has noted.
    pub(crate) fn notes_of(&self, thread: usize) -> &O::Notes {
        &self.parts[thread].notes
    }

    /// What the threads have noted.
    pub(crate) fn notes(&mut self) -> impl Iterator<Item = &mut O::Notes> {
        self.parts.iter_mut().map(|part| &mut part.notes)
    }

    /// How many messages merged steps send, as a thread has numbered it.
    pub(crate) fn weights(&self, thread: usize) -> &Weights {
        &self.parts[thread].weights
    }
}
