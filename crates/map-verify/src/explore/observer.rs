//! What a search is made for: an observer notes what the threads come to, and takes it over batch by batch.

use super::Finished;
use crate::agents::Missing;
use crate::state::space::{Judgement, Space, Successor};
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
