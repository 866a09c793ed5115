//! What a verification comes to, with everything it rests on.

use std::num::NonZeroUsize;

use map_semantics::{BoundHit, Bounds, StepError};

use crate::{Trace, Unused};

/// The kinds of violation, in the order in which they are named when their traces are equally short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// An agent failed.
    Failure,
    /// Not all have ended, none failed, and there is no step.
    Deadlock,
    /// A send would make a mailbox longer than the bound.
    MailboxOverflow,
    /// A call is made again, with the same arguments, before it has returned.
    RunawayRecursion,
    /// The body of a procedure went wrong.
    RunError,
    /// A state from which neither the good end nor another violation nor a cut can be reached.
    Livelock,
}

impl ViolationKind {
    /// The words of the language reference.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Failure => "failure",
            Self::Deadlock => "deadlock",
            Self::MailboxOverflow => "mailbox overflow",
            Self::RunawayRecursion => "runaway recursion",
            Self::RunError => "run error",
            Self::Livelock => "livelock",
        }
    }
}

impl From<StepError> for ViolationKind {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Overflow(_) => Self::MailboxOverflow,
            StepError::Runaway(_) => Self::RunawayRecursion,
            StepError::RunError(_) => Self::RunError,
        }
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every run ends with all agents done.
    Terminates,
    /// Infinite runs exist, but the good end can be reached from every reachable state.
    TerminatesIfFair,
    /// A violation.
    Violated(ViolationKind),
    /// A limit came first.
    Inconclusive,
}

impl Verdict {
    /// All there are.
    pub const ALL: [Self; 9] = [
        Self::Terminates,
        Self::TerminatesIfFair,
        Self::Violated(ViolationKind::Failure),
        Self::Violated(ViolationKind::Deadlock),
        Self::Violated(ViolationKind::MailboxOverflow),
        Self::Violated(ViolationKind::RunawayRecursion),
        Self::Violated(ViolationKind::RunError),
        Self::Violated(ViolationKind::Livelock),
        Self::Inconclusive,
    ];

    /// The words of the language reference.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Terminates => "terminates",
            Self::TerminatesIfFair => "terminates if fair",
            Self::Violated(kind) => kind.words(),
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// A violation that was found.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Which kind.
    pub kind: ViolationKind,
    /// Number of steps of the shortest trace to it; a step that goes wrong counts.
    pub steps: usize,
    /// True if every trace of that length rests on an open comparison.
    pub possible: bool,
    /// A trace of that length, replayed.
    pub trace: Trace,
}

/// What the search may use. Reaching a limit makes the verdict inconclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most states to store.
    pub states: usize,
    /// The most bytes to use for states, transitions and tables, as counted by the search itself.
    pub memory: usize,
    /// How many threads expand states. What the search finds does not depend on it.
    pub threads: NonZeroUsize,
    /// How states are kept.
    pub store: StoreKind,
}

/// How the states found are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// Whole: the search misses no state.
    Exact,
    /// As fingerprints of 128 bits, of which one half addresses a table and the other is compared: two states with the same
    /// fingerprint are taken for one.
    Fingerprint,
    /// As fingerprints of so many bits, 32 at most: to see that they miss as many states as they should.
    ShortFingerprint(u32),
}

impl StoreKind {
    /// A bound on the probability that a search that has found so many states has missed one.
    ///
    /// With 128 bits a state is missed if the 64 bits that are compared are those of another one in its part of the table:
    /// at the highest load a new state is compared with 15 others on average (D. Knuth, *The Art of Computer
    /// Programming* 6.4, on linear probing).
    #[must_use]
    pub fn omission_probability(self, states: usize) -> f64 {
        let states = states as f64;
        match self {
            Self::Exact => 0.0,
            Self::Fingerprint => (15.0 * states / 2_f64.powi(64)).min(1.0),
            Self::ShortFingerprint(bits) => (states * states / 2_f64.powi(bits as i32 + 1)).min(1.0),
        }
    }
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
}

impl<F: FnMut(&Snapshot) -> Option<Limit>> Progress for F {
    fn tick(&mut self, snapshot: &Snapshot) -> Option<Limit> {
        self(snapshot)
    }
}

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// Every reachable state was seen and nothing was cut.
    pub complete: bool,
    /// The bounds that cut some step; none if nothing was cut.
    pub cut_by: Vec<BoundHit>,
    /// Whether every reachable state was expanded: the lists of what never happened are sure, within the bounds.
    pub searched: bool,
    /// The search as made: states, transitions, length of the longest shortest trace, memory.
    pub statistics: Snapshot,
    /// Shortest trace first; those of one length in the order of [`ViolationKind`]. One for each kind.
    pub violations: Vec<Violation>,
    /// Kinds of violation that were found, too, but a limit came before their traces were made and replayed. They do not
    /// count.
    pub untraced: Vec<ViolationKind>,
    /// The limit that ended the search.
    pub limit: Option<Limit>,
    /// What never happened in the runs seen.
    pub unused: Unused,
    /// The bounds in force.
    pub bounds: Bounds,
    /// How states were kept.
    pub store: StoreKind,
}

impl Report {
    /// Whether every state that can be reached within the bounds was looked at, and there is one: what is said never to
    /// happen never does.
    #[must_use]
    pub const fn is_exhaustive(&self) -> bool {
        self.searched && self.limit.is_none() && self.statistics.states > 0
    }

    /// Compares it with that of another search of the same scene, of which something is said.
    ///
    /// # Panics
    /// If they differ in anything but the memory that was used.
    pub(crate) fn assert_same(&self, other: &Self, about: &str) {
        let counts = |it: &Self| {
            let Snapshot { states, transitions, depth, frontier, .. } = it.statistics;
            (states, transitions, depth, frontier)
        };
        assert_eq!(counts(self), counts(other), "{about}");
        let said = |it: &Self| (it.verdict, it.complete, it.searched, it.limit, it.violations.len());
        assert_eq!(said(self), said(other), "{about}");
        assert_eq!((&self.cut_by, &self.unused), (&other.cut_by, &other.unused), "{about}");
    }
}

/// The engine contradicted itself: a trace did not replay. Never a property of the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError(pub String);

impl std::fmt::Display for InternalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InternalError {}
