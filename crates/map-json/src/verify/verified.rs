//! What `map verify` says of a file that was searched.

use map_explain::verification::DeniedFinding;
use map_verify::{Limit, Verdict, ViolationKind};
use serde::Serialize;

use crate::{
    BoundsOutput, CostOutput, Header, LimitsOutput, Origin, PropertyOutput, SpinOutput, StepOutput,
    UnusedOutput, Word,
};

/// A file that was searched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerifiedOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// What it was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The verdict on termination.
    pub verdict: Word<Verdict>,
    /// Every reachable state was seen and nothing was cut.
    pub complete: bool,
    /// Some step was cut by a bound.
    pub cut: bool,
    /// Every reachable state was expanded.
    pub searched: bool,
    /// The violation rests on an open comparison.
    pub possible: bool,
    /// What ended the search early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Word<Limit>>,
    /// How many states were found.
    pub states: usize,
    /// How many steps between them.
    pub transitions: usize,
    /// The longest of the shortest traces.
    pub depth: usize,
    /// The violations found, shortest trace first, one of each kind.
    pub violations: Vec<ViolationOutput>,
    /// Kinds of violation that were found, too, but a limit came before their traces were made.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub untraced: Vec<Word<ViolationKind>>,
    /// The shortest trace of the verdict.
    pub trace: Vec<StepOutput>,
    /// The values with which cells start that may start with several: `!Buyer@limit = 5`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub initial: Vec<String>,
    /// The trace as something to repeat it by.
    pub choices: Vec<String>,
    /// How a livelock goes on for ever after that trace; a whole run that goes on for ever, if the verdict is
    /// `terminates if fair` and one was found near the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endless: Option<EndlessOutput>,
    /// A run on which integers grow, if a limit came before the verdict and such a run was found near the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<GrowthOutput>,
    /// What was found that `--deny` names.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub denied: Vec<Word<DeniedFinding>>,
    /// Verdicts on the properties of the file, then on those of the command line.
    pub properties: Vec<PropertyOutput>,
    /// What the costs come to that the file declares.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub costs: Vec<CostOutput>,
    /// What never happened in the part searched.
    pub unused: UnusedOutput,
    /// The bounds in force.
    pub bounds: BoundsOutput,
    /// The limits in force.
    pub limits: LimitsOutput,
    /// What the verdict takes for granted.
    pub assumptions: Vec<String>,
    /// The reductions in force.
    pub reductions: Vec<String>,
    /// How long it took.
    pub seconds: f64,
    /// The most memory the process has occupied so far.
    pub peak_memory_bytes: u64,
    /// What the search held when it ended: bytes of the visited set, of the transitions kept for the verdict, and of
    /// marks.
    pub states_memory_bytes: usize,
    /// How many states were found in a second.
    pub states_per_second: f64,
    /// What SPIN found, if it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spin: Option<SpinOutput>,
}

/// A violation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ViolationOutput {
    /// What goes wrong.
    pub kind: Word<ViolationKind>,
    /// The number of steps of its shortest trace.
    pub steps: usize,
    /// Whether it rests on an open comparison.
    pub possible: bool,
}

/// Steps that may follow a trace, and lead back to where they were.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EndlessOutput {
    /// The steps.
    pub trace: Vec<StepOutput>,
    /// The same as something to repeat them by.
    pub choices: Vec<String>,
    /// Those from this one on, counted from 0 in this list, are repeated for ever.
    pub repeated_from: usize,
}

/// A run whose last steps were repeated; integers grew each time, and all else came to be as before. That they can be
/// repeated for ever is not proved.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GrowthOutput {
    /// The steps.
    pub trace: Vec<StepOutput>,
    /// The trace as something to repeat it by.
    pub choices: Vec<String>,
    /// The steps from this one on, counted from 0, were repeated.
    pub repeated_from: usize,
    /// How many times they were taken.
    pub rounds: usize,
    /// What moved in the same direction each time.
    pub values: Vec<GrownOutput>,
}

/// An integer that grew, or fell, in every round.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GrownOutput {
    /// Whose it is, without `!`.
    pub agent: String,
    /// `$price`, `@count`, or `argument 1 of bid/2` for one in its mailbox.
    pub value: String,
    /// By how much in every round, downwards if negative; absent if not always by as much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<i64>,
}
