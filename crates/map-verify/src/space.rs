//! Global states and their successors: patches of short vectors, looked up in the tables of [`crate::agents`].
//!
//! A global state is one word for each agent, its interned state, then the symbols that these states hold, agent by
//! agent, numbered by first occurrence.

use map_ir::{AgentId, PerformativeId, Program};
use map_semantics::{BoundHit, Bounds, Outcome, SceneState, Status, Timeouts, may_time_out};

use crate::agents::{Agents, LocalEnding, LocalStep, Locals};

/// A step out of a global state.
pub(crate) struct Successor<'s> {
    pub(crate) agent: AgentId,
    pub(crate) step: &'s LocalStep,
    /// Whether it rests on an open comparison, its own or one by which some thread counts as waiting.
    pub(crate) compared: bool,
    pub(crate) result: Next<'s>,
    /// Messages to agents that have ended.
    pub(crate) dropped: &'s [(PerformativeId, AgentId)],
}

pub(crate) enum Next<'s> {
    /// It would leave the scene as it was: no step.
    Nothing,
    State(&'s [u32]),
    Cut(BoundHit),
    Overflow,
    Runaway,
    RunError,
    TooLong,
}

/// What kind of state it is, judged from its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) all_done: bool,
    pub(crate) some_failed: bool,
    /// Not all have ended, none failed, and no step: a deadlock.
    pub(crate) no_step: bool,
    /// The same if open comparisons come out the other way.
    pub(crate) steps_may_vanish: bool,
    /// Nothing can happen but polls, which may be answered "no" for ever.
    pub(crate) only_polls: bool,
}

/// The transition system of one scene.
pub(crate) struct Space<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    pub(crate) agents: Agents<'a>,
    locals: Vec<Option<Locals>>,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    /// Where each agent's symbols start in the state being expanded.
    offsets: Vec<usize>,
    /// Agents that the step changes: who, the new state, the symbols it holds.
    changed: Vec<(usize, u32, Vec<u32>)>,
    sent: Vec<u32>,
    dropped: Vec<(PerformativeId, AgentId)>,
    next: Vec<u32>,
    renamed: Vec<u32>,
}

const UNNAMED: u32 = u32::MAX;

impl<'a> Space<'a> {
    pub(crate) fn new(program: &'a Program, bounds: &'a Bounds) -> Self {
        let agents = Agents::new(program, bounds);
        Self { program, bounds, agents, locals: Vec::new(), scratch: Scratch::default() }
    }

    pub(crate) fn agent_count(&self) -> usize {
        self.program.agents.len()
    }

    /// The first state, if there is one, and what the agents did on their ways to it.
    pub(crate) fn start(&mut self) -> (Option<Vec<u32>>, Vec<Outcome>) {
        let (state, outcomes) = SceneState::start(self.program, self.bounds);
        let words = state.map(|state| {
            let agents = self.program.cast().zip(state.agents);
            // Nothing was asked on the way, so no agent holds a symbol.
            agents.map(|(agent, state)| self.agents.intern(agent, state).0).collect()
        });
        (words, outcomes)
    }

    /// Calls `found` for every step of a state, in the order of agents, threads, acts before timeouts.
    pub(crate) fn expand(&mut self, state: &[u32], mut found: impl FnMut(Successor<'_>)) -> Judgement {
        let agents = self.program.agents.len();
        for &id in &state[..agents] {
            self.ensure_locals(id);
        }
        self.scratch.locate_symbols(&self.agents, &state[..agents]);

        let mut judgement = Judgement { all_done: true, steps_may_vanish: true, ..Judgement::default() };
        let (mut all_waiting, mut waiting_compared) = (true, false);
        for &id in &state[..agents] {
            let status = self.agents.brief(id).status;
            judgement.all_done &= status == Status::Done;
            judgement.some_failed |= status == Status::Failed;
            all_waiting &= local(&self.locals, id).all_waiting;
            waiting_compared |= local(&self.locals, id).waiting_compared;
        }
        let (mut acts, mut timeouts, mut ended) = (0_usize, 0_usize, true);
        for (agent, &id) in state[..agents].iter().enumerate() {
            let agent = AgentId::new(agent);
            let locals = local(&self.locals, id);
            for thread in &locals.threads {
                ended = false;
                let mut steps = 0;
                for step in &thread.acts {
                    let successor = compose(&mut self.agents, &mut self.scratch, state, agent, step, false);
                    if !matches!(successor.result, Next::Nothing) {
                        steps += 1;
                        found(successor);
                    }
                }
                judgement.steps_may_vanish &= thread.act_may_vanish || steps == 0;
                acts += steps;
                if may_time_out(self.bounds, thread.waiting, all_waiting) {
                    let doubtful = match self.bounds.timeouts {
                        Timeouts::Quiescent => waiting_compared,
                        Timeouts::Any => thread.waiting_compared,
                    };
                    let mut steps = 0;
                    for step in &thread.timeouts {
                        let successor =
                            compose(&mut self.agents, &mut self.scratch, state, agent, step, doubtful);
                        if !matches!(successor.result, Next::Nothing) {
                            steps += 1;
                            found(successor);
                        }
                    }
                    judgement.steps_may_vanish &= thread.timeout_may_vanish || steps == 0;
                    timeouts += steps;
                }
            }
        }
        judgement.no_step = acts + timeouts == 0 && !ended && !judgement.some_failed;
        judgement.steps_may_vanish &= !ended && !judgement.some_failed;
        judgement.only_polls = all_waiting && acts > 0 && timeouts == 0;
        judgement
    }

    fn ensure_locals(&mut self, id: u32) {
        let index = id as usize;
        if self.locals.len() <= index {
            self.locals.resize_with(index + 1, || None);
        }
        if self.locals[index].is_none() {
            self.locals[index] = Some(self.agents.locals(id));
        }
    }
}

fn local(locals: &[Option<Locals>], id: u32) -> &Locals {
    locals[id as usize].as_ref().expect("computed before the state is expanded")
}

/// Puts a step of one agent into the global state, with its deliveries.
fn compose<'s>(
    agents: &mut Agents<'_>,
    scratch: &'s mut Scratch,
    state: &[u32],
    agent: AgentId,
    step: &'s LocalStep,
    doubtful: bool,
) -> Successor<'s> {
    scratch.changed.clear();
    scratch.dropped.clear();
    let result = match &step.ending {
        LocalEnding::Cut(bound) => Next::Cut(*bound),
        LocalEnding::TooLong => Next::TooLong,
        LocalEnding::RunError => Next::RunError,
        LocalEnding::Runaway => {
            if scratch.send(agents, state, agent, step) {
                Next::Runaway
            } else {
                Next::Overflow
            }
        }
        LocalEnding::State { next, symbols, may_be_idle, .. } => {
            let held = scratch.name_symbols(agents, state, agent, symbols);
            scratch.changed.push((agent.index(), *next, held));
            if scratch.send(agents, state, agent, step) {
                scratch.patch(agents, state);
                let symbols = scratch.offsets.len()..;
                if *may_be_idle && scratch.next[symbols.clone()] == state[symbols] {
                    Next::Nothing
                } else {
                    Next::State(&scratch.next)
                }
            } else {
                Next::Overflow
            }
        }
    };
    Successor { agent, step, compared: step.compared || doubtful, result, dropped: &scratch.dropped }
}

