//! The output of `map run`.

use std::sync::Arc;

use map_explain::{Namer, initial_values, no_honest_answer};
use map_ir::{AgentId, PointId, Program};
use map_semantics::{BoundHit, Message, Status, StepError};
use map_session::{PlayedRun, Scene};
use map_simulate::{EndWord, Run, RunEnd, SimulationOptions};
use serde::Serialize;

#[cfg(test)]
use crate::StepOutput;
use crate::{BoundsOutput, Header, Origin, Seed, Word};

/// `map run --format json`: the steps as they are taken, then everything else. See [`crate::Stream`].
#[cfg(test)]
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct RunOutput {
    /// The steps, in order.
    pub trace: Vec<StepOutput>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: RunRest,
}

/// What is printed after the steps of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunRest {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// What it was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// Determines the run, together with file, options and version.
    pub seed: Seed,
    /// The probability of a "yes".
    pub yes: f64,
    /// Decisions for which it is another.
    pub yes_of: Vec<YesOutput>,
    /// How it ended.
    pub verdict: Word<EndWord>,
    /// The bound that cut the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_by: Option<Word<BoundHit>>,
    /// The properties of the file that it violates.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub violated: Vec<String>,
    /// How many steps it had; one that goes wrong counts.
    pub steps: u64,
    /// The limit on their number.
    pub max_steps: u64,
    /// The values with which cells start that may start with several: `!Buyer@limit = 5`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub initial: Vec<String>,
    /// The steps as something to repeat them by.
    pub choices: Vec<String>,
    /// The values that programs and people answered, as in traces: an option of 3 or more of an ask means one of these.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub values: Vec<String>,
    /// The question that ended the run because nobody answered it, or an honest agent could not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<UnansweredOutput>,
    /// How each agent stands at the end; none if a way to the first places is cut or goes wrong.
    pub agents: Vec<AgentOutput>,
    /// Messages that agents which had ended have not read.
    pub unread: Vec<UnreadOutput>,
    /// The bounds in force.
    pub bounds: BoundsOutput,
    /// The command that repeats the run.
    pub repeat: String,
}

impl RunRest {
    /// Of a run that was played. `choices` are its steps, as traces write them, `values` those that they refer to, and
    /// `repeat` is the command that repeats the run.
    #[must_use]
    pub fn new(
        played: &PlayedRun,
        namer: &Namer<'_>,
        cast: &[impl ToString],
        (choices, values): (Vec<String>, Vec<String>),
        repeat: String,
    ) -> Self {
        let PlayedRun { scene: Scene { source, program, bounds, .. }, options, run, .. } = played;
        let cut_by = match run.end {
            RunEnd::Cut(bound) => Some(bound.into()),
            _ => None,
        };
        Self {
            header: Header::new("run"),
            origin: Origin::new(source, program, cast),
            seed: options.seed.into(),
            yes: options.yes,
            yes_of: yes_of(program, options),
            verdict: EndWord::of(run).into(),
            cut_by,
            violated: played.violated_names().map(str::to_owned).collect(),
            steps: run.steps,
            max_steps: options.max_steps,
            initial: initial_values(namer, &run.initial),
            choices,
            values,
            unanswered: unanswered(played, namer),
            agents: agents_at_the_end(namer, run),
            unread: unread_messages(program, run),
            bounds: BoundsOutput::new(program, bounds),
            repeat,
        }
    }
}

fn unanswered(played: &PlayedRun, namer: &Namer<'_>) -> Option<UnansweredOutput> {
    let (agent, point) = match played.run.end {
        RunEnd::Unanswered(agent, point) => (agent, point),
        RunEnd::NoHonestAnswer(agent, point, why) => {
            let what = no_honest_answer(namer, played.run.steps, agent, point, why);
            return Some(UnansweredOutput::new(played, namer, (agent, point), what));
        }
        RunEnd::Wrong(agent, StepError::RunError(error)) => (agent, error.point),
        _ => return None,
    };
    let what = played.memory.unanswered.clone()?;
    Some(UnansweredOutput::new(played, namer, (agent, point), what))
}

impl UnansweredOutput {
    fn new(played: &PlayedRun, namer: &Namer<'_>, asked: (AgentId, PointId), what: String) -> Self {
        let (agent, point) = asked;
        Self {
            agent: played.scene.program.agent_name(agent).to_owned(),
            procedure: namer.procedure_of(point).to_owned(),
            what,
        }
    }
}

/// An agent at the end of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AgentOutput {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: String,
    /// Whether it has ended, and how.
    pub status: Word<Status>,
    /// The number of its last step; 0 if it made none.
    pub last_step: u64,
    /// What lies unread in its mailbox, oldest first.
    pub mailbox: Vec<String>,
    /// What is still under way to it, by sender.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub under_way: Vec<String>,
}

/// A question that nobody answered.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnansweredOutput {
    /// Who asked.
    pub agent: String,
    /// What was asked.
    pub procedure: String,
    /// What happened instead.
    pub what: String,
}

/// Messages left unread.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnreadOutput {
    /// Their performative.
    pub performative: String,
    /// How many arguments they have.
    pub arity: usize,
    /// Whose mailbox they are in.
    pub agent: String,
    /// How many there are.
    pub count: u64,
}

/// The probability of a "yes" of one decision.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct YesOutput {
    /// The decision.
    pub procedure: String,
    /// The probability.
    pub yes: f64,
}

/// The decisions that have a probability of their own.
#[must_use]
pub fn yes_of(program: &Program, options: &SimulationOptions) -> Vec<YesOutput> {
    let name = |procedure| program.procedure(procedure).name.clone();
    options.yes_of.iter().map(|&(it, yes)| YesOutput { procedure: name(it), yes }).collect()
}

/// How each agent stands at the end of a run.
#[must_use]
pub fn agents_at_the_end(namer: &Namer<'_>, run: &Run) -> Vec<AgentOutput> {
    let states = run.state.as_ref().map_or(&[][..], |state| &state.agents);
    let program = namer.program;
    let message = |message: &Arc<Message>| {
        format!("{} from !{}", namer.message(message), program.agent_name(message.sender))
    };
    let outputs = program.cast().zip(states).map(|(agent, state)| AgentOutput {
        name: program.agent_name(agent).to_owned(),
        role: program.role_name(program.agent(agent).role).to_owned(),
        status: state.status.into(),
        last_step: run.last_step[agent.index()],
        mailbox: state.mailbox.iter().map(message).collect(),
        under_way: state.under_way.iter().map(message).collect(),
    });
    outputs.collect()
}

/// The messages that agents which had ended have not read.
#[must_use]
pub fn unread_messages(program: &Program, run: &Run) -> Vec<UnreadOutput> {
    let unread = run.unread.iter().map(|(&(performative, agent), &count)| {
        let performative = program.performative(performative);
        UnreadOutput {
            performative: performative.name.clone(),
            arity: performative.arity,
            agent: program.agent_name(agent).to_owned(),
            count,
        }
    });
    unread.collect()
}
