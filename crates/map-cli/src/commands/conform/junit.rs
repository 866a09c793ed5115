//! The verdicts in JUnit's format, for continuous integration: a case for each conversation.

use std::collections::BTreeMap;
use std::io;

use map_conform::{ConversationResult, Verdict};
use map_diagnostics::{SourceFile, escaped_line};
use map_explain::conformance;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::terminal::for_eyes;

/// The cases so far, by the number of the conversation.
#[derive(Default)]
pub(super) struct Cases(BTreeMap<u64, TestCase>);

impl Cases {
    /// Adds a conversation. One that goes on after its end replaces what was said of it before.
    pub(super) fn add(&mut self, source: &SourceFile, judged: &ConversationResult) {
        let verdict = judged.report.verdict;
        let headline = conformance::headline(source, judged, 0);
        let what = format!("{headline}\n{}", conformance::below(source, judged, 0));
        let what = for_eyes(what.trim_end(), false).into_owned();
        let failed = |kind| {
            let mut status = TestCaseStatus::non_success(kind);
            status.set_type(verdict.words()).set_message(&*what);
            status
        };
        let status = match verdict {
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck => TestCaseStatus::success(),
            Verdict::Violated => failed(NonSuccessKind::Failure),
            Verdict::Inconclusive => failed(NonSuccessKind::Error),
        };
        let mut case = TestCase::new(escaped_line(conformance::name(&judged.name)).into_owned(), status);
        case.set_classname(&*judged.program().scene);
        if matches!(verdict, Verdict::Conforms | Verdict::SoFar | Verdict::Stuck) {
            case.set_system_out(what);
        }
        self.0.insert(judged.number, case);
    }

    /// The text of the JUnit file.
    pub(super) fn text(self, source: &SourceFile) -> io::Result<String> {
        let mut suite = TestSuite::new(source.name());
        suite.add_test_cases(self.0.into_values());
        let mut report = Report::new("map conform");
        report.add_test_suite(suite);
        report.to_string().map_err(io::Error::other)
    }
}