impl Scratch {
    fn locate_symbols(&mut self, agents: &Agents<'_>, ids: &[u32]) {
        self.offsets.clear();
        let mut offset = ids.len();
        for &id in ids {
            self.offsets.push(offset);
            offset += agents.brief(id).symbols as usize;
        }
    }

    /// The symbols of the agent before the step, by their names in the scene.
    fn held<'w>(&self, agents: &Agents<'_>, state: &'w [u32], agent: usize) -> &'w [u32] {
        let start = self.offsets[agent];
        &state[start..start + agents.brief(state[agent]).symbols as usize]
    }

    /// Names of an agent's symbols in the scene; those that the step makes follow all that are there.
    fn name_symbols(&self, agents: &Agents<'_>, state: &[u32], agent: AgentId, symbols: &[u32]) -> Vec<u32> {
        if symbols.is_empty() {
            return Vec::new();
        }
        let held = self.held(agents, state, agent.index());
        let in_use = state[self.offsets.len()..].iter().max().map_or(0, |max| max + 1);
        let name = |&symbol: &u32| {
            held.get(symbol as usize).copied().unwrap_or_else(|| in_use + symbol - held.len() as u32)
        };
        symbols.iter().map(name).collect()
    }

    /// Delivers what the step sends; false if a mailbox is full.
    fn send(&mut self, agents: &mut Agents<'_>, state: &[u32], agent: AgentId, step: &LocalStep) -> bool {
        let Some(sent) = &step.sent else { return true };
        self.sent = self.name_symbols(agents, state, agent, &sent.symbols);
        for &recipient in &sent.to {
            let id = state[recipient.index()];
            if agents.brief(id).status != Status::Running {
                self.dropped.push((agents.message(sent.message).performative, recipient));
                continue;
            }
            let mut held = self.held(agents, state, recipient.index()).to_vec();
            match agents.deliver(id, sent.message, &mut held, &self.sent) {
                Some(next) => self.changed.push((recipient.index(), next, held)),
                None => return false,
            }
        }
        true
    }

    /// Writes the next state, its symbols numbered by first occurrence.
    fn patch(&mut self, agents: &Agents<'_>, state: &[u32]) {
        let count = self.offsets.len();
        self.next.clear();
        self.next.extend_from_slice(&state[..count]);
        self.changed.sort_unstable_by_key(|&(agent, ..)| agent);
        for &(agent, id, _) in &self.changed {
            self.next[agent] = id;
        }
        let mut changed = self.changed.iter().peekable();
        for agent in 0..count {
            match changed.next_if(|&&(it, ..)| it == agent) {
                Some((_, _, held)) => self.next.extend_from_slice(held),
                None => self.next.extend_from_slice(self.held(agents, state, agent)),
            }
        }
        self.renamed.clear();
        let mut fresh = 0;
        for symbol in &mut self.next[count..] {
            let index = *symbol as usize;
            if self.renamed.len() <= index {
                self.renamed.resize(index + 1, UNNAMED);
            }
            if self.renamed[index] == UNNAMED {
                self.renamed[index] = fresh;
                fresh += 1;
            }
            *symbol = self.renamed[index];
        }
    }
}
