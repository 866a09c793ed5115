//! The verdicts on properties, as text and as JSON.

use std::fmt::Write as _;

use map_explain::property::{self, repeated_from};
use map_explain::{Seen, Teller, Text, bounds, initial_values};
use map_ir::Program;
use map_semantics::{BoundHit, Network};
use map_verify::{
    Fairness, InternalError, Judged, Limit, PropertyOptions, PropertyReport, PropertySearch, PropertyVerdict,
    Replayed, RunEnding, replay, verify_properties,
};

use super::args::{Args, Detail};
use super::limits::SearchLimits;
use super::shown::Shown;
use super::task::Task;
use super::together::Joined;
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Loaded;
use crate::json::{PropertyAnswer, PropertyOutput, SpanOutput, StepOutput, Word, choice};
use crate::numbers::counted;
use crate::progress::Watch;
use crate::style;
use map_flags::{PropertyEntry, PropertyState};

/// The results for the properties of a file.
pub(super) struct Answers<'a> {
    pub(super) args: &'a Args,
    pub(super) loaded: &'a Loaded,
    pub(super) program: &'a Program,
    /// The limits of the search.
    pub(super) limits: SearchLimits,
    /// The verdicts, if there are properties that can be judged.
    pub(super) report: Option<PropertyReport>,
    /// The counterexample or witness of each property of the report, replayed, if it has one.
    shown: Vec<Option<Replayed>>,
}

/// The result for one property.
pub(super) enum Answer<'s> {
    Judged(&'s Judged, Option<&'s Replayed>),
    Refused(Vec<String>),
}

/// A property that a run violates.
pub(super) struct Fallen<'s> {
    /// Its place among the properties.
    pub(super) index: usize,
    /// A name for a file; formulas of the command line are numbered from 1.
    pub(super) name: String,
    pub(super) shown: Shown<'s>,
}

/// Judges the properties, with other processes if there are any; `None` if there are no properties.
///
/// # Errors
/// If the engine contradicts itself, or a process is lost.
pub(super) fn judge(
    task: &Task<'_>,
    limits: &SearchLimits,
    others: Option<&mut Joined>,
    watch: &mut Watch,
) -> Result<Option<PropertyReport>, Failure> {
    let compiled = &task.loaded.properties.compiled;
    if compiled.list.is_empty() {
        return Ok(None);
    }
    let options = PropertyOptions {
        limits: limits.limits,
        fairness: task.args.judge.fairness.fairness(),
        reductions: task.args.reductions.chosen(),
    };
    let report = match others {
        None => verify_properties(task.program, compiled, &task.bounds, &options, watch)?,
        Some(others) => others.judge(task, &options, watch)?,
    };
    Ok(Some(report))
}

impl<'a> Answers<'a> {
    /// Replays the runs of a report.
    ///
    /// # Errors
    /// If one of them does not replay.
    pub(super) fn new(
        &Task { args, loaded, program, ref bounds, .. }: &Task<'a>,
        limits: SearchLimits,
        report: Option<PropertyReport>,
    ) -> Result<Self, InternalError> {
        let mut shown = Vec::new();
        for judged in report.iter().flat_map(|report| &report.properties) {
            let run = judged.shown.as_ref();
            shown.push(run.map(|run| replay(program, bounds, &run.trace)).transpose()?);
        }
        Ok(Self { args, loaded, program, limits, report, shown })
    }
}

