//! Verdicts in JUnit's format, for continuous integration.

mod conform;
mod verify;

pub use conform::ConformCases;
pub use verify::{VerifySuites, number_of};
