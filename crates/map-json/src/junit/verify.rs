//! The verdicts of `map verify`: a suite for each file, with a case for termination and one for each property.

use std::io;
use std::time::Duration;

use map_diagnostics::SourceFile;
use map_explain::Tone;
use map_explain::verification::properties::{reasons, verdict_of, why_refused};
use map_explain::verification::{DeniedFinding, verdict_in_words};
use map_session::{Compilation, PropertyAnswer, PropertyAnswers, Verification};
use map_verify::{PropertyJudgement, PropertyVerdict, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::failed;

/// The name of the case for termination.
const TERMINATION: &str = "termination";

/// How the suites call any number of agents of a role.
#[must_use]
pub fn number_of(role: &str, from: u32) -> String {
    if from > 1 { format!("{from} or more of %{role}") } else { format!("any number of %{role}") }
}

/// The suites so far.
#[derive(Default)]
pub struct VerifySuites(Vec<TestSuite>);

impl VerifySuites {
    /// Adds a file with errors.
    pub fn rejected(&mut self, loaded: &Compilation) {
        let texts: Vec<&str> = loaded.diagnostics.iter().map(|it| it.text.as_str()).collect();
        let mut suite = suite(&loaded.source, None);
        suite
            .add_test_case(TestCase::new("check", failed(NonSuccessKind::Error, "error", &texts.join("\n"))));
        self.0.push(suite);
    }

    /// Adds a file of which only the properties were judged.
    pub fn judged(&mut self, answers: &PropertyAnswers) {
        let mut suite = suite(&answers.scene.source, None);
        add_properties(&mut suite, answers);
        self.0.push(suite);
    }

    /// Adds a file that was searched, perhaps in one weather of several.
    pub fn searched(&mut self, found: &Verification, denied: &[DeniedFinding], weather: Option<&str>) {
        let mut suite = suite(&found.scene.source, weather);
        let report = &found.report;
        let words = report.verdict.words();
        let status = match report.verdict {
            Verdict::Terminates | Verdict::TerminatesIfFair => TestCaseStatus::success(),
            Verdict::Violated(_) => failed(NonSuccessKind::Failure, words, &verdict_in_words(found)),
            Verdict::Inconclusive => failed(NonSuccessKind::Error, words, words),
        };
        let mut case = TestCase::new(TERMINATION, status);
        case.set_classname(&*found.scene.program.scene);
        case.set_time(found.figures.took);
        if matches!(report.verdict, Verdict::Terminates | Verdict::TerminatesIfFair) {
            case.set_system_out(verdict_in_words(found));
        }
        suite.add_test_case(case);
        for denied in denied {
            let status = match denied.found(found) {
                Some(what) => failed(NonSuccessKind::Failure, "denied", &what),
                None => TestCaseStatus::success(),
            };
            let mut case = TestCase::new(format!("--deny {}", denied.word()), status);
            case.set_classname(&*found.scene.program.scene);
            suite.add_test_case(case);
        }
        add_properties(&mut suite, &found.properties);
        self.0.push(suite);
    }

    /// Adds what was found for any number of agents, as [`number_of`] writes them: words and what they rest on, or a
    /// failure or error.
    pub fn any(
        &mut self,
        (source, scene, number): (&SourceFile, &str, &str),
        tone: Tone,
        (words, grounds): (&str, &str),
        took: Duration,
    ) {
        let status = match tone {
            Tone::Good => TestCaseStatus::success(),
            Tone::Bad => failed(NonSuccessKind::Failure, words, &format!("{words}\n{grounds}")),
            Tone::Doubtful => failed(NonSuccessKind::Error, words, &format!("{words}\n{grounds}")),
        };
        let mut suite = suite(source, Some(number));
        let mut case = TestCase::new(TERMINATION, status);
        case.set_classname(scene);
        case.set_time(took);
        if tone == Tone::Good {
            case.set_system_out(format!("{words}\n{grounds}"));
        }
        suite.add_test_case(case);
        self.0.push(suite);
    }

    /// Adds a file that was not reached, or not in one weather: an error for each verdict that is missing.
    pub fn not_run(&mut self, loaded: &Compilation, weather: Option<&str>, properties_only: bool) {
        let Some(program) = &loaded.program else { return self.rejected(loaded) };
        let mut suite = suite(&loaded.source, weather);
        let termination = (!properties_only).then_some(TERMINATION);
        let properties = loaded.properties.entries.iter().map(|entry| entry.name.as_str());
        for name in termination.into_iter().chain(properties) {
            let status = failed(NonSuccessKind::Error, "not run", "not run: interrupted");
            let mut case = TestCase::new(name, status);
            case.set_classname(&*program.scene);
            suite.add_test_case(case);
        }
        self.0.push(suite);
    }

    /// The text of the JUnit file.
    ///
    /// # Errors
    /// If the format cannot say it.
    pub fn text(&self) -> io::Result<String> {
        let mut report = Report::new("map verify");
        report.add_test_suites(self.0.iter().cloned());
        report.to_string().map_err(io::Error::other)
    }
}

/// The suite of a file, perhaps in one weather of several.
fn suite(source: &SourceFile, weather: Option<&str>) -> TestSuite {
    let file = source.name();
    TestSuite::new(weather.map_or_else(|| file.to_owned(), |weather| format!("{file} ({weather})")))
}

/// A case for each property.
fn add_properties(suite: &mut TestSuite, answers: &PropertyAnswers) {
    let in_words = |judged: &PropertyJudgement| verdict_of(answers, judged).to_string();
    for (entry, answer) in answers.iter() {
        let status = match &answer {
            PropertyAnswer::OfOtherScene => {
                let mut skipped = TestCaseStatus::skipped();
                skipped.set_message(why_refused(entry).join("\n"));
                skipped
            }
            PropertyAnswer::Refused => {
                failed(NonSuccessKind::Error, "refused", &why_refused(entry).join("\n"))
            }
            PropertyAnswer::Judged(judged, _) => match judged.verdict {
                PropertyVerdict::Holds => TestCaseStatus::success(),
                PropertyVerdict::Violated => failed(NonSuccessKind::Failure, "violated", &in_words(judged)),
                PropertyVerdict::Inconclusive => {
                    failed(NonSuccessKind::Error, "inconclusive", &reasons(answers, judged).join("\n"))
                }
            },
        };
        let mut case = TestCase::new(&*entry.name, status);
        if let PropertyAnswer::Judged(judged, _) = answer
            && judged.verdict == PropertyVerdict::Holds
        {
            case.set_system_out(in_words(judged));
        }
        case.set_classname(&*answers.scene.program.scene);
        suite.add_test_case(case);
    }
}
