//! What is said of properties: how they are judged, the verdicts, and the runs that show them.

use map_ir::SourceSpan;
use map_semantics::{BoundHit, Bounds};

use crate::budget::{Limit, Limits, Snapshot};
use crate::reductions::Reductions;
use crate::report::Trace;

/// Which runs a property has to hold in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// Fair runs: what can happen again and again does happen, and in formulas that are judged as linear temporal logic
    /// no agent that could always go on is left out for ever.
    #[default]
    Fair,
    /// All runs.
    None,
}

/// The answer about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyVerdict {
    /// It holds.
    Holds,
    /// It does not.
    Violated,
    /// A limit came first.
    Inconclusive,
}

impl PropertyVerdict {
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

/// A property, judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// The answer.
    pub verdict: PropertyVerdict,
    /// True if the answer rests on an open comparison in every run that was found to show it.
    pub possible: bool,
    /// A run that shows a violation, or that what is said to be possible is.
    pub shown: Option<ShownRun>,
    /// Left sides of `implies` and `leadsto` that never hold, if the property holds and every state was looked at.
    pub vacuous: Vec<SourceSpan>,
    /// Why no answer could be given, if it was not a limit of the search.
    pub reason: Option<&'static str>,
    /// The limit of its search, if it was one.
    pub limit: Option<Limit>,
}

impl Judged {
    /// The answer as case lines write it: with the length of the run that shows it and where its loop starts, such as
    /// `violated, possible, 7 steps, loop at 3`, or `holds, vacuous`.
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

/// A run that shows something of a property.
#[derive(Clone, Debug)]
pub struct ShownRun {
    /// Its steps, replayed.
    pub trace: Trace,
    /// How it goes on behind them.
    pub ending: RunEnding,
}

/// How a run goes on behind the steps that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnding {
    /// What had to be shown is shown, however it goes on.
    Shown,
    /// What was wanted cannot happen any more, however it goes on.
    TooLate,
    /// The steps from this one on (counted from 0) are repeated for ever; if that is their number, the run stays where it
    /// is: it has ended, or asks in vain for ever.
    Loop(usize),
}

/// How properties are judged.
#[derive(Clone, Copy, Debug)]
pub struct PropertyOptions {
    /// What each search may use.
    pub limits: Limits,
    /// Which runs count.
    pub fairness: Fairness,
    /// The reductions that may be used. Partial order and merging never are.
    pub reductions: Reductions,
}

/// A search that was made for some of the properties.
#[derive(Clone, Copy, Debug)]
pub struct PropertySearch {
    /// The reductions in force.
    pub reductions: Reductions,
    /// How far it got.
    pub statistics: Snapshot,
}

/// All properties of a scene, judged.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    /// The properties, in order.
    pub properties: Vec<Judged>,
    /// The searches as made.
    pub searches: Vec<PropertySearch>,
    /// All of them together; depth and memory are those of the one with most.
    pub statistics: Snapshot,
    /// Whether every reachable state was looked at. If not, either a limit came first or everything was decided before.
    pub searched: bool,
    /// The bounds that cut some step: what holds then holds within these bounds.
    pub cut_by: Vec<BoundHit>,
    /// A limit that ended a search; that of each property is with it.
    pub limit: Option<Limit>,
    /// Which runs counted.
    pub fairness: Fairness,
    /// Whether something that can happen rests on an open comparison.
    pub open: bool,
    /// The bounds in force.
    pub bounds: Bounds,
}
