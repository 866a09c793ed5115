//! Run-time values.

use crate::{AgentId, NameId, RoleId, TextId};

/// The name of a value that no text writes: an abstract or a fresh one. No two values share a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// A value. Values of different kinds are never equal; an abstract one may turn out to be any.
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
    /// An abstract value: what a procedure without a body answered, or an expression over such. It equals itself;
    /// whether it equals anything else is open (language reference, "Verification").
    Abstract(Symbol),
    /// What a `fresh` procedure answered: it equals itself and nothing else but, perhaps, an abstract value.
    Fresh(Symbol),
}

impl Value {
    /// Whether two values are equal: `None` if that is open.
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

    /// The symbol of an abstract or fresh value, to be renamed.
    pub fn symbol_mut(&mut self) -> Option<&mut Symbol> {
        match self {
            Self::Abstract(symbol) | Self::Fresh(symbol) => Some(symbol),
            _ => None,
        }
    }
}
