//! Statistics over many runs of one scene.
//!
//! Each run has a seed of its own, derived from the given seed and the number of the run. All sums are of integers, so
//! the result does not depend on the number of threads.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Builder;

use map_ir::{PerformativeId, PointKind, ProcedureId, Program, SourceSpan};
use map_semantics::{Action, BoundHit, Bounds, Event, ObservedStep, StepError};

use crate::{Random, Run, RunEnd, SimulatedStep, SimulationOptions, simulate};

mod distribution;
mod ends;
mod figures;
mod wire;

pub use distribution::{CollectedValue, Distribution, Moments};
pub use figures::{Bin, wilson};

/// How a run ended, in one word. The order is that of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndWord {
    /// All agents ended well.
    Done,
    /// Some agent failed.
    Failure,
    /// Some agents have not ended, none failed, and there is no step.
    Deadlock,
    /// A mailbox was too small.
    MailboxOverflow,
    /// A runaway recursion.
    RunawayRecursion,
    /// A run-time error in a procedure.
    RunError,
    /// The truth of a procedure is none of its answers.
    NoHonestAnswer,
    /// Only steps that a bound cuts were left.
    Cut,
    /// Only polls could happen, and they came to nothing.
    AskedInVain,
    /// There were more steps than allowed.
    TooManySteps,
    /// An act made too many calls.
    TooManyCalls,
    /// The respondent of some agent has left.
    Unanswered,
    /// The observer ended it.
    Stopped,
}

impl EndWord {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Done,
        Self::Failure,
        Self::Deadlock,
        Self::MailboxOverflow,
        Self::RunawayRecursion,
        Self::RunError,
        Self::NoHonestAnswer,
        Self::Cut,
        Self::AskedInVain,
        Self::TooManySteps,
        Self::TooManyCalls,
        Self::Unanswered,
        Self::Stopped,
    ];

    /// The word for the end of a run. A failed agent takes precedence over however the run ended.
    #[must_use]
    pub fn of(run: &Run) -> Self {
        match run.end {
            RunEnd::Stopped => Self::Stopped,
            _ if run.some_failed() => Self::Failure,
            RunEnd::Ended => Self::Done,
            RunEnd::NothingMoves => Self::Deadlock,
            RunEnd::Wrong(_, StepError::Overflow(_)) => Self::MailboxOverflow,
            RunEnd::Wrong(_, StepError::Runaway(_)) => Self::RunawayRecursion,
            RunEnd::Wrong(_, StepError::RunError(_)) => Self::RunError,
            RunEnd::Cut(_) => Self::Cut,
            RunEnd::AskedInVain => Self::AskedInVain,
            RunEnd::MaxSteps => Self::TooManySteps,
            RunEnd::TooLong(..) => Self::TooManyCalls,
            RunEnd::Unanswered(..) => Self::Unanswered,
            RunEnd::NoHonestAnswer(..) => Self::NoHonestAnswer,
        }
    }

    /// The word itself.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failure => "failure",
            Self::Deadlock => "deadlock",
            Self::MailboxOverflow => "mailbox overflow",
            Self::RunawayRecursion => "runaway recursion",
            Self::RunError => "run error",
            Self::NoHonestAnswer => "no honest answer",
            Self::Cut => "cut",
            Self::AskedInVain => "asked in vain",
            Self::TooManySteps => "too many steps",
            Self::TooManyCalls => "too many calls",
            Self::Unanswered => "unanswered",
            Self::Stopped => "interrupted",
        }
    }
}

/// How often a procedure was asked in steps that were taken, by its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Answers other than "no".
    pub yes: u64,
    /// Answers "no".
    pub no: u64,
}

/// The results of many runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The number of runs; fewer than requested if they were stopped.
    pub runs: u64,
    /// The number of runs that ended in each way.
    pub ends: BTreeMap<EndWord, u64>,
    /// Messages sent, by performative, counted once per recipient.
    pub messages: BTreeMap<PerformativeId, u64>,
    /// The answers of procedures.
    pub answers: BTreeMap<ProcedureId, Answers>,
    /// The number of runs by their number of steps.
    pub steps: BTreeMap<u64, u64>,
    /// The number of runs that each bound cut.
    pub cuts: BTreeMap<BoundHit, u64>,
    /// The first run that ended in each way: its number and its seed, so that it can be run alone.
    pub examples: BTreeMap<EndWord, (u64, u64)>,
    /// For each way to end and each place in the source, the number of runs in which that place was involved: what
    /// failed or went wrong, otherwise where threads that have not ended rest.
    pub places: BTreeMap<(EndWord, SourceSpan), u64>,
    /// By property that some run violates: the number of such runs, and the first one's number and seed.
    pub violations: BTreeMap<usize, Violations>,
    /// By measure: the values that were collected. Empty if nothing was.
    pub collected: Vec<Distribution>,
}

