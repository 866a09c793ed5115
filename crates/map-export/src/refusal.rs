//! Why a scene cannot be exported to Promela.

use map_ir::SourceSpan;

/// Why a scene is not exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// An integer that does not fit into Promela's `int` next to the numbers of the other values.
    LargeInteger,
    /// A division by a value that may be unknown, and so 0.
    UnknownDivisor,
    /// An act with too many possible outcomes, or calls that nest too deeply to be expanded.
    TooManyWays,
    /// A body of a procedure with thousands of alternatives or terms.
    LongBody,
    /// An act that may return to its starting place by ending and reopening a `par`, which the model cannot tell
    /// from a step.
    ReopenedPar,
    /// A bound on mailboxes beyond the 255 messages that a channel of SPIN can hold.
    LongMailbox,
    /// More agents than SPIN allows processes.
    ManyAgents,
    /// A network in which messages are under way for a while.
    Delays,
    /// A network in which agents crash.
    Crashes,
    /// A bound cuts an agent on the way to its first place, or it goes wrong there, so that there is no initial
    /// state.
    NoFirstState,
    /// An act or call whose computed value may be unknown, where unknown values are told apart.
    Computed,
    /// An agent whose memory cells may start in too many ways.
    InitialValues,
    /// A construct that the plain scheme cannot express.
    Plain(Plain),
}

/// A construct that the plain scheme (Walton 2004) cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plain {
    /// A `par`.
    Par,
    /// A call that is not a last call: it would need a process of its own.
    Call,
    /// A procedure with alternatives, or with an empty domain.
    Definition,
    /// An ask whose variable is already bound, so that the answer is compared.
    KnownAnswer,
    /// A comparison with a value that may be abstract, or of two values that may be fresh.
    Comparison,
    /// A `waitfor` that asks a decision or makes a call before it has done anything.
    Poll,
    /// A timeout that may lead back to its `waitfor` without any action.
    IdleTimeout,
    /// An act or call with an expression among its values.
    Computed,
    /// A bound on calls.
    Rounds,
    /// A network other than the instant one.
    Network,
    /// Cells that start with any of several values.
    InitialValues,
}

/// A construct that is not exported, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    /// The construct in the source; `None` if the reason is not a construct.
    pub span: Option<SourceSpan>,
    /// Why.
    pub reason: Reason,
}
