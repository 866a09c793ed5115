//! Measures: values that each run has when it ends.

use map_diagnostics::Span;

use super::{Expression, Name, RangeOver};

/// `measure NAME = expression` or `measure NAME of $b in %role = expression`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The name.
    pub name: Name,
    /// The variable that stands for an agent, and its role, if each agent of that role has a value of its own.
    pub of: Option<RangeOver>,
    /// How it is read off a run.
    pub value: Expression,
    /// The whole item.
    pub span: Span,
}
