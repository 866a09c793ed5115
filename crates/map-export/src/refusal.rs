//! What a model in Promela cannot say.

use map_ir::SourceSpan;

/// Why a scene is not exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// An integer too large for Promela's `int` with the other values beside it.
    LargeInteger,
    /// An act that can come out in too many ways, or calls that nest too deep to be expanded.
    TooManyWays,
    /// A move or timeout that may do nothing but exchange abstract values: whether it is a step cannot be said.
    /// An act that may come back to where it was, its `par` ended and opened anew: whether it is a step cannot be said.
    ReopenedPar,
    /// SPIN's channels hold at most 255 messages.
    LongMailbox,
    /// SPIN has at most 255 processes.
    ManyAgents,
    /// A network where agents crash.
    Crashes,
    /// An agent's way to its first place is cut by a bound or goes wrong: there is nothing to explore.
    NoFirstState,
    /// What the plain scheme does not express.
    Plain(Plain),
}

/// What the plain scheme of the paper does not express.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plain {
    /// Sides of a `par`.
    Par,
    /// A call that is not in last place: it would need a process of its own.
    Call,
    /// A procedure whose answers are defined.
    Definition,
    /// An ask for an answer that is known already.
    KnownAnswer,
    /// A comparison with a value that is only abstract.
    Comparison,
    /// A `waitfor` that asks a decision, or calls, before it has received anything.
    Poll,
    /// A timeout that may do nothing but wait again.
    IdleTimeout,
    /// Bounds on calls.
    Rounds,
    /// A network other than the instant one.
    Network,
}

/// A construct that is not exported, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    /// The construct in the source, if it is one.
    pub span: Option<SourceSpan>,
    /// Why.
    pub reason: Reason,
}
