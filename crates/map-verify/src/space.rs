//! Global states and their successors: patches of short vectors, looked up in the tables of [`crate::agents`].
//!
//! A global state is one word for each agent, its interned state; where messages may be lost, how many were; then the
//! symbols that these states hold, agent by agent, numbered by first occurrence.

use std::ops::Range;

use map_ir::{AgentId, PerformativeId, Program};
use map_semantics::{
    AgentState, BoundHit, Bounds, Outcome, Path, SceneState, Status, StepKind, Timeouts, lost_copies,
    may_time_out, order_bags,
};

use crate::agents::{Agents, LocalEnding, LocalStep, Locals, Missing};

/// A step out of a global state.
pub(crate) struct Successor<'s> {
    pub(crate) agent: AgentId,
    pub(crate) step: &'s LocalStep,
    /// Whether it rests on an open comparison, its own or one by which some thread counts as waiting.
    pub(crate) compared: bool,
    pub(crate) result: Next<'s>,
    /// Messages to agents that have ended.
    pub(crate) dropped: &'s [(PerformativeId, AgentId)],
    /// Which copies of the message are lost, as options that follow those of the step.
    pub(crate) losses: &'s [u32],
    /// Whether it is bad luck: a crash, or a send of which some copy is lost. What has to be reachable must be so
    /// without.
    pub(crate) unlucky: bool,
}

pub(crate) enum Next<'s> {
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

/// The transition system of one scene. Threads expand states side by side, each with a [`Scratch`] of its own.
pub(crate) struct Space<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    pub(crate) agents: Agents<'a>,
    /// Where the symbols of a state start.
    header: usize,
}

/// What a step of one agent is put into.
#[derive(Clone, Copy)]
struct Source<'s> {
    state: &'s [u32],
    agent: AgentId,
    /// How many more copies may be lost.
    losses: u32,
}

/// Buffers for expanding a state.
#[derive(Default)]
pub(crate) struct Scratch {
    /// What the tables do not say yet.
    pub(crate) missing: Vec<Missing>,
    /// Where the symbols of a state start.
    header: usize,
    /// Where each agent's symbols start in the state being expanded.
    offsets: Vec<usize>,
    /// The first name that no symbol of the state has.
    unused_name: u32,
    /// Agents that the step changes: who, the new state, where the symbols it holds are in `held`.
    changed: Vec<(usize, u32, Range<usize>)>,
    held: Vec<u32>,
    sent: Vec<u32>,
    pattern: Vec<u32>,
    dropped: Vec<(PerformativeId, AgentId)>,
    next: Vec<u32>,
    renamed: Vec<u32>,
}

const UNNAMED: u32 = u32::MAX;

impl<'a> Space<'a> {
    pub(crate) fn new(program: &'a Program, bounds: &'a Bounds) -> Self {
        let agents = Agents::new(program, bounds);
        let header = program.agents.len() + usize::from(bounds.network.losses > 0);
        Self { program, bounds, agents, header }
    }

    pub(crate) fn agent_count(&self) -> usize {
        self.program.agents.len()
    }

    /// Number of words before the symbols.
    pub(crate) fn header(&self) -> usize {
        self.header
    }

    /// How many symbols belong to a word of the header at a place.
    pub(crate) fn symbols_of(&self, place: usize, word: u32) -> usize {
        if place < self.program.agents.len() { self.agents.brief(word).symbols as usize } else { 0 }
    }

    /// The first state, if there is one, and what the agents did on their ways to it.
    pub(crate) fn start(&mut self) -> (Option<Vec<u32>>, Vec<Outcome>) {
        let (state, outcomes) = SceneState::start(self.program, self.bounds);
        let words = state.map(|state| {
            let agents = self.program.cast().zip(state.agents);
            // Nothing was asked on the way, so no agent holds a symbol.
            let mut words: Vec<u32> =
                agents.map(|(agent, state)| self.agents.intern(agent, state).0).collect();
            words.resize(self.header, 0);
            words
        });
        (words, outcomes)
    }

