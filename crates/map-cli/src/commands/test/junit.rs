//! The results in JUnit's format: a suite for each file, a case for each test.

use std::io;
use std::path::Path;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::Tried;
use super::case::Outcome;
use crate::commands::write_whole;

/// Writes the file in one piece.
pub(super) fn write(tried: &[Tried<'_>], path: &Path) -> io::Result<()> {
    let mut report = Report::new("map test");
    for of_file in tried.chunk_by(|a, b| a.case.file == b.case.file) {
        let mut suite = TestSuite::new(&*of_file[0].case.file);
        for Tried { case, outcome } in of_file {
            let kind = match outcome {
                Outcome::AsExpected(_) => None,
                Outcome::Differs { .. } => Some(NonSuccessKind::Failure),
                Outcome::Inconclusive(_) | Outcome::Unusable(_) => Some(NonSuccessKind::Error),
            };
            let mut status = kind.map_or_else(TestCaseStatus::success, TestCaseStatus::non_success);
            if kind.is_some() {
                status.set_type(outcome.word()).set_message(outcome.remarks().join("\n"));
            }
            let mut it = TestCase::new(format!("line {}: {}", case.line, case.text), status);
            it.set_time(outcome.took());
            suite.add_test_case(it);
        }
        report.add_test_suite(suite);
    }
    write_whole(path, &report.to_string().map_err(io::Error::other)?)
}
