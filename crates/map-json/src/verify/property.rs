//! The verdict on a property.

use map_verify::{Fairness, PropertyVerdict};
use serde::Serialize;

use crate::{ClosedSet, SpanOutput, StepOutput, Word};

/// The verdict on a property.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PropertyOutput {
    /// Its name.
    pub name: String,
    /// The verdict, if it can be judged.
    pub verdict: Word<PropertyWord>,
    /// The runs that count, as with `--fairness`.
    pub fairness: Word<Fairness>,
    /// The verdict is about runs within the bounds only.
    pub cut: bool,
    /// The verdict rests on an open comparison.
    pub possible: bool,
    /// A run that shows the violation, or that what is said to be possible is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<StepOutput>>,
    /// The values with which cells start that may start with several: `!Buyer@limit = 5`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub initial: Vec<String>,
    /// The trace as something to repeat it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// The steps from this one on, counted from 0, are repeated for ever; if there is none, the run stays where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated_from: Option<usize>,
    /// The instance that the trace violates, as in `$b = !Bidder2`, if the property is about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Left sides of `implies` and `leadsto` that never hold, so that the property says nothing there.
    pub vacuous: Vec<SpanOutput>,
    /// Its truth does not depend on what the dialogue does.
    pub without_content: bool,
    /// Why it was refused or could not be judged.
    pub reasons: Vec<String>,
}

/// What is known of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyWord {
    /// It was judged.
    Judged(PropertyVerdict),
    /// It cannot be judged in this scene.
    Refused,
}

impl ClosedSet for PropertyWord {
    const ALL: &'static [Self] = &[
        Self::Judged(PropertyVerdict::Holds),
        Self::Judged(PropertyVerdict::Violated),
        Self::Judged(PropertyVerdict::Inconclusive),
        Self::Refused,
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Judged(verdict) => verdict.word(),
            Self::Refused => "refused",
        }
    }
}
