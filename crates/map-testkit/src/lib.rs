//! Test support: the naive oracle, random scenes and formulas, a naive judge of temporal formulas, an independent
//! scanner of texts, and pages of the documentation.
//!
//! The oracle is written from the language reference and shares nothing with the engines except the syntax tree. It is
//! slow and plain, and exists for comparison.

pub mod markdown;
pub mod oracle;
pub mod scenes;
pub mod temporal;
pub mod texts;
