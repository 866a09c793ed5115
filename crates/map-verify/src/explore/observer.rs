//! The interface of observers, which record what a search finds batch by batch, and the batches that they are given.

use std::io;
use std::ops::Range;

use super::targets::{Listed, Targets};
use map_semantics::Judgement;
use map_store::Full;

use crate::agents::Missing;
use crate::partial_order::overflow::Weights;
use crate::saved::Out;
use crate::state::Successor;
use crate::state::space::Space;
use crate::state::store::Store;
use crate::system::System;

/// The state being expanded.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub(crate) state: u32,
    /// Length of the shortest traces to it.
    pub(crate) depth: usize,
}

/// What the threads read while they expand a batch. Nothing of it changes meanwhile.
pub(crate) struct Setting<'s, 'a, O> {
    pub(crate) system: &'s System<'a>,
    pub(crate) store: &'s Store,
    pub(crate) observer: &'s O,
    /// Number of the batch's first state.
    pub(super) first: u32,
    /// Length of the shortest traces to its states.
    pub(super) depth: usize,
}

/// What is kept of a state's steps to stored states.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// All of them, each with its [`Observer::Step`].
    All,
    /// All of them, but only their targets.
    Targets,
    /// Those chosen by [`Observer::select`] and [`Observer::is_kept`].
    Some,
}

/// Records the states and steps that a search finds.
///
/// Each thread writes to its own notes, through [`Observer::step`] and [`Observer::close`], independently of the
/// others. Once a batch is expanded and its states are numbered, one thread calls [`Observer::admit`], all threads
/// call [`Observer::digest`] for shares of it, and one thread calls [`Observer::commit`].
pub(crate) trait Observer: Send + Sync + Sized {
    /// What one thread has recorded since the last batch was committed.
    type Notes: Send + Sync;
    /// What is kept of a step to a stored state until its batch is committed.
    type Step: Copy + Send + Sync;
    /// What is kept of an expanded state until its batch is committed.
    type Visit: Copy + Default + Send + Sync;

    /// Empty notes for a thread.
    fn notes(&self) -> Self::Notes;

