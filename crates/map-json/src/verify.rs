//! The output of `map verify`.

use map_diagnostics::{Diagnostic, SourceFile};
use serde::Serialize;

pub mod any;

use any::AnyOutput;

use crate::{BoundsOutput, DiagnosticOutput, Header, Origin, SpanOutput, StepOutput};

/// `map verify --format json`: for one file its result, for several all of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum VerifyOutput {
    /// One scene.
    One(Box<VerifyResult>),
    /// Several files or scenes.
    Several(Several),
}

/// The results of several files or scenes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Several {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// One for each scene, or file with errors, in the order of the command line and of the file.
    pub results: Vec<VerifyResult>,
}

/// The result of one scene.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum VerifyResult {
    /// The file was searched.
    Verified(Box<Verified>),
    /// The properties of the file were judged, and nothing else.
    Judged(Box<JudgedOutput>),
    /// The file was searched in every weather.
    Weather(Box<WeatherOutput>),
    /// The verdict was asked for any number of agents of a role.
    Any(Box<AnyOutput>),
    /// The file has errors.
    Rejected(Rejected),
}

/// A file with errors.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Rejected {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The file, as it was named.
    pub file: String,
    /// Its errors and warnings.
    pub diagnostics: Vec<DiagnosticOutput>,
}

/// A file that was searched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Verified {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// What it was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// `terminates`, `terminates if fair`, `failure`, `deadlock`, `mailbox overflow`, `runaway recursion`,
    /// `run error`, `livelock` or `inconclusive`.
    pub verdict: String,
    /// Every reachable state was seen and nothing was cut.
    pub complete: bool,
    /// Some step was cut by a bound.
    pub cut: bool,
    /// Every reachable state was expanded.
    pub searched: bool,
    /// The violation rests on an open comparison.
    pub possible: bool,
    /// What ended the search early: `states`, `memory`, `time`, `interrupted`, `calls` or `no first state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
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
    pub untraced: Vec<String>,
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
    /// What was found that `--deny` names: `if-fair`, `unread`, `never`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub denied: Vec<String>,
    /// Verdicts on the properties of the file, then on those of the command line.
    pub properties: Vec<PropertyOutput>,
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
    /// What the search held when it ended: bytes of the visited set, of the transitions kept for the verdict, and of marks.
    pub states_memory_bytes: usize,
    /// How many states were found in a second.
    pub states_per_second: f64,
    /// What SPIN found, if it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spin: Option<SpinOutput>,
}

/// A file of which only the properties were judged (`--properties-only`).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JudgedOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// What it was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// Every reachable state was seen and nothing was cut. Verdicts may be final without: a search ends where all that it
    /// is made for is decided.
    pub complete: bool,
    /// Some step was cut by a bound.
    pub cut: bool,
    /// Every reachable state was expanded.
    pub searched: bool,
    /// What ended the search or the judging early: `states`, `memory`, `time`, `interrupted`, `calls` or
    /// `no first state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// How many states were found.
    pub states: usize,
    /// How many steps between them.
    pub transitions: usize,
    /// Verdicts on the properties of the file, then on those of the command line.
    pub properties: Vec<PropertyOutput>,
    /// The bounds in force.
    pub bounds: BoundsOutput,
    /// The limits in force.
    pub limits: LimitsOutput,
    /// What the verdicts take for granted.
    pub assumptions: Vec<String>,
    /// How long it took.
    pub seconds: f64,
    /// The most memory the process has occupied so far.
    pub peak_memory_bytes: u64,
    /// The most that one of the searches needed for its visited set and the graph that it kept.
    pub states_memory_bytes: usize,
}

/// What SPIN found in the exported model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpinOutput {
    /// Its version, as it prints it.
    pub version: String,
    /// The kinds of violation, in our words; the first is that of the trail.
    pub violations: Vec<String>,
    /// Whether some run never ends.
    pub infinite_runs: bool,
    /// What kept it from a complete search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// How many states were found.
    pub states: u64,
    /// How many steps between them.
    pub transitions: u64,
    /// Of its searches alone.
    pub seconds: f64,
    /// The number of steps of its trail, which has been replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trail_steps: Option<usize>,
    /// Whether its verdict is of the same class; left out if there is nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
    /// What it found about the properties that the model states.
    pub properties: Vec<SpinPropertyOutput>,
}

