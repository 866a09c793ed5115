//! One search: a scene with the flags of one line, and what is found in words and places of the text.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;
use std::thread::available_parallelism;

use map_diagnostics::{Diagnostic, Severity, SourceFile};
use map_explain::{Namer, property, tell, verdict, violation};
use map_flags::{LimitArgs, SearchArgs};
use map_semantics::BoundHit;
use map_session::{
    Evidence, FixedLimits, PropertyAnswer, PropertyAnswers, PropertyEntry, PropertyState, Scene,
    SearchLimits, Verification, Verify, Watch, taken_steps,
};
use map_verify::{
    InternalError, Limit, Limits, PropertyJudgement, PropertyVerdict, ReplayedRun, Report, Tuning, Verdict,
};

use crate::client::Budget;

/// The most steps of a run that are shown: the last ones.
const MOST_STEPS: usize = 200;

/// How good a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tone {
    Good,
    Doubtful,
    Bad,
}

/// A result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) tone: Tone,
    /// The verdict, such as `terminates` or `deadlock after 9 steps`.
    pub(crate) words: String,
    /// Why it is so; may be empty.
    pub(crate) explanation: String,
    /// The run that shows it: the place of each step, and what happens there.
    pub(crate) run: Vec<(Range<usize>, String)>,
}

/// What was found with some flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The flags, as they stand in the file; empty for the default cast.
    pub(crate) flags: String,
    pub(crate) scene: String,
    /// The verdict on termination, unless only a property was judged.
    pub(crate) termination: Option<Finding>,
    /// The states of the search, if there was one.
    pub(crate) states: Option<usize>,
    pub(crate) properties: Vec<(String, Finding)>,
}

impl Found {
    /// Says, in place of a verdict on the scene or on the property, why there is none: because of a line that is at
    /// this place.
    pub(crate) fn refused(
        flags: &str,
        scene: &str,
        property: Option<&str>,
        why: String,
        place: Range<usize>,
    ) -> Self {
        let finding = Finding {
            tone: Tone::Doubtful,
            words: "not verified".to_owned(),
            explanation: why,
            run: vec![(place, "this line".to_owned())],
        };
        let (mut termination, mut properties) = (None, Vec::new());
        match property {
            Some(name) => properties.push((name.to_owned(), finding)),
            None => termination = Some(finding),
        }
        Self { flags: flags.to_owned(), scene: scene.to_owned(), termination, states: None, properties }
    }
}

/// A scene without errors, and what is asked of it.
pub(crate) struct Task<'a> {
    args: &'a SearchArgs,
    scene: Scene,
    question: Verify,
}

impl<'a> Task<'a> {
    /// # Errors
    /// Why there is nothing to be verified.
    pub(crate) fn new(
        source: &Arc<SourceFile>,
        args: &'a SearchArgs,
        budget: &Budget,
    ) -> Result<Self, String> {
        let compilation = args.compile(source)?;
        let Some(program) = &compilation.program else {
            let is_error = |diagnostic: &&Diagnostic| diagnostic.severity() == Severity::Error;
            let first = compilation.diagnostics.iter().find(is_error).map_or("", |error| error.text.as_str());
            return Err(format!("it cannot be verified: {first}"));
        };
        let names = &compilation.properties.names;
        if let Some(unknown) = args.judge.only.iter().find(|name| !names.contains(name)) {
            return Err(format!("there is no property {unknown}"));
        }
        let bounds = args.bounds.resolve(program)?;
        let limits = limits(args, budget);
        let question = args.question(SearchLimits { limits, time: None, fixed: FixedLimits::default() });
        let scene = compilation.scene(bounds).expect("it has a program");
        Ok(Self { args, scene, question })
    }

    /// Searches.
    ///
    /// # Errors
    /// A defect of the verifier.
    pub(crate) fn run(
        &self,
        flags: String,
        property_only: bool,
        watch: &mut dyn Watch,
    ) -> Result<Found, InternalError> {
        let states_of =
            |answers: &PropertyAnswers| answers.report.as_ref().map_or(0, |report| report.statistics.states);
        let (termination, states, properties) = match property_only {
            true => {
                let answers = self.question.ask_properties(&self.scene, watch)?;
                (None, states_of(&answers), self.on_properties(&answers))
            }
            false => {
                let found = self.question.ask(&self.scene, watch)?;
                let states = found.report.statistics.states.max(states_of(&found.properties));
                let properties = self.on_properties(&found.properties);
                (Some(self.on_termination(&found)), states, properties)
            }
        };
        let scene = self.scene.program.scene.clone();
        Ok(Found { flags, scene, termination, states: Some(states), properties })
    }

    /// What the verdict on termination needs besides: fairness, or the limit that was reached.
    fn note(&self, report: &Report) -> Option<String> {
        if report.verdict == Verdict::TerminatesIfFair {
            return Some(
                "There are runs that never end, but the good end can be reached from everywhere.\n"
                    .to_owned(),
            );
        }
        report.limit.map(|limit| format!("{}.\n", reached(limit, &self.args.limits, &report.cut_by)))
    }

    fn on_termination(&self, found: &Verification) -> Finding {
        let report = &found.report;
        let tone = match report.verdict {
            Verdict::Terminates | Verdict::TerminatesIfFair => Tone::Good,
            Verdict::Inconclusive => Tone::Doubtful,
            Verdict::Violated(_) => Tone::Bad,
        };
        let mut finding = Finding {
            tone,
            words: verdict::words(report),
            explanation: self.note(report).unwrap_or_default(),
            run: Vec::new(),
        };
        if let (Some(violated), Some(replayed), Some(evidence)) =
            (found.violation(), &found.trace, found.evidence())
        {
            let mut namer = Namer::new(&self.scene.source, &self.scene.program);
            finding.run = told(&mut namer, evidence);
            let goes_on = found.endless.is_some();
            let why = violation::in_short(&namer, &report.bounds, violated, replayed, goes_on);
            finding.explanation.push_str(&why.to_string());
        }
        finding
    }

