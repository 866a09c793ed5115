//! What a verification may use: states, memory, threads and time, and how its caller is told how far it is.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::tuning::Tuning;

/// What the search may use. Reaching a limit makes the verdict inconclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most states to store.
    pub states: usize,
    /// The most bytes to use for states, transitions and tables, as counted by the search itself.
    pub memory: usize,
    /// How many threads expand states. What the search finds does not depend on it.
    pub threads: NonZeroUsize,
    /// How it divides its work.
    pub tuning: Tuning,
}

/// Which limit came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::states`].
    States,
    /// [`Limits::memory`].
    Memory,
    /// The caller's clock.
    Time,
    /// The caller was interrupted.
    Interrupted,
    /// An act made more calls than any sensible one ([`map_semantics::MAX_CALLS`]).
    Calls,
    /// A bound cut the way of an agent to its first place: there is no first state.
    NoFirstState,
}

impl Limit {
    /// Which of two limits is told: that the caller was interrupted, else the one that came first.
    pub(crate) fn told(first: Option<Self>, then: Option<Self>) -> Option<Self> {
        then.filter(|&it| it == Self::Interrupted).or(first).or(then)
    }
}

/// How far the search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// States stored.
    pub states: usize,
    /// Transitions counted.
    pub transitions: usize,
    /// Length of the traces being extended.
    pub depth: usize,
    /// States not yet expanded.
    pub frontier: usize,
    /// Bytes used.
    pub memory: usize,
    /// Of these, bytes used for states and transitions.
    pub states_memory: usize,
}

/// Watches a search from outside: the caller has the clock and the terminal.
pub trait Progress {
    /// Called at least every few thousand states, and while the graph is analysed. A limit in return ends the search.
    fn tick(&mut self, snapshot: &Snapshot) -> Option<Limit>;

    /// What ends work between two ticks: in a large cast the steps of a single state can take long.
    fn stop(&self) -> Stop {
        Stop::default()
    }
}

/// Raised from outside, perhaps by another thread, when work is to end at once. It stays raised, and [`Progress::tick`] has to
/// return the limit behind it from then on.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the work.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to end.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl<F: FnMut(&Snapshot) -> Option<Limit>> Progress for F {
    fn tick(&mut self, snapshot: &Snapshot) -> Option<Limit> {
        self(snapshot)
    }
}

/// What work beside or after a search may use: bytes, threads, and time as long as `tick` returns no limit.
pub(crate) struct Budget<'m> {
    pub(crate) memory: usize,
    pub(crate) threads: usize,
    pub(crate) tuning: Tuning,
    pub(crate) tick: &'m mut dyn FnMut() -> Option<Limit>,
    /// What ends work between two ticks.
    pub(crate) stop: Stop,
}

impl<'m> Budget<'m> {
    /// For one thread, which may use all the memory of some limits.
    pub(crate) fn alone(limits: &Limits, tick: &'m mut dyn FnMut() -> Option<Limit>) -> Self {
        Self { memory: limits.memory, threads: 1, tuning: limits.tuning, tick, stop: Stop::default() }
    }
}

impl Budget<'_> {
    /// Asks the caller whether to go on.
    ///
    /// # Errors
    /// The limit that ends the work.
    pub(crate) fn check(&mut self) -> Result<(), Limit> {
        (self.tick)().map_or(Ok(()), Err)
    }

    /// Whether so many bytes are left.
    ///
    /// # Errors
    /// [`Limit::Memory`] if they are not.
    pub(crate) fn afford(&self, bytes: usize) -> Result<(), Limit> {
        if bytes > self.memory { Err(Limit::Memory) } else { Ok(()) }
    }
}

/// How often the caller is asked whether to go on, in things that are looked at.
const TICK: usize = 1 << 16;

/// Asks the caller now and then whether to go on, by counting what is looked at.
#[derive(Default)]
pub(crate) struct Clock(usize);

impl Clock {
    /// One more was looked at.
    ///
    /// # Errors
    /// The limit that ends the work.
    pub(crate) fn tick(&mut self, budget: &mut Budget<'_>) -> Result<(), Limit> {
        self.0 += 1;
        if self.0.is_multiple_of(TICK) { budget.check() } else { Ok(()) }
    }
}
