//! The output of `map run --runs --sweep`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Header, Seed, StatisticsOutput};

/// `map run --runs N --sweep WHAT --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweepOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The file, as it was named.
    pub file: String,
    /// The scene.
    pub scene: String,
    /// Determines all runs: run i has the same seed at each point, and without a sweep.
    pub seed: Seed,
    /// How many runs were asked for at each point.
    pub wanted: u64,
    /// What was swept, as it was given.
    pub swept: Vec<String>,
    /// How many points were asked for; more than there are if it was interrupted.
    pub wanted_points: usize,
    /// The points, in order.
    pub points: Vec<PointOutput>,
    /// The command that repeats all of it.
    pub repeat: String,
}

/// A point of a sweep.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PointOutput {
    /// The value of each thing that is swept, by its name.
    pub at: BTreeMap<String, SweptValue>,
    /// What the command without a sweep prints, with these values.
    pub statistics: StatisticsOutput,
}

/// A value of what is swept.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SweptValue {
    /// An integer.
    Integer(i64),
    /// A probability.
    Number(f64),
    /// Another constant, as it is written.
    Word(String),
}

impl SweptValue {
    /// A value in source form.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let integer = text.parse().map(Self::Integer);
        let is_number = text.starts_with(|it: char| it.is_ascii_digit());
        let number = || text.parse().ok().filter(|it: &f64| is_number && it.is_finite()).map(Self::Number);
        integer.ok().or_else(number).unwrap_or_else(|| Self::Word(text.to_owned()))
    }
}
