//! Verdicts in JUnit's format, for continuous integration.

mod conform;
mod test;
mod verify;

use quick_junit::{NonSuccessKind, TestCaseStatus};

pub use conform::ConformCases;
pub use verify::{VerifySuites, number_of};

/// That a case failed: what its failure is called, and what is said of it.
fn failed(kind: NonSuccessKind, what: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(what).set_message(message);
    status
}
