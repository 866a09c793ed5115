//! The verdicts on properties, in words.

use std::fmt::Write as _;

use map_ir::SourceSpan;
use map_render::chart::evidence::of_evidence;
use map_session::{Evidence, PropertyAnswer, PropertyAnswers, PropertyEntry, PropertyState, Shows};
use map_verify::{Fairness, PropertyJudgement, PropertyReport, PropertySearch, PropertyVerdict, ReplayedRun};

use super::{Presentation, limits};
use crate::{Namer, Role, Text, Tone, bounds, counted, property};

/// Said of a property whose truth no dialogue changes.
const WITHOUT_CONTENT: &str = "This is so whatever the dialogue does, so the property says nothing about it.";

/// The answers for the properties of a scene, and how they are presented.
#[derive(Clone, Copy)]
pub(super) struct PropertyTelling<'a> {
    pub(super) found: &'a PropertyAnswers,
    pub(super) how: &'a Presentation<'a>,
}

/// How the properties of a scene came out on the whole.
pub struct Overview {
    /// How many hold; `None` if there are none.
    pub words: Option<String>,
    /// A line for each that does not hold, or cannot be judged.
    pub others: Vec<Text>,
}

/// How the properties of a scene came out on the whole.
#[must_use]
pub fn overview(answers: &PropertyAnswers) -> Overview {
    let (mut holding, mut violated, mut open, mut others) = (0, 0, 0, Vec::new());
    for (entry, answer) in answers.iter() {
        let verdict = match answer {
            PropertyAnswer::OfOtherScene => continue,
            PropertyAnswer::Refused => refused(),
            PropertyAnswer::Judged(judged, _)
                if judged.verdict == PropertyVerdict::Holds && !judged.possible =>
            {
                holding += 1;
                continue;
            }
            PropertyAnswer::Judged(judged, _) if judged.verdict == PropertyVerdict::Inconclusive => {
                open += 1;
                continue;
            }
            PropertyAnswer::Judged(judged, _) => {
                violated += usize::from(judged.verdict == PropertyVerdict::Violated);
                verdict_of(answers, judged)
            }
        };
        others.push(headed(entry, verdict));
    }
    let all = holding + open + others.len();
    let words = match (holding, violated) {
        (0, 0) if all == 0 => None,
        (1, _) if all == 1 => Some("the property holds".to_owned()),
        (2, _) if all == 2 => Some("both properties hold".to_owned()),
        (_, _) if holding == all => Some(format!("all {all} properties hold")),
        (0, 1) if all == 1 => Some("the property fails".to_owned()),
        (0, _) if violated == all => Some("no property holds".to_owned()),
        (_, _) if holding + violated == all => Some(format!("{holding} of {all} properties hold")),
        (0, 0) => Some("no property has a verdict".to_owned()),
        (_, 0) => Some(format!("{holding} of {all} properties hold, the others have no verdict")),
        _ => Some(format!(
            "{holding} of {all} properties hold, {violated} violated, the others have no verdict"
        )),
    };
    Overview { words, others }
}

/// The verdict on a property with its qualifications.
#[must_use]
pub fn verdict_of(answers: &PropertyAnswers, judged: &PropertyJudgement) -> Text {
    property::verdict(judged, !answers.cut_by().is_empty())
}

/// Why a property cannot be judged.
#[must_use]
pub fn why_refused(entry: &PropertyEntry) -> Vec<String> {
    match &entry.state {
        PropertyState::Refused(_, diagnostics) => {
            diagnostics.iter().map(|diagnostic| diagnostic.text.clone()).collect()
        }
        _ => vec!["it speaks of what only another scene of the file has".to_owned()],
    }
}

/// Why there is no verdict.
#[must_use]
pub fn reasons(answers: &PropertyAnswers, judged: &PropertyJudgement) -> Vec<String> {
    let mut reasons: Vec<String> = judged.reason.into_iter().map(str::to_owned).collect();
    let reached = |limit| limits::reached(&answers.limits, limit, answers.cut_by());
    reasons.extend(judged.limit.map(reached));
    reasons
}

