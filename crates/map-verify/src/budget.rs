//! Limits of a verification (states, memory, threads and time), and progress reports to its caller.

use std::io::Read;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use map_store::{Full, check_free};

use crate::keep::{Cut, Keep, KeptPart};
use crate::tuning::Tuning;

/// The limits of a search. Reaching one makes the verdict inconclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of stored states.
    pub states: usize,
    /// Maximum number of bytes for states, transitions and tables, as counted by the search itself.
    pub memory: usize,
    /// Number of threads that expand states. Results do not depend on it.
    pub threads: NonZeroUsize,
    /// How the search divides its work.
    pub tuning: Tuning,
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::states`].
    States,
    /// [`Limits::memory`].
    Memory,
    /// A table cannot grow: the system has no memory for it, or it holds as many entries as a table can.
    NoRoom,
    /// The caller's clock.
    Time,
    /// The caller was interrupted.
    Interrupted,
    /// An act made more calls than any sensible one ([`map_semantics::MAX_CALLS`]).
    Calls,
    /// A bound cut off an agent before its first place, so there is no initial state.
    NoFirstState,
}

impl Limit {
    /// All limits.
    pub const ALL: [Self; 7] = [
        Self::States,
        Self::Memory,
        Self::NoRoom,
        Self::Time,
        Self::Interrupted,
        Self::Calls,
        Self::NoFirstState,
    ];

    /// The word for it in JSON. Both limits of memory have the same.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::States => "states",
            Self::Memory | Self::NoRoom => "memory",
            Self::Time => "time",
            Self::Interrupted => "interrupted",
            Self::Calls => "calls",
            Self::NoFirstState => "no first state",
        }
    }

    /// Which of two limits is reported: an interruption by the caller, else the one reached first.
    pub(crate) fn reported(first: Option<Self>, then: Option<Self>) -> Option<Self> {
        then.filter(|&it| it == Self::Interrupted).or(first).or(then)
    }
}

/// The progress of a search.
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
    /// Bytes that the processes that search together have sent to each other.
    pub sent: usize,
}

/// Watches a search from outside: the caller has the clock and the terminal.
pub trait Progress {
    /// Called at least every few thousand states, and while the graph is analysed. Returning a limit ends the search.
    fn tick(&mut self, snapshot: &Snapshot) -> Option<Limit>;

    /// Called when one of the searches behind the verdict on termination begins. Returns what was kept of this search
    /// earlier, if it is to go on from there: the bytes that [`Keep::write`] wrote, for the same program, bounds and
    /// options, and in the same order of searches.
    fn resume(&mut self) -> Option<Box<dyn Read>> {
        None
    }

    /// Called instead of that if several processes search. Returns what this process has of it; `None` if the search is
    /// not to go on from anything.
    fn resume_parts(&mut self) -> Option<Vec<KeptPart>> {
        None
    }

    /// Whether [`Progress::keep`] keeps anything.
    fn keeps(&self) -> bool {
        false
    }

    /// Called at the end of each level of such a search: whether it is time to keep something.
    fn is_due(&self) -> bool {
        true
    }

    /// Called when it is, and when the search ends, whatever ended it. The search goes on from the content with the
    /// same findings, even under other limits. Returns whether the content was kept.
    fn keep(&mut self, _content: &Keep<'_>) -> bool {
        false
    }

    /// A number that no other cut gets; asked of the first of several processes.
    fn stamp(&mut self) -> u64 {
        0
    }

    /// Called when all processes have their parts of a cut: they go on from no other one from now on.
    fn settle(&mut self, _cut: Cut) {}

    /// What ends work between two ticks: in a large cast the steps of a single state can take long.
    fn stop(&self) -> Stop {
        Stop::default()
    }
}

/// Raised from outside, perhaps by another thread, when work is to end at once. It stays raised, and [`Progress::tick`]
/// has to return the limit behind it from then on.
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

/// What other work may use during or after a search: memory in bytes, threads, and time until `tick` returns a limit.
pub(crate) struct Budget<'m> {
    pub(crate) memory: usize,
    pub(crate) threads: usize,
    pub(crate) tuning: Tuning,
    pub(crate) tick: &'m mut dyn FnMut() -> Option<Limit>,
    /// What ends work between two ticks.
    pub(crate) stop: Stop,
}

impl<'m> Budget<'m> {
    /// The budget of a single thread that may use all the memory.
    pub(crate) fn alone(limits: &Limits, tick: &'m mut dyn FnMut() -> Option<Limit>) -> Self {
        Self { memory: limits.memory, threads: 1, tuning: limits.tuning, tick, stop: Stop::default() }
    }
}

/// Calls `work` with a budget of what a search with these statistics has left of the limits, for one thread.
pub(crate) fn with_budget<T>(
    statistics: &Snapshot,
    limits: &Limits,
    progress: &mut dyn Progress,
    work: impl FnOnce(&mut Budget<'_>) -> T,
) -> T {
    let memory = limits.memory.saturating_sub(statistics.memory);
    let stop = progress.stop();
    let tuning = limits.tuning;
    work(&mut Budget { memory, threads: 1, tuning, tick: &mut || progress.tick(statistics), stop })
}

impl Budget<'_> {
    /// Checks whether to go on.
    ///
    /// # Errors
    /// The limit that ends the work.
    pub(crate) fn check(&mut self) -> Result<(), Limit> {
        (self.tick)().map_or(Ok(()), Err)
    }

    /// Checks that this many bytes are left, and that the system has them.
    ///
    /// # Errors
    /// [`Limit::Memory`] or [`Limit::NoRoom`].
    pub(crate) fn afford(&self, bytes: usize) -> Result<(), Limit> {
        if bytes > self.memory {
            return Err(Limit::Memory);
        }
        check_free(bytes).map_err(|Full| Limit::NoRoom)
    }
}

/// Number of items processed between two checks of the budget.
const TICK: usize = 1 << 16;

/// Checks the budget at intervals, by counting processed items.
#[derive(Default)]
pub(crate) struct Clock(usize);

impl Clock {
    /// Counts one more item.
    ///
    /// # Errors
    /// The limit that ends the work.
    pub(crate) fn tick(&mut self, budget: &mut Budget<'_>) -> Result<(), Limit> {
        self.0 += 1;
        if self.0.is_multiple_of(TICK) { budget.check() } else { Ok(()) }
    }
}
