//! Symbolic values: constants, contents of variables, and what is computed from them.

use map_ir::{AgentId, Arithmetic, Value};

use crate::control::HolderId;

/// A symbolic value, in terms of the contents before the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// A constant; never abstract or fresh.
    Constant(Value),
    /// The agent's own name.
    Own,
    /// The content of a holder.
    Content(HolderId),
    /// A new abstract value; the number distinguishes those of one act.
    Abstract(usize),
    /// A new value that differs from all others.
    Fresh(usize),
    /// The result of an operation on integers.
    Result(Arithmetic, Box<Term>, Box<Term>),
}

impl Term {
    pub(crate) fn agent(agent: AgentId) -> Self {
        Self::Constant(Value::Agent(agent))
    }

    /// Whether it reads the holder.
    pub(crate) fn reads(&self, holder: HolderId) -> bool {
        match self {
            Self::Content(it) => *it == holder,
            Self::Result(_, left, right) => left.reads(holder) || right.reads(holder),
            Self::Constant(_) | Self::Own | Self::Abstract(_) | Self::Fresh(_) => false,
        }
    }

    /// The term with every read of the holder `from` replaced by a read of `to`.
    pub(crate) fn with(&self, from: HolderId, to: HolderId) -> Self {
        match self {
            Self::Content(it) if *it == from => Self::Content(to),
            Self::Result(operator, left, right) => {
                Self::Result(*operator, Box::new(left.with(from, to)), Box::new(right.with(from, to)))
            }
            other => other.clone(),
        }
    }
}
