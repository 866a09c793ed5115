//! Partial-order reduction: which steps of a state can be pruned, and under which conditions.

pub(crate) mod ample;
pub(crate) mod overflow;
