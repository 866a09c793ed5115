//! What a verification comes to, with everything it rests on.

use map_semantics::{BoundHit, Bounds, Step, StepError};

use crate::budget::{Limit, Snapshot};
use crate::coverage::Unused;

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

/// A trace from the first state. Its last step may be one that goes wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Trace {
    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        let options: usize = self.steps.iter().map(|step| size_of_val(&*step.options)).sum();
        self.steps.capacity() * size_of::<Step>() + options
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
}

impl Report {
    /// Whether every state that can be reached within the bounds was looked at, and there is one: what is said never to
    /// happen never does.
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
