//! Partial order: which steps of a state can be left out, and what has to be true for that.

pub(crate) mod ample;
pub(crate) mod overflow;
