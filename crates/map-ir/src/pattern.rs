//! Sets of messages.

use crate::{PerformativeId, Value};

/// A set of messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MessagePattern {
    /// The performative.
    pub performative: PerformativeId,
    /// The arguments; `None` for any value.
    pub arguments: Vec<Option<Value>>,
}