    /// Called between rounds, after entries were added to the agent tables.
    fn prepare(&mut self, _space: &Space<'_>) {}

    /// Called before a thread begins its part of a round.
    fn begin(&self, _notes: &mut Self::Notes, _space: &Space<'_>) {}

    /// Called before a state is expanded. Discards notes of a state that was not closed.
    fn open(&self, _notes: &mut Self::Notes) {}

    /// Records a step of the state being expanded. Returns what is kept of it if its target is stored.
    fn step(&self, notes: &mut Self::Notes, source: Source, successor: &Successor<'_>) -> Self::Step;

    /// Adds to `missing` the table entries that the observer needs for a state before it is stored. As long as any is
    /// missing, the expansion of its predecessor is postponed.
    fn require(&self, _space: &Space<'_>, _words: &[u32], _missing: &mut Vec<Missing>) {}

    /// Called when all steps of the state are known, with its judgement.
    fn close(
        &self,
        notes: &mut Self::Notes,
        system: &System<'_>,
        source: Source,
        judgement: Judgement,
        words: &[u32],
    ) -> Self::Visit;

    /// Decides what is kept of the steps of a state. `numbers` are those of their targets.
    fn keep(_steps: &[Self::Step], _numbers: &[u32]) -> Keep {
        Keep::All
    }

    /// For [`Keep::Some`]: writes the places of the steps to keep, in order, and returns how many transitions they
    /// count as.
    fn select(steps: &[Self::Step], _numbers: &[u32], kept: &mut Vec<u32>) -> usize {
        kept.extend(0..steps.len() as u32);
        steps.len()
    }

    /// Whether more than the target of a step must be kept.
    fn is_kept(_step: &Self::Step) -> bool {
        true
    }

    /// Examines a batch whose states are numbered. Called by one thread.
    fn admit(&mut self, _batch: &Finished<Self>) {}

    /// Number of shares into which a batch is divided for [`Observer::digest`].
    fn shares(&self, _batch: &Finished<Self>) -> usize {
        0
    }

    /// Processes a share of a batch. Shares are processed in parallel, in any order.
    fn digest(&self, _system: &System<'_>, _store: &Store, _batch: &Finished<Self>, _share: usize) {}

    /// Takes over a batch and the threads' notes.
    fn commit(&mut self, system: &System<'_>, batch: &mut Finished<Self>);

    /// Called at the end of a level; whether the search should stop.
    fn level_done(&mut self) -> bool;

    /// Bytes kept for states and transitions.
    fn bytes(&self) -> usize;

    /// Bytes of buffers.
    fn buffer_bytes(&self) -> usize {
        0
    }

    /// Bytes of a thread's notes.
    fn notes_bytes(_notes: &Self::Notes) -> usize {
        0
    }

    /// Bytes that a batch with these numbers of states and transitions may add.
    fn bytes_for(&self, states: usize, transitions: usize) -> usize;

    /// Whether the search can be kept, to go on later.
    const IS_KEPT: bool = false;

    /// Writes what it has recorded.
    ///
    /// # Errors
    /// Those of the writer.
    fn save(&self, _out: &mut Out<'_>) -> io::Result<()> {
        unreachable!("nobody keeps this")
    }

    /// Makes room in its largest tables for such a batch.
    ///
    /// # Errors
    /// [`Full`] if the system has no memory for it.
    fn make_room(&mut self, _states: usize, _transitions: usize) -> Result<(), Full> {
        Ok(())
    }
}

/// An expanded state.
#[derive(Clone, Copy, Default)]
pub(super) struct Expanded<V> {
    /// Its place in the batch.
    pub(super) place: u32,
    pub(super) targets: Listed,
    pub(super) visit: V,
}

/// One thread's part of a batch.
pub(super) struct Part<O: Observer> {
    pub(super) expanded: Vec<Expanded<O::Visit>>,
    pub(super) targets: Targets<O::Step>,
    pub(super) notes: O::Notes,
    /// The weights of merged steps, numbered.
    pub(super) weights: Weights,
}

impl<O: Observer> Part<O> {
    /// An empty part.
    pub(super) fn new(notes: O::Notes) -> Self {
        Self { expanded: Vec::new(), targets: Targets::default(), notes, weights: Weights::default() }
    }
}

/// An expanded batch, its states in the order of their numbers.
pub(crate) struct Finished<O: Observer> {
    /// By thread.
    pub(super) parts: Vec<Part<O>>,
    /// For each state the thread that expanded it, and the result.
    pub(super) states: Vec<(u32, Expanded<O::Visit>)>,
    /// Number of the first state.
    pub(crate) first: usize,
    /// The new states found by the `i`th state have the numbers `fresh[i]..fresh[i + 1]`.
    pub(super) fresh: Vec<u32>,
    /// Number of the first state of the next level.
    pub(crate) level_end: usize,
}

impl<O: Observer> Finished<O> {
    /// Number of states in the batch.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// What was kept of the `place`th state.
    pub(crate) fn visit(&self, place: usize) -> O::Visit {
        self.states[place].1.visit
    }

    /// The targets of the `place`th state's steps, and what was kept of each step, if anything was.
    #[inline]
    pub(crate) fn targets(&self, place: usize) -> (&[u32], Option<&[O::Step]>) {
        let (thread, Expanded { targets, .. }) = &self.states[place];
        let part = &self.parts[*thread as usize];
        (part.targets.numbers(*targets), part.targets.steps(*targets))
    }

    /// The thread that expanded the `place`th state.
    pub(crate) fn thread(&self, place: usize) -> usize {
        self.states[place].0 as usize
    }

    /// Number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.parts.len()
    }

    /// The new states found by the `place`th state; they are among its targets, in this order.
    pub(crate) fn found_by(&self, place: usize) -> Range<u32> {
        self.fresh[place]..self.fresh[place + 1]
    }

    /// The new states found by the batch.
    pub(crate) fn found(&self) -> Range<u32> {
        self.fresh[0]..self.fresh[self.len()]
    }

    /// The notes of a thread.
    pub(crate) fn notes_of(&self, thread: usize) -> &O::Notes {
        &self.parts[thread].notes
    }

    /// The notes of all threads.
    pub(crate) fn notes(&mut self) -> impl Iterator<Item = &mut O::Notes> {
        self.parts.iter_mut().map(|part| &mut part.notes)
    }

    /// The weights of merged steps, as numbered by a thread.
    pub(crate) fn weights(&self, thread: usize) -> &Weights {
        &self.parts[thread].weights
    }
}
