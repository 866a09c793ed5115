//! The interface that the results of all modes share, and its implementation for searches that judge termination.

use super::args::Detail;
use super::junit::Suites;
use super::report;
use super::searched::Searched;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// The result for a file, in any mode.
pub(super) trait FileResult {
    /// The most severe exit code of its verdicts.
    fn exit(&self) -> Exit;

    /// Adds its JUnit suites.
    fn add_to(&self, suites: &mut Suites);

    /// Writes the files that flags ask for: traces, the report, a test.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure>;

    /// The text for people.
    fn text(&self) -> String;
}

impl FileResult for Searched<'_> {
    fn exit(&self) -> Exit {
        let of_denied = if self.denied().next().is_some() { Exit::Violation } else { Exit::Fine };
        self.exit_of_verdict().and(self.answers.exit()).and(of_denied)
    }

    fn add_to(&self, suites: &mut Suites) {
        suites.searched(self, None);
    }

    /// The trace of the verdict or, if that has none, of the first violated property, or else the run that goes on for
    /// ever; the report; the test.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure> {
        let violating = self.run_of_verdict().or_else(|| self.answers.first_violated());
        let shown = violating.or_else(|| self.unfair_run());
        self.answers.save_the_one(&self.report.bounds, shown, console)?;
        if let Some(target) = &self.answers.args.report {
            report::write(self, target, console)?;
        }
        self.save_test(console)
    }

    fn text(&self) -> String {
        match self.answers.args.detail() {
            Detail::Line => self.in_a_line(),
            Detail::Short => self.in_short(),
            Detail::Full => self.in_full(),
        }
    }
}
