//! Agents together: deliveries, quiescence, and steps of a whole scene on plain states.

use std::collections::BTreeMap;

use map_ir::{AgentId, PerformativeId, PointId, PointKind, Program, Symbol};

use crate::Choices;
use crate::agent::{AgentState, Status};
use crate::bounds::{Bounds, Timeouts};
use crate::enumerate::start;
use crate::machine::{act, time_out};
use crate::mailbox::deliver;
use crate::outcome::{Action, BoundHit, Ending, Next, Outcome, RunError};

/// The state of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneState {
    /// The agents, in the order of the cast.
    pub agents: Vec<AgentState>,
    /// The next abstract value; counts up along a run.
    pub fresh: Symbol,
}

/// Which step is taken: enough to repeat it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who.
    pub agent: AgentId,
    /// Which of its threads: an index into the threads of its control, from 0.
    pub thread: usize,
    /// Whether its time runs out; else it acts.
    pub timeout: bool,
    /// How what was open was settled.
    pub options: Vec<u32>,
}

/// How a step of a scene ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneStep {
    /// The scene is in its next state.
    Made,
    /// There is no such step.
    Nothing,
    /// A bound cut it: it is not made.
    Cut(BoundHit),
    /// It goes wrong.
    Wrong(StepError),
    /// The act made too many calls ([`Ending::TooLong`]).
    TooLong(PointId),
}

/// How a step goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepError {
    /// A send would make the mailbox of this agent longer than the bound.
    Overflow(AgentId),
    /// The call, or the `waitfor` entered anew, of a runaway recursion.
    Runaway(PointId),
    /// The body of a procedure went wrong.
    RunError(RunError),
}

/// A step with all that was seen of it.
#[derive(Clone, Debug)]
pub struct Observed {
    /// What the thread did.
    pub outcome: Outcome,
    /// How it came out for the scene.
    pub result: SceneStep,
    /// Messages nobody will read: left in the mailbox of an agent that ended, or sent to one that had.
    pub unread: Vec<(PerformativeId, AgentId)>,
}

impl SceneState {
    /// The first state, with what each agent did on its way to its first places; no state if some way is cut or goes
    /// wrong.
    pub fn start(program: &Program, bounds: &Bounds) -> (Option<Self>, Vec<Outcome>) {
        let outcomes: Vec<Outcome> = program.cast().map(|agent| start(program, bounds, agent)).collect();
        let agents: Option<Vec<AgentState>> = outcomes
            .iter()
            .map(|outcome| match &outcome.ending {
                Ending::State(next) => Some(AgentState::new(next.clone())),
                _ => None,
            })
            .collect();
        (agents.map(|agents| Self { agents, fresh: Symbol(0) }), outcomes)
    }

    /// Takes a step if it can be made; else the state stays as it is. Whether time may run out is up to the caller
    /// ([`may_time_out`]).
    ///
    /// # Panics
    /// If the agent has no such thread.
    pub fn step(
        &mut self,
        program: &Program,
        bounds: &Bounds,
        agent: AgentId,
        thread: usize,
        timeout: bool,
        choices: &mut dyn Choices,
    ) -> Observed {
        let observed = self.attempt(program, bounds, agent, thread, timeout, choices);
        if let (SceneStep::Made, Ending::State(next)) = (&observed.result, &observed.outcome.ending) {
            self.make(bounds, agent, next.clone(), observed.outcome.action.as_ref());
        }
        observed
    }

    /// What [`SceneState::step`] would come to; the state stays as it is. If the result is [`SceneStep::Made`],
    /// [`SceneState::make`] makes the step.
    ///
    /// # Panics
    /// If the agent has no such thread.
    pub fn attempt(
        &self,
        program: &Program,
        bounds: &Bounds,
        agent: AgentId,
        thread: usize,
        timeout: bool,
        choices: &mut dyn Choices,
    ) -> Observed {
        let state = &self.agents[agent.index()];
        let node = state.control.threads().nth(thread).expect("the agent has this thread");
        let run = if timeout { time_out } else { act };
        let outcome = run(program, bounds, agent, state, node, self.fresh, choices);
        let mut unread = Vec::new();
        let result = match &outcome.ending {
            Ending::Nothing => SceneStep::Nothing,
            Ending::Cut(bound) => SceneStep::Cut(*bound),
            Ending::TooLong(point) => SceneStep::TooLong(*point),
            Ending::RunError(error) => SceneStep::Wrong(StepError::RunError(*error)),
            Ending::Runaway(point) => match self.overflow(bounds, outcome.action.as_ref()) {
                Some(recipient) => SceneStep::Wrong(StepError::Overflow(recipient)),
                None => SceneStep::Wrong(StepError::Runaway(*point)),
            },
            Ending::State(next) if outcome.action.is_none() && self.is_unchanged_by(agent, next) => {
                SceneStep::Nothing
            }
            Ending::State(next) => match self.overflow(bounds, outcome.action.as_ref()) {
                Some(recipient) => SceneStep::Wrong(StepError::Overflow(recipient)),
                None => {
                    unread = self.unread(agent, next.status, outcome.action.as_ref());
                    SceneStep::Made
                }
            },
        };
        Observed { outcome, result, unread }
    }

