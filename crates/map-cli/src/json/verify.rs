//! The output of `map verify`.

use serde::Serialize;

pub(super) mod any;

use any::AnyOutput;

use super::{BoundsOutput, DiagnosticOutput, Header, Origin, SpanOutput, StepOutput};
use map_session::Compilation;

/// `map verify --format json`: for one file its result, for several all of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum VerifyOutput {
    /// One scene.
    One(Box<VerifyResult>),
    /// Several files or scenes.
    Several(Several),
}

/// The results of several files or scenes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Several {
    #[serde(flatten)]
    pub(crate) header: Header,
    /// One for each scene, or file with errors, in the order of the command line and of the file.
    pub(crate) results: Vec<VerifyResult>,
}

/// The result of one scene.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum VerifyResult {
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
pub(crate) struct Rejected {
    #[serde(flatten)]
    pub(crate) header: Header,
    pub(crate) file: String,
    pub(crate) diagnostics: Vec<DiagnosticOutput>,
}

/// A file that was searched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Verified {
    #[serde(flatten)]
    pub(crate) header: Header,
    #[serde(flatten)]
    pub(crate) origin: Origin,
    /// `terminates`, `terminates if fair`, `failure`, `deadlock`, `mailbox overflow`, `runaway recursion`,
    /// `run error`, `livelock` or `inconclusive`.
    pub(crate) verdict: String,
    /// Every reachable state was seen and nothing was cut.
    pub(crate) complete: bool,
    /// Some step was cut by a bound.
    pub(crate) cut: bool,
    /// Every reachable state was expanded.
    pub(crate) searched: bool,
    /// The violation rests on an open comparison.
    pub(crate) possible: bool,
    /// What ended the search early: `states`, `memory`, `time`, `interrupted`, `calls` or `no first state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<String>,
    pub(crate) states: usize,
    pub(crate) transitions: usize,
    /// The longest of the shortest traces.
    pub(crate) depth: usize,
    /// The violations found, shortest trace first, one of each kind.
    pub(crate) violations: Vec<ViolationOutput>,
    /// Kinds of violation that were found, too, but a limit came before their traces were made.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) untraced: Vec<String>,
    /// The shortest trace of the verdict.
    pub(crate) trace: Vec<StepOutput>,
    /// The values with which cells start that may start with several: `!Buyer@limit = 5`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) initial: Vec<String>,
    /// The trace as something to repeat it by.
    pub(crate) choices: Vec<String>,
    /// How a livelock goes on for ever after that trace; a whole run that goes on for ever, if the verdict is
    /// `terminates if fair` and one was found near the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) endless: Option<EndlessOutput>,
    /// A run on which integers grow, if a limit came before the verdict and such a run was found near the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) growth: Option<GrowthOutput>,
    /// What was found that `--deny` names: `if-fair`, `unread`, `never`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) denied: Vec<String>,
    /// Verdicts on the properties of the file, then on those of the command line.
    pub(crate) properties: Vec<PropertyOutput>,
    /// What never happened in the part searched.
    pub(crate) unused: UnusedOutput,
    pub(crate) bounds: BoundsOutput,
    pub(crate) limits: LimitsOutput,
    /// What the verdict takes for granted.
    pub(crate) assumptions: Vec<String>,
    /// The reductions in force.
    pub(crate) reductions: Vec<String>,
    pub(crate) seconds: f64,
    /// The most memory the process has occupied so far.
    pub(crate) peak_memory_bytes: u64,
    /// What the search held when it ended: bytes of the visited set, of the transitions kept for the verdict, and of marks.
    pub(crate) states_memory_bytes: usize,
    pub(crate) states_per_second: f64,
    /// What SPIN found, if it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spin: Option<SpinOutput>,
}

