//! The result of a verification, with everything it depends on.

use map_semantics::{BoundHit, Bounds, Step, StepError};

use crate::budget::{Limit, Snapshot};
use crate::coverage::UnusedParts;

/// The kinds of violation, in the order in which they are reported when their traces are equally short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// An agent failed.
    Failure,
    /// Not all agents have ended, none has failed, and there is no step.
    Deadlock,
    /// A send would make a mailbox longer than the bound.
    MailboxOverflow,
    /// A call is repeated with the same arguments before it has returned.
    RunawayRecursion,
    /// The body of a procedure went wrong.
    RunError,
    /// A state from which neither the good end nor another violation nor a cut can be reached.
    Livelock,
}

impl ViolationKind {
    /// All kinds, in this order.
    pub const ALL: [Self; 6] = [
        Self::Failure,
        Self::Deadlock,
        Self::MailboxOverflow,
        Self::RunawayRecursion,
        Self::RunError,
        Self::Livelock,
    ];

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

/// The verdict on termination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every run ends with all agents done.
    Terminates,
    /// Infinite runs exist, but the good end can be reached from every reachable state.
    TerminatesIfFair,
    /// A violation.
    Violated(ViolationKind),
    /// A limit was reached before it was decided.
    Inconclusive,
}

impl Verdict {
    /// All verdicts.
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

/// A trace from the initial state. Its last step may be one that goes wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The initial values chosen, as options of [`map_semantics::open_cells`].
    pub initial: Vec<u32>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Trace {
    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        let options: usize = self.steps.iter().map(|step| size_of_val(&*step.options)).sum();
        self.steps.capacity() * size_of::<Step>() + options + size_of_val(&*self.initial)
    }
}

/// A violation that was found.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The kind.
    pub kind: ViolationKind,
    /// Number of steps of the shortest trace to it, including a step that goes wrong.
    pub steps: usize,
    /// True if every trace of this length depends on an open comparison.
    pub possible: bool,
    /// A trace of this length, replayed.
    pub trace: Trace,
}

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether every reachable state was expanded and no bound cut off a step.
    pub complete: bool,
    /// The bounds that cut off some step.
    pub cut_by: Vec<BoundHit>,
    /// Whether every state reachable within the bounds was expanded, so that `unused` is reliable within the bounds.
    pub searched: bool,
    /// The extent of the search; its depth is the length of the longest shortest trace.
    pub statistics: Snapshot,
    /// One violation of each kind, shortest trace first; those of equal length in the order of [`ViolationKind`].
    pub violations: Vec<Violation>,
    /// Further kinds of violation whose traces could not be built and replayed within the limits. They do not count.
    pub untraced: Vec<ViolationKind>,
    /// The limit that ended the search.
    pub limit: Option<Limit>,
    /// What never happened in the explored runs.
    pub unused: UnusedParts,
    /// Whether some step that was explored rests on how an open comparison comes out.
    pub compared: bool,
    /// The bounds in force.
    pub bounds: Bounds,
}

impl Report {
    /// Whether every state reachable within the bounds was expanded, and there is one: then what is reported as never
    /// happening never happens.
    #[must_use]
    pub const fn is_exhaustive(&self) -> bool {
        self.searched && self.limit.is_none() && self.statistics.states > 0
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
