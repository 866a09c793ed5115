//! Judging properties.

#[allow(dead_code)]
pub(crate) mod graph;
