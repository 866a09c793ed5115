//! The results in JUnit's format: a case for each clause and branch, and one for the dialogues.

use std::io;

use map_diagnostics::{SourceFile, escaped, escaped_line};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::report::BranchRow;

/// The text of the JUnit file; `failure` is what is said of the dialogue that failed.
pub(super) fn text(
    source: &SourceFile,
    scene: &str,
    rows: &[BranchRow],
    failure: Option<&str>,
) -> io::Result<String> {
    let mut suite = TestSuite::new(source.name());
    let status = match failure {
        None => TestCaseStatus::success(),
        Some(text) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("failure").set_message(escaped(text.trim_end()));
            status
        }
    };
    suite.add_test_case(case(scene, "dialogues", status));
    for row in rows {
        let status = match (row.is_covered(), row.is_unreachable) {
            (true, _) => TestCaseStatus::success(),
            (false, true) => TestCaseStatus::skipped(),
            (false, false) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                status.set_type("not covered").set_message("no dialogue takes it");
                status
            }
        };
        suite.add_test_case(case(scene, &row.name, status));
    }
    let mut report = Report::new("map guard");
    report.add_test_suite(suite);
    report.to_string().map_err(io::Error::other)
}

fn case(scene: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(escaped_line(name).into_owned(), status);
    case.set_classname(scene);
    case
}
