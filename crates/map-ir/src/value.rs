//! Run-time values.

use crate::{AgentId, NameId, RoleId, TextId};

/// Identifies an abstract or fresh value, which has no literal. No two values share a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// A value. Values of different kinds are never equal, but an abstract value may equal any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// An integer.
    Integer(i64),
    /// A bare constant.
    Name(NameId),
    /// A string.
    Text(TextId),
    /// An agent's name.
    Agent(AgentId),
    /// A role.
    Role(RoleId),
    /// An abstract value: the answer of a procedure without a body, or the result of an operation on one. It equals
    /// itself; whether it equals anything else is open (language reference, "Verification").
    Abstract(Symbol),
    /// The answer of a `fresh` procedure. It equals itself and nothing else except, possibly, an abstract value.
    Fresh(Symbol),
}

impl Value {
    /// Whether two values are equal; `None` if that is open.
    #[must_use]
    pub fn equals(self, other: Self) -> Option<bool> {
        if self == other {
            return Some(true);
        }
        match (self, other) {
            (Self::Abstract(_), _) | (_, Self::Abstract(_)) => None,
            _ => Some(false),
        }
    }

    /// The symbol of an abstract or fresh value.
    #[must_use]
    pub fn symbol(self) -> Option<Symbol> {
        match self {
            Self::Abstract(symbol) | Self::Fresh(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// The symbol of an abstract or fresh value, mutably.
    pub fn symbol_mut(&mut self) -> Option<&mut Symbol> {
        match self {
            Self::Abstract(symbol) | Self::Fresh(symbol) => Some(symbol),
            _ => None,
        }
    }
}
