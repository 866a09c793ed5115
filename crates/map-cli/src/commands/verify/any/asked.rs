//! The answer for one file: exit code, text and JSON.

use map_explain::Tone;
use map_explain::any::{self, AnyPresentation, page};
use map_ir::Program;
use map_render::report::Report;
use map_session::{AnyAnswer, Compilation};

use super::super::args::{DeniedArg, Detail};
use super::Question;
use crate::exit::Exit;
use crate::json::AnyOutput;
use crate::json::junit::{VerifySuites, number_of};
use crate::style;

/// The answer for one file.
pub(super) struct Asked<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) loaded: &'a Compilation,
    pub(super) found: AnyAnswer,
    pub(super) interrupted: bool,
}

impl Asked<'_> {
    /// The scene with two agents of the role or more.
    pub(super) fn program(&self) -> &Program {
        &self.found.scene.program
    }

    pub(super) fn exit(&self) -> Exit {
        match any::tone(&self.found, self.presentation()) {
            Tone::Good => Exit::Fine,
            Tone::Bad => Exit::Violation,
            Tone::Doubtful => Exit::Inconclusive,
        }
    }

    fn presentation(&self) -> AnyPresentation<'_> {
        AnyPresentation {
            others: &self.question.others,
            denies_fairness: self.question.args.deny.contains(&DeniedArg::IfFair),
            interrupted: self.interrupted,
        }
    }

    pub(super) fn report(&self) -> Report {
        page::report(&self.found, self.presentation())
    }

    /// Adds its JUnit suite.
    pub(super) fn add_to(&self, suites: &mut VerifySuites) {
        let number = number_of(&self.question.any.role, self.found.answer.from);
        let about = (&*self.loaded.source, self.program().scene.as_str(), number.as_str());
        let grounds = any::grounds(&self.found, self.presentation());
        let mut words = any::verdict_in_words(&self.found, self.presentation());
        if matches!(self.found.violated(), Some((_, true))) {
            words.push_str("; a property is violated");
        }
        suites.any(about, any::tone(&self.found, self.presentation()), (&words, &grounds), self.found.took);
    }

    pub(super) fn text(&self) -> String {
        let present = match self.question.args.detail() {
            Detail::Line => any::in_line,
            Detail::Short => any::in_short,
            Detail::Full => any::in_full,
        };
        style::text(&present(&self.found, self.presentation()))
    }

    /// The answer for programs.
    pub(super) fn output(&self) -> AnyOutput {
        AnyOutput::new(&self.found, self.presentation(), &self.question.args.search.scene.agents)
    }
}
