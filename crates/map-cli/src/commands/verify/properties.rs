//! What was found about the properties of a scene: exit code, files, JSON.

use map_diagnostics::SourceFile;
use map_explain::verification::properties::{is_given, quote, reasons, why_refused};
use map_explain::{Teller, initial_values};
use map_ir::Program;
use map_session::{
    Compilation, PropertyAnswer, PropertyAnswers, PropertyState, PropertyViolation, taken_steps,
};
use map_verify::{Limit, PropertyVerdict, Replayed, RunEnding};

use super::args::Args;
use super::save::Shown;
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::{PropertyOutput, SpanOutput, StepOutput, choice};

/// What was found about the properties of a scene, and how it is to be shown.
#[derive(Clone, Copy)]
pub(super) struct Answers<'a> {
    pub(super) args: &'a Args,
    pub(super) found: &'a PropertyAnswers,
}

/// A property that a run violates.
pub(super) struct Fallen<'a> {
    /// Its place among the properties.
    pub(super) index: usize,
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

    pub(super) fn teller(self) -> Teller<'a> {
        Teller::new(self.source(), self.program())
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
            Fallen { index, name, shown: Shown { verdict, evidence } }
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

    pub(super) fn output(&self, teller: &mut Teller<'_>) -> Vec<PropertyOutput> {
        let mut all = Vec::new();
        let fairness = self.found.fairness.word();
        for (entry, answer) in self.found.iter() {
            let name = entry.name.clone();
            all.push(match answer {
                PropertyAnswer::Refused | PropertyAnswer::OfOtherScene => PropertyOutput {
                    name,
                    verdict: "refused".to_owned(),
                    fairness,
                    cut: false,
                    possible: false,
                    trace: None,
                    initial: Vec::new(),
                    choices: None,
                    repeated_from: None,
                    instance: None,
                    vacuous: Vec::new(),
                    without_content: false,
                    reasons: why_refused(entry),
                },
                PropertyAnswer::Judged(judged, replayed) => {
                    let initial = replayed.map_or_else(Vec::new, |it| initial_values(teller, &it.initial));
                    let steps = replayed.map(|replayed| steps_output(teller, replayed));
                    let repeated_from = judged.shown.as_ref().and_then(|run| match run.ending {
                        RunEnding::Loop(from) => Some(from),
                        RunEnding::Shown | RunEnding::TooLate => None,
                    });
                    let (trace, choices) = steps.unzip();
                    let place = |span: &map_ir::SourceSpan| SpanOutput::of(self.source(), *span);
                    let vacuous: Vec<SpanOutput> = match is_given(self.found, judged) {
                        true => Vec::new(),
                        false => judged.vacuous.iter().map(place).collect(),
                    };
                    let mut reasons = reasons(self.found, judged);
                    let within = if !self.found.cut_by().is_empty() { " within these bounds" } else { "" };
                    reasons.extend(
                        judged
                            .vacuous
                            .iter()
                            .map(|&it| format!("{} never happens{within}", quote(self.found, judged, it))),
                    );
                    PropertyOutput {
                        name,
                        verdict: judged.verdict.word().to_owned(),
                        fairness,
                        cut: judged.shown.is_none() && !self.found.cut_by().is_empty(),
                        possible: judged.possible,
                        trace,
                        initial,
                        choices,
                        repeated_from,
                        instance: judged.instance.clone(),
                        vacuous,
                        without_content: judged.constant,
                        reasons,
                    }
                }
            });
        }
        all
    }
}

/// The steps of a run, and the choices that replay it.
pub(super) fn steps_output(teller: &mut Teller<'_>, replayed: &Replayed) -> (Vec<StepOutput>, Vec<String>) {
    teller.begin_run();
    let steps = taken_steps(replayed).map(|step| {
        teller.learn(&step.observed.outcome);
        (StepOutput::new(teller, &step), choice(step.step))
    });
    steps.unzip()
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
