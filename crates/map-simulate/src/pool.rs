//! The threads of a scene that have a step, maintained incrementally.
//!
//! The moves of an agent are computed only when it is drawn, or when it decides whether time may run out. Until then it
//! is *stale*: each of its threads counts as possibly having a step, and a draw that finds it has none is repeated.
//! This is rejection sampling, so every thread that has a step is drawn with the same probability, whichever agents are
//! stale.
//!
//! This is bookkeeping only; what counts as a step is decided by `map-semantics` ([`crate::moves`]). A test compares
//! the threads drawn with those that have a step according to `map_semantics::scene_steps`, which would examine every
//! agent at every step.

use map_ir::{AgentId, PerformativeId, Program};
use map_semantics::{Action, BoundHit, Bounds, Ending, Outcome, SceneState, Status, Turn, may_time_out};

use crate::Random;
use crate::moves::Moves;
use crate::tally::Tally;

/// The threads of all agents.
pub(crate) struct Pool<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    moves: Vec<Moves>,
    /// For each agent, the number of its threads that have a step before time runs out; if it is stale, the number of
    /// all its threads.
    ready: Tally,
    /// For each agent, the number of its threads that have a step only at quiescence, when every thread is waiting.
    patient: Tally,
    /// The number of agents that are not stale and have a thread that is not waiting.
    busy: usize,
    stale: Vec<AgentId>,
    /// The index of each agent in `stale`.
    stale_at: Vec<Option<usize>>,
}

/// A thread that was drawn, with whether it can act and whether its timeout can fire.
pub(crate) struct Drawn {
    pub(crate) agent: AgentId,
    pub(crate) thread: usize,
    pub(crate) act: bool,
    pub(crate) timeout: bool,
}

impl<'a> Pool<'a> {
    pub(crate) fn new(program: &'a Program, bounds: &'a Bounds, state: &SceneState) -> Self {
        let len = state.agents.len();
        let mut pool = Self {
            program,
            bounds,
            moves: std::iter::repeat_with(Moves::default).take(len).collect(),
            ready: Tally::new(len),
            patient: Tally::new(len),
            busy: 0,
            stale: Vec::with_capacity(len),
            stale_at: vec![None; len],
        };
        program.cast().for_each(|agent| pool.changed(state, agent));
        pool
    }

    /// Takes a step that was attempted.
    pub(crate) fn make(
        &mut self,
        state: &mut SceneState,
        agent: AgentId,
        outcome: Outcome,
        lost: &[AgentId],
    ) {
        let Ending::State(next) = outcome.ending else {
            unreachable!("a step that is made has a next state")
        };
        state.make(self.bounds, agent, next, outcome.action.as_ref(), lost);
        self.changed(state, agent);
        if let Some(Action::Send { message, to, .. }) = &outcome.action {
            for &recipient in to.iter().filter(|to| !lost.contains(to)) {
                self.delivered(state, recipient, message.performative);
            }
        }
    }

    /// Whether time may run out for a thread.
    pub(crate) fn may_time_out(&mut self, state: &SceneState, agent: AgentId, thread: usize) -> bool {
        if self.stale_at[agent.index()].is_some() {
            self.refresh(state, agent);
        }
        let quiescent = self.find_quiescence(state);
        let thread = self.moves[agent.index()].threads.get(thread);
        thread.is_some_and(|thread| may_time_out(self.bounds, thread.waiting, quiescent))
    }

    /// Records that the state of an agent has changed: it becomes stale, unless it has ended.
    pub(crate) fn changed(&mut self, state: &SceneState, agent: AgentId) {
        let index = agent.index();
        let agent_state = &state.agents[index];
        if self.stale_at[index].is_none() {
            self.busy -= usize::from(!self.moves[index].all_waiting());
            self.stale_at[index] = Some(self.stale.len());
            self.stale.push(agent);
        }
        self.patient.set(index, 0);
        if agent_state.status == Status::Running {
            let threads = agent_state.control.threads().count() + agent_state.under_way.ways().count();
            self.ready.set(index, threads as u32);
        } else {
            self.moves[index] = Moves::default();
            self.no_longer_stale(agent);
            self.ready.set(index, 0);
        }
    }

