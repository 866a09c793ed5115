//! The output of `map run --runs`.

use serde::Serialize;

use super::run::YesOutput;
use super::seed::Seed;
use super::{BoundsOutput, Header, SpanOutput};

/// `map run --runs N --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StatisticsOutput {
    #[serde(flatten)]
    pub(crate) header: Header,
    pub(crate) file: String,
    pub(crate) scene: String,
    /// Determines all runs, together with file, options and version.
    pub(crate) seed: Seed,
    /// The probability of a "yes".
    pub(crate) yes: f64,
    /// Decisions for which it is another.
    pub(crate) yes_of: Vec<YesOutput>,
    /// The limit on the number of steps of a run.
    pub(crate) max_steps: u64,
    /// How many runs there were.
    pub(crate) runs: u64,
    /// How many were asked for; more than there were if they were interrupted.
    pub(crate) wanted: u64,
    /// How they ended.
    pub(crate) ends: Vec<EndOutput>,
    /// For each property of the file, but those about all runs (`possible`): the runs that violate it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) properties: Vec<ViolationsOutput>,
    /// How many runs ended because a bound cut all that was left.
    pub(crate) cuts: CutsOutput,
    /// The level of all intervals.
    pub(crate) confidence: f64,
    /// How long they were; absent without runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) steps: Option<StepsOutput>,
    /// Messages sent in all runs, each counted for each of its recipients.
    pub(crate) messages: Vec<MessagesOutput>,
    /// What procedures answered in steps that were made.
    pub(crate) answers: Vec<AnswersOutput>,
    pub(crate) bounds: BoundsOutput,
    /// The command that repeats all of it.
    pub(crate) repeat: String,
}

/// The runs that violate a property.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ViolationsOutput {
    /// The name of the property.
    pub(crate) name: String,
    /// How many runs violate it.
    pub(crate) violated: u64,
    /// Their share of all runs, from 0 to 1.
    pub(crate) share: f64,
    /// Wilson's score interval of the share.
    pub(crate) interval: IntervalOutput,
    /// The first run that violates it, from 0, and its seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first: Option<FirstOutput>,
}

/// A run of many.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FirstOutput {
    /// Its number, from 0.
    pub(crate) number: u64,
    pub(crate) seed: Seed,
    /// The command that repeats it.
    pub(crate) repeat: String,
}

/// A way to end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EndOutput {
    /// One of the verdicts of a single run.
    pub(crate) verdict: String,
    /// How many runs ended so.
    pub(crate) runs: u64,
    /// Their share of all runs, from 0 to 1.
    pub(crate) share: f64,
    /// Wilson's score interval of the share.
    pub(crate) interval: IntervalOutput,
    /// What failed or went wrong; else where threads that have not ended rest.
    pub(crate) places: Vec<EndPlace>,
    /// The number, from 0, of the first run that ended so.
    pub(crate) first: u64,
    /// Its seed.
    pub(crate) seed: Seed,
    /// The command that repeats it.
    pub(crate) repeat: String,
}

/// How many runs each bound cut.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CutsOutput {
    pub(crate) depth: u64,
    pub(crate) rounds: u64,
}

/// A place where runs ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EndPlace {
    /// How many of the runs that ended so.
    pub(crate) runs: u64,
    /// The text there, on one line, shortened.
    pub(crate) text: String,
    pub(crate) span: SpanOutput,
}

/// A confidence interval.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct IntervalOutput {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Numbers of steps.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StepsOutput {
    pub(crate) least: u64,
    /// A quarter, a half and three quarters of the runs have at most so many.
    pub(crate) quartiles: [u64; 3],
    pub(crate) most: u64,
    pub(crate) mean: f64,
    /// The interval of the mean, by the normal approximation; absent with a single run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) interval: Option<IntervalOutput>,
    /// Bins of one width, from the least number to the largest.
    pub(crate) histogram: Vec<BinOutput>,
}

/// A bin of a histogram; both ends belong to it.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BinOutput {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) runs: u64,
}

/// Messages of one kind.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MessagesOutput {
    pub(crate) performative: String,
    pub(crate) arity: usize,
    pub(crate) sent: u64,
    /// How many in a run, on the average.
    pub(crate) mean: f64,
}

/// What a procedure answered.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnswersOutput {
    pub(crate) procedure: String,
    pub(crate) yes: u64,
    pub(crate) no: u64,
}
