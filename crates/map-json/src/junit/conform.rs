//! The verdicts of `map conform`: a case for each conversation.

use std::collections::BTreeMap;
use std::io;

use map_conform::{ConversationResult, Verdict};
use map_diagnostics::{SourceFile, escaped, escaped_line};
use map_explain::conformance::{self, Places};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::failed;

/// The cases so far.
#[derive(Default)]
pub struct ConformCases {
    /// By the number of the conversation.
    conversations: BTreeMap<u64, TestCase>,
    /// About the logs as a whole.
    others: Vec<TestCase>,
}

impl ConformCases {
    /// Adds a conversation. One that goes on after its end replaces what was said of it before.
    pub fn add(&mut self, places: Places<'_>, judged: &ConversationResult) {
        let verdict = judged.report.verdict;
        let headline = conformance::headline(places, judged, 0);
        let what = format!("{headline}\n{}", conformance::below(places, judged, 0, None));
        let what = escaped(what.trim_end()).into_owned();
        let failed = |kind| failed(kind, verdict.words(), &what);
        let status = match verdict {
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck => TestCaseStatus::success(),
            Verdict::Violated if judged.report.possibly => failed(NonSuccessKind::Error),
            Verdict::Violated => failed(NonSuccessKind::Failure),
            Verdict::Inconclusive => failed(NonSuccessKind::Error),
        };
        let mut case = TestCase::new(escaped_line(conformance::name(&judged.name)).into_owned(), status);
        case.set_classname(&*judged.program().scene);
        if matches!(verdict, Verdict::Conforms | Verdict::SoFar | Verdict::Stuck) {
            case.set_system_out(what);
        }
        self.conversations.insert(judged.number, case);
    }

    /// Adds what is wrong with the logs as a whole.
    pub fn add_error(&mut self, name: &str, what: &str) {
        let status = failed(NonSuccessKind::Error, name, &escaped(what.trim_end()));
        self.others.push(TestCase::new(name, status));
    }

    /// Adds what is to be known of the logs as a whole, and is allowed.
    pub fn add_note(&mut self, name: &str, what: &str) {
        let mut case = TestCase::new(name, TestCaseStatus::success());
        case.set_system_out(escaped(what.trim_end()));
        self.others.push(case);
    }

    /// The text of the JUnit file.
    ///
    /// # Errors
    /// If the format cannot say it.
    pub fn text(self, source: &SourceFile) -> io::Result<String> {
        let mut suite = TestSuite::new(source.name());
        suite.add_test_cases(self.conversations.into_values().chain(self.others));
        let mut report = Report::new("map conform");
        report.add_test_suite(suite);
        report.to_string().map_err(io::Error::other)
    }
}
