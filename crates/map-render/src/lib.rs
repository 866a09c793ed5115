//! Pictures of dialogues: message sequence charts of traces, role graphs, state graphs, plots of what many runs gave,
//! and the report of a verification.
//!
//! SVG and HTML are printed from a tree of elements, and the other languages escape every label, so that text written
//! by a user (names, strings, numbers) cannot be taken for markup.

pub mod chart;
pub mod graph;
pub mod markup;
mod measure;
pub mod plot;
pub mod report;

pub use measure::shorten;
