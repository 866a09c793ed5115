//! Global states and their successors: patches of short vectors, looked up in the tables of [`crate::agents`].
//!
//! A global state is one word for each agent, its interned state; where messages may be lost, how many were; then, agent
//! by agent, the tails of these states: symbols, numbered by first occurrence, names of interchangeable agents, numbers of
//! messages. With symmetry it stands for all states that differ from it in which of several interchangeable agents is
//! which.

use std::ops::Range;

use map_ir::{AgentId, PerformativeId, Program};
use map_semantics::{
    BoundHit, Bounds, Outcome, Path, SceneState, Status, Step, StepKind, Timeouts, Turn, lost_copies,
    may_time_out,
};

use super::compose::{Put, Scratch};
use super::shape::Shape;
use crate::abstraction::canonical::{Held, Scene, canonical, write_tails};
use crate::abstraction::slicing::Slicer;
use crate::abstraction::symmetry::Symmetry;
use crate::agents::{After, Agents, LocalStep, Locals, Missing};

/// A step out of a global state. The state that it leads to is given as a vector of words.
pub(crate) struct Successor<'s> {
    pub(crate) agent: AgentId,
    pub(crate) step: &'s LocalStep<'s>,
    /// The agent's state after it, if it is made.
    pub(crate) after: Option<&'s After<'s>>,
    /// Whether it rests on an open comparison, its own or one by which some thread counts as waiting.
    pub(crate) compared: bool,
    pub(crate) result: Next<'s>,
    /// The words of the header outside of which the next vector, tails included, is like the one before; only with vectors.
    pub(crate) altered: Range<usize>,
    /// The steps from its state follow: they are merged with it.
    pub(crate) passed: bool,
    /// Messages to agents that have ended.
    pub(crate) dropped: &'s [(PerformativeId, AgentId)],
    /// The parts that something is sent to, as bits; those of more than 64 share some. Only with vectors.
    pub(crate) sent_to: u64,
    /// The number of what it, and steps merged with it, send to each part ([`crate::system::Buffers`]).
    pub(crate) weight: u32,
    /// Which copies of the message are lost, as options that follow those of the step.
    pub(crate) losses: &'s [u32],
    /// Whether it is bad luck: a crash, or a send of which some copy is lost. What has to be reachable must be so
    /// without.
    pub(crate) unlucky: bool,
}

impl Successor<'_> {
    /// The step as traces have it.
    pub(crate) fn as_step(&self) -> Step {
        let label = &self.step.label;
        let turn = match label.kind {
            StepKind::Timeout => Turn::Timeout,
            StepKind::Crash => Turn::Crash,
            _ => Turn::Act,
        };
        let mut options = label.options.clone();
        options.extend_from_slice(self.losses);
        Step { agent: self.agent, thread: label.thread as usize, turn, options }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Some thread counts as waiting only if open comparisons come out so.
    pub(crate) waiting_compared: bool,
    /// Not all have ended, and there is no step if open comparisons come out so, failures or not.
    pub(crate) may_stand_still: bool,
}

/// The agents of one scene, put together. Threads expand states side by side, each with a [`Scratch`] of its own.
pub(crate) struct Space<'a> {
    pub(crate) program: &'a Program,
    pub(crate) bounds: &'a Bounds,
    pub(crate) agents: Agents<'a>,
    /// Where the tails of a state start.
    header: usize,
    /// The part of each agent, as a bit.
    pub(super) parts: Vec<u64>,
}

/// What a step of one agent is put into.
#[derive(Clone, Copy)]
pub(super) struct Source<'s> {
    pub(super) state: &'s [u32],
    pub(super) agent: AgentId,
}

/// The copies of a message that are lost: whose they are, and the options that say so.
#[derive(Clone, Copy)]
struct Lost<'l> {
    copies: &'l [AgentId],
    options: &'l [u32],
}

impl<'a> Space<'a> {
    /// Whole states.
    pub(crate) fn new(program: &'a Program, bounds: &'a Bounds) -> Self {
        Self::up_to(program, bounds, None, Symmetry::none(program))
    }

    /// States up to what the slicer takes out, and up to symmetry.
    pub(crate) fn up_to(
        program: &'a Program,
        bounds: &'a Bounds,
        slicer: Option<Slicer<'a>>,
        symmetry: Symmetry,
    ) -> Self {
        let agents = Agents::new(program, bounds, slicer, symmetry);
        let header = program.agents.len() + usize::from(bounds.network.losses > 0);
        let parts = program.agents.iter().map(|agent| 1 << (agent.part.index() % 64)).collect();
        Self { program, bounds, agents, header, parts }
    }

    pub(crate) fn agent_count(&self) -> usize {
        self.program.agents.len()
    }

    /// Number of words before the tails.
    pub(crate) fn header(&self) -> usize {
        self.header
    }

