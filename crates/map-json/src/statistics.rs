//! The output of `map run --runs`.

use map_simulate::EndWord;
use serde::Serialize;

use crate::{BoundsOutput, Header, Seed, SpanOutput, Word, YesOutput};

/// `map run --runs N --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StatisticsOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The file, as it was named.
    pub file: String,
    /// The scene.
    pub scene: String,
    /// Determines all runs, together with file, options and version.
    pub seed: Seed,
    /// The probability of a "yes".
    pub yes: f64,
    /// Decisions for which it is another.
    pub yes_of: Vec<YesOutput>,
    /// The limit on the number of steps of a run.
    pub max_steps: u64,
    /// How many runs there were.
    pub runs: u64,
    /// How many were asked for; more than there were if they were interrupted.
    pub wanted: u64,
    /// How they ended.
    pub ends: Vec<EndOutput>,
    /// For each property of the file, but those about all runs (`possible`): the runs that violate it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub properties: Vec<ViolationsOutput>,
    /// What was collected of the runs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub measures: Vec<MeasureOutput>,
    /// How many runs ended because a bound cut all that was left.
    pub cuts: CutsOutput,
    /// The level of all intervals.
    pub confidence: f64,
    /// How long they were; absent without runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<StepsOutput>,
    /// Messages sent in all runs, each counted for each of its recipients.
    pub messages: Vec<MessagesOutput>,
    /// What procedures answered in steps that were made.
    pub answers: Vec<AnswersOutput>,
    /// The bounds in force.
    pub bounds: BoundsOutput,
    /// The command that repeats all of it.
    pub repeat: String,
}

/// The runs that violate a property.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ViolationsOutput {
    /// The name of the property.
    pub name: String,
    /// How many runs violate it.
    pub violated: u64,
    /// Their share of all runs, from 0 to 1.
    pub share: f64,
    /// Wilson's score interval of the share.
    pub interval: IntervalOutput,
    /// The first run that violates it, from 0, and its seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstOutput>,
}

/// What was collected of the runs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MeasureOutput {
    /// What it is called: the text that asked for it, or the variable.
    pub name: String,
    /// How many runs have a value.
    pub n: u64,
    /// How many runs ended without one.
    pub without: u64,
    /// How many runs did not come to an end.
    pub stopped: u64,
    /// The mean of those values that are integers; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// The interval of the mean, by the normal approximation; absent with fewer than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<IntervalOutput>,
    /// Their standard deviation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sd: Option<f64>,
    /// 0, 5, 25, 50, 75, 95 and 100 per cent of them are at most so much; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantiles: Option<[i64; 7]>,
    /// Each value with the number of runs that have it: integers in order, then others.
    pub values: Vec<MeasuredValue>,
}

/// A value, and how often it was collected.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MeasuredValue {
    /// An integer, or another value as it is written; `null` if nobody knows it.
    pub value: Option<MeasuredWord>,
    /// How many runs have it.
    pub runs: u64,
    /// Their share of the runs with a value, from 0 to 1.
    pub share: f64,
    /// Wilson's score interval of the share.
    pub interval: IntervalOutput,
}

/// An integer or a word.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum MeasuredWord {
    /// An integer.
    Integer(i64),
    /// Another value, as it is written.
    Word(String),
}

/// A run of many.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FirstOutput {
    /// Its number, from 0.
    pub number: u64,
    /// Its seed.
    pub seed: Seed,
    /// The command that repeats it.
    pub repeat: String,
}

/// A way to end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EndOutput {
    /// How a run ended.
    pub verdict: Word<EndWord>,
    /// How many runs ended so.
    pub runs: u64,
    /// Their share of all runs, from 0 to 1.
    pub share: f64,
    /// Wilson's score interval of the share.
    pub interval: IntervalOutput,
    /// What failed or went wrong; else where threads that have not ended rest.
    pub places: Vec<EndPlace>,
    /// The number, from 0, of the first run that ended so.
    pub first: u64,
    /// Its seed.
    pub seed: Seed,
    /// The command that repeats it.
    pub repeat: String,
}

/// How many runs each bound cut.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CutsOutput {
    /// By the bound on open activations.
    pub depth: u64,
    /// By a bound on calls.
    pub rounds: u64,
}

/// A place where runs ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EndPlace {
    /// How many of the runs that ended so.
    pub runs: u64,
    /// The text there, on one line, shortened.
    pub text: String,
    /// Where it stands.
    pub span: SpanOutput,
}

/// A confidence interval.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IntervalOutput {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Numbers of steps.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StepsOutput {
    /// The least number.
    pub least: u64,
    /// A quarter, a half and three quarters of the runs have at most so many.
    pub quartiles: [u64; 3],
    /// The largest number.
    pub most: u64,
    /// The mean.
    pub mean: f64,
    /// The interval of the mean, by the normal approximation; absent with a single run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<IntervalOutput>,
    /// Bins of one width, from the least number to the largest.
    pub histogram: Vec<BinOutput>,
}

/// A bin of a histogram; both ends belong to it.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BinOutput {
    /// The least number of steps in it.
    pub from: u64,
    /// The largest number of steps in it.
    pub to: u64,
    /// How many runs have such a number of steps.
    pub runs: u64,
}

/// Messages of one kind.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MessagesOutput {
    /// The performative.
    pub performative: String,
    /// How many arguments it has.
    pub arity: usize,
    /// How many were sent.
    pub sent: u64,
    /// How many in a run, on the average.
    pub mean: f64,
}

/// What a procedure answered.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswersOutput {
    /// The procedure.
    pub procedure: String,
    /// How many of its answers were not "no".
    pub yes: u64,
    /// How many were "no".
    pub no: u64,
}
