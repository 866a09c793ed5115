//! A test: what a line expects of a dialogue, and where it stands.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use map_flags::{Expectation, Host, Outcome, SearchArgs};
use map_session::{Scene, SearchLimits};

use crate::commands::verify::{SharedTime, limits};
use crate::console::Console;
use crate::failure::Failure;
use crate::input::read_source;
use crate::interrupt::Interrupt;
use crate::json::{TestNotRun, TestResult, TestVerdict};
use crate::progress::Watch;
use map_flags::CommandLine;

/// A test.
pub(super) struct Case {
    /// The file that contains it.
    pub(super) file: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// The dialogue.
    pub(super) dialogue: PathBuf,
    pub(super) expectation: Expectation,
}

impl Case {
    /// Reads what stands behind `verify` in a line: a test for each cast that its flags ask for.
    pub(super) fn read(file: &str, line: usize, text: &str, dialogue: &Path) -> Result<Vec<Self>, String> {
        let (file, dialogue) = (file.to_owned(), dialogue.to_owned());
        let of = |expectation| Self { file: file.clone(), line, dialogue: dialogue.clone(), expectation };
        Ok(Expectation::read(text)?.into_iter().map(of).collect())
    }

    /// Its text, without `//@`.
    pub(super) fn text(&self) -> &str {
        &self.expectation.text
    }

    /// The command line that shows what `map verify` finds.
    pub(super) fn command(&self) -> String {
        let flags = &self.expectation.flags;
        let space = if flags.is_empty() { "" } else { " " };
        format!("{}{space}{flags}", CommandLine::new("verify", &self.dialogue).line())
    }

    /// What came of it, for programs.
    pub(super) fn result(&self, outcome: &Outcome) -> TestResult {
        TestResult {
            file: self.file.clone(),
            line: self.line,
            test: self.text().to_owned(),
            result: word(outcome).into(),
            remarks: outcome.remarks(),
            command: self.command(),
            seconds: outcome.took().as_secs_f64(),
        }
    }

    /// That it was not run.
    pub(super) fn not_run(&self) -> TestNotRun {
        TestNotRun { file: self.file.clone(), line: self.line, test: self.text().to_owned() }
    }

    /// Verifies the dialogue and compares.
    pub(super) fn run(&self, searches: &Searches<'_>) -> Result<Outcome, Failure> {
        match read_source(&self.dialogue) {
            Ok(source) => Ok(self.expectation.judge(&Arc::new(source), searches)?),
            Err(unreadable) => Ok(Outcome::Unusable(vec![format!(
                "{}: {}",
                unreadable.source.name(),
                unreadable.diagnostic.text
            )])),
        }
    }
}

/// The searches of tests, which share their time.
pub(super) struct Searches<'a> {
    pub(super) interrupt: &'a Interrupt,
    pub(super) time: &'a SharedTime,
}

impl Host for Searches<'_> {
    type Watch = Watch;

    fn next_limits(&self, args: &SearchArgs) -> SearchLimits {
        self.time.within(args.limits.time_limit).next(limits(args, u64::MAX))
    }

    fn time_left(&self) -> Option<Duration> {
        self.time.left()
    }

    fn watch(&self, scene: &Scene, limits: &SearchLimits) -> Watch {
        Watch::new(scene.source.name(), limits, self.interrupt, Console::err_is_terminal())
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}

/// An outcome in the words of outputs for programs.
const fn word(outcome: &Outcome) -> TestVerdict {
    match outcome {
        Outcome::AsExpected(_) => TestVerdict::AsExpected,
        Outcome::Differs { .. } => TestVerdict::Differs,
        Outcome::Inconclusive { .. } => TestVerdict::Inconclusive,
        Outcome::Unusable(_) => TestVerdict::Error,
    }
}
