//! What never happened in a search.

use map_ir::PointKind;
use serde::Serialize;

use crate::word::closed_set;
use crate::{SpanOutput, Word};

/// What never happened. Things inside something that never happened are left out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnusedOutput {
    /// Agents that never make a step, be it one that goes wrong; empty unless every reachable state was expanded.
    pub agents: Vec<IdleAgent>,
    /// Clauses never entered.
    pub clauses: Vec<ClauseOutput>,
    /// Operations never run.
    pub operations: Vec<OperationOutput>,
    /// Alternatives never chosen and timeouts that never fired.
    pub alternatives: Vec<AlternativeOutput>,
    /// Messages left unread in some run.
    pub unread: Vec<UnreadMessage>,
}

/// An agent that never acts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IdleAgent {
    /// Its name, without `!`.
    pub agent: String,
    /// The head of the entry clause of its part.
    pub span: SpanOutput,
}

/// A clause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClauseOutput {
    /// Its head as written.
    pub head: String,
    /// Where it stands.
    pub span: SpanOutput,
}

/// An operation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OperationOutput {
    /// What it does.
    pub kind: Word<OperationKind>,
    /// Where it stands.
    pub span: SpanOutput,
}

closed_set! {
    /// What an operation does.
    OperationKind {
        /// Nothing.
        Skip = "skip",
        /// It fails.
        Fail = "fail",
        /// It asks a procedure.
        Ask = "ask",
        /// It sends a message.
        Send = "send",
        /// It takes a message out of the mailbox.
        Receive = "receive",
        /// It waits for another operation.
        Wait = "waitfor",
        /// It calls a clause.
        Call = "call",
        /// It begins two threads.
        Par = "par",
    }
}

impl From<&PointKind> for OperationKind {
    fn from(kind: &PointKind) -> Self {
        match kind {
            PointKind::Skip { .. } => Self::Skip,
            PointKind::Fail { .. } => Self::Fail,
            PointKind::Ask { .. } => Self::Ask,
            PointKind::Send { .. } => Self::Send,
            PointKind::Receive { .. } => Self::Receive,
            PointKind::Wait { .. } => Self::Wait,
            PointKind::Call { .. } => Self::Call,
            PointKind::Par { .. } => Self::Par,
        }
    }
}

/// An alternative of an `or`, or the operation behind a `timeout`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AlternativeOutput {
    /// Which of the two it is.
    pub kind: Word<AlternativeKind>,
    /// Where it stands.
    pub span: SpanOutput,
}

closed_set! {
    /// An alternative or a timeout.
    AlternativeKind {
        /// An alternative of an `or`.
        Alternative = "alternative",
        /// The operation behind a `timeout`.
        Timeout = "timeout",
    }
}

/// A message left unread.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnreadMessage {
    /// The performative.
    pub performative: String,
    /// How many arguments it has.
    pub arity: usize,
    /// Who does not read it.
    pub agent: String,
    /// Where it is sent.
    pub spans: Vec<SpanOutput>,
}
