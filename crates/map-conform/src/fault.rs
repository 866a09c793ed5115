//! What is wrong with a line of a log.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaultKind {
    /// It is no record.
    NoRecord,
    /// An argument is no value.
    NoValue,
    /// A name has no role.
    NoRole,
    /// The cast has no such agent left, or the name has another role.
    BeyondCast,
    /// An agent's lines are out of order.
    OutOfOrder,
    /// An adapter cannot turn it into a record.
    Unadapted,
    /// It is not clear which time it tells.
    UnclearTime,
}

/// Why a line cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// What is wrong.
    pub text: String,
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
