//! Judging properties.

#[allow(dead_code, reason = "the search that fills it is being built")]
pub(crate) mod graph;
