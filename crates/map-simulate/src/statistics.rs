//! Many runs of one scene, summed up.
//!
//! Each run draws from a seed of its own, which depends only on the seed given and on the number of the run. All sums
//! are of integers, so the result does not depend on how many threads share the work.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use map_ir::{PerformativeId, PointKind, ProcedureId, Program};
use map_semantics::{Action, Bounds, Event, Observed, StepError};

use crate::{Random, Run, RunEnd, SimulationOptions, simulate};

/// How a run ended, in one word; the order is that of reports.
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
    /// Calls without end.
    RunawayRecursion,
    /// A procedure went wrong.
    RunError,
    /// Only steps that a bound cuts were left.
    Cut,
    /// Nothing but polls could happen, in vain.
    AskedInVain,
    /// There were more steps than allowed.
    TooManySteps,
    /// An act made too many calls.
    TooManyCalls,
    /// The observer ended it.
    Stopped,
}

impl EndWord {
    /// The word for the end of a run. An agent that has failed is what counts, whatever the others came to.
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
            Self::Cut => "cut",
            Self::AskedInVain => "asked in vain",
            Self::TooManySteps => "too many steps",
            Self::TooManyCalls => "too many calls",
            Self::Stopped => "interrupted",
        }
    }
}

/// How often a procedure was asked in steps that were made, and what it said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// It answered.
    pub yes: u64,
    /// It said "no", and the act went on.
    pub no: u64,
}

/// What many runs came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How many runs there were; fewer than asked for if they were stopped.
    pub runs: u64,
    /// How many ended in each way.
    pub ends: BTreeMap<EndWord, u64>,
    /// Messages sent, by performative: one for each recipient.
    pub messages: BTreeMap<PerformativeId, u64>,
    /// What procedures answered.
    pub answers: BTreeMap<ProcedureId, Answers>,
    /// How many runs had so many steps.
    pub steps: BTreeMap<u64, u64>,
    /// The first run of each way to end: its number and its seed, to be looked at alone.
    pub examples: BTreeMap<EndWord, (u64, u64)>,
}

/// A bin of a histogram: from `from` to `to`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// The smallest number of steps that falls into it.
    pub from: u64,
    /// The largest.
    pub to: u64,
    /// How many runs fall into it.
    pub runs: u64,
}

impl Statistics {
    /// The share of runs that ended so, with the bounds of its 95 % confidence interval (Wilson).
    #[must_use]
    pub fn share(&self, end: EndWord) -> (f64, f64, f64) {
        let count = self.ends.get(&end).copied().unwrap_or(0);
        let (low, high) = wilson(count, self.runs);
        (if self.runs == 0 { 0.0 } else { count as f64 / self.runs as f64 }, low, high)
    }

    /// The mean number of steps of a run; 0 without runs.
    #[must_use]
    pub fn mean_steps(&self) -> f64 {
        let sum: u128 = self.steps.iter().map(|(&steps, &runs)| u128::from(steps) * u128::from(runs)).sum();
        if self.runs == 0 { 0.0 } else { sum as f64 / self.runs as f64 }
    }

    /// The smallest number of steps that `percent` of a hundred runs do not exceed (nearest rank): 0 is the minimum,
    /// 100 the maximum. None without runs.
    #[must_use]
    pub fn quantile(&self, percent: u64) -> Option<u64> {
        let rank = (u128::from(self.runs) * u128::from(percent.min(100))).div_ceil(100).max(1);
        let mut below = 0;
        self.steps.iter().find_map(|(&steps, &runs)| {
            below += u128::from(runs);
            (below >= rank).then_some(steps)
        })
    }

