//! The public types for verifying properties: options, verdicts, and the runs that show them.

use map_ir::SourceSpan;
use map_semantics::{BoundHit, Bounds};

use crate::budget::{Limit, Limits, Snapshot};
use crate::reductions::Reductions;
use crate::report::Trace;
use crate::witness::replay::ReplayedRun;

/// The runs that a property has to hold on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// Runs drawn by lot: at each moment each step that is possible, but no fault, is taken with some probability. A
    /// property has to hold with probability 1, after any number of faults.
    #[default]
    Fair,
    /// Runs that are weakly fair to each agent: none that always has a step that is not a poll is left out for ever.
    Weak,
    /// All runs.
    None,
}

impl Fairness {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Fair, Self::Weak, Self::None];

    /// The word used in flags and JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fair => "fair",
            Self::Weak => "weak",
            Self::None => "none",
        }
    }

    /// The runs it counts, as in `judged in fair runs`.
    #[must_use]
    pub const fn runs(self) -> &'static str {
        match self {
            Self::Fair => "fair runs",
            Self::Weak => "weakly fair runs",
            Self::None => "all runs",
        }
    }

    /// What stands behind a property's name in a test if it is judged in these runs.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Fair => "",
            Self::Weak => " weak",
            Self::None => " unfair",
        }
    }

    /// The name of a property in a test without the [mark](Self::mark) behind it, and the runs.
    #[must_use]
    pub fn of_marked(name: &str) -> (&str, Self) {
        let marked = [Self::Weak, Self::None]
            .into_iter()
            .find_map(|fairness| Some((name.trim().strip_suffix(fairness.mark())?, fairness)));
        let (name, fairness) = marked.unwrap_or((name, Self::Fair));
        (name.trim(), fairness)
    }
}

/// The verdict on a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyVerdict {
    /// It holds.
    Holds,
    /// It does not.
    Violated,
    /// A limit was reached before it was decided.
    Inconclusive,
}

impl PropertyVerdict {
    /// All verdicts.
    pub const ALL: [Self; 3] = [Self::Holds, Self::Violated, Self::Inconclusive];

    /// The word used in text and JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// [`PropertyJudgement::reason`] of a property that would hold if agents waited that, depending on unknown values,
/// wait or not.
pub const WAITING_IS_OPEN: &str = "whether an agent waits depends on values that nobody knows";

/// A property, judged.
#[derive(Clone, Debug)]
pub struct PropertyJudgement {
    /// Its name.
    pub name: String,
    /// The answer.
    pub verdict: PropertyVerdict,
    /// True if every run found to support the answer depends on an open comparison.
    pub possible: bool,
    /// A run that shows a violation, or witnesses what is claimed to be possible.
    pub shown: Option<ShownRun>,
    /// The instance of the property that the run violates, as in `$b = !Bidder2`, if it is about several.
    pub instance: Option<String>,
    /// Whether what is violated is an `until` whose left side holds all along: only its right side never comes.
    pub only_goal_missing: bool,
    /// Left sides of `implies` and `leadsto` that never hold, if the property holds and every state was explored.
    pub vacuous: Vec<SourceSpan>,
    /// Whether its truth does not depend on what the dialogue does.
    pub constant: bool,
    /// Why there is no answer, if not because of a limit.
    pub reason: Option<&'static str>,
    /// The limit that prevented an answer, if any.
    pub limit: Option<Limit>,
}

impl PropertyJudgement {
    /// The index of the step from which the run that shows it repeats for ever; `None` if it ends, or stays where it
    /// is.
    #[must_use]
    pub fn repeated_from(&self, replayed: &ReplayedRun) -> Option<usize> {
        match self.shown.as_ref().map(|shown| shown.ending) {
            Some(RunEnding::Loop(from)) => Some(from).filter(|&from| from < replayed.steps.len()),
            Some(RunEnding::Shown | RunEnding::TooLate) | None => None,
        }
    }

    /// The answer in the form used by case lines, with the length of the run that shows it and the start of its loop,
    /// such as `violated, possible, 7 steps, loop at 3`, or `holds, vacuous`.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = self.verdict.word().to_owned();
        if self.possible {
            words.push_str(", possible");
        }
        if let Some(run) = &self.shown {
            let steps = run.trace.steps.len();
            words.push_str(&format!(", {steps} step{}", if steps == 1 { "" } else { "s" }));
            if let RunEnding::Loop(from) = run.ending {
                words.push_str(&format!(", loop at {from}"));
            }
        }
        if !self.vacuous.is_empty() {
            words.push_str(", vacuous");
        }
        words
    }
}

/// A run that supports a verdict.
#[derive(Clone, Debug)]
pub struct ShownRun {
    /// Its steps, replayed.
    pub trace: Trace,
    /// How it continues.
    pub ending: RunEnding,
}

/// How a run continues after the steps that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnding {
    /// The steps suffice, whatever follows.
    Shown,
    /// The goal cannot be reached any more, whatever follows.
    TooLate,
    /// The steps from this index on are repeated for ever. If it is the number of steps, the run stays in its last
    /// state: it has ended, or polls in vain for ever.
    Loop(usize),
}

/// How properties are verified.
#[derive(Clone, Copy, Debug)]
pub struct PropertyOptions {
    /// The limits of each search.
    pub limits: Limits,
    /// The runs to consider.
    pub fairness: Fairness,
    /// The reductions that may be used. Partial order and merging are never used.
    pub reductions: Reductions,
}

/// A search run for some of the properties.
#[derive(Clone, Copy, Debug)]
pub struct PropertySearch {
    /// The reductions in force.
    pub reductions: Reductions,
    /// Its extent.
    pub statistics: Snapshot,
}

/// The verdicts on all properties of a scene.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    /// The properties, in order.
    pub properties: Vec<PropertyJudgement>,
    /// The searches that were run.
    pub searches: Vec<PropertySearch>,
    /// Their totals; for depth and memory, their maxima.
    pub statistics: Snapshot,
    /// Whether every reachable state was explored. If not, a limit was reached or everything was decided before.
    pub searched: bool,
    /// The bounds that cut off some step: verdicts hold only within these bounds.
    pub cut_by: Vec<BoundHit>,
    /// A limit that ended a search; see also [`PropertyJudgement::limit`].
    pub limit: Option<Limit>,
    /// The runs considered.
    pub fairness: Fairness,
    /// Whether any behaviour depends on an open comparison.
    pub open: bool,
    /// The bounds in force.
    pub bounds: Bounds,
}
