//! What was found about a file: what all answers have in common, and how it is when termination was judged.

use super::junit::Suites;
use super::report;
use super::searched::Searched;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// What was found about a file, whatever was asked.
pub(super) trait Found {
    /// What it comes to; the worst counts.
    fn exit(&self) -> Exit;

    fn add_to(&self, suites: &mut Suites);

    /// Writes the files that are wanted besides.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure>;

    fn text(&self) -> String;
}

impl Found for Searched<'_> {
    fn exit(&self) -> Exit {
        self.exit_of_verdict().and(self.answers.exit())
    }

    fn add_to(&self, suites: &mut Suites) {
        suites.searched(self, None);
    }

    /// The trace of the verdict, or if that has none of the first property that is violated; the report; the test.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure> {
        let shown = self.run_of_verdict().or_else(|| self.answers.first_violated());
        self.answers.save_the_one(&self.report.bounds, shown, console)?;
        if let Some(target) = &self.answers.args.report {
            report::write(self, target, console)?;
        }
        self.save_test(console)
    }

    fn text(&self) -> String {
        self.in_full()
    }
}
