//! The loop over levels, batches of states, and rounds in which threads expand them.
//!
//! Between two rounds one thread has exclusive access to the search. During a round all threads read it, and each
//! writes to its own worker only.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

use map_store::{Full, Pool, check_free};

use super::worker::{Worker, expand};
use super::{Explorer, Finished, NO_PANIC, Observer, Setting};
use crate::budget::{Limit, Limits, Progress, Stop};

/// Number of rounds for a full batch. The agent tables are filled in after each round rather than at the end of the
/// batch, because an entry missing for one state is usually missing for others, which all have to be expanded again.
const ROUNDS: usize = 8;

/// A round with fewer chunks is expanded by one thread.
const WORTH_SHARING: usize = 4;

/// Numbers of new states and tree nodes to reserve room for: per state to be expanded, and at least.
const ROOM_EACH: usize = 6;
const ROOM_LEAST: usize = 1 << 9;

/// What the threads are doing, or did last.
pub(super) enum Phase<O: Observer> {
    /// Nothing: no batch has begun.
    Between,
    /// They expand states.
    Expand(Round),
    /// They call [`Observer::digest`] for the shares of a batch; with the next unclaimed share.
    Digest(Box<Finished<O>>, AtomicUsize),
}

/// States that are expanded in parallel.
pub(super) struct Round {
    /// Number of states in its batch.
    size: usize,
    /// How many of these were attempted, in this round or before.
    begun: usize,
    /// The states of this round, as places in the batch.
    todo: Vec<u32>,
    /// Next unclaimed index in each thread's share of `todo`.
    taken: Vec<AtomicUsize>,
}

/// The workers, while no thread works.
fn workers<O: Observer>(workers: &mut [Mutex<Worker<O>>]) -> impl Iterator<Item = &mut Worker<O>> {
    workers.iter_mut().map(|worker| worker.get_mut().expect(NO_PANIC))
}

impl<'a, O: Observer> Explorer<'a, O> {
    /// Explores until no state is left, a limit is reached, or the observer stops the search.
    pub(crate) fn run(&mut self, limits: &Limits, progress: &mut dyn Progress) {
        if self.limit.is_none() && self.store.len() > 0 {
            self.explore(limits, progress);
            self.keep(progress, true);
        }
        // What was found is still to be reported, by steps of single states.
        self.system.space.stop = Stop::default();
    }

    fn explore(&mut self, limits: &Limits, progress: &mut dyn Progress) {
        let threads = self.workers.len();
        let shared = &RwLock::new(self);
        std::thread::scope(|scope| {
            let work = |worker| shared.read().expect(NO_PANIC).work(worker);
            let pool = Pool::start(scope, threads - 1, |other| move |()| work(other + 1));
            loop {
                let is_shared = {
                    let mut search = shared.write().expect(NO_PANIC);
                    if !search.next_phase(limits, progress) {
                        return;
                    }
                    search.is_worth_sharing()
                };
                if is_shared {
                    pool.send_all(&());
                }
                work(0);
                if is_shared {
                    pool.wait_all();
                }
            }
        });
    }

    /// One thread's part of the phase.
    fn work(&self, own: usize) {
        match &self.phase {
            Phase::Between => {}
            Phase::Expand(Round { todo, taken, .. }) => {
                let worker = &mut self.workers[own].lock().expect(NO_PANIC);
                expand(&self.setting(), worker, todo, (taken, own), self.tuning.chunk);
            }
            Phase::Digest(batch, taken) => {
                let shares = self.observer.shares(batch);
                let next = || Some(taken.fetch_add(1, Ordering::Relaxed)).filter(|&share| share < shares);
                while let Some(share) = next() {
                    self.observer.digest(&self.system, &self.store, batch, share);
                }
            }
        }
    }

    /// Whether the phase has enough work for several threads.
    fn is_worth_sharing(&self) -> bool {
        match &self.phase {
            Phase::Between => false,
            Phase::Expand(Round { todo, .. }) => todo.len() >= WORTH_SHARING * self.tuning.chunk,
            Phase::Digest(batch, _) => self.observer.shares(batch) > 1,
        }
    }

