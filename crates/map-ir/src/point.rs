//! Control points: the operations of a clause and their successors.

use crate::{
    ClauseId, ExpressionId, PerformativeId, PointId, ProcedureId, Slot, SlotSetId, SourceSpan, Value,
};

/// One operation of a clause.
#[derive(Clone, Debug)]
pub struct Point {
    /// The clause it belongs to.
    pub clause: ClauseId,
    /// What it does.
    pub kind: PointKind,
    /// The operation in the source.
    pub span: SourceSpan,
}

/// Where control goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goto {
    /// To another point of the clause.
    Point(PointId),
    /// Out of the clause, with success or failure.
    Return(bool),
    /// To the end of a side of a `par`, with success or failure.
    SideEnd(bool),
}

/// Where a failure goes, and which variables it unbinds on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// All variables bound inside the alternative or `waitfor` that this failure leaves.
    pub unbind: SlotSetId,
    /// Where it goes.
    pub to: Goto,
}

/// What a point does. `ok` and `err` are its success and failure successors.
#[derive(Clone, Debug)]
pub enum PointKind {
    /// `skip`.
    Skip {
        /// Success.
        ok: Goto,
    },
    /// `fail`.
    Fail {
        /// Failure.
        err: Edge,
    },
    /// `$v = p(t..)`, or `p(t..)` alone.
    Ask {
        /// The procedure.
        procedure: ProcedureId,
        /// Its arguments.
        arguments: Vec<Operand>,
        /// What the answer is unified with.
        target: Target,
        /// Success.
        ok: Goto,
        /// Failure.
        err: Edge,
    },
    /// `m(t..) => agent(a, r)`.
    Send {
        /// The performative.
        performative: PerformativeId,
        /// The message's arguments.
        arguments: Vec<Operand>,
        /// The recipients' name.
        agent: Recipient,
        /// The recipients' role.
        role: Recipient,
        /// Success.
        ok: Goto,
        /// Failure.
        err: Edge,
    },
    /// `m(t..) <= agent(a, r)`.
    Receive {
        /// The performative.
        performative: PerformativeId,
        /// The pattern over the arguments, then the sender's name, then the sender's role.
        pattern: Pattern,
        /// Success.
        ok: Goto,
        /// Failure.
        err: Edge,
    },
    /// `waitfor A timeout B`. Failures of A lead back to this point.
    Wait {
        /// Where A starts.
        body: PointId,
        /// Where B starts.
        timeout: Option<PointId>,
    },
    /// `agent(t..)`.
    Call {
        /// The arguments.
        arguments: Vec<Operand>,
        /// The clauses whose heads may match, in order, up to the first that certainly does.
        candidates: Vec<Candidate>,
        /// Success of the called clause.
        ok: Goto,
        /// Failure of the called clause, or no head matches.
        err: Edge,
    },
    /// `A par B par ..`.
    Par {
        /// Where the sides start.
        sides: Vec<PointId>,
        /// All sides succeeded.
        ok: Goto,
        /// Some side failed.
        err: Edge,
    },
}

/// What the answer of a procedure is unified with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing: any answer will do.
    Anything,
    /// An unbound variable, which is bound to the answer.
    Binds(Slot),
    /// A bound variable, which has to be equal.
    Compares(Slot),
}

/// A clause whose head a call may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The clause.
    pub clause: ClauseId,
    /// Whether the head matches whatever the values are.
    pub certain: bool,
}

/// A term that is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A constant.
    Constant(Value),
    /// A variable of the clause.
    Variable(Slot),
    /// The agent's own name, written as a literal in its own part.
    Own,
    /// The value of an expression, computed when the act is made or the call is gone on to. Never in a pattern.
    Expression(ExpressionId),
}

/// A term in the address of a send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// `_`: any.
    Any,
    /// A value.
    Is(Operand),
}

/// A position, from 0, in the tuple that a pattern is matched against: a message's arguments, then its sender's name
/// and role; or the arguments of a call.
pub type Place = u32;

/// A compiled pattern: tests, then bindings, which take effect only if every test passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The equalities that must hold.
    pub tests: Vec<Test>,
    /// The places and the variables they are bound to.
    pub bindings: Vec<(Place, Slot)>,
}

/// One equality that a pattern demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// The value at the place equals the operand.
    Operand(Place, Operand),
    /// The values at both places are equal: a variable occurs twice in the pattern.
    Same(Place, Place),
}

impl Target {
    /// The variable that is bound, if there is one.
    #[must_use]
    pub fn bound(self) -> Option<Slot> {
        if let Self::Binds(slot) = self { Some(slot) } else { None }
    }

    /// The variable, if there is one.
    #[must_use]
    pub fn variable(self) -> Option<Slot> {
        match self {
            Self::Anything => None,
            Self::Binds(slot) | Self::Compares(slot) => Some(slot),
        }
    }

    /// The variable that the answer is compared with, if there is one.
    #[must_use]
    pub fn compared(self) -> Option<Slot> {
        if let Self::Compares(slot) = self { Some(slot) } else { None }
    }
}

impl PointKind {
    /// The expressions among the values of an act or call, in the order in which they are computed.
    pub fn expressions(&self) -> impl Iterator<Item = ExpressionId> + use<'_> {
        let (arguments, address) = match self {
            Self::Ask { arguments, .. } | Self::Call { arguments, .. } => {
                (&arguments[..], [Recipient::Any; 2])
            }
            Self::Send { arguments, agent, role, .. } => (&arguments[..], [*agent, *role]),
            _ => (&[][..], [Recipient::Any; 2]),
        };
        let address =
            address.into_iter().filter_map(|it| if let Recipient::Is(it) = it { Some(it) } else { None });
        let operands = arguments.iter().copied().chain(address);
        operands.filter_map(|it| if let Operand::Expression(id) = it { Some(id) } else { None })
    }

    /// The success successor; `None` for operations without one.
    #[must_use]
    pub fn ok(&self) -> Option<Goto> {
        match *self {
            Self::Skip { ok }
            | Self::Ask { ok, .. }
            | Self::Send { ok, .. }
            | Self::Receive { ok, .. }
            | Self::Call { ok, .. }
            | Self::Par { ok, .. } => Some(ok),
            Self::Fail { .. } | Self::Wait { .. } => None,
        }
    }

    /// The failure successor; `None` for operations without one.
    #[must_use]
    pub fn err(&self) -> Option<Edge> {
        match *self {
            Self::Fail { err }
            | Self::Ask { err, .. }
            | Self::Send { err, .. }
            | Self::Receive { err, .. }
            | Self::Call { err, .. }
            | Self::Par { err, .. } => Some(err),
            Self::Skip { .. } | Self::Wait { .. } => None,
        }
    }
}