impl Answers<'_> {
    /// Each property with its result.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&PropertyEntry, Answer<'_>)> {
        let report = self.report.as_ref();
        self.loaded.properties.entries.iter().map(move |entry| {
            let answer = match (&entry.state, report) {
                (PropertyState::Compiled(index), Some(report)) => {
                    Answer::Judged(&report.properties[*index], self.shown[*index].as_ref())
                }
                (PropertyState::Refused(_, diagnostics), _) => {
                    Answer::Refused(diagnostics.iter().map(|it| it.text.clone()).collect())
                }
                _ => Answer::Refused(vec!["it speaks of what only another scene of the file has".to_owned()]),
            };
            (entry, answer)
        })
    }

    /// The most severe exit code of the properties; those of other scenes do not count.
    pub(super) fn exit(&self) -> Exit {
        let mut worst = Exit::Fine;
        for (entry, answer) in self.iter() {
            let exit = match answer {
                Answer::Refused(_) if matches!(entry.state, PropertyState::OfOtherScene) => continue,
                Answer::Refused(_) => Exit::Source,
                Answer::Judged(judged, _) => match judged.verdict {
                    PropertyVerdict::Holds => Exit::Fine,
                    PropertyVerdict::Violated => Exit::Violation,
                    PropertyVerdict::Inconclusive if self.interrupted() => Exit::Interrupted,
                    PropertyVerdict::Inconclusive => Exit::Inconclusive,
                },
            };
            worst = worst.and(exit);
        }
        worst
    }

    fn interrupted(&self) -> bool {
        self.report.as_ref().is_some_and(|report| report.limit == Some(Limit::Interrupted))
    }

    /// The properties that a run violates.
    pub(super) fn all_violated(&self) -> impl Iterator<Item = Fallen<'_>> {
        let of_file = self.loaded.properties.entries.len() - self.args.judge.properties.len();
        self.iter().enumerate().filter_map(move |(index, (entry, answer))| match answer {
            Answer::Judged(judged, Some(replayed)) if judged.verdict == PropertyVerdict::Violated => {
                let name = match index.checked_sub(of_file) {
                    None => entry.name.clone(),
                    Some(given) => format!("property-{}", given + 1),
                };
                let verdict = format!("property {} violated", entry.name);
                let repeated_from = repeated_from(judged, replayed);
                Some(Fallen { index, name, shown: Shown { verdict, replayed, repeated_from } })
            }
            _ => None,
        })
    }

    /// The first of [`Answers::all_violated`].
    pub(super) fn first_violated(&self) -> Option<Shown<'_>> {
        self.all_violated().next().map(|it| it.shown)
    }

    /// How many properties hold, if there are any, and a line for each that does not, or cannot be judged.
    pub(super) fn in_brief(&self) -> (Option<String>, Vec<String>) {
        let (mut holding, mut violated, mut open, mut others) = (0, 0, 0, Vec::new());
        for (entry, answer) in self.iter() {
            let verdict = match answer {
                Answer::Refused(_) if matches!(entry.state, PropertyState::OfOtherScene) => continue,
                Answer::Refused(_) => style::doubtful("refused"),
                Answer::Judged(judged, _) if judged.verdict == PropertyVerdict::Holds && !judged.possible => {
                    holding += 1;
                    continue;
                }
                Answer::Judged(judged, _) if judged.verdict == PropertyVerdict::Inconclusive => {
                    open += 1;
                    continue;
                }
                Answer::Judged(judged, _) => {
                    violated += usize::from(judged.verdict == PropertyVerdict::Violated);
                    style::text(&self.verdict_of(judged))
                }
            };
            others.push(format!("property {}  {verdict}", style::head(&entry.name)));
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
        (words, others)
    }

    /// A paragraph on a violated property and the run that shows it; nothing if there is none.
    pub(super) fn violation_of(&self, index: usize, teller: &mut Teller<'_>) -> String {
        match self.iter().nth(index) {
            Some((entry, Answer::Judged(judged, Some(replayed)))) => {
                let verdict = style::text(&self.verdict_of(judged));
                let head = format!("property {}  {verdict}\n\n", style::head(&entry.name));
                head + &self.run_in_words(teller, judged, replayed)
            }
            _ => String::new(),
        }
    }

    /// A line or more for each property that does not simply hold. A violation is shown by steps of the run that is
    /// `shown` already or, if there is none, the first violation by its own run.
    pub(super) fn briefly(&self, teller: &mut Teller<'_>, shown: Option<&Shown<'_>>) -> String {
        let mut text = String::new();
        let mut may_show = shown.is_none();
        let mut stopped = Vec::new();
        let mut of_others = 0;
        for (entry, answer) in self.iter() {
            let name = style::head(&entry.name);
            let (judged, replayed) = match answer {
                Answer::Refused(_) if matches!(entry.state, PropertyState::OfOtherScene) => {
                    of_others += 1;
                    continue;
                }
                Answer::Refused(reasons) => {
                    let _ = writeln!(text, "property {name}  {}", style::doubtful("refused"));
                    reasons.iter().for_each(|reason| text.push_str(&format!("  {reason}\n")));
                    continue;
                }
                Answer::Judged(judged, replayed) => (judged, replayed),
            };
            let remarks = self.remarks(teller, judged);
            if judged.verdict == PropertyVerdict::Holds && !judged.possible && remarks.is_empty() {
                continue;
            }
            if judged.limit.is_some() && judged.reason.is_none() {
                stopped.push(entry.name.as_str());
                continue;
            }
            if judged.verdict == PropertyVerdict::Holds && !judged.possible {
                // It holds because what it speaks of never happens.
                let _ = writeln!(text, "property {name}  {}", remarks.trim());
                continue;
            }
            let _ = writeln!(text, "property {name}  {}", style::text(&self.verdict_of(judged)));
            if let Some(replayed) = replayed.filter(|_| judged.verdict == PropertyVerdict::Violated) {
                let repeated_from = repeated_from(judged, replayed);
                let run = Shown { verdict: String::new(), replayed, repeated_from };
                match shown.and_then(|shown| run.as_part_of(shown)) {
                    Some(steps) => {
                        let _ = writeln!(text, "  {steps}");
                    }
                    None if may_show => text.push_str(&self.run_of_property(teller, judged, &run)),
                    None => text.push_str("  -v shows its run\n"),
                }
                may_show = false;
            }
            text.push_str(&remarks);
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
    fn run_of_property(&self, teller: &mut Teller<'_>, judged: &Judged, run: &Shown<'_>) -> String {
        let drawn = self.drawn_run_of_property(run.replayed, run.repeated_from);
        let mut text = self.run_once(teller, run, &[], drawn);
        if !text.is_empty() {
            text.insert(0, '\n');
        }
        if let Some(report) = &self.report {
            text.push_str(&style::text(&property::end_of_run(teller, &report.bounds, judged, run.replayed)));
        }
        text
    }

    /// A paragraph for each property.
    pub(super) fn text(&self, teller: &mut Teller<'_>) -> String {
        let mut text = String::new();
        for (entry, answer) in self.iter() {
            let name = style::head(&entry.name);
            match answer {
                Answer::Refused(reasons) => {
                    let _ = writeln!(text, "property {name}  {}", style::doubtful("refused"));
                    for reason in reasons {
                        let _ = writeln!(text, "  {reason}");
                    }
                }
                Answer::Judged(judged, replayed) => {
                    let _ = writeln!(text, "property {name}  {}", style::text(&self.verdict_of(judged)));
                    if let Some(replayed) = replayed {
                        text.push_str(&self.run_in_words(teller, judged, replayed));
                    }
                    text.push_str(&self.remarks(teller, judged));
                }
            }
        }
        text
    }

    /// The verdict on a property with its qualifications.
    pub(super) fn verdict_of(&self, judged: &Judged) -> Text {
        property::verdict(judged, self.is_cut())
    }

    fn is_cut(&self) -> bool {
        self.report.as_ref().is_some_and(|report| !report.cut_by.is_empty())
    }

    fn run_in_words(&self, teller: &mut Teller<'_>, judged: &Judged, replayed: &Replayed) -> String {
        let repeated = repeated_from(judged, replayed);
        let run = Shown { verdict: String::new(), replayed, repeated_from: repeated };
        let mut text = self.story(teller, &run, &[]);
        if let Some(report) = &self.report {
            text.push_str(&style::text(&property::end_of_run(teller, &report.bounds, judged, replayed)));
        }
        text.push_str(&self.chart_of_property(replayed, repeated));
        text
    }

    /// Remarks about a property: vacuity, reasons for a missing verdict, what the verdict depends on.
    pub(super) fn remarks(&self, teller: &Teller<'_>, judged: &Judged) -> String {
        let mut text = String::new();
        for &premise in &judged.vacuous {
            let quoted = self.quote(judged, premise);
            let place = style::aside(self.place(teller, judged, premise));
            let within = if self.is_cut() { " within these bounds" } else { "" };
            let _ = writeln!(text, "  vacuous: {quoted} never happens{within} ({place})");
        }
        if judged.constant {
            let _ = writeln!(text, "  {WITHOUT_CONTENT}");
        }
        for reason in self.reasons(judged) {
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

    /// Why there is no verdict.
    pub(super) fn reasons(&self, judged: &Judged) -> Vec<String> {
        let mut reasons: Vec<String> = judged.reason.into_iter().map(str::to_owned).collect();
        reasons.extend(judged.limit.map(|limit| self.limits.reached(limit, self.cut_by())));
        reasons
    }

    /// The bounds that cut steps in the searches for properties.
    pub(super) fn cut_by(&self) -> &[BoundHit] {
        self.report.as_ref().map_or(&[], |report| &report.cut_by)
    }

    /// Whether a property was given on the command line: its spans then refer to its own text.
    fn is_given(&self, judged: &Judged) -> bool {
        let of_file = self.loaded.properties.entries.len().saturating_sub(self.args.judge.properties.len());
        let index = self.loaded.properties.entries.iter().position(|entry| match entry.state {
            PropertyState::Compiled(index) => {
                self.report.as_ref().is_some_and(|report| std::ptr::eq(&report.properties[index], judged))
            }
            _ => false,
        });
        index.is_some_and(|index| index >= of_file)
    }

    fn quote(&self, judged: &Judged, span: map_ir::SourceSpan) -> String {
        let text = if self.is_given(judged) { &judged.name } else { self.loaded.source.text() };
        let quoted = text.get(span.start as usize..span.end as usize).unwrap_or_default();
        format!("`{}`", quoted.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn place(&self, teller: &Teller<'_>, judged: &Judged, span: map_ir::SourceSpan) -> String {
        match self.args.detail() {
            _ if self.is_given(judged) => "--property".to_owned(),
            Detail::Full => teller.place(span),
            Detail::Line | Detail::Short => format!("line {}", teller.line(span)),
        }
    }

    /// The assumptions behind all verdicts under this network, and behind properties that hold in fair runs.
    pub(super) fn assumptions(&self, network: Network) -> Vec<String> {
        let mut assumptions = bounds::assumptions(self.program, network);
        let holds = |judged: &Judged| judged.verdict == PropertyVerdict::Holds;
        let rests = |report: &&PropertyReport| {
            report.open && report.fairness == Fairness::Fair && report.properties.iter().any(holds)
        };
        assumptions.extend(self.report.as_ref().filter(rests).map(|_| {
            "in fair runs, what can be reached only if open comparisons come out so can be reached".to_owned()
        }));
        assumptions
    }

    /// The searches behind the verdicts on properties, and the runs that count.
    pub(super) fn fine_print(&self) -> Vec<String> {
        let Some(report) = &self.report else { return Vec::new() };
        let counts = report.statistics;
        let meaning = match report.fairness {
            Fairness::Fair => ": what can happen again and again happens",
            Fairness::Weak => ": no agent that always has a step is left out for ever",
            Fairness::None => "",
        };
        vec![format!(
            "properties: {}, {}, {}; in {}{meaning}",
            counted(counts.states as u64, "state"),
            counted(counts.transitions as u64, "transition"),
            searches_in_words(&report.searches),
            report.fairness.runs()
        )]
    }

    pub(super) fn output(&self, teller: &mut Teller<'_>) -> Vec<PropertyOutput> {
        let mut all = Vec::new();
        let fairness = Word(self.args.judge.fairness.fairness());
        for (entry, answer) in self.iter() {
            let name = entry.name.clone();
            all.push(match answer {
                Answer::Refused(reasons) => PropertyOutput {
                    name,
                    verdict: PropertyAnswer::Refused.into(),
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
                    reasons,
                },
                Answer::Judged(judged, replayed) => {
                    let initial = replayed.map_or_else(Vec::new, |it| initial_values(teller, &it.initial));
                    let steps = replayed.map(|replayed| steps_output(teller, replayed));
                    let repeated_from = judged.shown.as_ref().and_then(|run| match run.ending {
                        RunEnding::Loop(from) => Some(from),
                        RunEnding::Shown | RunEnding::TooLate => None,
                    });
                    let (trace, choices) = steps.unzip();
                    let place = |span: &map_ir::SourceSpan| SpanOutput::of(&self.loaded.source, *span);
                    let vacuous: Vec<SpanOutput> = match self.is_given(judged) {
                        true => Vec::new(),
                        false => judged.vacuous.iter().map(place).collect(),
                    };
                    let mut reasons = self.reasons(judged);
                    let within = if self.is_cut() { " within these bounds" } else { "" };
                    reasons.extend(
                        judged
                            .vacuous
                            .iter()
                            .map(|&it| format!("{} never happens{within}", self.quote(judged, it))),
                    );
                    PropertyOutput {
                        name,
                        verdict: PropertyAnswer::Judged(judged.verdict).into(),
                        fairness,
                        cut: judged.shown.is_none() && self.is_cut(),
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

/// Said of a property whose truth no dialogue changes.
const WITHOUT_CONTENT: &str = "This is so whatever the dialogue does, so the property says nothing about it.";

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

/// The steps of a run, and the choices that replay it.
pub(super) fn steps_output(teller: &mut Teller<'_>, replayed: &Replayed) -> (Vec<StepOutput>, Vec<String>) {
    teller.begin_run();
    let steps = replayed.steps.iter().zip(&replayed.states).map(|(step, state)| {
        teller.learn(&step.observed.outcome);
        let before = &state.agents[step.step.agent.index()];
        let seen = Seen { step: &step.step, place: step.place, before, observed: &step.observed };
        (StepOutput::new(teller, &seen), choice(&step.step))
    });
    steps.unzip()
}

/// Reports on standard error why properties cannot be judged.
pub(super) fn show_refused(loaded: &Loaded, console: &mut Console) -> Result<(), Failure> {
    for entry in &loaded.properties.entries {
        if let PropertyState::Refused(source, diagnostics) = &entry.state {
            show_diagnostics(console, source.as_ref().unwrap_or(&loaded.source), diagnostics)?;
        }
    }
    Ok(())
}