/// The runs that violate a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violations {
    /// How many there are.
    pub runs: u64,
    /// The number and the seed of the first one.
    pub first: (u64, u64),
}

/// A run that has ended, and the properties that it violates, by index.
pub struct JudgedRun {
    /// The run.
    pub run: Run,
    /// The properties.
    pub violated: Vec<usize>,
    /// By measure: its value, if the run has one. Empty for a run that did not come to an end.
    pub collected: Vec<Option<CollectedValue>>,
}

impl Statistics {
    fn observe(&mut self, program: &Program, observed: &ObservedStep) {
        let outcome = &observed.outcome;
        for event in &outcome.events {
            if let Event::Refused(point) = event
                && let PointKind::Ask { procedure, .. } = program.point(*point).kind
            {
                self.answers.entry(procedure).or_default().no += 1;
            }
        }
        match &outcome.action {
            Some(Action::Ask { point, .. }) => {
                if let PointKind::Ask { procedure, .. } = program.point(*point).kind {
                    self.answers.entry(procedure).or_default().yes += 1;
                }
            }
            Some(Action::Send { message, to, .. }) => {
                *self.messages.entry(message.performative).or_default() += to.len() as u64;
            }
            _ => {}
        }
    }

    fn ended(&mut self, program: &Program, run: &Run, failed: BTreeSet<SourceSpan>, number: u64, seed: u64) {
        let end = EndWord::of(run);
        for place in ends::places(program, run, failed) {
            *self.places.entry((end, place)).or_default() += 1;
        }
        if let (EndWord::Cut, RunEnd::Cut(bound)) = (end, run.end) {
            *self.cuts.entry(bound).or_default() += 1;
        }
        self.runs += 1;
        *self.ends.entry(end).or_default() += 1;
        *self.steps.entry(run.steps).or_default() += 1;
        self.examples.entry(end).or_insert((number, seed));
    }

    fn violated(&mut self, properties: &[usize], number: u64, seed: u64) {
        for &property in properties {
            self.violations.insert(property, Violations { runs: 1, first: (number, seed) });
        }
    }

    fn collected(&mut self, measures: usize, values: Vec<Option<CollectedValue>>) {
        self.collected.resize_with(measures, Distribution::default);
        if values.is_empty() {
            self.collected.iter_mut().for_each(|it| it.stopped += 1);
        }
        for (distribution, value) in self.collected.iter_mut().zip(values) {
            distribution.count(value);
        }
    }

    /// Adds the results of other runs.
    pub fn add(&mut self, other: Self) {
        self.runs += other.runs;
        merge(&mut self.ends, other.ends, |sum, it| *sum += it);
        merge(&mut self.messages, other.messages, |sum, it| *sum += it);
        merge(&mut self.steps, other.steps, |sum, it| *sum += it);
        merge(&mut self.cuts, other.cuts, |sum, it| *sum += it);
        merge(&mut self.places, other.places, |sum, it| *sum += it);
        merge(&mut self.answers, other.answers, |sum, it| {
            sum.yes += it.yes;
            sum.no += it.no;
        });
        self.collected.resize_with(self.collected.len().max(other.collected.len()), Distribution::default);
        for (distribution, others) in self.collected.iter_mut().zip(other.collected) {
            distribution.add(others);
        }
        for (end, example) in other.examples {
            let first = self.examples.entry(end).or_insert(example);
            *first = example.min(*first);
        }
        for (property, others) in other.violations {
            match self.violations.get_mut(&property) {
                Some(known) => {
                    known.runs += others.runs;
                    known.first = known.first.min(others.first);
                }
                None => {
                    self.violations.insert(property, others);
                }
            }
        }
    }
}