/// A part of a formula, as it stands in the text or on the command line, on one line in backticks.
#[must_use]
pub fn quote(answers: &PropertyAnswers, judged: &PropertyJudgement, span: SourceSpan) -> String {
    let text = if is_given(answers, judged) { &judged.name } else { answers.scene.source.text() };
    let quoted = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    format!("`{}`", quoted.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Whether a property does not stand in the text: its spans then refer to its own text.
#[must_use]
pub fn is_given(answers: &PropertyAnswers, judged: &PropertyJudgement) -> bool {
    answers.iter().any(|(entry, answer)| {
        matches!(answer, PropertyAnswer::Judged(its, _) if std::ptr::eq(its, judged))
            && entry.formula.is_none()
    })
}

/// The assumptions behind all verdicts under this network, and behind properties that hold in fair runs.
#[must_use]
pub fn assumptions(answers: &PropertyAnswers) -> Vec<String> {
    let mut assumptions = bounds::assumptions(&answers.scene.program, answers.scene.bounds.network);
    let holds = |judged: &PropertyJudgement| judged.verdict == PropertyVerdict::Holds;
    let rests = |report: &&PropertyReport| {
        report.open && report.fairness == Fairness::Fair && report.properties.iter().any(holds)
    };
    assumptions.extend(answers.report.as_ref().filter(rests).map(|_| {
        "in fair runs, what can be reached only if open comparisons come out so can be reached".to_owned()
    }));
    assumptions
}

/// The searches behind the verdicts on properties, and the runs that count.
#[must_use]
pub fn fine_print(answers: &PropertyAnswers) -> Option<String> {
    let report = answers.report.as_ref()?;
    let counts = report.statistics;
    let meaning = match report.fairness {
        Fairness::Fair => ": what can happen again and again happens",
        Fairness::Weak => ": no agent that always has a step is left out for ever",
        Fairness::None => "",
    };
    Some(format!(
        "properties: {}, {}, {}; in {}{meaning}",
        counted(counts.states as u64, "state"),
        counted(counts.transitions as u64, "transition"),
        searches_in_words(&report.searches),
        report.fairness.runs()
    ))
}

/// Remarks about a property, a line each: vacuity, reasons for a missing verdict, what the verdict depends on. `place`
/// gives a place in the text.
#[must_use]
pub fn remarks(
    answers: &PropertyAnswers,
    judged: &PropertyJudgement,
    place: &dyn Fn(SourceSpan) -> String,
) -> Text {
    let mut text = Text::default();
    for &premise in &judged.vacuous {
        let quoted = quote(answers, judged, premise);
        let within = if answers.cut_by().is_empty() { "" } else { " within these bounds" };
        let _ = write!(text, "  vacuous: {quoted} never happens{within} (");
        let place = if is_given(answers, judged) { "--property".to_owned() } else { place(premise) };
        text.push(Role::Aside, place);
        text.push_str(")\n");
    }
    if judged.constant {
        let _ = writeln!(text, "  {WITHOUT_CONTENT}");
    }
    for reason in reasons(answers, judged) {
        let _ = writeln!(text, "  {reason}");
    }
    if judged.verdict == PropertyVerdict::Violated && judged.shown.is_none() {
        text.push_str("  No single run shows this: it is about all of them.\n");
    }
    if judged.possible && judged.shown.is_none() {
        text.push_str("  It is so only if what open comparisons make possible is so.\n");
    }
    text
}

fn refused() -> Text {
    Text::of(Role::Verdict(Tone::Doubtful), "refused")
}

/// A property and its verdict, without the end of the line.
fn headed(entry: &PropertyEntry, verdict: Text) -> Text {
    let mut text = Text::plain("property ");
    text.push(Role::Heading, &entry.name);
    text.push_str("  ");
    text.append(verdict);
    text
}

impl<'a> PropertyTelling<'a> {
    pub(super) fn namer(self) -> Namer<'a> {
        Namer::new(&self.found.scene.source, &self.found.scene.program)
    }

    /// The file and the scene, at the beginning of a line.
    pub(super) fn headed(self) -> Text {
        let mut text = Text::plain(format!("{}  ", self.found.scene.source.name()));
        text.push(Role::Heading, &self.found.scene.program.scene);
        text.push_str("  ");
        text
    }

    /// How many properties hold, as the end of a sentence; empty if there are none.
    pub(super) fn in_passing(self) -> String {
        overview(self.found).words.map_or_else(String::new, |words| format!("; {words}"))
    }

    /// A paragraph on a violated property and the run that shows it; nothing if there is none.
    pub(super) fn violation_of(self, index: usize) -> Text {
        let Some((entry, PropertyAnswer::Judged(judged, Some(replayed)))) = self.found.iter().nth(index)
        else {
            return Text::default();
        };
        let mut text = headed(entry, verdict_of(self.found, judged));
        text.push_str("\n\n");
        text.append(self.run_in_words(&mut self.namer(), judged, replayed));
        text
    }

    /// A line or more for each property that does not simply hold. A violation is shown by steps of the run that is
    /// `shown` already or, if there is none, the first violation by its own run.
    pub(super) fn briefly(self, namer: &mut Namer<'_>, shown: Option<Evidence<'_>>) -> Text {
        let mut text = Text::default();
        let mut may_show = shown.is_none();
        let mut stopped = Vec::new();
        let mut of_others = 0;
        for (entry, answer) in self.found.iter() {
            let (judged, replayed) = match answer {
                PropertyAnswer::OfOtherScene => {
                    of_others += 1;
                    continue;
                }
                PropertyAnswer::Refused => {
                    text.append(self.refusal(entry));
                    continue;
                }
                PropertyAnswer::Judged(judged, replayed) => (judged, replayed),
            };
            let remarks = remarks(self.found, judged, &|span| format!("line {}", namer.line(span)));
            let simply_holds = judged.verdict == PropertyVerdict::Holds && !judged.possible;
            if simply_holds && remarks.is_empty() {
                continue;
            }
            if judged.limit.is_some() && judged.reason.is_none() {
                stopped.push(entry.name.as_str());
                continue;
            }
            if simply_holds {
                // It holds because what it speaks of never happens.
                text.append(headed(entry, remarks.trimmed()));
                text.push_str("\n");
                continue;
            }
            text.append(headed(entry, verdict_of(self.found, judged)));
            text.push_str("\n");
            if let Some(replayed) = replayed.filter(|_| judged.verdict == PropertyVerdict::Violated) {
                let run = Evidence { replayed, repeated_from: judged.repeated_from(replayed) };
                match shown.and_then(|shown| seen_above(run, shown)) {
                    Some(steps) => {
                        let _ = writeln!(text, "  {steps}");
                    }
                    None if may_show => text.append(self.run_of_property(namer, judged, run)),
                    None => {
                        let _ = writeln!(text, "  {} shows its run", self.how.offers.everything);
                    }
                }
                may_show = false;
            }
            text.append(remarks);
        }
        if of_others > 0 {
            let noun = if of_others == 1 { "property is" } else { "properties are" };
            let _ = writeln!(text, "{of_others} {noun} of other scenes");
        }
        if !stopped.is_empty() {
            let _ = writeln!(text, "Not judged before that limit: {}", stopped.join(", "));
        }
        text
    }

    /// The run of a property, shown once, and how it ends.
    fn run_of_property(self, namer: &mut Namer<'_>, judged: &PropertyJudgement, run: Evidence<'_>) -> Text {
        let drawn = self.drawn_in_place(of_evidence(&self.found.scene.program, run, &[]));
        let shown = self.run_once(namer, run, &[], drawn);
        let mut text = Text::default();
        if !shown.is_empty() {
            text.push_str("\n");
            text.append(shown);
        }
        text.append(property::end_of_run(namer, &self.found.scene.bounds, judged, run.replayed));
        text
    }

    /// A paragraph for each property.
    pub(super) fn in_full(self, namer: &mut Namer<'_>) -> Text {
        let mut text = Text::default();
        for (entry, answer) in self.found.iter() {
            match answer {
                PropertyAnswer::Refused | PropertyAnswer::OfOtherScene => text.append(self.refusal(entry)),
                PropertyAnswer::Judged(judged, replayed) => {
                    text.append(headed(entry, verdict_of(self.found, judged)));
                    text.push_str("\n");
                    if let Some(replayed) = replayed {
                        text.append(self.run_in_words(namer, judged, replayed));
                    }
                    text.append(remarks(self.found, judged, &|span| namer.place(span)));
                }
            }
        }
        text
    }

    fn refusal(self, entry: &PropertyEntry) -> Text {
        let mut text = headed(entry, refused());
        text.push_str("\n");
        why_refused(entry).iter().for_each(|reason| text.push_str(&format!("  {reason}\n")));
        text
    }

    fn run_in_words(self, namer: &mut Namer<'_>, judged: &PropertyJudgement, replayed: &ReplayedRun) -> Text {
        let run = Evidence { replayed, repeated_from: judged.repeated_from(replayed) };
        let mut text = self.story(namer, run, &[]);
        text.append(property::end_of_run(namer, &self.found.scene.bounds, judged, replayed));
        let chart = of_evidence(&self.found.scene.program, run, &[]);
        text.push_str(&self.how.drawing.below(&chart));
        text
    }
}

/// That the steps of a run are those of one that is shown above, in words; `None` if they are not.
fn seen_above(run: Evidence<'_>, above: Evidence<'_>) -> Option<String> {
    Some(match run.shown_by(above)? {
        Shows::Whole => "the run above shows it".to_owned(),
        Shows::Beginning(1) => "the first step above shows it".to_owned(),
        Shows::Beginning(steps) => format!("the first {steps} steps above show it"),
    })
}

/// The number of searches, grouped by their reductions.
fn searches_in_words(searches: &[PropertySearch]) -> String {
    let words = searches.chunk_by(|one, other| one.reductions == other.reductions).map(|alike| {
        let many = match alike.len() {
            1 => "one search".to_owned(),
            more => format!("{more} searches"),
        };
        match alike[0].reductions.names() {
            names if names.is_empty() => format!("{many} without reductions"),
            names => format!("{many} with {}", names.join(" and ")),
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A paragraph on a property that a run violates, by its place among the properties; nothing if no run violates it.
#[must_use]
pub fn violation_of(answers: &PropertyAnswers, index: usize, how: &Presentation<'_>) -> Text {
    PropertyTelling { found: answers, how }.violation_of(index)
}