    /// How the words before the tails are stored: agents of one part that follow each other together.
    pub(crate) fn shape(&self) -> Shape {
        let parts = self.program.agents.chunk_by(|a, b| a.part == b.part).map(<[_]>::len);
        Shape::new(parts.chain((self.header > self.agent_count()).then_some(1)))
    }

    /// How many words belong to a word of the header at a place.
    pub(crate) fn tail_of(&self, place: usize, word: u32) -> usize {
        if place < self.program.agents.len() { self.agents.brief(word).tail() } else { 0 }
    }

    /// The first state, if there is one, and what the agents did on their ways to it.
    pub(crate) fn start(&mut self) -> (Option<Vec<u32>>, Vec<Outcome>) {
        let (state, outcomes) = SceneState::start(self.program, self.bounds);
        (state.map(|state| self.abstracted(&state)), outcomes)
    }

    /// How many messages lie in the mailboxes of a state.
    pub(crate) fn messages(&self, words: &[u32]) -> usize {
        let mut tails = &words[self.header..];
        let agents = words[..self.agent_count()].iter().map(|&id| {
            let brief = self.agents.brief(id);
            let (tail, rest) = tails.split_at(brief.tail());
            tails = rest;
            brief.mailbox(tail) as usize
        });
        agents.sum()
    }

    /// The state that stands for a state of the scene in which nothing was lost.
    pub(crate) fn abstracted(&mut self, state: &SceneState) -> Vec<u32> {
        let (mut words, mut tails) = (Vec::new(), Vec::new());
        for (agent, state) in self.program.cast().zip(&state.agents) {
            let (id, tail) = self.agents.intern_whole(agent, state);
            words.push(id);
            tails.extend(tail);
        }
        words.resize(self.header, 0);
        words.extend(tails);
        let scene = canonical(self.agents.symmetry(), self.read(&words));
        words.truncate(self.header);
        for (word, (id, _)) in words.iter_mut().zip(&scene) {
            *word = *id;
        }
        write_tails(&scene, &mut words);
        words
    }

