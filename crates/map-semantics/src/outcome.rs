//! The outcome of a thread's act or timeout.

use std::sync::Arc;

use map_ir::{AgentId, CellId, ClauseId, ExpressionId, PerformativeId, PointId, SourceSpan, Value};

use crate::Message;
use crate::agent::{Control, Next};

/// The kind of a step (language reference, "Steps").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepKind {
    /// A procedure gives an answer other than "no".
    Ask,
    /// A send that has recipients.
    Send,
    /// A receive that finds its message.
    Receive,
    /// A thread waiting at a `waitfor` goes on with its timeout operation.
    Timeout,
    /// The thread changes its place, or ends, without any of these.
    Move,
    /// The agent stops for ever.
    Crash,
    /// A message that was under way to the agent gets into its mailbox.
    Arrival,
}

impl StepKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Ask, Self::Send, Self::Receive, Self::Timeout, Self::Move, Self::Crash, Self::Arrival];

    /// The word for it in text and JSON output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Send => "send",
            Self::Receive => "receive",
            Self::Timeout => "timeout",
            Self::Move => "move",
            Self::Crash => "crash",
            Self::Arrival => "arrival",
        }
    }
}

/// The single ask, send or receive that an act performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A procedure answered.
    Ask {
        /// The ask.
        point: PointId,
        /// The arguments.
        arguments: Vec<Value>,
        /// The answer.
        answer: Value,
        /// Whether the answer unified with the variable.
        unified: bool,
        /// The cells that the procedure updated.
        updates: Vec<(CellId, Value)>,
    },
    /// A message was sent.
    Send {
        /// The send.
        point: PointId,
        /// The message.
        message: Arc<Message>,
        /// The recipients, in order; never empty. Some of the copies may be lost ([`crate::ObservedStep::lost`]).
        to: Vec<AgentId>,
    },
    /// A message was taken.
    Receive {
        /// The receive.
        point: PointId,
        /// The message's arrival number in the mailbox.
        arrival: u64,
        /// The message.
        message: Arc<Message>,
    },
}

impl Action {
    /// The message sent or received.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        match self {
            Self::Send { message, .. } | Self::Receive { message, .. } => Some(message),
            Self::Ask { .. } => None,
        }
    }

    /// The performative and arrival number of the message that a receive takes out of the mailbox.
    #[must_use]
    pub fn taken(&self) -> Option<(PerformativeId, u64)> {
        match self {
            Self::Receive { arrival, message, .. } => Some((message.performative, *arrival)),
            Self::Ask { .. } | Self::Send { .. } => None,
        }
    }

    /// The operation.
    #[must_use]
    pub const fn point(&self) -> PointId {
        match self {
            Self::Ask { point, .. } | Self::Send { point, .. } | Self::Receive { point, .. } => *point,
        }
    }
}

/// Something that happened in the course of an act; listed in order, for explanations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A decision said "no".
    Refused(PointId),
    /// An answer was not equal to the variable.
    NotUnified(PointId),
    /// A receive found no message.
    NothingThere(PointId),
    /// A send had no recipients.
    NobodyThere(PointId),
    /// `fail`.
    Failed(PointId),
    /// A call matched no head.
    NoHead(PointId),
    /// A call opened an activation of the clause.
    Called(PointId, ClauseId, Vec<Value>),
    /// A call's clause failed.
    CallFailed(PointId),
    /// A `par` ended with failure.
    ParFailed(PointId),
}

impl Event {
    /// Where it happened.
    #[must_use]
    pub fn point(&self) -> PointId {
        match *self {
            Self::Refused(point)
            | Self::NotUnified(point)
            | Self::NothingThere(point)
            | Self::NobodyThere(point)
            | Self::Failed(point)
            | Self::NoHead(point)
            | Self::Called(point, ..)
            | Self::CallFailed(point)
            | Self::ParFailed(point) => point,
        }
    }

    /// Whether an operation failed by itself, rather than because of one inside it.
    #[must_use]
    pub fn is_first_failure(&self) -> bool {
        match self {
            Self::Refused(_)
            | Self::NotUnified(_)
            | Self::NothingThere(_)
            | Self::NobodyThere(_)
            | Self::Failed(_)
            | Self::NoHead(_) => true,
            Self::Called(..) | Self::CallFailed(_) | Self::ParFailed(_) => false,
        }
    }
}

/// An open question and how this step resolved it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// These pairs were assumed to be all equal, or not all.
    Equal {
        /// The operation that compares.
        point: PointId,
        /// The pairs; one value of each is abstract.
        pairs: Vec<(Value, Value)>,
        /// The assumption.
        equal: bool,
    },
    /// A condition over abstract values was assumed to hold, or not.
    Condition {
        /// The condition.
        condition: ExpressionId,
        /// The assumption.
        holds: bool,
    },
    /// An abstract address was assumed to mean these agents.
    Recipients {
        /// The send.
        point: PointId,
        /// The agents; may be empty.
        to: Vec<AgentId>,
    },
}

/// The bound that cut a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundHit {
    /// `--depth`.
    Depth,
    /// `--rounds`.
    Rounds,
}

impl BoundHit {
    /// Both bounds.
    pub const ALL: [Self; 2] = [Self::Depth, Self::Rounds];

    /// The word for it in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Rounds => "rounds",
        }
    }

    /// The flag that sets the bound.
    #[must_use]
    pub const fn flag(self) -> &'static str {
        match self {
            Self::Depth => "--depth",
            Self::Rounds => "--rounds",
        }
    }
}

/// A run-time error in a procedure, or in the expressions of an act or call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunError {
    /// The ask, send or call.
    pub point: PointId,
    /// The expression or alternative.
    pub span: SourceSpan,
    /// What went wrong.
    pub kind: RunErrorKind,
}

/// The kind of a [`RunError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunErrorKind {
    /// The result does not fit in 64 bits.
    Overflow,
    /// `/` or `mod` with 0.
    DivisionByZero,
    /// An integer is needed, and this value is not one.
    NoInteger(Value),
    /// A condition is used as a value.
    ConditionAsValue,
    /// A value is used as a condition.
    ValueAsCondition,
    /// A `procedure`, which may not refuse, must answer from an empty domain.
    EmptyDomain,
    /// An answer from outside is missing, or is "no" for a `procedure`.
    NoAnswer,
}

/// How a step ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The agent's next state.
    State(Next),
    /// No step: the act performed no action and came back to where it started.
    Nothing,
    /// The step needs more than a bound allows: it is not made, whatever else is wrong with it.
    Cut(BoundHit),
    /// Runaway recursion: the call, or the `waitfor` that was re-entered.
    Runaway(PointId),
    /// The act made more calls than [`crate::MAX_CALLS`] without resting, or its open questions can be resolved in too
    /// many ways: no verdict can be given.
    TooLong(PointId),
    /// A run-time error in a procedure.
    RunError(RunError),
}

/// One possible outcome of an act or a timeout.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The kind of step; meaningless for [`Ending::Nothing`].
    pub kind: StepKind,
    /// The ask, send or receive performed.
    pub action: Option<Action>,
    /// How it ends.
    pub ending: Ending,
    /// Where the agent would be after a step that is cut, if it has done nothing.
    pub cut_off: Option<Control>,
    /// What it passed over.
    pub events: Vec<Event>,
    /// Operations that ran, with the one at which the step goes wrong.
    pub ran: Vec<PointId>,
    /// The open comparisons it rests on.
    pub assumptions: Vec<Assumption>,
}
