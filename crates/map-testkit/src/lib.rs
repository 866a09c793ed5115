//! Test support: the naive oracle, written from the language reference over the syntax tree, random scenes, temporal
//! formulas judged naively, texts seen as words, comments and trees without places, and pages of the documentation.
//!
//! The oracle shares nothing with the engines but the syntax tree: it is slow, plain and meant to be compared with.

pub mod markdown;
pub mod oracle;
pub mod scenes;
pub mod temporal;
pub mod texts;
pub mod trees;
