//! Test support: the naive oracle, written from the language reference over the syntax tree, and random scenes.
//!
//! The oracle shares nothing with the engines but the syntax tree: it is slow, plain and meant to be compared with.

pub mod oracle;
pub mod scenes;
