//! Pictures of dialogues: message sequence charts of a trace, role graphs, state graphs.
//!
//! Everything is printed from a tree, never from a template of strings, so that what a user wrote (names, texts, numbers)
//! cannot break out of its place.

pub mod chart;
pub mod graph;
pub mod markup;
mod measure;
pub mod report;
