//! The end of a batch: the states that it found get their numbers, in the order in which one thread would have come to them.

use std::ops::Range;

use super::worker::{Expanded, Worker};
use super::{Explorer, NO_PANIC, Observer};

/// A number that is not known.
const UNKNOWN: u32 = u32::MAX;

/// A batch whose states were expanded, in the order of their numbers.
pub(crate) struct Finished<O: Observer> {
    workers: Vec<Worker<O>>,
    /// For each state the worker that has expanded it, and what came of it.
    states: Vec<(u32, Expanded<O::Visit>)>,
    /// Number of the first of them.
    pub(crate) first: usize,
    /// For each state the first number that it may have found; then the number after the last.
    fresh: Vec<u32>,
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
        let (worker, Expanded { targets, .. }) = &self.states[place];
        let worker = &self.workers[*worker as usize];
        (worker.targets.numbers(*targets), worker.targets.steps(*targets))
    }

    /// Which thread has expanded the state at a place.
    pub(crate) fn thread(&self, place: usize) -> usize {
        self.states[place].0 as usize
    }

    /// How many threads have expanded states.
    pub(crate) fn threads(&self) -> usize {
        self.workers.len()
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
        &self.workers[thread].notes
    }

    /// What the threads have noted.
    pub(crate) fn notes(&mut self) -> impl Iterator<Item = &mut O::Notes> {
        self.workers.iter_mut().map(|worker| &mut worker.notes)
    }

    /// How many messages merged steps send, as a thread has numbered it.
    pub(crate) fn weights(&self, thread: usize) -> &indexmap::IndexSet<Vec<u32>, rustc_hash::FxBuildHasher> {
        &self.workers[thread].buffers.weights
    }
}

impl<O: Observer> Explorer<'_, O> {
    /// A batch of so many states, which the workers have expanded: the states found have their numbers.
    pub(super) fn finish(&mut self, size: usize) -> Finished<O> {
        let mut workers: Vec<Worker<O>> =
            self.workers.drain(..).map(|worker| worker.into_inner().expect(NO_PANIC)).collect();
        let mut states = vec![(u32::MAX, Expanded::default()); size];
        for (worker, index) in workers.iter().zip(0..) {
            for &expanded in &worker.expanded {
                states[expanded.place as usize] = (index, expanded);
            }
        }
        let base = self.store.keys.committed();
        let mut numbers = vec![UNKNOWN; self.store.keys.provisional()];
        let mut fresh = Vec::with_capacity(size + 1);
        let mut next = base;
        for (worker, expanded) in &states {
            fresh.push(next);
            for target in workers[*worker as usize].targets.numbers_mut(expanded.targets) {
                let Some(number) = numbers.get_mut(target.wrapping_sub(base) as usize) else { continue };
                // Whether it is new cannot be predicted.
                let is_new = *number == UNKNOWN;
                *number = if is_new { next } else { *number };
                next += u32::from(is_new);
                *target = *number;
            }
        }
        fresh.push(next);
        self.store.keys.commit(|provisional| {
            let number = numbers[provisional];
            (number != UNKNOWN).then(|| number - base)
        });
        Finished { workers, states, first: self.expanded, fresh, level_end: self.level_end }
    }

    /// The observer takes over a batch, and what the workers have noted beside the states.
    pub(super) fn commit(&mut self, mut batch: Finished<O>) {
        self.observer.commit(&self.system, &mut batch);
        self.expanded += batch.len();
        let mut first_fault: Option<(u32, String)> = None;
        for worker in &mut batch.workers {
            self.transitions += worker.transitions;
            self.cut_by.extend(worker.cut_by.drain(..));
            self.too_long |= worker.too_long;
            if let Some((place, fault)) = worker.fault.take()
                && first_fault.as_ref().is_none_or(|(known, _)| place < *known)
            {
                first_fault = Some((place, fault));
            }
        }
        self.fault = first_fault.map(|(_, fault)| fault);
        self.workers = batch.workers.into_iter().map(std::sync::Mutex::new).collect();
    }
}
