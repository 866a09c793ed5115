//! Scenes: deliveries, quiescence, and steps of all agents on plain states.

use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, PointId, Program, Symbol};

use crate::agent::{AgentState, Next, Status};
use crate::arrival::arrive;
use crate::bags::order_bags;
use crate::bounds::Bounds;
use crate::crash::crash;
use crate::delivery::deliver;
use crate::enumerate::start;
use crate::machine::{act, time_out};
use crate::outcome::{Action, BoundHit, Ending, Outcome, RunError};
use crate::prefix::Prefix;
use crate::step::Turn;
use crate::{Choice, Choices};

/// The state of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneState {
    /// The agents, in the order of the cast. A state shares with the one before it those that did not change.
    pub agents: Vec<Arc<AgentState>>,
    /// The first symbol not used in this run so far.
    pub fresh: Symbol,
    /// The number of message copies lost so far.
    pub lost: u32,
}

/// The result of a step of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneStep {
    /// The scene is in its next state.
    Made,
    /// There is no such step.
    Nothing,
    /// It would exceed a bound and is not taken.
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
    /// Runaway recursion: the call, or the `waitfor` that was re-entered.
    Runaway(PointId),
    /// A run-time error in a procedure.
    RunError(RunError),
}

/// A step with everything observed of it.
#[derive(Clone, Debug)]
pub struct ObservedStep {
    /// What the thread did.
    pub outcome: Outcome,
    /// The result for the scene.
    pub result: SceneStep,
    /// Messages that nobody will read, as performative and recipient: those left in the mailbox of an agent that ended,
    /// or sent to one that had. Crashed agents do not count.
    pub unread: Vec<(PerformativeId, AgentId)>,
    /// The recipients whose copies of the message sent are lost.
    pub lost: Vec<AgentId>,
}

impl SceneState {
    /// The first state, and the outcome of each agent's way to its first places; no state if some way is cut or goes
    /// wrong. `initial` chooses among the initial values of cells: one option for each of [`crate::open_cells`]. If
    /// steps are behind the run ([`Bounds::after`]), it starts where they lead, and the choice is theirs.
    ///
    /// # Panics
    /// If these are not such options ([`crate::are_initial`]).
    pub fn start(program: &Program, bounds: &Bounds, initial: &[u32]) -> (Option<Self>, Vec<Outcome>) {
        Self::start_unless(program, bounds, initial, &|| false).expect("nothing stops it")
    }

    /// The same, unless it is `stopped` on the way: a large cast takes its time.
    pub fn start_unless(
        program: &Program,
        bounds: &Bounds,
        mut initial: &[u32],
        stopped: &dyn Fn() -> bool,
    ) -> Option<(Option<Self>, Vec<Outcome>)> {
        if let Some(prefix) = &bounds.after {
            return Some((Some(Self::after(prefix)), prefix.outcomes()));
        }
        let outcome = |agent| (!stopped()).then(|| start(program, bounds, agent, &mut initial));
        let outcomes: Vec<Outcome> = program.cast().map(outcome).collect::<Option<_>>()?;
        let agents: Option<Vec<Arc<AgentState>>> = outcomes
            .iter()
            .map(|outcome| match &outcome.ending {
                Ending::State(next) => Some(Arc::new(AgentState::new(next.clone()))),
                _ => None,
            })
            .collect();
        Some((agents.map(|agents| Self { agents, fresh: Symbol(0), lost: 0 }), outcomes))
    }

    /// The state to which the first steps of a run lead.
    #[must_use]
    pub fn after(prefix: &Prefix) -> Self {
        Self { agents: prefix.agents.clone(), fresh: prefix.fresh, lost: prefix.lost }
    }

    /// Takes a step if that is possible; otherwise the state stays as it is. Whether time may run out is up to the
    /// caller: [`crate::scene_steps`] lists only timeouts for which it may, [`crate::propose`] checks a single one.
    ///
    /// # Panics
    /// If the agent has no such thread or way.
    pub fn step(
        &mut self,
        program: &Program,
        bounds: &Bounds,
        agent: AgentId,
        thread: usize,
        turn: Turn,
        choices: &mut dyn Choices,
    ) -> ObservedStep {
        let observed = self.attempt(program, bounds, agent, thread, turn, choices);
        self.follow(bounds, agent, &observed);
        observed
    }