    /// Records a message that was delivered to an agent.
    pub(crate) fn delivered(&mut self, state: &SceneState, agent: AgentId, performative: PerformativeId) {
        let index = agent.index();
        let may_take = || self.stale_at[index].is_none() && self.moves[index].awaits(performative);
        // A message that is under way may be a new way, which counts even while the rest is stale.
        if self.bounds.network.delayed || may_take() {
            self.changed(state, agent);
        }
    }

    /// Draws a thread uniformly from those that have a step.
    pub(crate) fn draw(&mut self, state: &SceneState, random: &mut Random) -> Option<Drawn> {
        let quiescent = self.find_quiescence(state);
        loop {
            let ready = self.ready.total();
            let total = ready + if quiescent { self.patient.total() } else { 0 };
            if total == 0 {
                return None;
            }
            let n = random.below(total);
            let (agent, thread) = if n < ready {
                let (agent, nth) = self.ready.find(n);
                if self.stale_at[agent].is_some() {
                    self.refresh(state, AgentId::new(agent));
                    if !self.moves[agent].threads[nth].is_movable(self.bounds, quiescent) {
                        continue;
                    }
                    (agent, Some(nth))
                } else {
                    (agent, self.nth(agent, nth, false))
                }
            } else {
                let (agent, nth) = self.patient.find(n - ready);
                (agent, self.nth(agent, nth, true))
            };
            let thread = thread.expect("the tallies count the threads that have a step");
            let (act, timeout) = self.moves[agent].threads[thread].options(self.bounds, quiescent);
            return Some(Drawn { agent: AgentId::new(agent), thread, act, timeout });
        }
    }

    /// What a turn comes to, if that is known already. The agent's state may not have changed since it was drawn.
    pub(crate) fn take_certain(&mut self, agent: AgentId, thread: usize, turn: Turn) -> Option<Outcome> {
        let is_stale = self.stale_at[agent.index()].is_some();
        let thread = self.moves[agent.index()].threads.get_mut(thread).filter(|_| !is_stale)?;
        thread.take_certain(turn)
    }

    /// Whether some thread has a step.
    pub(crate) fn can_move(&mut self, state: &SceneState) -> bool {
        while let Some(&agent) = self.stale.last() {
            self.refresh(state, agent);
        }
        self.ready.total() > 0 || self.find_quiescence(state) && self.patient.total() > 0
    }

    /// A bound that cuts a step; only meaningful once no thread has a step.
    pub(crate) fn cut(&self) -> Option<BoundHit> {
        let quiescent = self.busy == 0;
        self.moves.iter().find_map(|moves| moves.cut(self.bounds, quiescent))
    }

    /// Whether time may run out because every thread is waiting.
    fn find_quiescence(&mut self, state: &SceneState) -> bool {
        // Where timeouts do not depend on the other agents, none need be examined.
        if may_time_out(self.bounds, true, false) {
            return false;
        }
        while self.busy == 0
            && let Some(&agent) = self.stale.last()
        {
            self.refresh(state, agent);
        }
        self.busy == 0
    }

    /// The `n`th of the threads of an agent that are counted by `patient`, or else by `ready`.
    fn nth(&self, agent: usize, n: usize, patient: bool) -> Option<usize> {
        let threads = self.moves[agent].threads.iter().enumerate();
        let mut counted = threads.filter(|(_, thread)| {
            let ready = thread.is_movable(self.bounds, false);
            if patient { !ready && thread.is_movable(self.bounds, true) } else { ready }
        });
        counted.nth(n).map(|(index, _)| index)
    }

    /// Computes the moves of a stale agent.
    fn refresh(&mut self, state: &SceneState, agent: AgentId) {
        let index = agent.index();
        self.no_longer_stale(agent);
        let moves = Moves::of(self.program, self.bounds, agent, &state.agents[index], state.fresh);
        let movable = [false, true].map(|quiescent| {
            moves.threads.iter().filter(|thread| thread.is_movable(self.bounds, quiescent)).count() as u32
        });
        self.ready.set(index, movable[0]);
        self.patient.set(index, movable[1] - movable[0]);
        self.busy += usize::from(!moves.all_waiting());
        self.moves[index] = moves;
    }

    fn no_longer_stale(&mut self, agent: AgentId) {
        if let Some(at) = self.stale_at[agent.index()].take() {
            self.stale.swap_remove(at);
            if let Some(moved) = self.stale.get(at) {
                self.stale_at[moved.index()] = Some(at);
            }
        }
    }
}

#[cfg(test)]
mod tests;