/// A file of which only the properties were judged (`--properties-only`).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct JudgedOutput {
    #[serde(flatten)]
    pub(crate) header: Header,
    #[serde(flatten)]
    pub(crate) origin: Origin,
    /// Every reachable state was seen and nothing was cut. Verdicts may be final without: a search ends where all that it
    /// is made for is decided.
    pub(crate) complete: bool,
    /// Some step was cut by a bound.
    pub(crate) cut: bool,
    /// Every reachable state was expanded.
    pub(crate) searched: bool,
    /// What ended the search or the judging early: `states`, `memory`, `time`, `interrupted`, `calls` or
    /// `no first state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<String>,
    pub(crate) states: usize,
    pub(crate) transitions: usize,
    /// Verdicts on the properties of the file, then on those of the command line.
    pub(crate) properties: Vec<PropertyOutput>,
    pub(crate) bounds: BoundsOutput,
    pub(crate) limits: LimitsOutput,
    /// What the verdicts take for granted.
    pub(crate) assumptions: Vec<String>,
    pub(crate) seconds: f64,
    /// The most memory the process has occupied so far.
    pub(crate) peak_memory_bytes: u64,
    /// The most that one of the searches needed for its visited set and the graph that it kept.
    pub(crate) states_memory_bytes: usize,
}

/// What SPIN found in the exported model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SpinOutput {
    pub(crate) version: String,
    /// The kinds of violation, in our words; the first is that of the trail.
    pub(crate) violations: Vec<String>,
    /// Whether some run never ends.
    pub(crate) infinite_runs: bool,
    /// What kept it from a complete search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<String>,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    /// Of its searches alone.
    pub(crate) seconds: f64,
    /// The number of steps of its trail, which has been replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trail_steps: Option<usize>,
    /// Whether its verdict is of the same class; left out if there is nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) agrees: Option<bool>,
    /// What it found about the properties that the model states.
    pub(crate) properties: Vec<SpinPropertyOutput>,
}

/// What SPIN found about a property, in all runs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SpinPropertyOutput {
    pub(crate) name: String,
    /// `holds`, `violated` or `inconclusive`.
    pub(crate) verdict: String,
    /// What kept it from an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<String>,
    /// Our own verdict in all runs, as with `--fairness none`.
    pub(crate) ours: String,
    pub(crate) states: u64,
    /// The number of steps of its trail, which has been replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trail_steps: Option<usize>,
    /// Whether the two verdicts are the same; left out if there is nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) agrees: Option<bool>,
}

/// A file that was searched in every weather (`--weather`).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct WeatherOutput {
    #[serde(flatten)]
    pub(crate) header: Header,
    pub(crate) file: String,
    pub(crate) scene: String,
    /// Fair weather first; fewer rows if the search was interrupted.
    pub(crate) weather: Vec<WeatherRow>,
}

/// A file in one weather.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct WeatherRow {
    /// `instant`, `unordered`, `delayed`, `lossy:1`, `crash:1` or `timeouts any`.
    pub(crate) weather: String,
    /// What `map verify` would print under `--network` or `--timeouts`.
    pub(crate) result: Verified,
    /// The files to which the traces of what falls were saved, that of termination first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) saved: Vec<String>,
}

/// A violation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ViolationOutput {
    pub(crate) kind: String,
    /// The number of steps of its shortest trace.
    pub(crate) steps: usize,
    /// Whether it rests on an open comparison.
    pub(crate) possible: bool,
}

/// Steps that may follow a trace, and lead back to where they were.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EndlessOutput {
    pub(crate) trace: Vec<StepOutput>,
    /// The same as something to repeat them by.
    pub(crate) choices: Vec<String>,
    /// Those from this one on, counted from 0 in this list, are repeated for ever.
    pub(crate) repeated_from: usize,
}

/// A run whose last steps were repeated; integers grew each time, and all else came to be as before. That they can be
/// repeated for ever is not proved.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GrowthOutput {
    pub(crate) trace: Vec<StepOutput>,
    /// The trace as something to repeat it by.
    pub(crate) choices: Vec<String>,
    /// The steps from this one on, counted from 0, were repeated.
    pub(crate) repeated_from: usize,
    /// How many times they were taken.
    pub(crate) rounds: usize,
    /// What moved in the same direction each time.
    pub(crate) values: Vec<GrownOutput>,
}