    /// The result that [`SceneState::step`] would have; the state stays as it is. If it is [`SceneStep::Made`],
    /// [`SceneState::follow`] takes the step.
    ///
    /// # Panics
    /// If the agent has no such thread or way.
    pub fn attempt(
        &self,
        program: &Program,
        bounds: &Bounds,
        agent: AgentId,
        thread: usize,
        turn: Turn,
        choices: &mut dyn Choices,
    ) -> ObservedStep {
        let state = &self.agents[agent.index()];
        let node = || state.control.threads().nth(thread).expect("the agent has this thread");
        let outcome = match turn {
            Turn::Act => act(program, bounds, agent, state, node(), self.fresh, choices),
            Turn::Timeout => time_out(program, bounds, agent, state, node(), self.fresh, choices),
            Turn::Crash => crash(state),
            Turn::Arrive => arrive(state, thread - state.control.threads().count()),
        };
        self.observe(bounds, agent, turn, outcome, choices)
    }

    /// What a step comes to whose outcome for its agent is known already, as [`crate::act`] or [`crate::time_out`]
    /// gives it in this state. `choices` says which copies are lost.
    pub fn observe(
        &self,
        bounds: &Bounds,
        agent: AgentId,
        turn: Turn,
        outcome: Outcome,
        choices: &mut dyn Choices,
    ) -> ObservedStep {
        let lost = match (&outcome.ending, &outcome.action) {
            (Ending::State(_) | Ending::Runaway(_) | Ending::RunError(_), Some(Action::Send { to, .. })) => {
                let is_there = |to: &AgentId| self.agents[to.index()].status == Status::Running;
                lost_copies(bounds.network.losses - self.lost, to.iter().copied().filter(is_there), choices)
            }
            _ => Vec::new(),
        };
        let mut unread = Vec::new();
        let result = match &outcome.ending {
            Ending::Nothing => SceneStep::Nothing,
            Ending::Cut(bound) => SceneStep::Cut(*bound),
            Ending::TooLong(point) => SceneStep::TooLong(*point),
            Ending::RunError(error) => match self.overflow(bounds, outcome.action.as_ref(), &lost) {
                Some(recipient) => SceneStep::Wrong(StepError::Overflow(recipient)),
                None => SceneStep::Wrong(StepError::RunError(*error)),
            },
            Ending::State(_) if turn == Turn::Crash && !self.may_crash(bounds) => SceneStep::Nothing,
            Ending::Runaway(point) => match self.overflow(bounds, outcome.action.as_ref(), &lost) {
                Some(recipient) => SceneStep::Wrong(StepError::Overflow(recipient)),
                None => SceneStep::Wrong(StepError::Runaway(*point)),
            },
            Ending::State(next) => match self.overflow(bounds, outcome.action.as_ref(), &lost) {
                Some(recipient) => SceneStep::Wrong(StepError::Overflow(recipient)),
                None => {
                    unread = self.unread(agent, next.status, outcome.action.as_ref(), &lost);
                    SceneStep::Made
                }
            },
        };
        ObservedStep { outcome, result, unread, lost }
    }

    /// Whether an agent that has not ended may still crash.
    #[must_use]
    pub fn may_crash(&self, bounds: &Bounds) -> bool {
        // The simulator calls this at every step: count agents only if it matters.
        let crashed = || self.agents.iter().filter(|agent| agent.status == Status::Crashed).count();
        bounds.network.crashes > 0 && crashed() < bounds.network.crashes as usize
    }