    /// The verdicts on the properties.
    fn on_properties(&self, answers: &PropertyAnswers) -> Vec<(String, Finding)> {
        let finding = |(entry, answer): (&PropertyEntry, PropertyAnswer<'_>)| {
            let finding = match (answer, &entry.state) {
                (PropertyAnswer::Judged(judged, replayed), _) => self.on_property(answers, judged, replayed),
                (PropertyAnswer::Refused, PropertyState::Refused(_, diagnostics)) => Finding {
                    tone: Tone::Doubtful,
                    words: "refused".to_owned(),
                    explanation: diagnostics.iter().map(|it| format!("{}\n", it.text)).collect(),
                    run: Vec::new(),
                },
                _ => return None,
            };
            Some((entry.name.clone(), finding))
        };
        answers.iter().filter_map(finding).collect()
    }

    fn on_property(
        &self,
        answers: &PropertyAnswers,
        judged: &PropertyJudgement,
        replayed: Option<&ReplayedRun>,
    ) -> Finding {
        let tone = match judged.verdict {
            PropertyVerdict::Holds => Tone::Good,
            PropertyVerdict::Inconclusive => Tone::Doubtful,
            PropertyVerdict::Violated => Tone::Bad,
        };
        let cut_by = answers.cut_by();
        let mut explanation = remarks(judged, &self.args.limits, cut_by);
        let mut run = Vec::new();
        if let Some(replayed) = replayed {
            let mut namer = Namer::new(&self.scene.source, &self.scene.program);
            let evidence = Evidence { replayed, repeated_from: judged.repeated_from(replayed) };
            run = told(&mut namer, evidence);
            let end = property::end_of_run(&namer, &self.scene.bounds, judged, replayed);
            explanation.push_str(&end.to_string());
        }
        let words = property::verdict(judged, !cut_by.is_empty()).to_string();
        Finding { tone, words, explanation, run }
    }
}

/// The limits of the flags, within those of the server.
fn limits(args: &SearchArgs, budget: &Budget) -> Limits {
    let states = [args.limits.max_states, budget.states].into_iter().flatten().min();
    let memory = args.limits.max_memory.unwrap_or(u64::MAX).min(budget.memory);
    let cores = available_parallelism().map_or(1, usize::from);
    let threads = budget.threads.unwrap_or(cores / 2).clamp(1, cores);
    Limits {
        states: states.map_or(usize::MAX, |it| usize::try_from(it).unwrap_or(usize::MAX)),
        memory: usize::try_from(memory).unwrap_or(usize::MAX),
        threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
        tuning: Tuning::SHIPPED,
    }
}

/// The steps of a run, each with its place and what happens.
fn told(
    namer: &mut Namer<'_>,
    Evidence { replayed, repeated_from }: Evidence<'_>,
) -> Vec<(Range<usize>, String)> {
    let mut run = Vec::new();
    for (index, step) in taken_steps(replayed).enumerate() {
        let told = tell(namer, &step);
        let again = match repeated_from {
            Some(from) if index >= from => " (again and again)",
            _ => "",
        };
        let range = told.span.start as usize..told.span.end as usize;
        run.push((range, format!("step {}: {} {}{again}", index + 1, told.agent, told.what)));
    }
    run.drain(..run.len().saturating_sub(MOST_STEPS));
    run
}

/// Which limit was reached, and how to raise it.
fn reached(limit: Limit, given: &LimitArgs, cut_by: &[BoundHit]) -> String {
    let raise = |what: &str, setting: &str, flag: &str, is_given: bool| {
        let flag = if is_given { format!("`{flag}` in its line or ") } else { String::new() };
        format!(
            "The search is not complete: {what}; raise {flag}the setting `verification.{setting}` to go on"
        )
    };
    match limit {
        Limit::States => {
            let is_given = given.max_states.is_some();
            raise("the limit of states was reached", "states", "--max-states", is_given)
        }
        Limit::Memory => {
            raise("the memory limit was reached", "memory", "--max-memory", given.max_memory.is_some())
        }
        Limit::Time => raise("its time was up", "time", "--time-limit", given.time_limit.is_some()),
        Limit::NoRoom => "The search is not complete: a table has no room to grow".to_owned(),
        Limit::Interrupted => "The search is not complete: it was cancelled".to_owned(),
        Limit::Calls => {
            "The search is not complete: an act makes too many calls, or can come out in too many ways"
                .to_owned()
        }
        Limit::NoFirstState => {
            let flags: Vec<&str> = cut_by.iter().map(|bound| bound.flag()).collect();
            format!(
                "An agent cannot come to its first place within the bounds: raise {}",
                flags.join(" and ")
            )
        }
    }
}

/// What is to be said of a property besides its verdict.
fn remarks(judged: &PropertyJudgement, given: &LimitArgs, cut_by: &[BoundHit]) -> String {
    let mut lines: Vec<String> =
        judged.reason.into_iter().map(|it| format!("There is no verdict: {it}")).collect();
    lines.extend(judged.limit.map(|limit| reached(limit, given, cut_by)));
    if !judged.vacuous.is_empty() {
        lines.push("What it speaks of never happens: it is vacuous".to_owned());
    }
    if judged.constant {
        lines.push("Its truth does not depend on what the dialogue does".to_owned());
    }
    if judged.verdict == PropertyVerdict::Violated && judged.shown.is_none() {
        lines.push("No single run shows this: it is about all of them".to_owned());
    }
    lines.iter().map(|line| format!("{line}.\n")).collect()
}