    /// Calls `found` for every step of a state, in the order of agents, threads, acts before timeouts; crashes come last. Nothing
    /// is returned, and not all steps were found, if something is missing in the tables: it is left in the scratch, and after
    /// [`Agents::fill`] the state has to be expanded again.
    pub(crate) fn expand(
        &self,
        scratch: &mut Scratch,
        state: &[u32],
        mut found: impl FnMut(Successor<'_>),
    ) -> Option<Judgement> {
        let agents = self.program.agents.len();
        let unknown = state[..agents].iter().filter(|&&id| self.agents.locals(id).is_none());
        scratch.missing.extend(unknown.map(|&id| Missing::Locals(id)));
        if !scratch.missing.is_empty() {
            return None;
        }
        scratch.header = self.header;
        scratch.locate_symbols(&self.agents, state, agents);

        let mut judgement = Judgement { all_done: true, steps_may_vanish: true, ..Judgement::default() };
        let (mut all_waiting, mut waiting_compared) = (true, false);
        let mut crashes = self.bounds.network.crashes;
        for &id in &state[..agents] {
            let status = self.agents.brief(id).status;
            judgement.all_done &= matches!(status, Status::Done | Status::Crashed);
            crashes -= u32::from(status == Status::Crashed);
            judgement.some_failed |= status == Status::Failed;
            all_waiting &= self.local(id).all_waiting;
            waiting_compared |= self.local(id).waiting_compared;
        }
        let losses = match self.bounds.network.losses {
            0 => 0,
            most => most - state[agents],
        };
        let (mut acts, mut timeouts, mut ended) = (0_usize, 0_usize, true);
        for (agent, &id) in state[..agents].iter().enumerate() {
            let source = Source { state, agent: AgentId::new(agent), losses };
            let locals = self.local(id);
            for thread in &locals.threads {
                ended = false;
                let mut steps = 0;
                for step in &thread.acts {
                    steps += compose(&self.agents, scratch, source, step, false, &mut found);
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
                        steps += compose(&self.agents, scratch, source, step, doubtful, &mut found);
                    }
                    judgement.steps_may_vanish &= thread.timeout_may_vanish || steps == 0;
                    timeouts += steps;
                }
            }
        }
        if crashes > 0 {
            for (agent, &id) in state[..agents].iter().enumerate() {
                let source = Source { state, agent: AgentId::new(agent), losses };
                if let Some(crash) = &self.local(id).crash {
                    compose(&self.agents, scratch, source, crash, false, &mut found);
                }
            }
        }
        judgement.no_step = acts + timeouts == 0 && !ended && !judgement.some_failed;
        judgement.steps_may_vanish &= !ended && !judgement.some_failed;
        judgement.only_polls = all_waiting && acts > 0 && timeouts == 0;
        scratch.missing.is_empty().then_some(judgement)
    }

