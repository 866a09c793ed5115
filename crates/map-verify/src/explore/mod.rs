//! The exploration loop: breadth-first, so that traces are shortest.
//!
//! Each level is split into batches, which threads expand in parallel (`worker`) in several rounds; between two
//! rounds one thread fills in missing entries of the agent tables (`rounds`). New states get provisional numbers, and
//! when the batch is finished final ones, in the order in which a single thread would have found them (`commit`). So
//! no result depends on the number of threads. What is recorded is up to the [`Observer`].

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Mutex;

use map_semantics::BoundHit;

use crate::budget::{Budget, Limit, Limits, Progress, Snapshot};
use crate::state::store::{Folder, Store};
use crate::system::System;
use crate::tuning::Tuning;
use kept::Fills;
use rounds::Phase;
use worker::Worker;

pub(crate) use initial::Start;
pub(crate) use observer::{Finished, Keep, Observer, Setting, Source};

mod commit;
mod initial;
mod kept;
mod observer;
mod rounds;
mod targets;
mod worker;

const NO_PANIC: &str = "no thread panics";

/// A search of a transition system, complete or not, with its observer.
pub(crate) struct Explorer<'a, O: Observer> {
    pub(crate) system: System<'a>,
    pub(crate) store: Store,
    pub(crate) observer: O,
    /// One for each thread, which locks it while expanding states.
    workers: Vec<Mutex<Worker<O>>>,
    phase: Phase<O>,
    tuning: Tuning,
    /// Number of initial states; these come first.
    pub(crate) initial_states: usize,
    /// The options of [`map_semantics::open_cells`] in each of them, one after the other.
    initial_options: Vec<u32>,
    /// Number of expanded states: those with smaller numbers.
    expanded: usize,
    transitions: usize,
    /// How the tables of agents were filled, if the search is kept.
    fills: Option<Fills>,
    /// The progress at the beginning of the batch.
    progress: Snapshot,
    /// The first state of every level begun; the last level is the one being expanded.
    levels: Vec<usize>,
    /// The first state of the next level.
    level_end: usize,
    /// The limit that ended the search.
    pub(crate) limit: Option<Limit>,
    /// The bounds that cut off some step.
    pub(crate) cut_by: BTreeSet<BoundHit>,
    /// Whether some act made too many calls.
    pub(crate) too_long: bool,
    /// What the self-check found wrong.
    pub(crate) fault: Option<String>,
}

impl<'a, O: Observer> Explorer<'a, O> {
    /// A search that has not started. `observer` builds the observer for the system.
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
            initial_states: 0,
            initial_options: Vec::new(),
            expanded: 0,
            transitions: 0,
            fills: None,
            progress: Snapshot::default(),
            levels: vec![0],
            level_end: 1,
            limit: None,
            cut_by: BTreeSet::new(),
            too_long: false,
            fault: None,
        }
    }

    /// Number of threads.
    fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.workers.len()).unwrap_or(NonZeroUsize::MIN)
    }

    /// Whether every state was expanded.
    pub(crate) fn is_complete(&self) -> bool {
        self.limit.is_none() && self.expanded == self.store.len()
    }

    /// Number of states found.
    pub(crate) fn states(&self) -> usize {
        self.store.len()
    }

    /// The numbers of the states found so far in the level of a state.
    pub(crate) fn level_of(&self, state: usize) -> std::ops::Range<usize> {
        let level = self.depth_of(state);
        let end = self.levels.get(level + 1).copied().unwrap_or(self.level_end);
        self.levels[level]..end
    }

    /// The distance of a state from the nearest initial one, in steps.
    pub(crate) fn depth_of(&self, state: usize) -> usize {
        self.levels.partition_point(|&start| start <= state) - 1
    }

    /// The progress of the search.
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot {
            states: self.store.len(),
            transitions: self.transitions,
            depth: self.levels.len() - 1,
            frontier: self.store.len() - self.expanded,
            memory: self.bytes(),
            states_memory: self.states_bytes(),
            sent: 0,
        }
    }

    /// Calls `work` with a budget of what remains of the limits.
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
        self.states_bytes()
            + size_of_val(&*self.initial_options)
            + self.system.space.agents.bytes()
            + workers
            + self.observer.buffer_bytes()
            + self.fills.as_ref().map_or(0, Fills::bytes)
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
}
