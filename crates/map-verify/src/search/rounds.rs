//! The loop over levels, batches of states, and rounds in which threads expand these.
//!
//! Between two rounds one thread has the search for itself; in a round all read it, and each writes to its worker only.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, RwLock};

use map_store::{Full, Pool};

use super::settle::Batch;
use super::{NO_PANIC, Search};
use crate::batch::{self, Setting, Worker};
use crate::edges::Edges;
use crate::report::{Limit, Limits, Progress};

/// The most states that are expanded together; few in debug builds, so that tests see many batches.
pub(super) const BATCH: usize = if cfg!(debug_assertions) { 1 << 8 } else { 1 << 14 };

/// States of a batch after which the agent tables are filled in: sooner than at its end, for what one state misses others miss
/// as well, and all of them have to be done again.
const ROUND: usize = BATCH / 8;

/// States and nodes of their trees that are made room for: for each state to be expanded, and at least.
const ROOM_EACH: usize = 6;
const ROOM_LEAST: usize = 1 << 9;

/// What the threads of the pool are told to do.
#[derive(Clone)]
pub(super) enum Order {
    /// Their parts of the round.
    Expand,
    /// To pack the transitions of a batch.
    Pack(Arc<Batch>),
}

/// States that are expanded side by side.
#[derive(Default)]
pub(super) struct Round {
    /// How many states its batch has; none once that is committed.
    size: usize,
    /// How many of these were expanded, in this round or before.
    begun: usize,
    /// The places of its states in the batch.
    todo: Vec<u32>,
    /// How many of these have been taken, of the share of each thread.
    taken: Vec<AtomicUsize>,
}

/// The workers, while no thread works.
pub(super) fn workers(workers: &mut [Mutex<Worker>]) -> impl Iterator<Item = &mut Worker> {
    workers.iter_mut().map(|worker| worker.get_mut().expect(NO_PANIC))
}

impl Search<'_> {
    /// Explores from the first state on.
    pub(super) fn run(&mut self, limits: &Limits, keep_going: bool, progress: &mut dyn Progress) {
        let threads = self.workers.len();
        let shared = &RwLock::new(self);
        std::thread::scope(|scope| {
            let expand = |worker| shared.read().expect(NO_PANIC).expand(worker);
            let pool = Pool::start(scope, threads - 1, |other| {
                move |order| match order {
                    Order::Expand => expand(other + 1),
                    Order::Pack(batch) => batch.pack(),
                }
            });
            loop {
                let mut search = shared.write().expect(NO_PANIC);
                if !search.prepare(&pool, limits, keep_going, progress) {
                    return;
                }
                let is_shared = search.setting().is_worth_sharing(search.round.todo.len());
                drop(search);
                if is_shared {
                    pool.send_all(&Order::Expand);
                }
                expand(0);
                if is_shared {
                    pool.wait_all();
                }
            }
        });
    }

    /// Goes on until there is a round; whether there is one.
    fn prepare(
        &mut self,
        pool: &Pool<Order>,
        limits: &Limits,
        keep_going: bool,
        progress: &mut dyn Progress,
    ) -> bool {
        loop {
            match self.next_round(pool, limits) {
                Ok(false) => {}
                Ok(true) => {
                    self.limit = progress.tick(&self.told);
                    return self.limit.is_none();
                }
                Err(limit) => {
                    self.limit = Some(limit);
                    return false;
                }
            }
            if self.expanded >= self.store.len() || self.limit.is_some() || self.is_void() {
                return false;
            }
            if self.expanded == self.level_end {
                if !keep_going && !self.found.sites.is_empty() {
                    return false;
                }
                self.levels.push(self.level_end);
                self.level_end = self.store.len();
                self.found.unclean = 0;
            }
            self.told = self.snapshot();
            let limit = match self.store.len() {
                states if states > limits.states => Some(Limit::States),
                _ => progress.tick(&self.told),
            };
            self.limit = limit.or_else(|| self.begin_batch(limits).err());
        }
    }

    /// Whether the search is in vain: the system must be built otherwise, or contradicts itself.
    fn is_void(&self) -> bool {
        !self.system.space.agents.doubtful().is_empty() || self.fault.is_some()
    }

    /// Begins a batch of the next states of the level.
    fn begin_batch(&mut self, limits: &Limits) -> Result<(), Limit> {
        // Near the limit of states batches become small, so that it is not passed by much.
        let left = limits.states.saturating_sub(self.store.len()) / 64;
        let most = if self.system.is_plain() { BATCH } else { BATCH / 4 };
        let size = (self.level_end - self.expanded).min(most).min(left.max(1));
        self.make_room(size, limits)?;
        workers(&mut self.workers).for_each(Worker::clear);
        self.round = Round { size, ..Round::default() };
        Ok(())
    }

    /// Takes what came of the round before and makes the next one of the batch; commits the batch when there is none.
    fn next_round(&mut self, pool: &Pool<Order>, limits: &Limits) -> Result<bool, Limit> {
        let Round { size, begun, .. } = self.round;
        let mut todo = self.fill_in(size - begun, limits)?;
        let end = size.min(begun + ROUND);
        todo.extend(begun as u32..end as u32);
        let is_over = todo.is_empty();
        if is_over && size > 0 {
            self.commit(size, pool);
        }
        let size = if is_over { 0 } else { size };
        let taken = self.workers.iter().map(|_| AtomicUsize::new(0)).collect();
        self.round = Round { size, begun: end.min(size), todo, taken };
        Ok(!is_over)
    }

    /// What the states of the batch are expanded in.
    fn setting(&self) -> Setting<'_> {
        Setting {
            system: &self.system,
            store: &self.store,
            marks: &self.found.marks,
            sites: &self.found.sites,
            first: self.expanded as u32,
            depth: self.levels.len() - 1,
        }
    }

    /// Does a thread's part of the round.
    fn expand(&self, own: usize) {
        let worker = &mut self.workers[own].lock().expect(NO_PANIC);
        batch::expand(&self.setting(), worker, &self.round.todo, (&self.round.taken, own));
    }

    /// Room for what that many states may find, within the limit.
    fn make_room(&mut self, states: usize, limits: &Limits) -> Result<(), Limit> {
        let more = (states * ROOM_EACH).max(ROOM_LEAST);
        // Threads pack transitions before they are put with the others.
        let packed = Edges::bytes_for(states, more) * if self.pieces.is_empty() { 1 } else { 2 };
        let others = self.bytes() - self.store.bytes() + packed + more;
        if others + self.store.bytes_with_room(more, more) > limits.memory {
            return Err(Limit::Memory);
        }
        self.store.make_room(more, more).map_err(|Full| Limit::Memory)
    }

    /// Fills in what was missing in the agent tables, in the order of the states that miss it, and makes room where a
    /// table was full, also for so many states that were not expanded yet. Returns the states to be done again.
    fn fill_in(&mut self, left: usize, limits: &Limits) -> Result<Vec<u32>, Limit> {
        let mut again: Vec<u32> = workers(&mut self.workers).flat_map(|it| it.again.drain(..)).collect();
        if again.is_empty() {
            return Ok(again);
        }
        again.sort_unstable();
        let mut missing: Vec<_> = workers(&mut self.workers).flat_map(|it| it.missing.drain(..)).collect();
        missing.sort_by_key(|&(rank, _)| rank);
        for (_, missing) in missing {
            self.system.space.agents.fill(missing);
        }
        self.make_room(again.len() + left, limits)?;
        Ok(again)
    }
}
