//! The results in JUnit's format: a suite for each file and a case for each test. Tests that cannot be read, or were
//! not run, are errors.

use std::io;

use map_flags::Outcome;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::Tried;
use super::case::{Case, word};
use super::collect::UnreadableTest;
use crate::json::ClosedSet as _;

/// A case and its place.
struct Placed {
    file: String,
    line: usize,
    case: TestCase,
}

/// The text of the JUnit file.
pub(super) fn text(
    tried: &[Tried<'_>],
    not_run: &[Case],
    unreadable: &[UnreadableTest],
) -> io::Result<String> {
    let tried = tried.iter().map(of_tried);
    let mut cases: Vec<Placed> =
        tried.chain(not_run.iter().map(of_not_run)).chain(unreadable.iter().map(of_unreadable)).collect();
    cases.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    let mut report = Report::new("map test");
    for of_file in cases.chunk_by(|a, b| a.file == b.file) {
        let mut suite = TestSuite::new(&*of_file[0].file);
        suite.add_test_cases(of_file.iter().map(|it| it.case.clone()));
        report.add_test_suite(suite);
    }
    report.to_string().map_err(io::Error::other)
}

fn of_tried(Tried { case, outcome }: &Tried<'_>) -> Placed {
    let status = match outcome {
        Outcome::AsExpected(_) => TestCaseStatus::success(),
        Outcome::Differs { .. } => failed(NonSuccessKind::Failure, outcome),
        Outcome::Inconclusive { .. } | Outcome::Unusable(_) => failed(NonSuccessKind::Error, outcome),
    };
    let mut placed = placed(case, status);
    placed.case.set_time(outcome.took());
    placed
}

fn failed(kind: NonSuccessKind, outcome: &Outcome) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(word(outcome).word()).set_message(outcome.remarks().join("\n"));
    status
}

fn of_not_run(case: &Case) -> Placed {
    placed(case, error("not run", "not run: interrupted"))
}

fn placed(case: &Case, status: TestCaseStatus) -> Placed {
    let name = format!("line {}: {}", case.line, case.text());
    Placed { file: case.file.clone(), line: case.line, case: TestCase::new(name, status) }
}

fn of_unreadable(it: &UnreadableTest) -> Placed {
    let name = it.line.map_or_else(|| "tests".to_owned(), |line| format!("line {line}"));
    let status = error("unreadable", &format!("cannot be read: {}", it.why));
    Placed { file: it.file.clone(), line: it.line.unwrap_or(0), case: TestCase::new(name, status) }
}

fn error(what: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(what).set_message(message);
    status
}