    /// Advances to the next phase with work for threads; false if the search ends.
    fn next_phase(&mut self, limits: &Limits, progress: &mut dyn Progress) -> bool {
        loop {
            match std::mem::replace(&mut self.phase, Phase::Between) {
                Phase::Between => {}
                Phase::Digest(batch, _) => self.commit(*batch),
                Phase::Expand(round) => match self.next_round(&round, limits) {
                    Ok(phase) => {
                        // A finished batch is committed whatever the limits.
                        let ends = matches!(phase, Phase::Digest(..));
                        self.phase = phase;
                        self.limit = if ends { None } else { progress.tick(&self.progress) };
                        return self.limit.is_none();
                    }
                    Err(limit) => {
                        self.limit = Some(limit);
                        return false;
                    }
                },
            }
            if self.expanded >= self.store.len() || self.limit.is_some() || self.fault.is_some() {
                return false;
            }
            if self.expanded == self.level_end {
                // Only here, since what is doubtful up to the end of a level does not depend on the order in which
                // its states are expanded.
                if self.observer.level_done() || self.system.space.agents.is_doubtful() {
                    return false;
                }
                self.levels.push(self.level_end);
                self.level_end = self.store.len();
                self.keep(progress, false);
            }
            self.progress = self.snapshot();
            self.limit = match self.store.len() {
                states if states > limits.states => Some(Limit::States),
                _ => progress.tick(&self.progress),
            };
            if self.limit.is_none() {
                self.limit = self.begin_batch(limits).err();
            }
            if self.limit.is_some() {
                return false;
            }
        }
    }

    /// Begins a batch with the next states of the level.
    fn begin_batch(&mut self, limits: &Limits) -> Result<(), Limit> {
        // Batches shrink near the limit of states, so that it is not exceeded by much.
        let left = limits.states.saturating_sub(self.store.len()) / 64;
        let size = (self.level_end - self.expanded).min(self.tuning.batch).min(left.max(1));
        self.make_room(size, limits)?;
        workers(&mut self.workers).for_each(Worker::clear);
        self.phase = Phase::Expand(Round { size, begun: 0, todo: Vec::new(), taken: Vec::new() });
        Ok(())
    }

    /// Prepares the next round of the batch, or finishes the batch if no states are left.
    fn next_round(&mut self, round: &Round, limits: &Limits) -> Result<Phase<O>, Limit> {
        let &Round { size, begun, .. } = round;
        let mut todo = self.fill_in(size - begun, limits)?;
        let end = size.min(begun + self.tuning.batch / ROUNDS);
        todo.extend(begun as u32..end as u32);
        if todo.is_empty() {
            let batch = Box::new(self.finish(size));
            self.observer.admit(&batch);
            return Ok(Phase::Digest(batch, AtomicUsize::new(0)));
        }
        let taken = self.workers.iter().map(|_| AtomicUsize::new(0)).collect();
        Ok(Phase::Expand(Round { size, begun: end, todo, taken }))
    }

    /// The setting of the current batch.
    fn setting(&self) -> Setting<'_, 'a, O> {
        Setting {
            system: &self.system,
            store: &self.store,
            observer: &self.observer,
            first: self.expanded as u32,
            depth: self.levels.len() - 1,
        }
    }

    /// Reserves room for what `states` states may find, within the limit.
    fn make_room(&mut self, states: usize, limits: &Limits) -> Result<(), Limit> {
        let more = (states * ROOM_EACH).max(ROOM_LEAST);
        let agents = self.system.space.agents.bytes();
        let others_more = self.observer.bytes_for(states, more) + more;
        let others = self.bytes() - self.store.bytes() + others_more;
        if others + self.store.bytes_with_room(more, more) > limits.memory {
            return Err(Limit::Memory);
        }
        // The other tables grow piece by piece, those of agents by at most an eighth at a time.
        let made = self.store.make_room(more, more).and_then(|()| self.observer.make_room(states, more));
        let made = made.and_then(|()| check_free(others_more + agents / 4));
        made.map_err(|Full| Limit::NoRoom)
    }

    /// Fills in missing entries of the agent tables, in the order of the states that need them, and makes room where
    /// a table was full, also for the `left` states not expanded yet. Returns the states to be expanded again.
    fn fill_in(&mut self, left: usize, limits: &Limits) -> Result<Vec<u32>, Limit> {
        let mut again: Vec<u32> = workers(&mut self.workers).flat_map(|it| it.again.drain(..)).collect();
        if again.is_empty() {
            return Ok(again);
        }
        again.sort_unstable();
        let mut missing: Vec<_> = workers(&mut self.workers).flat_map(|it| it.missing.drain(..)).collect();
        missing.sort_by_key(|&(place, _)| place);
        let first = self.expanded as u32;
        let filled = self.fills.is_some().then(|| Vec::from_iter(missing.iter().map(|it| first + it.0)));
        for (_, missing) in missing {
            if self.system.space.stop.is_raised() {
                break;
            }
            let agents = &mut self.system.space.agents;
            agents.make_room().map_err(|Full| Limit::NoRoom)?;
            agents.fill(missing);
        }
        if let (Some(fills), Some(filled)) = (&mut self.fills, filled)
            && !self.system.space.stop.is_raised()
        {
            fills.note(filled);
        }
        self.observer.prepare(&self.system.space);
        self.make_room(again.len() + left, limits)?;
        Ok(again)
    }
}
