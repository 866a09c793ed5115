//! Run-time values.

use crate::{AgentId, NameId, RoleId, TextId};

/// An abstract value: what a procedure without a body answered. Two occurrences of one symbol are equal; whether a
/// symbol equals anything else is open (language reference, "Verification").
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
    /// An abstract value.
    Abstract(Symbol),
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
}
