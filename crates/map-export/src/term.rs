//! Values as an act sees them before it is made: constants, and contents of variables.

use map_ir::{AgentId, Arithmetic, Value};

use crate::control::HolderId;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// A constant; never abstract or fresh.
    Constant(Value),
    /// The agent's own name.
    Own,
    /// What something holds.
    Content(HolderId),
    /// A new abstract value; the number tells those of one act apart.
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

    /// The same with the content of one holder read from another.
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
