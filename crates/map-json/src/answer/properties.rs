//! Answers for properties, for programs.

use map_explain::verification::properties::{assumptions, is_given, quote, reasons, why_refused};
use map_explain::{Namer, initial_values};
use map_session::{Figures, PropertyAnswer, PropertyAnswers};
use map_verify::RunEnding;

use super::steps_output;
use crate::{
    BoundsOutput, Header, JudgedOutput, LimitsOutput, Origin, PropertyOutput, PropertyWord, SpanOutput, Word,
};

impl JudgedOutput {
    /// What is known of the properties of a scene without a search for termination. `cast` are the numbers of agents
    /// that were asked for.
    #[must_use]
    pub fn new(answers: &PropertyAnswers, figures: Figures, cast: &[impl ToString]) -> Self {
        let scene = &answers.scene;
        let counts = answers.report.as_ref().map(|report| report.statistics).unwrap_or_default();
        let searched = answers.report.as_ref().is_some_and(|report| report.searched);
        let (cut, limit) = (!answers.cut_by().is_empty(), answers.limit());
        Self {
            header: Header::new("verify"),
            origin: Origin::new(&scene.source, &scene.program, cast),
            complete: searched && !cut && limit.is_none(),
            cut,
            searched,
            limit: limit.map(Word),
            states: counts.states,
            transitions: counts.transitions,
            properties: PropertyOutput::all(answers),
            bounds: BoundsOutput::new(&scene.program, &scene.bounds),
            limits: LimitsOutput::new(&answers.limits),
            assumptions: assumptions(answers),
            seconds: figures.took.as_secs_f64(),
            peak_memory_bytes: figures.peak_memory,
            states_memory_bytes: counts.states_memory,
        }
    }
}

impl PropertyOutput {
    /// What is known of the properties of a scene, in order.
    #[must_use]
    pub fn all(answers: &PropertyAnswers) -> Vec<Self> {
        let namer = &mut Namer::new(&answers.scene.source, &answers.scene.program);
        let mut all = Vec::new();
        let fairness = Word(answers.fairness);
        for (entry, answer) in answers.iter() {
            let name = entry.name.clone();
            all.push(match answer {
                PropertyAnswer::Refused | PropertyAnswer::OfOtherScene => Self {
                    name,
                    verdict: PropertyWord::Refused.into(),
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
                    let initial = replayed.map_or_else(Vec::new, |it| initial_values(namer, &it.initial));
                    let steps = replayed.map(|replayed| steps_output(namer, replayed));
                    let repeated_from = judged.shown.as_ref().and_then(|run| match run.ending {
                        RunEnding::Loop(from) => Some(from),
                        RunEnding::Shown | RunEnding::TooLate => None,
                    });
                    let (trace, choices) = steps.unzip();
                    let place = |span: &map_ir::SourceSpan| SpanOutput::of(&answers.scene.source, *span);
                    let vacuous: Vec<SpanOutput> = match is_given(answers, judged) {
                        true => Vec::new(),
                        false => judged.vacuous.iter().map(place).collect(),
                    };
                    let mut reasons = reasons(answers, judged);
                    let within = if !answers.cut_by().is_empty() { " within these bounds" } else { "" };
                    reasons.extend(
                        judged
                            .vacuous
                            .iter()
                            .map(|&it| format!("{} never happens{within}", quote(answers, judged, it))),
                    );
                    Self {
                        name,
                        verdict: PropertyWord::Judged(judged.verdict).into(),
                        fairness,
                        cut: judged.shown.is_none() && !answers.cut_by().is_empty(),
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