/// What SPIN found about a property, in all runs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpinPropertyOutput {
    /// Its name.
    pub name: String,
    /// `holds`, `violated` or `inconclusive`.
    pub verdict: String,
    /// What kept it from an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Our own verdict in all runs, as with `--fairness none`.
    pub ours: String,
    /// How many states were found.
    pub states: u64,
    /// The number of steps of its trail, which has been replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trail_steps: Option<usize>,
    /// Whether the two verdicts are the same; left out if there is nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
}

/// A file that was searched in every weather (`--weather`).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WeatherOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The file, as it was named.
    pub file: String,
    /// The scene.
    pub scene: String,
    /// Fair weather first; fewer rows if the search was interrupted.
    pub weather: Vec<WeatherRow>,
}

/// A file in one weather.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WeatherRow {
    /// `instant`, `unordered`, `delayed`, `lossy:1`, `crash:1` or `timeouts any`.
    pub weather: String,
    /// What `map verify` would print under `--network` or `--timeouts`.
    pub result: Verified,
    /// The files to which the traces of what falls were saved, that of termination first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub saved: Vec<String>,
}

/// A violation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ViolationOutput {
    /// What goes wrong.
    pub kind: String,
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

/// The verdict on a property.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PropertyOutput {
    /// Its name.
    pub name: String,
    /// `holds`, `violated`, `inconclusive` or `refused`.
    pub verdict: String,
    /// The runs that count, as with `--fairness`: `fair`, `weak` or `none`.
    pub fairness: &'static str,
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

/// What never happened. Things inside something that never happened are left out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnusedOutput {
    /// Agents that never make a step, be it one that goes wrong; empty unless every reachable state was expanded.
    pub agents: Vec<IdleAgent>,
    /// Clauses never entered.
    pub clauses: Vec<ClauseOutput>,
    /// Operations never run.
    pub operations: Vec<OperationOutput>,
    /// Alternatives never chosen and timeouts that never fired.
    pub alternatives: Vec<AlternativeOutput>,
    /// Messages left unread in some run.
    pub unread: Vec<UnreadMessage>,
}

/// An agent that never acts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IdleAgent {
    /// Its name, without `!`.
    pub agent: String,
    /// The head of the entry clause of its part.
    pub span: SpanOutput,
}

/// A clause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClauseOutput {
    /// Its head as written.
    pub head: String,
    /// Where it stands.
    pub span: SpanOutput,
}

/// An operation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OperationOutput {
    /// `skip`, `fail`, `ask`, `send`, `receive` or `call`.
    pub kind: String,
    /// Where it stands.
    pub span: SpanOutput,
}

/// An alternative of an `or`, or the operation behind a `timeout`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AlternativeOutput {
    /// `alternative` or `timeout`.
    pub kind: String,
    /// Where it stands.
    pub span: SpanOutput,
}

/// A message left unread.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnreadMessage {
    /// The performative.
    pub performative: String,
    /// How many arguments it has.
    pub arity: usize,
    /// Who does not read it.
    pub agent: String,
    /// Where it is sent.
    pub spans: Vec<SpanOutput>,
}

/// The limits of the search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LimitsOutput {
    /// The most states; absent if any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// The most bytes for states, transitions and tables.
    pub memory_bytes: u64,
    /// The longest time, the share of this search if several have a limit together; absent if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl Rejected {
    /// What a verb says of a file with errors.
    #[must_use]
    pub fn new(command: &str, source: &SourceFile, diagnostics: &[Diagnostic]) -> Self {
        let diagnostics = diagnostics.iter().map(|it| DiagnosticOutput::new(source, it));
        Self {
            header: Header::new(command),
            file: source.name().to_owned(),
            diagnostics: diagnostics.collect(),
        }
    }
}
