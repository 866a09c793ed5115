//! One search: a scene with the flags of one line, and what is found in words and places of the text.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread::available_parallelism;

use map_diagnostics::{Severity, SourceFile};
use map_explain::{Seen, Teller, property, tell, verdict, violation};
use map_flags::{
    Compiled, LimitArgs, PropertySet, PropertyState, SearchArgs, bounds, compile_with_properties,
};
use map_ir::Program;
use map_semantics::{BoundHit, Bounds};
use map_verify::{
    InternalError, Judged, Limit, Limits, Options, Progress, PropertyOptions, PropertyReport,
    PropertyVerdict, Reduced, Replayed, Report, Tuning, Verdict, ViolationKind, go_on_for_ever, replay,
    verify_properties, verify_reduced,
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
    /// Says, in place of a verdict on the scene or on the property, why there is none: because of a line that is at this
    /// place.
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

/// A scene without errors, and what its search needs.
pub(crate) struct Task<'a> {
    source: &'a SourceFile,
    args: &'a SearchArgs,
    program: Program,
    properties: PropertySet,
    bounds: Bounds,
    limits: Limits,
}

impl<'a> Task<'a> {
    /// # Errors
    /// Why there is nothing to be verified.
    pub(crate) fn new(source: &'a SourceFile, args: &'a SearchArgs, budget: &Budget) -> Result<Self, String> {
        let options = args.scene.to_options()?;
        let only = &args.judge.only;
        let compiled = compile_with_properties(source, &options, only, &args.judge.properties);
        let Compiled { diagnostics, program, properties, .. } = compiled;
        let Some(program) = program else {
            let mut errors = diagnostics.iter().filter(|it| it.severity() == Severity::Error);
            let first = errors.next().map_or("", |it| it.text.as_str());
            return Err(format!("it cannot be verified: {first}"));
        };
        if let Some(unknown) = only.iter().find(|name| !properties.names.contains(name)) {
            return Err(format!("there is no property {unknown}"));
        }
        let bounds = bounds::resolve(&args.bounds, &program)?;
        Ok(Self { source, args, program, properties, bounds, limits: limits(args, budget) })
    }

    /// Searches.
    ///
    /// # Errors
    /// A defect of the verifier.
    pub(crate) fn run(
        &self,
        flags: String,
        property_only: bool,
        progress: &mut dyn Progress,
    ) -> Result<Found, InternalError> {
        let (mut termination, mut states) = (None, 0);
        if !property_only {
            let options = Options {
                limits: self.limits,
                keep_going: self.args.limits.keep_going,
                reductions: self.args.reductions.chosen(),
                self_check: self.args.reductions.self_check,
            };
            let mut reduced = verify_reduced(&self.program, &self.bounds, &options, progress)?;
            reduced.shorten(&self.program, &self.bounds);
            states = reduced.report.statistics.states;
            termination = Some(self.on_termination(&reduced)?);
        }
        let (properties, searched) = self.judge(progress)?;
        let scene = self.program.scene.clone();
        Ok(Found { flags, scene, termination, states: Some(states.max(searched)), properties })
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

    fn on_termination(&self, reduced: &Reduced) -> Result<Finding, InternalError> {
        let report = &reduced.report;
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
        let Some(violated) = report.violations.first() else { return Ok(finding) };
        let replayed = replay(&self.program, &self.bounds, &violated.trace)?;
        let endless = match violated.kind {
            ViolationKind::Livelock => go_on_for_ever(&self.program, &self.bounds, &violated.trace)?,
            _ => None,
        };
        let mut teller = Teller::new(self.source, &self.program);
        let shown = endless.as_ref().map_or(&replayed, |it| &it.replayed);
        finding.run = told(&mut teller, shown, endless.as_ref().map(|it| it.repeated_from));
        let why = violation::in_short(&teller, &report.bounds, violated, &replayed, endless.is_some());
        finding.explanation.push_str(&why.to_string());
        Ok(finding)
    }

    /// The verdicts on the properties, and the states of their searches.
    fn judge(&self, progress: &mut dyn Progress) -> Result<(Vec<(String, Finding)>, usize), InternalError> {
        let compiled = &self.properties.compiled;
        let judges = !self.args.judge.no_properties && !compiled.list.is_empty();
        let report = match judges {
            true => {
                let options = PropertyOptions {
                    limits: self.limits,
                    fairness: self.args.judge.fairness.fairness(),
                    reductions: self.args.reductions.chosen(),
                };
                Some(verify_properties(&self.program, compiled, &self.bounds, &options, progress)?)
            }
            false => None,
        };
        let mut findings = Vec::new();
        if self.args.judge.no_properties {
            return Ok((findings, 0));
        }
        for entry in &self.properties.entries {
            let finding = match (&entry.state, &report) {
                (PropertyState::OfOtherScene, _) => continue,
                (PropertyState::Refused(_, diagnostics), _) => Finding {
                    tone: Tone::Doubtful,
                    words: "refused".to_owned(),
                    explanation: diagnostics.iter().map(|it| format!("{}\n", it.text)).collect(),
                    run: Vec::new(),
                },
                (PropertyState::Compiled(index), Some(report)) => self.on_property(report, *index)?,
                (PropertyState::Compiled(_), None) => continue,
            };
            findings.push((entry.name.clone(), finding));
        }
        Ok((findings, report.map_or(0, |it| it.statistics.states)))
    }

    fn on_property(&self, report: &PropertyReport, index: usize) -> Result<Finding, InternalError> {
        let judged = &report.properties[index];
        let tone = match judged.verdict {
            PropertyVerdict::Holds => Tone::Good,
            PropertyVerdict::Inconclusive => Tone::Doubtful,
            PropertyVerdict::Violated => Tone::Bad,
        };
        let mut explanation = remarks(judged, &self.args.limits, &report.cut_by);
        let mut run = Vec::new();
        if let Some(shown) = &judged.shown {
            let replayed = replay(&self.program, &self.bounds, &shown.trace)?;
            let mut teller = Teller::new(self.source, &self.program);
            run = told(&mut teller, &replayed, property::repeated_from(judged, &replayed));
            explanation
                .push_str(&property::end_of_run(&teller, &report.bounds, judged, &replayed).to_string());
        }
        let words = property::verdict(judged, !report.cut_by.is_empty()).to_string();
        Ok(Finding { tone, words, explanation, run })
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
    teller: &mut Teller<'_>,
    replayed: &Replayed,
    repeated_from: Option<usize>,
) -> Vec<(Range<usize>, String)> {
    let mut run = Vec::new();
    for (index, (step, state)) in replayed.steps.iter().zip(&replayed.states).enumerate() {
        let before = &state.agents[step.step.agent.index()];
        let seen = Seen { step: &step.step, place: step.place, before, observed: &step.observed };
        let told = tell(teller, &seen);
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
fn remarks(judged: &Judged, given: &LimitArgs, cut_by: &[BoundHit]) -> String {
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