    /// What nobody will read after a step: what its agent leaves by ending, and what it sends to those who have ended.
    fn unread(
        &self,
        agent: AgentId,
        status: Status,
        action: Option<&Action>,
    ) -> Vec<(PerformativeId, AgentId)> {
        let mut unread = Vec::new();
        if status != Status::Running {
            let taken = action.and_then(Action::taken).map(|(_, arrival)| arrival);
            let left = self.agents[agent.index()].mailbox.without(taken);
            unread.extend(left.map(|message| (message.performative, agent)));
        }
        if let Some(Action::Send { message, to, .. }) = action {
            let ended = to.iter().filter(|to| self.agents[to.index()].status != Status::Running);
            unread.extend(ended.map(|&to| (message.performative, to)));
        }
        unread
    }

    /// Whether the scene is the same but for the names of abstract values, and counters, when the agent is in `next`:
    /// then a move or timeout to it is no step.
    fn is_unchanged_by(&self, agent: AgentId, next: &Next) -> bool {
        let now = &self.agents[agent.index()];
        if now.status != next.status || !now.control.same_shape(&next.control) {
            return false;
        }
        if now.control == next.control && now.memory == next.memory {
            return true;
        }
        let replaced = AgentState { mailbox: now.mailbox.clone(), ..AgentState::new(next.clone()) };
        if pattern([now]) != pattern([&replaced]) {
            return false;
        }
        let after = self.agents.iter().enumerate();
        let after = after.map(|(index, state)| if index == agent.index() { &replaced } else { state });
        pattern(&self.agents) == pattern(after)
    }

    /// The first recipient whose mailbox is full.
    fn overflow(&self, bounds: &Bounds, action: Option<&Action>) -> Option<AgentId> {
        let Some(Action::Send { to, .. }) = action else { return None };
        to.iter().copied().find(|recipient| {
            let state = &self.agents[recipient.index()];
            state.status == Status::Running && state.mailbox.len() >= bounds.mailbox as usize
        })
    }

    /// Makes a step that [`SceneState::attempt`] found to be one in this very state: `next` and `action` are what came
    /// of it.
    pub fn make(&mut self, bounds: &Bounds, agent: AgentId, next: Next, action: Option<&Action>) {
        self.agents[agent.index()].go_on(next, action.and_then(Action::taken));
        match action {
            Some(Action::Send { message, to, .. }) => {
                for recipient in to {
                    deliver(bounds, &mut self.agents[recipient.index()], message);
                }
            }
            Some(Action::Ask { answer, updates, .. }) => {
                let values = updates.iter().map(|(_, value)| value).chain([answer]);
                let next = values.filter_map(|value| value.symbol()).map(|symbol| symbol.0 + 1).max();
                self.fresh = self.fresh.max(Symbol(next.unwrap_or(0)));
            }
            _ => {}
        }
    }

    /// Whether every agent has ended with success.
    #[must_use]
    pub fn all_done(&self) -> bool {
        self.agents.iter().all(|agent| agent.status == Status::Done)
    }
}

/// The symbols that these agents hold, numbered by first occurrence.
fn pattern<'a>(agents: impl IntoIterator<Item = &'a AgentState>) -> Vec<usize> {
    let mut numbers: BTreeMap<Symbol, usize> = BTreeMap::new();
    let mut occurrences = Vec::new();
    for state in agents {
        state.visit_symbols(&mut |symbol| {
            let next = numbers.len();
            occurrences.push(*numbers.entry(symbol).or_insert(next));
        });
    }
    occurrences
}

/// Whether time may run out for a thread at a `waitfor` (language reference, "Time"): `waiting` says it of the thread
/// itself, `all_waiting` of every thread of the scene that has not ended.
#[must_use]
pub fn may_time_out(bounds: &Bounds, waiting: bool, all_waiting: bool) -> bool {
    match bounds.timeouts {
        Timeouts::Quiescent => all_waiting,
        Timeouts::Any => waiting,
    }
}

/// Whether the place is a `waitfor`.
#[must_use]
pub fn is_waitfor(program: &Program, point: PointId) -> bool {
    matches!(program.point(point).kind, PointKind::Wait { .. })
}
