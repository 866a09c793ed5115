//! The exploration loop: breadth first, so that traces are shortest.
//!
//! The states of a level are taken in batches, which threads expand side by side (`worker`), round by round: between two
//! rounds one thread fills in what the agent tables lack (`rounds`). The states that a batch finds get provisional numbers,
//! and when it is finished their final ones, in the order in which one thread would have come to them (`commit`). So nothing
//! depends on the number of threads. What a search is made for is up to its [`Observer`].

use std::collections::BTreeSet;
use std::sync::Mutex;

use map_semantics::{BoundHit, Outcome};
use map_store::{Full, Spare};

use crate::budget::{Budget, Limit, Limits, Progress, Snapshot};
use crate::state::store::{Folder, Store};
use crate::state::{Next, Successor};
use crate::system::{Buffers, System};
use crate::tuning::Tuning;
use rounds::Phase;
use worker::Worker;

pub(crate) use observer::{Finished, Keep, Observer, Setting, Source};

mod commit;
mod observer;
mod rounds;
mod targets;
mod worker;

const NO_PANIC: &str = "no thread panics";

/// A search of a transition system, as far as it got, and what its observer has made of it.
pub(crate) struct Explorer<'a, O: Observer> {
    pub(crate) system: System<'a>,
    pub(crate) store: Store,
    pub(crate) observer: O,
    /// One for each thread, which has it for itself while states are expanded.
    workers: Vec<Mutex<Worker<O>>>,
    phase: Phase<O>,
    tuning: Tuning,
    /// How many states were expanded: all before this number.
    expanded: usize,
    transitions: usize,
    /// How far the search was at the beginning of the batch.
    progress: Snapshot,
    /// Number of the first state of every level begun; the last is the one being expanded.
    levels: Vec<usize>,
    /// Number of the first state of the level after that.
    level_end: usize,
    /// The limit that ended the search.
    pub(crate) limit: Option<Limit>,
    /// The bounds that cut some step.
    pub(crate) cut_by: BTreeSet<BoundHit>,
    /// Some act made too many calls.
    pub(crate) too_long: bool,
    /// What the self-check has found to be wrong.
    pub(crate) fault: Option<String>,
}

impl<'a, O: Observer> Explorer<'a, O> {
    /// Nothing explored yet. `observer` is made for the system.
    pub(crate) fn new(system: System<'a>, limits: &Limits, observer: impl FnOnce(&System<'a>) -> O) -> Self {
        let observer = observer(&system);
        let workers = (0..limits.threads.get()).map(|_| Mutex::new(Worker::new(observer.notes())));
        Self {
            store: Store::new(system.space.shape(), limits.threads, limits.tuning.store),
            workers: workers.collect(),
            system,
            observer,
            phase: Phase::Between,
            tuning: limits.tuning,
            expanded: 0,
            transitions: 0,
            progress: Snapshot::default(),
            levels: vec![0],
            level_end: 1,
            limit: None,
            cut_by: BTreeSet::new(),
            too_long: false,
            fault: None,
        }
    }

    /// Stores the first state, if there is one. Returns its words, and what the agents did on their ways to it.
    ///
    /// # Errors
    /// The limit that ended the work before that.
    pub(crate) fn start(
        &mut self,
        progress: &mut dyn Progress,
    ) -> Result<(Option<Vec<u32>>, Vec<Outcome>), Limit> {
        self.system.space.stop = progress.stop();
        let started = self.system.start();
        let (state, outcomes) =
            started.ok_or_else(|| progress.tick(&Snapshot::default()).unwrap_or(Limit::Interrupted))?;
        if let Some(state) = &state {
            self.store_first(state).expect("an empty store has room for a state");
        }
        Ok((state, outcomes))
    }

    fn store_first(&mut self, state: &[u32]) -> Result<(), Full> {
        self.store.make_room(1, state.len())?;
        let space = &self.system.space;
        let key =
            self.store.key(&mut Folder::default(), state, 0..space.singles(), |id| space.tail_of(id))?;
        if self.store.number(key, &mut Spare::default()).is_err() {
            // There is room, but for narrower keys.
            self.store.make_room(1, state.len())?;
            self.store.number(key, &mut Spare::default())?;
        }
        self.store.keys.commit(|place| (place == 0).then_some(0));
        Ok(())
    }

    /// Whether every state was expanded.
    pub(crate) fn is_complete(&self) -> bool {
        self.limit.is_none() && self.expanded == self.store.len()
    }

    /// How many states were found.
    pub(crate) fn states(&self) -> usize {
        self.store.len()
    }

    /// The numbers of the states of the level in which a state is; those found so far.
    pub(crate) fn level_of(&self, state: usize) -> std::ops::Range<usize> {
        let level = self.depth_of(state);
        let end = self.levels.get(level + 1).copied().unwrap_or(self.level_end);
        self.levels[level]..end
    }

    /// How many steps away a state is from the first one.
    pub(crate) fn depth_of(&self, state: usize) -> usize {
        self.levels.partition_point(|&start| start <= state) - 1
    }

    /// How far the search is.
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot {
            states: self.store.len(),
            transitions: self.transitions,
            depth: self.levels.len() - 1,
            frontier: self.store.len() - self.expanded,
            memory: self.bytes(),
            states_memory: self.states_bytes(),
        }
    }

    /// Calls `work` with what is left of the limits.
    pub(crate) fn with_budget<T>(
        &self,
        limits: &Limits,
        progress: &mut dyn Progress,
        work: impl FnOnce(&mut Budget<'_>) -> T,
    ) -> T {
        let snapshot = self.snapshot();
        let memory = limits.memory.saturating_sub(snapshot.memory);
        let stop = progress.stop();
        let mut tick = || progress.tick(&snapshot);
        work(&mut Budget {
            memory,
            threads: limits.threads.get(),
            tuning: limits.tuning,
            tick: &mut tick,
            stop,
        })
    }

    fn bytes(&self) -> usize {
        let workers: usize = self.workers.iter().map(|it| it.lock().expect(NO_PANIC).bytes()).sum();
        self.states_bytes() + self.system.space.agents.bytes() + workers + self.observer.buffer_bytes()
    }

    fn states_bytes(&self) -> usize {
        self.store.bytes() + self.observer.bytes()
    }

    /// The words of a state.
    pub(crate) fn words(&self, state: u32) -> Vec<u32> {
        let mut words = Vec::new();
        let tails = |id| self.system.space.tail_of(id);
        self.store.load(&mut Folder::default(), state, &mut words, tails);
        words
    }

    /// Calls `see` for every step from one stored state to another.
    pub(crate) fn for_each_step(&self, from: &[u32], to: u32, mut see: impl FnMut(&Successor<'_>)) {
        let (mut folder, mut spare) = (Folder::default(), Spare::default());
        let tails = |id| self.system.space.tail_of(id);
        // All that the step needs, in the tables and in the store, is there since it was found.
        self.system.expand(&mut Buffers::default(), from, &mut |successor| {
            let Next::State(next) = successor.result else { return };
            let key = self.store.key(&mut folder, next, successor.altered.clone(), tails);
            if key.and_then(|key| self.store.number(key, &mut spare)) == Ok(to) {
                see(successor);
            }
        });
    }
}