    /// The agents that may crash: those that have not ended, while one more crash is allowed.
    pub fn may_crash_next(&self, bounds: &Bounds) -> impl Iterator<Item = AgentId> + '_ {
        let some = self.may_crash(bounds);
        let agents = self.agents.iter().enumerate();
        let running = agents.filter(move |(_, agent)| some && agent.status == Status::Running);
        running.map(|(index, _)| AgentId::new(index))
    }

    /// The messages that nobody will read after a step: those that its agent leaves behind by ending, and those it
    /// sends to agents that have ended.
    fn unread(
        &self,
        agent: AgentId,
        status: Status,
        action: Option<&Action>,
        lost: &[AgentId],
    ) -> Vec<(PerformativeId, AgentId)> {
        let mut unread = Vec::new();
        if matches!(status, Status::Done | Status::Failed) {
            let taken = action.and_then(Action::taken).map(|(_, arrival)| arrival);
            let state = &self.agents[agent.index()];
            let left = state.mailbox.without(taken).chain(state.under_way.iter());
            unread.extend(left.map(|message| (message.performative, agent)));
        }
        if let Some(Action::Send { message, to, .. }) = action {
            let has_ended = |to: &AgentId| {
                matches!(self.agents[to.index()].status, Status::Done | Status::Failed) && !lost.contains(to)
            };
            let ended = to.iter().filter(|to| has_ended(to));
            unread.extend(ended.map(|&to| (message.performative, to)));
        }
        unread
    }

    /// The first recipient whose mailbox is full.
    fn overflow(&self, bounds: &Bounds, action: Option<&Action>, lost: &[AgentId]) -> Option<AgentId> {
        let Some(Action::Send { to, .. }) = action else { return None };
        to.iter().copied().filter(|to| !lost.contains(to)).find(|recipient| {
            let state = &self.agents[recipient.index()];
            state.status == Status::Running && state.messages() >= bounds.mailbox as usize
        })
    }

    /// Takes a step of an agent that was attempted in this very state, if it can be taken; returns whether it was.
    pub fn follow(&mut self, bounds: &Bounds, agent: AgentId, observed: &ObservedStep) -> bool {
        let ObservedStep { outcome, result, lost, .. } = observed;
        let (SceneStep::Made, Ending::State(next)) = (result, &outcome.ending) else { return false };
        self.make(bounds, agent, next.clone(), outcome.action.as_ref(), lost);
        true
    }

    /// Like [`SceneState::follow`], but takes the next state by value instead of cloning it from the outcome. `lost`
    /// are the recipients whose copies are lost.
    pub fn make(
        &mut self,
        bounds: &Bounds,
        agent: AgentId,
        next: Next,
        action: Option<&Action>,
        lost: &[AgentId],
    ) {
        self.fresh = self.fresh.max(next.fresh);
        Arc::make_mut(&mut self.agents[agent.index()]).go_on(bounds, next, action.and_then(Action::taken));
        self.lost += lost.len() as u32;
        if let Some(Action::Send { message, to, .. }) = action {
            for recipient in to.iter().filter(|to| !lost.contains(to)) {
                let recipient = &mut self.agents[recipient.index()];
                // Whoever has ended gets nothing, and is not copied.
                if recipient.status == Status::Running {
                    deliver(bounds, Arc::make_mut(recipient), message);
                }
            }
        }
        if bounds.network.unordered {
            order_bags(&mut self.agents);
        }
    }

    /// Whether this is the good end: every agent is done, or has crashed.
    #[must_use]
    pub fn all_done(&self) -> bool {
        self.agents.iter().all(|agent| matches!(agent.status, Status::Done | Status::Crashed))
    }
}

/// Chooses which copies of a message are lost, at most `left` of them. `recipients` are those that have not ended, in
/// order.
pub fn lost_copies(
    mut left: u32,
    recipients: impl Iterator<Item = AgentId>,
    choices: &mut dyn Choices,
) -> Vec<AgentId> {
    let mut lost = Vec::new();
    for recipient in recipients {
        if left > 0 && choices.choose(&Choice::Loss { recipient }) == 1 {
            lost.push(recipient);
            left -= 1;
        }
    }
    lost
}

/// [`crate::Timeouts::may_run_out`] under these bounds.
#[must_use]
pub const fn may_time_out(bounds: &Bounds, waiting: bool, all_waiting: bool) -> bool {
    bounds.timeouts.may_run_out(waiting, all_waiting)
}
