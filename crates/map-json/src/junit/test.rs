//! The results of `map test`: a suite for each file and a case for each test. Tests that cannot be read, or were not
//! run, are errors.

use std::io;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::failed;
use crate::{ClosedSet as _, TestNotRun, TestOutput, TestResult, TestVerdict, UnreadableTest};

/// A case and its place.
struct Placed<'a> {
    file: &'a str,
    line: usize,
    case: TestCase,
}

impl TestOutput {
    /// The text of the JUnit file.
    ///
    /// # Errors
    /// If the format cannot say it.
    pub fn to_junit(&self) -> io::Result<String> {
        let tried = self.tests.iter().map(of_tried);
        let others = self.not_run.iter().map(of_not_run).chain(self.unreadable.iter().map(of_unreadable));
        let mut cases: Vec<Placed<'_>> = tried.chain(others).collect();
        cases.sort_by_key(|it| (it.file, it.line));
        let mut report = Report::new("map test");
        for of_file in cases.chunk_by(|a, b| a.file == b.file) {
            let mut suite = TestSuite::new(of_file[0].file);
            suite.add_test_cases(of_file.iter().map(|it| it.case.clone()));
            report.add_test_suite(suite);
        }
        report.to_string().map_err(io::Error::other)
    }
}

fn of_tried(TestResult { file, line, test, result, remarks, seconds, .. }: &TestResult) -> Placed<'_> {
    let failed = |kind| failed(kind, result.0.word(), &remarks.join("\n"));
    let status = match result.0 {
        TestVerdict::AsExpected => TestCaseStatus::success(),
        TestVerdict::Differs => failed(NonSuccessKind::Failure),
        TestVerdict::Inconclusive | TestVerdict::Error => failed(NonSuccessKind::Error),
    };
    let mut placed = placed(file, *line, test, status);
    placed.case.set_time(Duration::from_secs_f64(*seconds));
    placed
}

fn of_not_run(TestNotRun { file, line, test }: &TestNotRun) -> Placed<'_> {
    placed(file, *line, test, failed(NonSuccessKind::Error, "not run", "not run: interrupted"))
}

fn placed<'a>(file: &'a str, line: usize, test: &str, status: TestCaseStatus) -> Placed<'a> {
    Placed { file, line, case: TestCase::new(format!("line {line}: {test}"), status) }
}

fn of_unreadable(UnreadableTest { file, line, why }: &UnreadableTest) -> Placed<'_> {
    let name = line.map_or_else(|| "tests".to_owned(), |line| format!("line {line}"));
    let status = failed(NonSuccessKind::Error, "unreadable", &format!("cannot be read: {why}"));
    Placed { file, line: line.unwrap_or(0), case: TestCase::new(name, status) }
}