    /// The same by one thread alone: what is missing is filled in. Calls `found` again from the beginning after
    /// `again`, if something was.
    pub(crate) fn expand_alone<F>(
        &mut self,
        scratch: &mut Scratch,
        state: &[u32],
        found: &mut F,
        mut again: impl FnMut(&mut F),
        mut each: impl FnMut(&mut F, Successor<'_>),
    ) -> Judgement {
        loop {
            again(found);
            if let Some(judgement) = self.expand(scratch, state, |successor| each(found, successor)) {
                return judgement;
            }
            for missing in std::mem::take(&mut scratch.missing) {
                self.agents.fill(missing);
            }
        }
    }

    /// Computes the steps of these agent states, if that has not been done.
    pub(crate) fn fill_locals(&mut self, ids: &[u32]) {
        for &id in ids {
            if self.agents.locals(id).is_none() {
                self.agents.fill(Missing::Locals(id));
            }
        }
    }

    /// Whether all threads of an agent state wait. Its steps must have been computed.
    pub(crate) fn all_waiting(&self, id: u32) -> bool {
        self.local(id).all_waiting
    }

    /// Whether a thread of an agent state waits. Its steps must have been computed.
    pub(crate) fn thread_waits(&self, id: u32, thread: u32) -> bool {
        self.local(id).threads[thread as usize].waiting
    }

    /// The steps of an agent state of which it is known that they are known.
    fn local(&self, id: u32) -> &Locals {
        self.agents.locals(id).expect("looked for before")
    }
}

/// Puts a step of one agent into the global state, with its deliveries, and calls `found` for what comes of it: once, or
/// once for each choice of the copies that are lost. Not for what leaves the scene as it was, which is no step, nor where
/// something is missing in the tables. Returns how many steps these are.
fn compose(
    agents: &Agents<'_>,
    scratch: &mut Scratch,
    source: Source<'_>,
    step: &LocalStep,
    doubtful: bool,
    found: &mut impl FnMut(Successor<'_>),
) -> usize {
    let crashes = step.kind == StepKind::Crash;
    let mut path = Path::default();
    let mut steps = 0;
    loop {
        let lost = match &step.sent {
            Some(sent) if source.losses > 0 => {
                let is_there =
                    |to: &AgentId| agents.brief(source.state[to.index()]).status == Status::Running;
                lost_copies(source.losses, sent.to.iter().copied().filter(is_there), &mut path)
            }
            _ => Vec::new(),
        };
        let missing = scratch.missing.len();
        let put = scratch.put(agents, source, step, &lost);
        if let Some(result) = put.result(&scratch.next)
            && scratch.missing.len() == missing
        {
            steps += 1;
            found(Successor {
                agent: source.agent,
                step,
                compared: step.compared || doubtful,
                result,
                dropped: &scratch.dropped,
                losses: &path.options(),
                unlucky: crashes || !lost.is_empty(),
            });
        }
        if path.advance(false).is_err() {
            return steps;
        }
    }
}

/// What comes of putting a step into the scene.
enum Put {
    /// The next state was written.
    Made,
    /// It leaves the scene as it was.
    Idle,
    Other(Next<'static>),
}

impl Put {
    fn result(self, next: &[u32]) -> Option<Next<'_>> {
        match self {
            Self::Made => Some(Next::State(next)),
            Self::Idle => None,
            Self::Other(other) => Some(other),
        }
    }
}

impl Scratch {
    fn locate_symbols(&mut self, agents: &Agents<'_>, state: &[u32], count: usize) {
        self.offsets.clear();
        let mut offset = self.header;
        for &id in &state[..count] {
            self.offsets.push(offset);
            offset += agents.brief(id).symbols as usize;
        }
        self.unused_name = state[self.header..].iter().max().map_or(0, |max| max + 1);
    }

    /// Writes the next state, if the step is made; else says what else comes of it.
    fn put(&mut self, agents: &Agents<'_>, source: Source<'_>, step: &LocalStep, lost: &[AgentId]) -> Put {
        self.changed.clear();
        self.held.clear();
        self.dropped.clear();
        let missing = self.missing.len();
        match &step.ending {
            LocalEnding::Cut(bound) => Put::Other(Next::Cut(*bound)),
            LocalEnding::TooLong => Put::Other(Next::TooLong),
            LocalEnding::RunError => Put::Other(Next::RunError),
            LocalEnding::Runaway if self.send(agents, source, step, lost) => Put::Other(Next::Runaway),
            LocalEnding::Runaway => Put::Other(Next::Overflow),
            LocalEnding::State { next, symbols, may_be_idle, .. } => {
                let mut held = std::mem::take(&mut self.held);
                self.name_symbols(agents, source, symbols, &mut held);
                self.changed.push((source.agent.index(), *next, 0..held.len()));
                self.held = held;
                if !self.send(agents, source, step, lost) {
                    return Put::Other(Next::Overflow);
                }
                if self.missing.len() == missing {
                    self.patch(agents, source.state, lost.len() as u32);
                }
                // If something is missing nobody will look at the rest.
                if self.missing.len() > missing {
                    return Put::Idle;
                }
                if *may_be_idle && self.is_idle(agents, source.state) { Put::Idle } else { Put::Made }
            }
        }
    }

    /// The symbols of the agent before the step, by their names in the scene.
    fn held<'w>(&self, agents: &Agents<'_>, state: &'w [u32], agent: usize) -> &'w [u32] {
        let start = self.offsets[agent];
        &state[start..start + agents.brief(state[agent]).symbols as usize]
    }

    /// Adds the names of the agent's symbols in the scene; those that the step makes follow all that are there.
    fn name_symbols(&self, agents: &Agents<'_>, source: Source<'_>, symbols: &[u32], names: &mut Vec<u32>) {
        if symbols.is_empty() {
            return;
        }
        let held = self.held(agents, source.state, source.agent.index());
        let name = |&symbol: &u32| {
            let made = || self.unused_name + symbol - held.len() as u32;
            held.get(symbol as usize).copied().unwrap_or_else(made)
        };
        names.extend(symbols.iter().map(name));
    }

    /// Delivers what the step sends, but for the copies that are lost; false if a mailbox is full.
    fn send(&mut self, agents: &Agents<'_>, source: Source<'_>, step: &LocalStep, lost: &[AgentId]) -> bool {
        let state = source.state;
        let Some(sent) = &step.sent else { return true };
        let mut names = std::mem::take(&mut self.sent);
        names.clear();
        self.name_symbols(agents, source, &sent.symbols, &mut names);
        self.sent = names;
        for &recipient in sent.to.iter().filter(|to| !lost.contains(to)) {
            let id = state[recipient.index()];
            match agents.brief(id).status {
                Status::Running => {}
                Status::Crashed => continue,
                Status::Done | Status::Failed => {
                    self.dropped.push((agents.message(sent.message).performative, recipient));
                    continue;
                }
            }
            let start = self.held.len();
            let held = &state[self.offsets[recipient.index()]..][..agents.brief(id).symbols as usize];
            self.held.extend_from_slice(held);
            self.pattern.clear();
            for symbol in &self.sent {
                let known = self.held[start..].iter().position(|it| it == symbol);
                let place = known.unwrap_or_else(|| {
                    self.held.push(*symbol);
                    self.held.len() - 1 - start
                });
                self.pattern.push(place as u32);
            }
            match agents.deliver(id, sent.message, &self.pattern) {
                Ok(Some((next, order))) => {
                    // In a bag the message may have come to stand before others.
                    let end = self.held.len();
                    if order.iter().enumerate().any(|(place, &symbol)| place != symbol as usize) {
                        self.held.extend_from_within(start..);
                        for (place, &symbol) in order.iter().enumerate() {
                            self.held[start + place] = self.held[end + symbol as usize];
                        }
                        self.held.truncate(end);
                    }
                    self.changed.push((recipient.index(), next, start..end));
                }
                Ok(None) => return false,
                Err(missing) => self.missing.push(missing),
            }
        }
        true
    }

    /// Whether the state just written is the one before but for counters.
    fn is_idle(&self, agents: &Agents<'_>, state: &[u32]) -> bool {
        if !self.has_ties(agents, state) {
            return self.next[self.header..] == state[self.header..];
        }
        // What one agent holds decides how the bags of others are ordered: nothing less than the whole will do.
        let without_counters = |words: &[u32]| {
            let mut scene = self.named(agents, words);
            scene.iter_mut().for_each(|agent| agent.calls.clear());
            scene
        };
        without_counters(&self.next) == without_counters(state)
    }

    fn has_ties(&self, agents: &Agents<'_>, words: &[u32]) -> bool {
        agents.any_ties() && words[..self.offsets.len()].iter().any(|&id| agents.brief(id).ties)
    }

    /// The agents of a state, their symbols by their names in it.
    fn named(&self, agents: &Agents<'_>, words: &[u32]) -> Vec<AgentState> {
        let mut symbols = &words[self.header..];
        let named = words[..self.offsets.len()].iter().map(|&id| {
            let (held, rest) = symbols.split_at(agents.brief(id).symbols as usize);
            symbols = rest;
            agents.named(id, held)
        });
        named.collect()
    }

    /// Orders the bags of the state just written.
    fn order(&mut self, agents: &Agents<'_>) {
        let mut scene = self.named(agents, &self.next);
        order_bags(&mut scene);
        self.next.truncate(self.header);
        for (agent, state) in scene.into_iter().enumerate() {
            match agents.known(AgentId::new(agent), state) {
                Ok((id, symbols)) => {
                    self.next[agent] = id;
                    self.next.extend(symbols);
                }
                Err(missing) => self.missing.push(missing),
            }
        }
    }

    /// Writes the next state, its symbols numbered by first occurrence.
    fn patch(&mut self, agents: &Agents<'_>, state: &[u32], lost: u32) {
        let count = self.offsets.len();
        self.next.clear();
        self.next.extend_from_slice(&state[..self.header]);
        if let Some(counter) = self.next.get_mut(count) {
            *counter += lost;
        }
        self.changed.sort_unstable_by_key(|(agent, ..)| *agent);
        for (agent, id, _) in &self.changed {
            self.next[*agent] = *id;
        }
        let mut changed = self.changed.iter().peekable();
        for agent in 0..count {
            match changed.next_if(|(it, ..)| *it == agent) {
                Some((_, _, held)) => self.next.extend_from_slice(&self.held[held.clone()]),
                None => self.next.extend_from_slice(self.held(agents, state, agent)),
            }
        }
        if self.has_ties(agents, &self.next) {
            self.order(agents);
        }
        self.renamed.clear();
        let mut fresh = 0;
        for symbol in &mut self.next[self.header..] {
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