fn merge<K: Ord, V: Default>(sums: &mut BTreeMap<K, V>, others: BTreeMap<K, V>, add: impl Fn(&mut V, V)) {
    for (key, value) in others {
        add(sums.entry(key).or_default(), value);
    }
}

/// The seed of a run: the given seed and the run's number, mixed by the finaliser of `SplitMix64`. Fixed for ever, like
/// all randomness.
#[must_use]
pub fn seed_of_run(seed: u64, run: u64) -> u64 {
    let base = Random::from_seed(seed).next_u64();
    let mut mixed = base ^ run.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Runs by their numbers: all of them, or the share of one of several processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    wanted: u64,
    first: u64,
    every: u64,
}

impl Runs {
    /// So many runs, numbered from 0.
    #[must_use]
    pub const fn all(wanted: u64) -> Self {
        Self { wanted, first: 0, every: 1 }
    }

    /// Of so many runs those that process `own` of `count` makes: run i is made by process i mod `count`.
    #[must_use]
    pub const fn share(wanted: u64, own: usize, count: usize) -> Self {
        Self { wanted, first: own as u64, every: count as u64 }
    }

    /// How many there are.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.wanted.saturating_sub(self.first).div_ceil(self.every)
    }

    const fn number(self, index: u64) -> u64 {
        self.first + index * self.every
    }
}

/// The number of runs that a thread takes at a time.
const CHUNK: u64 = 16;

/// Makes these runs of the scene on `threads` threads. When `stop` becomes true, unfinished runs are dropped and the
/// results of the finished ones are returned; `done` counts finished runs as they go.
///
/// # Panics
/// If a run panics.
#[must_use]
pub fn statistics(
    program: &Program,
    bounds: &Bounds,
    options: &SimulationOptions,
    runs: Runs,
    threads: usize,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Statistics {
    let play: &Play<'_> = &|_, options, observer| {
        let run = simulate(program, bounds, options, observer);
        JudgedRun { run, violated: Vec::new(), collected: Vec::new() }
    };
    statistics_of(program, options, runs, threads, stop, done, &RunSource { measures: 0, play })
}

/// Performs the run of this number with these options, reporting its steps to an observer.
pub type Play<'a> = dyn Fn(u64, &SimulationOptions, &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>) -> JudgedRun
    + Sync
    + 'a;

/// How runs are performed.
pub struct RunSource<'a> {
    /// The number of measures that are collected.
    pub measures: usize,
    /// Performs one.
    pub play: &'a Play<'a>,
}

/// Like [`statistics`], for runs performed by `play`.
///
/// # Panics
/// If a run panics.
#[must_use]
pub fn statistics_of(
    program: &Program,
    options: &SimulationOptions,
    runs: Runs,
    threads: usize,
    stop: &AtomicBool,
    done: &AtomicU64,
    &RunSource { measures, play }: &RunSource<'_>,
) -> Statistics {
    let next = AtomicU64::new(0);
    let work = || {
        let mut all = Statistics::default();
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= runs.count() {
                return all;
            }
            for number in (first..(first + CHUNK).min(runs.count())).map(|index| runs.number(index)) {
                if stop.load(Ordering::Relaxed) {
                    return all;
                }
                let own = SimulationOptions { seed: seed_of_run(options.seed, number), ..options.clone() };
                let mut one = Statistics::default();
                let mut failed = BTreeSet::new();
                let JudgedRun { run, violated, collected } = play(number, &own, &mut |seen| {
                    one.observe(program, seen.observed);
                    failed.extend(ends::failed(program, &seen.observed.outcome));
                    if stop.load(Ordering::Relaxed) {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                if run.end == RunEnd::Stopped {
                    return all;
                }
                one.ended(program, &run, failed, number, own.seed);
                one.violated(&violated, number, own.seed);
                one.collected(measures, collected);
                all.add(one);
                done.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    let mut all = Statistics::default();
    std::thread::scope(|scope| {
        // As far as the system grants threads.
        let start = |_| Builder::new().spawn_scoped(scope, work).ok();
        let workers: Vec<_> = (1..threads.max(1)).map_while(start).collect();
        all.add(work());
        for worker in workers {
            all.add(worker.join().expect("a worker panics only where a single run would"));
        }
    });
    all
}

#[cfg(test)]
mod tests;
