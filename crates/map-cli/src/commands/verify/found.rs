//! The interface that the results of all modes share, and its implementation for searches that judge termination.

use map_explain::verification::{self, denied};

use super::args::Detail;
use super::report;
use super::searched::Searched;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::junit::VerifySuites;
use crate::style;

/// The result for a file, in any mode.
pub(super) trait FileResult {
    /// The most severe exit code of its verdicts.
    fn exit(&self) -> Exit;

    /// Adds its JUnit suites.
    fn add_to(&self, suites: &mut VerifySuites);

    /// Writes the files that flags ask for: traces, the report, a test.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure>;

    /// The text for people.
    fn text(&self) -> String;
}

impl FileResult for Searched<'_> {
    fn exit(&self) -> Exit {
        let is_denied = denied(self.found, &self.args.denied()).next().is_some();
        let of_denied = if is_denied { Exit::Violation } else { Exit::Fine };
        self.exit_of_verdict().and(self.answers().exit()).and(of_denied)
    }

    fn add_to(&self, suites: &mut VerifySuites) {
        suites.searched(self.found, &self.args.denied(), None);
    }

    /// The trace of the verdict or, if that has none, of the first violated property, or else the run that goes on for
    /// ever; the report; the test.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure> {
        let violating = self.run_of_verdict().or_else(|| self.answers().first_violated());
        let shown = violating.or_else(|| self.found.unfair_run().map(|evidence| self.shown(evidence)));
        self.answers().save_the_one(shown, console)?;
        if let Some(target) = &self.args.report {
            report::write(*self, target, console)?;
        }
        self.save_test(console)
    }

    fn text(&self) -> String {
        let present = match self.args.detail() {
            Detail::Line => verification::in_line,
            Detail::Short => verification::in_short,
            Detail::Full => verification::in_full,
        };
        style::text(&self.presented(present))
    }
}
