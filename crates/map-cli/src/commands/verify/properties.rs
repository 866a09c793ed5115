//! What was found about the properties of a scene: exit code, files.

use map_diagnostics::SourceFile;
use map_ir::Program;
use map_session::{Compilation, PropertyAnswer, PropertyAnswers, PropertyState, PropertyViolation};
use map_verify::{Limit, PropertyVerdict};

use super::args::Args;
use super::shown::Shown;
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;

/// What was found about the properties of a scene, and how it is to be shown.
#[derive(Clone, Copy)]
pub(super) struct Answers<'a> {
    pub(super) args: &'a Args,
    pub(super) found: &'a PropertyAnswers,
}

/// A property that a run violates.
pub(super) struct Fallen<'a> {
    /// A name for a file; formulas of the command line are numbered from 1.
    pub(super) name: String,
    pub(super) shown: Shown<'a>,
}

impl<'a> Answers<'a> {
    pub(super) fn source(self) -> &'a SourceFile {
        &self.found.scene.source
    }

    pub(super) fn program(self) -> &'a Program {
        &self.found.scene.program
    }

    /// The properties that a run violates.
    pub(super) fn all_violated(self) -> impl Iterator<Item = Fallen<'a>> {
        let of_file = self.found.scene.properties.of_text();
        self.found.violated().map(move |PropertyViolation { index, entry, evidence }| {
            let name = match index.checked_sub(of_file) {
                None => entry.name.clone(),
                Some(given) => format!("property-{}", given + 1),
            };
            let verdict = format!("property {} violated", entry.name);
            Fallen { name, shown: Shown { verdict, evidence } }
        })
    }

    /// The first of [`Answers::all_violated`].
    pub(super) fn first_violated(self) -> Option<Shown<'a>> {
        self.all_violated().next().map(|fallen| fallen.shown)
    }
}

impl Answers<'_> {
    /// The most severe exit code of the properties; those of other scenes do not count.
    pub(super) fn exit(&self) -> Exit {
        let was_interrupted = self.found.limit() == Some(Limit::Interrupted);
        self.found.iter().fold(Exit::Fine, |worst, (_, answer)| {
            worst.and(match answer {
                PropertyAnswer::OfOtherScene => Exit::Fine,
                PropertyAnswer::Refused => Exit::Source,
                PropertyAnswer::Judged(judged, _) => match judged.verdict {
                    PropertyVerdict::Holds => Exit::Fine,
                    PropertyVerdict::Violated => Exit::Violation,
                    PropertyVerdict::Inconclusive if was_interrupted => Exit::Interrupted,
                    PropertyVerdict::Inconclusive => Exit::Inconclusive,
                },
            })
        })
    }
}

/// Reports on standard error why properties cannot be judged.
pub(super) fn show_refused(loaded: &Compilation, console: &mut Console) -> Result<(), Failure> {
    for entry in &loaded.properties.entries {
        if let PropertyState::Refused(source, diagnostics) = &entry.state {
            show_diagnostics(console, source.as_ref().unwrap_or(&loaded.source), diagnostics)?;
        }
    }
    Ok(())
}