    /// Calls `found` for every step of a state, in the order of agents, threads, acts before timeouts; crashes come last. Nothing
    /// is returned, and not all steps were found, if something is missing in the tables: it is left in the scratch, and after
    /// [`Agents::fill`] the state has to be expanded again.
    #[cfg(test)]
    pub(crate) fn expand(
        &self,
        scratch: &mut Scratch,
        state: &[u32],
        mut found: impl FnMut(Successor<'_>),
    ) -> Option<Judgement> {
        if !scratch.locate(self, state) {
            return None;
        }
        let judgement = self.steps(scratch, state, None, &mut found);
        scratch.missing.is_empty().then_some(judgement)
    }

    /// The steps of a state that has been located; or the acts of one of its agents, and then no more is judged than
    /// whether all are done and some have failed.
    pub(crate) fn steps(
        &self,
        scratch: &mut Scratch,
        state: &[u32],
        only: Option<AgentId>,
        found: &mut (impl FnMut(Successor<'_>) + ?Sized),
    ) -> Judgement {
        let agents = self.agent_count();
        let (ended, ids) = (scratch.ended, &state[..agents]);
        if let Some(agent) = only {
            // Where steps are left out nothing is lost.
            let mut composer = Composer { space: self, scratch, state, losses: 0, found };
            for step in self.local(state[agent.index()]).acts() {
                composer.compose(agent, &step, false);
            }
            return ended;
        }
        let losses = match self.bounds.network.losses {
            0 => 0,
            most => most - state[agents],
        };
        self.all_steps(ids, ended, &mut Composer { space: self, scratch, state, losses, found })
    }

    /// All steps of a state whose agents are in these states, in order, and what it is judged by them.
    fn all_steps<F: FnMut(Successor<'_>) + ?Sized>(
        &self,
        ids: &[u32],
        ended: Judgement,
        composer: &mut Composer<'_, '_, F>,
    ) -> Judgement {
        let mut judgement = ended;
        let (mut all_waiting, mut waiting_compared) = (true, false);
        let mut crashes = self.bounds.network.crashes;
        for &id in ids {
            crashes -= u32::from(crashes > 0 && self.agents.brief(id).status == Status::Crashed);
            let outline = self.local(id).outline();
            all_waiting &= outline.all_waiting;
            waiting_compared |= outline.waiting_compared;
        }
        judgement.steps_may_vanish = true;
        let (mut acts, mut timeouts, mut ended) = (0_usize, 0_usize, true);
        for (agent, &id) in ids.iter().enumerate() {
            let locals = self.local(id);
            ended &= locals.outline().threads.is_empty();
            if composer.scratch.is_like_the_one_before(self, composer.state, agent) {
                continue;
            }
            let agent = AgentId::new(agent);
            for (thread, its_acts, its_timeouts) in locals.threads() {
                let mut steps = 0;
                for deed in its_acts {
                    steps += composer.compose(agent, &locals.step(deed), false);
                }
                judgement.steps_may_vanish &= thread.act_may_vanish || steps == 0;
                acts += steps;
                if may_time_out(self.bounds, thread.waiting, all_waiting) {
                    let doubtful = match self.bounds.timeouts {
                        Timeouts::Quiescent => waiting_compared,
                        Timeouts::Any => thread.waiting_compared,
                    };
                    let mut steps = 0;
                    for deed in its_timeouts {
                        steps += composer.compose(agent, &locals.step(deed), doubtful);
                    }
                    judgement.steps_may_vanish &= thread.timeout_may_vanish || steps == 0;
                    timeouts += steps;
                }
            }
        }
        if crashes > 0 {
            for (agent, &id) in ids.iter().enumerate() {
                if let Some(crash) = self.local(id).crash() {
                    composer.compose(AgentId::new(agent), &crash, false);
                }
            }
        }
        judgement.no_step = acts + timeouts == 0 && !ended && !judgement.some_failed;
        judgement.may_stand_still = judgement.steps_may_vanish && !ended;
        judgement.steps_may_vanish = judgement.may_stand_still && !judgement.some_failed;
        judgement.waiting_compared = waiting_compared;
        judgement.only_polls = all_waiting && acts > 0 && timeouts == 0;
        judgement
    }

    /// The same by one thread alone: what is missing is filled in. Calls `found` again from the beginning after
    /// `again`, if something was.
    #[cfg(test)]
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
        self.local(id).outline().all_waiting
    }

    /// The steps of an agent state of which it is known that they are known.
    pub(crate) fn local(&self, id: u32) -> Locals<'_> {
        self.agents.locals(id).expect("looked for before")
    }

    /// A state's agents with what they hold.
    pub(crate) fn read(&self, state: &[u32]) -> Scene {
        let mut rest = &state[self.header..];
        let held = state[..self.agent_count()].iter().map(|&id| {
            let brief = self.agents.brief(id);
            let (tail, left) = rest.split_at(brief.tail());
            rest = left;
            let (symbols, names, counts) = brief.split(tail);
            let names = names.iter().map(|&name| AgentId::new(name as usize)).collect();
            (id, Held { symbols: symbols.to_vec(), names, counts: counts.to_vec() })
        });
        held.collect()
    }
}

/// Puts steps of single agents into the global state that is expanded.
struct Composer<'c, 'a, F: ?Sized> {
    space: &'c Space<'a>,
    scratch: &'c mut Scratch,
    state: &'c [u32],
    /// How many more copies may be lost.
    losses: u32,
    found: &'c mut F,
}

impl<F: FnMut(Successor<'_>) + ?Sized> Composer<'_, '_, F> {
    /// Puts a step into the state, with its deliveries, and hands out what comes of it: once, or once for each choice of the
    /// copies that are lost. Not what leaves the scene as it was, which is no step, nor where something is missing in
    /// the tables. Returns how many steps these are.
    fn compose(&mut self, agent: AgentId, step: &LocalStep<'_>, doubtful: bool) -> usize {
        let source = Source { state: self.state, agent };
        let Some(sent) = step.sent.as_ref().filter(|_| self.losses > 0) else {
            let lost = Lost { copies: &[], options: &[] };
            return usize::from(self.compose_one(source, step, doubtful, lost));
        };
        let mut path = Path::default();
        let mut steps = 0;
        loop {
            let is_there =
                |to: &AgentId| self.space.agents.brief(self.state[to.index()]).status == Status::Running;
            // Where copies may be lost no agent stands for another.
            let copies = lost_copies(self.losses, sent.to.iter().copied().filter(is_there), &mut path);
            let lost = Lost { copies: &copies, options: &path.options() };
            steps += usize::from(self.compose_one(source, step, doubtful, lost));
            if path.advance(false).is_err() {
                return steps;
            }
        }
    }

    /// The same for one choice of the copies that are lost; whether it is a step.
    fn compose_one(
        &mut self,
        source: Source<'_>,
        step: &LocalStep<'_>,
        doubtful: bool,
        lost: Lost<'_>,
    ) -> bool {
        let Self { space, scratch, found, .. } = self;
        let missing = scratch.missing.len();
        let (put, after) = scratch.put(space, source, step, lost.copies);
        let Some(result) = put.result(scratch.next()) else { return false };
        if scratch.missing.len() > missing {
            return false;
        }
        found(Successor {
            agent: source.agent,
            step,
            after,
            compared: step.label.compared || doubtful,
            result,
            altered: scratch.altered(),
            passed: false,
            dropped: scratch.dropped(),
            sent_to: scratch.sent_to(),
            weight: 0,
            losses: lost.options,
            unlucky: step.label.kind == StepKind::Crash || !lost.copies.is_empty(),
        });
        true
    }
}

impl Put {
    fn result(self, next: &[u32]) -> Option<Next<'_>> {
        match self {
            Self::Made => Some(Next::State(next)),
            Self::Missing => None,
            Self::Other(other) => Some(other),
        }
    }
}
