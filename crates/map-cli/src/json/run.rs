//! The output of `map run`.

use map_ir::Program;
use map_simulate::SimulationOptions;
use serde::Serialize;

use super::{BoundsOutput, Header, StepOutput};

/// `map run --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RunOutput {
    #[serde(flatten)]
    pub(crate) header: Header,
    pub(crate) file: String,
    pub(crate) scene: String,
    /// Determines the run, together with file, options and version.
    pub(crate) seed: u64,
    /// The probability of a "yes".
    pub(crate) yes: f64,
    /// Decisions for which it is another.
    pub(crate) yes_of: Vec<YesOutput>,
    /// `done`, `failure`, `deadlock`, `mailbox overflow`, `runaway recursion`, `run error`, `cut`, `asked in vain`,
    /// `too many steps`, `too many calls`, `unanswered` or `interrupted`.
    pub(crate) verdict: String,
    /// The bound that cut the run: `depth` or `rounds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cut_by: Option<String>,
    /// How many steps it had; one that goes wrong counts.
    pub(crate) steps: u64,
    /// The limit on their number.
    pub(crate) max_steps: u64,
    pub(crate) trace: Vec<StepOutput>,
    /// The steps as something to repeat them by.
    pub(crate) choices: Vec<String>,
    /// The values that programs and people answered, in source form: an option of 3 or more of an ask means one of these.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) values: Vec<String>,
    /// The question that ended the run because nobody answered it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unanswered: Option<UnansweredOutput>,
    /// How each agent stands at the end; none if a way to the first places is cut or goes wrong.
    pub(crate) agents: Vec<AgentOutput>,
    /// Messages that agents which had ended have not read.
    pub(crate) unread: Vec<UnreadOutput>,
    pub(crate) bounds: BoundsOutput,
    /// The command that repeats the run.
    pub(crate) repeat: String,
}

/// An agent at the end of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AgentOutput {
    pub(crate) name: String,
    pub(crate) role: String,
    /// `running`, `done`, `failed` or `crashed`.
    pub(crate) status: String,
    /// The number of its last step; 0 if it made none.
    pub(crate) last_step: u64,
    /// What lies unread in its mailbox, oldest first.
    pub(crate) mailbox: Vec<String>,
}

/// A question that nobody answered.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct UnansweredOutput {
    pub(crate) agent: String,
    pub(crate) procedure: String,
    /// What happened instead.
    pub(crate) what: String,
}

/// Messages left unread.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct UnreadOutput {
    pub(crate) performative: String,
    pub(crate) arity: usize,
    pub(crate) agent: String,
    pub(crate) count: u64,
}

/// The probability of a "yes" of one decision.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct YesOutput {
    pub(crate) procedure: String,
    pub(crate) yes: f64,
}

/// The decisions that have a probability of their own.
pub(crate) fn yes_of(program: &Program, options: &SimulationOptions) -> Vec<YesOutput> {
    let name = |procedure| program.procedure(procedure).name.clone();
    options.yes_of.iter().map(|&(it, yes)| YesOutput { procedure: name(it), yes }).collect()
}