    /// The numbers of steps in at most `bins` bins of one width, from the smallest to the largest number.
    #[must_use]
    pub fn histogram(&self, bins: u64) -> Vec<Bin> {
        let (Some((&first, _)), Some((&last, _))) =
            (self.steps.first_key_value(), self.steps.last_key_value())
        else {
            return Vec::new();
        };
        let width = ((last - first) / bins.max(1)).saturating_add(1);
        let mut histogram: Vec<Bin> = Vec::new();
        for number in 0..=(last - first) / width {
            let from = first + number * width;
            let to = from.saturating_add(width - 1);
            let runs = self.steps.range(from..=to).map(|(_, &runs)| runs).sum();
            histogram.push(Bin { from, to, runs });
        }
        histogram
    }

    fn observe(&mut self, program: &Program, observed: &Observed) {
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

    fn ended(&mut self, run: &Run, number: u64, seed: u64) {
        let end = EndWord::of(run);
        self.runs += 1;
        *self.ends.entry(end).or_default() += 1;
        *self.steps.entry(run.steps).or_default() += 1;
        self.examples.entry(end).or_insert((number, seed));
    }

    /// Adds other runs.
    fn add(&mut self, other: Self) {
        self.runs += other.runs;
        merge(&mut self.ends, other.ends, |sum, it| *sum += it);
        merge(&mut self.messages, other.messages, |sum, it| *sum += it);
        merge(&mut self.steps, other.steps, |sum, it| *sum += it);
        merge(&mut self.answers, other.answers, |sum, it| {
            sum.yes += it.yes;
            sum.no += it.no;
        });
        for (end, example) in other.examples {
            let first = self.examples.entry(end).or_insert(example);
            *first = example.min(*first);
        }
    }
}

fn merge<K: Ord, V: Default>(sums: &mut BTreeMap<K, V>, others: BTreeMap<K, V>, add: impl Fn(&mut V, V)) {
    for (key, value) in others {
        add(sums.entry(key).or_default(), value);
    }
}

/// The seed of a run: its number and the seed given, mixed (the finaliser of `SplitMix64`). Pinned, as all randomness.
#[must_use]
pub fn seed_of_run(seed: u64, run: u64) -> u64 {
    let base = Random::from_seed(seed).next_u64();
    let mut mixed = base ^ run.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// How many runs a thread takes at a time.
const CHUNK: u64 = 16;

/// Runs the scene `runs` times, on as many threads. When `stop` becomes true, the runs under way are dropped and what
/// was complete is returned; `done` counts complete runs meanwhile.
///
/// # Panics
/// If a run panics.
#[must_use]
pub fn statistics(
    program: &Program,
    bounds: &Bounds,
    options: &SimulationOptions,
    runs: u64,
    threads: usize,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Statistics {
    let next = AtomicU64::new(0);
    let work = || {
        let mut all = Statistics::default();
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= runs {
                return all;
            }
            for number in first..(first + CHUNK).min(runs) {
                if stop.load(Ordering::Relaxed) {
                    return all;
                }
                let own = SimulationOptions { seed: seed_of_run(options.seed, number), ..options.clone() };
                let mut one = Statistics::default();
                let run = simulate(program, bounds, &own, &mut |seen| {
                    one.observe(program, seen.observed);
                    if stop.load(Ordering::Relaxed) {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                if run.end == RunEnd::Stopped {
                    return all;
                }
                one.ended(&run, number, own.seed);
                all.add(one);
                done.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    let mut all = Statistics::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(work)).collect();
        all.add(work());
        for worker in workers {
            all.add(worker.join().expect("a worker panics only where a single run would"));
        }
    });
    all
}

/// The 95 % confidence interval of a share (Wilson's score interval); everything without runs.
#[must_use]
pub fn wilson(count: u64, runs: u64) -> (f64, f64) {
    if runs == 0 {
        return (0.0, 1.0);
    }
    const Z: f64 = 1.959_963_984_540_054;
    let (n, p) = (runs as f64, count as f64 / runs as f64);
    let denominator = 1.0 + Z * Z / n;
    let centre = (p + Z * Z / (2.0 * n)) / denominator;
    let half = Z / denominator * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let low = if count == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if count == runs { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests;