/// An integer that grew, or fell, in every round.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GrownOutput {
    /// Whose it is, without `!`.
    pub(crate) agent: String,
    /// `$price`, `@count`, or `argument 1 of bid/2` for one in its mailbox.
    pub(crate) value: String,
    /// By how much in every round, downwards if negative; absent if not always by as much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<i64>,
}

/// The verdict on a property.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PropertyOutput {
    pub(crate) name: String,
    /// `holds`, `violated`, `inconclusive` or `refused`.
    pub(crate) verdict: String,
    /// The runs that count, as with `--fairness`: `fair`, `weak` or `none`.
    pub(crate) fairness: &'static str,
    /// The verdict is about runs within the bounds only.
    pub(crate) cut: bool,
    /// The verdict rests on an open comparison.
    pub(crate) possible: bool,
    /// A run that shows the violation, or that what is said to be possible is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<Vec<StepOutput>>,
    /// The values with which cells start that may start with several: `!Buyer@limit = 5`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) initial: Vec<String>,
    /// The trace as something to repeat it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) choices: Option<Vec<String>>,
    /// The steps from this one on, counted from 0, are repeated for ever; if there is none, the run stays where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) repeated_from: Option<usize>,
    /// The instance that the trace violates, as in `$b = !Bidder2`, if the property is about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instance: Option<String>,
    /// Left sides of `implies` and `leadsto` that never hold, so that the property says nothing there.
    pub(crate) vacuous: Vec<SpanOutput>,
    /// Its truth does not depend on what the dialogue does.
    pub(crate) without_content: bool,
    /// Why it was refused or could not be judged.
    pub(crate) reasons: Vec<String>,
}

/// What never happened. Things inside something that never happened are left out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct UnusedOutput {
    /// Agents that never make a step, be it one that goes wrong; empty unless every reachable state was expanded.
    pub(crate) agents: Vec<IdleAgent>,
    /// Clauses never entered.
    pub(crate) clauses: Vec<ClauseOutput>,
    /// Operations never run.
    pub(crate) operations: Vec<OperationOutput>,
    /// Alternatives never chosen and timeouts that never fired.
    pub(crate) alternatives: Vec<AlternativeOutput>,
    /// Messages left unread in some run.
    pub(crate) unread: Vec<UnreadMessage>,
}

/// An agent that never acts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct IdleAgent {
    /// Its name, without `!`.
    pub(crate) agent: String,
    /// The head of the entry clause of its part.
    pub(crate) span: SpanOutput,
}

/// A clause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ClauseOutput {
    /// Its head as written.
    pub(crate) head: String,
    pub(crate) span: SpanOutput,
}

/// An operation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OperationOutput {
    /// `skip`, `fail`, `ask`, `send`, `receive` or `call`.
    pub(crate) kind: String,
    pub(crate) span: SpanOutput,
}

/// An alternative of an `or`, or the operation behind a `timeout`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AlternativeOutput {
    /// `alternative` or `timeout`.
    pub(crate) kind: String,
    pub(crate) span: SpanOutput,
}

/// A message left unread.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct UnreadMessage {
    pub(crate) performative: String,
    pub(crate) arity: usize,
    /// Who does not read it.
    pub(crate) agent: String,
    /// Where it is sent.
    pub(crate) spans: Vec<SpanOutput>,
}

/// The limits of the search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LimitsOutput {
    /// The most states; absent if any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) states: Option<u64>,
    /// The most bytes for states, transitions and tables.
    pub(crate) memory_bytes: u64,
    /// The longest time, the share of this search if several have a limit together; absent if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<f64>,
}

impl Rejected {
    pub(crate) fn new(command: &str, loaded: &Compilation) -> Self {
        let diagnostics = loaded.diagnostics.iter().map(|it| DiagnosticOutput::new(&loaded.source, it));
        Self {
            header: Header::new(command),
            file: loaded.source.name().to_owned(),
            diagnostics: diagnostics.collect(),
        }
    }
}
