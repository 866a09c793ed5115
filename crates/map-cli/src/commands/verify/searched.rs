//! Searches a file, and holds what is found about its termination and its properties.

use std::time::Duration;

use map_explain::{Teller, Text, violation};
use map_verify::{
    Endless, Growth, Limit, Options, PropertyReport, Reduced, Reductions, Replayed, Report, Verdict,
    Violation, ViolationKind, endless_run, go_on_for_ever, growing_run, replay, verify_reduced,
};

use super::args::Args;
use super::limits::SearchLimits;
use super::properties::{self, Answers};
use super::shown::Shown;
use super::task::Task;
use super::together::Member;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::memory;

/// The result of searching one file.
pub(super) struct Searched<'a> {
    /// The results for its properties.
    pub(super) answers: Answers<'a>,
    pub(super) report: Report,
    /// The reductions behind the verdict.
    pub(super) reductions: Reductions,
    /// Whether the trace is known to be a shortest one.
    pub(super) shortest: bool,
    /// The size of mailboxes with which partial-order reduction would have been more effective.
    pub(super) crowded: Option<u32>,
    /// The trace of the first violation, replayed.
    pub(super) replayed: Option<Replayed>,
    /// The endless continuation of a livelock.
    pub(super) endless: Option<Endless>,
    /// A run that goes on for ever, if the scene terminates if fair.
    pub(super) unfair: Option<Endless>,
    /// A run on which integers grow, if a limit came before the verdict.
    pub(super) growth: Option<Growth>,
    /// What to do about the verdict, if that was tried.
    pub(super) advice: Option<String>,
    /// The time the search for termination took.
    pub(super) searching: Duration,
    /// Number of its states that came from a checkpoint.
    pub(super) resumed: usize,
    /// The time that and the properties took.
    pub(super) took: Duration,
    pub(super) peak_memory: u64,
}

/// Searches the file, and judges its properties, perhaps with other processes.
pub(super) fn search<'a>(task: &Task<'a>, member: Option<Member>) -> Result<Searched<'a>, Failure> {
    search_within(task.next_limits(), task, member)
}

/// The same within these limits.
pub(super) fn search_within<'a>(
    limits: SearchLimits,
    task: &Task<'a>,
    member: Option<Member>,
) -> Result<Searched<'a>, Failure> {
    let mut watch = task.watch(&limits).keeping(task.checkpoints.clone());
    let options = options(task, &limits);
    let mut others = member.map(|member| member.join(task, &limits.limits)).transpose()?;
    let result = match &mut others {
        None => verify_reduced(task.program, &task.bounds, &options, &mut watch).map_err(Failure::from),
        Some(others) => others.search(task, &options, &mut watch),
    };
    let (searching, resumed) = (watch.elapsed(), watch.resumed());
    let judged = match &result {
        Ok(_) => properties::judge(task, &limits, others.as_mut(), &mut watch),
        Err(_) => Ok(None),
    };
    let took = watch.finish();
    if let Some(others) = others {
        others.leave();
    }
    conclude(task, limits, (searching, took, resumed), (result?, judged?))
}

fn options(task: &Task<'_>, limits: &SearchLimits) -> Options {
    let Args { search, reductions, .. } = task.args;
    Options {
        limits: limits.limits,
        keep_going: search.keep_going,
        reductions: reductions.chosen(),
        self_check: reductions.self_check,
    }
}

/// Replays what is shown.
fn conclude<'a>(
    task: &Task<'a>,
    limits: SearchLimits,
    (searching, took, resumed): (Duration, Duration, usize),
    (mut result, judged): (Reduced, Option<PropertyReport>),
) -> Result<Searched<'a>, Failure> {
    let Task { program, bounds, .. } = task;
    result.shorten(program, bounds);
    let Reduced { report, reductions, shortest, crowded } = result;
    let first = report.violations.first();
    let replayed = first.map(|first| replay(program, bounds, &first.trace)).transpose()?;
    let endless = match first.filter(|first| first.kind == ViolationKind::Livelock) {
        Some(livelock) => go_on_for_ever(program, bounds, &livelock.trace)?,
        None => None,
    };
    let unfair = match report.verdict {
        Verdict::TerminatesIfFair => endless_run(program, bounds)?,
        _ => None,
    };
    let growth = match report.limit.filter(|_| report.verdict == Verdict::Inconclusive) {
        Some(Limit::States | Limit::Memory | Limit::NoRoom | Limit::Time) => growing_run(program, bounds)?,
        _ => None,
    };
    let answers = Answers::new(task, limits, judged)?;
    let peak_memory = memory::peak().unwrap_or(report.statistics.memory as u64);
    Ok(Searched {
        answers,
        report,
        reductions,
        shortest,
        crowded,
        replayed,
        endless,
        unfair,
        growth,
        advice: None,
        searching,
        resumed,
        took,
        peak_memory,
    })
}

impl Searched<'_> {
    /// The exit code of the verdict on termination.
    pub(super) fn exit_of_verdict(&self) -> Exit {
        match self.report.verdict {
            _ if self.report.limit == Some(Limit::Interrupted) => Exit::Interrupted,
            Verdict::Terminates | Verdict::TerminatesIfFair => Exit::Fine,
            Verdict::Violated(_) => Exit::Violation,
            Verdict::Inconclusive => Exit::Inconclusive,
        }
    }

    /// The run of the verdict; that of a livelock includes its endless continuation.
    pub(super) fn run_of_verdict(&self) -> Option<Shown<'_>> {
        let (replayed, repeated_from) = match &self.endless {
            Some(endless) => (&endless.replayed, Some(endless.repeated_from)),
            None => (self.replayed.as_ref()?, None),
        };
        Some(Shown { verdict: self.report.verdict.words().to_owned(), replayed, repeated_from })
    }

    /// The run that goes on for ever of a scene that terminates if fair.
    pub(super) fn unfair_run(&self) -> Option<Shown<'_>> {
        let Endless { replayed, repeated_from } = self.unfair.as_ref()?;
        let verdict = self.report.verdict.words().to_owned();
        Some(Shown { verdict, replayed, repeated_from: Some(*repeated_from) })
    }

    /// The violation that is the verdict.
    pub(super) fn violation(&self) -> Option<&Violation> {
        self.report.violations.first()
    }

    /// Why the trace of the verdict's violation ends as it does, in terms of the source.
    pub(super) fn explanation(&self, teller: &Teller<'_>) -> Text {
        match (self.violation(), &self.replayed) {
            (Some(violation), Some(replayed)) => {
                let goes_on = self.endless.is_some();
                violation::explain(teller, &self.report.bounds, violation, replayed, goes_on)
            }
            _ => Text::default(),
        }
    }

    /// The assumptions behind the verdict.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let mut assumptions = self.answers.assumptions(self.report.bounds.network);
        if self.report.verdict == Verdict::TerminatesIfFair && self.report.compared {
            assumptions.push(
                "unknown values that are compared again and again do not come out one way for ever"
                    .to_owned(),
            );
        }
        if !self.shortest && self.violation().is_some() {
            assumptions.push(
                "the trace need not be a shortest one; a search of all orders of steps was too large"
                    .to_owned(),
            );
        }
        assumptions
    }

    /// The number of states, of the searches for properties, too.
    pub(super) fn states(&self) -> usize {
        let of_properties = self.answers.report.as_ref().map_or(0, |report| report.statistics.states);
        self.report.statistics.states + of_properties
    }

    pub(super) fn states_per_second(&self) -> f64 {
        let found = self.report.statistics.states.saturating_sub(self.resumed);
        found as f64 / self.searching.as_secs_f64().max(1e-6)
    }
}
