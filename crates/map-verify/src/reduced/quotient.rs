//! The reduced transition system: states up to slicing and symmetry, and of their steps as many as partial order asks
//! for, merged into longer ones.
//!
//! A state is one word for each agent, its interned state, then agent by agent the symbols and the names of
//! interchangeable agents that it holds. It stands for all states that differ from it in what was taken out and in
//! which of several interchangeable agents is which.

use indexmap::IndexSet;
use map_ir::{AgentId, ClauseId, PartId, PerformativeId, Program};
use map_semantics::{Bounds, Outcome, SceneState, Status, Step, Timeouts, may_time_out};
use rustc_hash::FxBuildHasher;

use super::canonical::{Scene, canonical, number_symbols, sort};
use super::lift::lift;
use super::reductions::Reductions;
use super::slicing::Slicer;
use super::step::{Judgement, Next, Successor};
use super::symmetry::Symmetry;
use super::tables::{Agents, Held, LocalEnding, LocalStep, Locals, StateId};
use crate::report::{InternalError, ViolationKind};
use crate::trace::Trace;

/// The most states that one step passes; what lies behind is stored.
const MAX_PASSED: usize = 64;

/// What partial order may rely on.
#[derive(Clone, Debug)]
pub(crate) struct Trust {
    /// By part: no mailbox of its agents can overflow, in whatever order messages are sent and taken.
    pub(crate) roomy: Vec<bool>,
}

/// The reduced transition system of one scene.
pub(crate) struct Quotient<'a> {
    pub(crate) program: &'a Program,
    bounds: &'a Bounds,
    pub(crate) agents: Agents<'a>,
    locals: Vec<Option<Locals>>,
    /// `None`: every step is expanded.
    partial_order: Option<Trust>,
    merging: bool,
    /// The agents in the order in which they are tried as ample sets.
    preference: Vec<AgentId>,
    /// How many messages are sent to each part in a step; the first is none at all.
    pub(crate) weights: IndexSet<Vec<u32>, FxBuildHasher>,
    sorting: Vec<StateId>,
    batches: Vec<Batch>,
    /// Examine every state that is expanded.
    self_check: bool,
    /// What that has found to be wrong.
    pub(crate) fault: Option<String>,
    /// While a state is examined states are left as they come, not replaced by those that stand for them.
    pub(crate) raw: bool,
    /// While a state is examined a mailbox was full.
    pub(crate) overflowed: bool,
}

/// A way of merged steps.
struct Way {
    /// How many more states may be passed.
    left: usize,
    /// How many messages each part was sent so far.
    sent: Vec<u32>,
}

/// The steps out of a state, kept together so that expanding allocates little.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) words: Vec<u32>,
    dropped: Vec<(PerformativeId, AgentId)>,
    pub(crate) entries: Vec<Entry>,
}

/// A step out of a state.
pub(crate) struct Entry {
    agent: AgentId,
    state: StateId,
    pub(crate) thread: usize,
    timeout: bool,
    step: usize,
    doubtful: bool,
    pub(crate) result: Result,
    pub(crate) words: std::ops::Range<usize>,
    dropped: std::ops::Range<usize>,
    /// The parts that something is sent to, as bits.
    sent_to: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Result {
    Nothing,
    State,
    Cut(map_semantics::BoundHit),
    Overflow,
    Runaway,
    RunError,
    TooLong,
}

impl Quotient<'_> {
    /// The first state, if there is one, and what the agents did on their ways to it.
    pub(crate) fn start(&mut self) -> (Option<Vec<u32>>, Vec<Outcome>) {
        let (state, outcomes) = SceneState::start(self.program, self.bounds);
        (state.map(|state| self.abstracted(&state)), outcomes)
    }

    /// Calls `found` for the steps of a state, and says what kind of state it is. Behind a step to a state that is passed come the steps from there.
    pub(crate) fn expand(&mut self, state: &[u32], found: &mut dyn FnMut(Successor<'_>)) -> Judgement {
        let (ample, mut judgement) = self.prepare(state);
        if self.self_check && self.fault.is_none() {
            self.overflowed = false;
            self.fault = self.examine(state, ample);
        }
        let mut batch = self.batches.pop().unwrap_or_default();
        self.steps(state, ample, &mut judgement, &mut batch);
        let left = if self.merging { MAX_PASSED } else { 0 };
        let sent = vec![0; self.program.parts.len()];
        self.report(&batch, &mut Way { left, sent }, found);
        self.recycle(batch);
        judgement
    }

    /// What lies in the mailboxes of a state: performative and owner.
    pub(crate) fn unread(&self, state: &[u32]) -> Vec<(PerformativeId, AgentId)> {
        let agents = self.program.cast().zip(state);
        let unread = agents
            .flat_map(|(agent, &id)| self.agents.unread(id).map(move |performative| (performative, agent)));
        unread.collect()
    }

    /// The agents that an agent of a state may stand for.
    pub(crate) fn orbit(&self, agent: AgentId) -> Vec<AgentId> {
        let symmetry = self.agents.symmetry();
        symmetry.class_of(agent).map_or_else(|| vec![agent], |class| symmetry.classes()[class].clone())
    }

    /// A trace of the scene along these states, and then a step that goes wrong.
    ///
    /// # Errors
    /// If there is none: the system contradicts the semantics.
    pub(crate) fn trace(
        &mut self,
        path: &[Vec<u32>],
        wrong: Option<(&Step, ViolationKind)>,
    ) -> std::result::Result<Trace, InternalError> {
        let (program, bounds) = (self.program, self.bounds);
        lift(program, bounds, self, path, wrong.map(|(_, kind)| kind))
    }

    /// A rough count of the bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.agents.bytes()
    }

    /// Whether the search is in vain: the system has found that it must be built otherwise.
    pub(crate) fn is_void(&self) -> bool {
        !self.agents.doubtful.is_empty() || self.fault.is_some()
    }
}

impl<'a> Quotient<'a> {
    /// `whole` are clauses that slicing must leave as they are.
    pub(crate) fn new(
        program: &'a Program,
        bounds: &'a Bounds,
        reductions: Reductions,
        whole: &[ClauseId],
        partial_order: Option<Trust>,
        self_check: bool,
    ) -> Self {
        let slicer = reductions.slicing.then(|| Slicer::new(program, bounds, whole));
        let symmetry =
            if reductions.symmetry { Symmetry::new(program, bounds) } else { Symmetry::none(program) };
        let mut preference: Vec<AgentId> = program.cast().collect();
        preference.sort_by_key(|&agent| {
            let part = program.agent(agent).part;
            (std::cmp::Reverse(program.part(part).agents.len()), part)
        });
        Self {
            program,
            bounds,
            agents: Agents::new(program, bounds, slicer, symmetry),
            locals: Vec::new(),
            partial_order,
            merging: reductions.merging,
            preference,
            weights: IndexSet::from_iter([Vec::new()]),
            sorting: Vec::new(),
            batches: Vec::new(),
            self_check,
            fault: None,
            raw: false,
            overflowed: false,
        }
    }

    /// Clauses that slicing must leave as they are, after all.
    pub(crate) fn doubtful(&self) -> impl Iterator<Item = ClauseId> + '_ {
        self.agents.doubtful.iter().copied()
    }

    /// The state that stands for a state of the scene.
    pub(crate) fn abstracted(&mut self, state: &SceneState) -> Vec<u32> {
        let agents = self.program.cast().zip(&state.agents);
        let scene = agents.map(|(agent, state)| self.agents.intern_whole(agent, state)).collect();
        let scene = canonical(self.agents.symmetry(), scene);
        let mut words = Vec::new();
        write(&scene, &mut words);
        words
    }

    /// Whether a step of an agent in a state of the scene belongs to the ample set of the state that stands for it.
    pub(crate) fn is_expanded(&mut self, words: &[u32], agent: AgentId, state: &SceneState) -> bool {
        match self.prepare(words).0 {
            None => true,
            Some(ample) => {
                self.agents.intern_whole(agent, &state.agents[agent.index()]).0 == words[ample.index()]
            }
        }
    }

    fn recycle(&mut self, mut batch: Batch) {
        batch.words.clear();
        batch.dropped.clear();
        batch.entries.clear();
        self.batches.push(batch);
    }

    /// Hands out the steps of a batch. A step to a state whose ample set is a single step is followed by that.
    fn report(&mut self, batch: &Batch, way: &mut Way, found: &mut dyn FnMut(Successor<'_>)) {
        for entry in &batch.entries {
            let next = &batch.words[entry.words.clone()];
            self.count(&mut way.sent, entry.sent_to, 1);
            let behind = match entry.result {
                Result::State if way.left > 0 => self.only_step(next),
                _ => None,
            };
            self.hand_out(entry, batch, behind.is_some(), &way.sent, found);
            if behind.is_some() {
                way.left -= 1;
                let mut inner = self.batches.pop().unwrap_or_default();
                self.steps(next, behind, &mut Judgement::default(), &mut inner);
                self.report(&inner, way, found);
                self.recycle(inner);
                way.left += 1;
            }
            self.count(&mut way.sent, entry.sent_to, -1);
        }
    }

    /// Counts the messages of a step.
    fn count(&self, sent: &mut [u32], sent_to: u64, by: i32) {
        if sent_to != 0 && self.partial_order.is_some() {
            for (part, sent) in sent.iter_mut().enumerate() {
                if sent_to & part_bit(PartId::new(part)) != 0 {
                    *sent = sent.wrapping_add_signed(by);
                }
            }
        }
    }

    fn hand_out(
        &mut self,
        entry: &Entry,
        batch: &Batch,
        passed: bool,
        sent: &[u32],
        found: &mut dyn FnMut(Successor<'_>),
    ) {
        let weight = self.weight(sent);
        let next = &batch.words[entry.words.clone()];
        let result = match entry.result {
            Result::Nothing => return,
            Result::State if passed => Next::Passed,
            Result::State => Next::State(next),
            Result::Cut(bound) => Next::Cut(bound),
            Result::Overflow => Next::Overflow,
            Result::Runaway => Next::Runaway,
            Result::RunError => Next::RunError,
            Result::TooLong => Next::TooLong,
        };
        let step = self.step(entry);
        found(Successor {
            agent: entry.agent,
            step,
            compared: step.compared || entry.doubtful,
            result,
            dropped: &batch.dropped[entry.dropped.clone()],
            weight,
        });
    }

    /// The number of what a way sends to each part.
    fn weight(&mut self, sent: &[u32]) -> u32 {
        if sent.iter().all(|sent| *sent == 0) {
            return 0;
        }
        match self.weights.get_index_of(sent) {
            Some(known) => known as u32,
            None => self.weights.insert_full(sent.to_vec()).0 as u32,
        }
    }

    pub(crate) fn step(&self, entry: &Entry) -> &LocalStep {
        let thread = &self.local(entry.state).threads[entry.thread];
        let steps = if entry.timeout { &thread.timeouts } else { &thread.acts };
        &steps[entry.step]
    }

    fn local(&self, id: StateId) -> &Locals {
        self.locals[id as usize].as_ref().expect("computed before the state is expanded")
    }

    pub(crate) fn ensure_locals(&mut self, id: StateId) {
        let index = id as usize;
        if self.locals.len() <= index {
            self.locals.resize_with(index + 1, || None);
        }
        if self.locals[index].is_none() {
            self.locals[index] = Some(self.agents.locals(id));
        }
    }

    /// Computes what the agents of a state can do; judges the state; chooses the agent whose steps are enough, if
    /// there is one.
    fn prepare(&mut self, state: &[u32]) -> (Option<AgentId>, Judgement) {
        let ids = &state[..self.program.agents.len()];
        ids.iter().for_each(|&id| self.ensure_locals(id));
        let mut judgement = Judgement { all_done: true, ..Judgement::default() };
        for &id in ids {
            let status = self.agents.brief(id).status;
            judgement.all_done &= status == Status::Done;
            judgement.some_failed |= status == Status::Failed;
        }
        (self.ample(ids), judgement)
    }

    /// An agent whose steps are an ample set. The many go before the few: one that serves all others then finds all that
    /// they have to say.
    fn ample(&self, ids: &[StateId]) -> Option<AgentId> {
        let trust = self.partial_order.as_ref()?;
        let mut before = None;
        self.preference.iter().copied().find(|&agent| {
            let id = ids[agent.index()];
            before.replace(id) != Some(id) && self.is_ample(trust, ids, agent)
        })
    }

    /// The agent whose only step is an ample set of the state, if there is one.
    fn only_step(&mut self, state: &[u32]) -> Option<AgentId> {
        let agent = self.prepare(state).0?;
        let threads = &self.local(state[agent.index()]).threads;
        (threads.iter().map(|thread| thread.acts.len()).sum::<usize>() == 1).then_some(agent)
    }

    fn is_ample(&self, trust: &Trust, ids: &[StateId], agent: AgentId) -> bool {
        let firmness = &self.local(ids[agent.index()]).firmness;
        if !firmness.firm {
            return false;
        }
        let part = self.program.agent(agent).part;
        let messages = self.agents.messages();
        let mut disturbed_by = firmness.changed_by & messages.received_by[part.index()];
        if firmness.takes && !trust.roomy[part.index()] {
            disturbed_by = u64::MAX;
        }
        let disturbed = disturbed_by & messages.sent_to(part);
        (disturbed == 0 || self.others_may_send(ids, agent) & disturbed == 0)
            && (!firmness.sends || self.sends_commute(ids, agent))
    }

    /// What the other agents may send from this state on.
    fn others_may_send(&self, ids: &[StateId], agent: AgentId) -> u64 {
        let others = ids.iter().enumerate().filter(|&(index, _)| index != agent.index());
        others.fold(0, |all, (_, &id)| all | self.local(id).firmness.may_send)
    }

    /// Whether it makes no difference to the recipients of what an agent sends, and to others who send to them, when it
    /// does.
    fn sends_commute(&self, ids: &[StateId], agent: AgentId) -> bool {
        let messages = self.agents.messages();
        let others = self.others_may_send(ids, agent);
        let id = ids[agent.index()];
        let sent = self.local(id).threads.iter().flat_map(|thread| &thread.acts);
        sent.filter_map(|step| step.sent.as_ref()).all(|sent| {
            let performative = self.agents.message(sent.message).performative;
            let unordered =
                messages.is_uniform(performative) || others & super::ample::bit(performative) == 0;
            unordered
                && self.program.cast().filter(|&it| it != agent).all(|to| {
                    let brief = self.agents.brief(ids[to.index()]);
                    let part = self.program.agent(to).part;
                    brief.status != Status::Running
                        || messages.sent_to(part) & super::ample::bit(performative) == 0
                        || (brief.mailbox < self.bounds.mailbox && !messages.is_missed(part, performative))
                })
        })
    }

    /// Collects the steps of a state, or those of one agent of it.
    pub(crate) fn steps(
        &mut self,
        state: &[u32],
        only: Option<AgentId>,
        judgement: &mut Judgement,
        batch: &mut Batch,
    ) {
        let count = self.program.agents.len();
        let scene = (state.len() > count).then(|| self.read(state));
        if let Some(agent) = only {
            let mut steps = Steps { quotient: self, state, scene: scene.as_ref(), batch };
            steps.of_agent(agent, None);
            return;
        }
        let (mut all_waiting, mut waiting_compared) = (true, false);
        for &id in &state[..count] {
            all_waiting &= self.local(id).all_waiting;
            waiting_compared |= self.local(id).waiting_compared;
        }
        judgement.steps_may_vanish = true;
        let (mut acts, mut timeouts, mut ended) = (0, 0, true);
        for agent in 0..count {
            let id = state[agent];
            if self.agents.brief(id).status != Status::Running {
                continue;
            }
            ended = false;
            // What an agent in the same state just before it in its class can do leads to the same states.
            if scene.is_none()
                && agent > 0
                && state[agent - 1] == id
                && self.agents.symmetry().class_of(AgentId::new(agent)).is_some()
            {
                continue;
            }
            let mut steps = Steps { quotient: self, state, scene: scene.as_ref(), batch };
            let counts = steps.of_agent(AgentId::new(agent), Some((all_waiting, waiting_compared)));
            judgement.steps_may_vanish &= counts.may_vanish;
            acts += counts.acts;
            timeouts += counts.timeouts;
        }
        judgement.no_step = acts + timeouts == 0 && !ended && !judgement.some_failed;
        judgement.steps_may_vanish &= !ended && !judgement.some_failed;
        judgement.only_polls = all_waiting && acts > 0 && timeouts == 0;
    }

    /// A state's agents with what they hold.
    pub(crate) fn read(&self, state: &[u32]) -> Scene {
        let count = self.program.agents.len();
        let mut rest = &state[count..];
        let mut take = |length: u32| {
            let (taken, left) = rest.split_at(length as usize);
            rest = left;
            taken
        };
        let held = state[..count].iter().map(|&id| {
            let brief = self.agents.brief(id);
            let symbols = take(brief.symbols).to_vec();
            let names = take(brief.names).iter().map(|&name| AgentId::new(name as usize)).collect();
            (id, Held { symbols, names })
        });
        held.collect()
    }
}

fn part_bit(part: PartId) -> u64 {
    1 << (part.index() % 64)
}

pub(crate) fn write(scene: &Scene, words: &mut Vec<u32>) {
    words.extend(scene.iter().map(|(id, _)| *id));
    for (_, held) in scene {
        words.extend(&held.symbols);
        words.extend(held.names.iter().map(|name| name.index() as u32));
    }
}

/// How many steps an agent has.
struct Counts {
    acts: usize,
    timeouts: usize,
    may_vanish: bool,
}

/// Computes the steps out of one state.
struct Steps<'q, 'a> {
    quotient: &'q mut Quotient<'a>,
    state: &'q [u32],
    /// The agents with what they hold; `None` if nobody holds anything.
    scene: Option<&'q Scene>,
    batch: &'q mut Batch,
}

/// What a step changes.
struct Change {
    changed: Vec<(AgentId, StateId, Held)>,
    sent_to: u64,
}

impl Steps<'_, '_> {
    /// The acts of an agent and, if it is said whether all are waiting, its timeouts.
    fn of_agent(&mut self, agent: AgentId, waiting: Option<(bool, bool)>) -> Counts {
        let id = self.state[agent.index()];
        let locals = self.quotient.locals[id as usize].take().expect("computed before the state is expanded");
        let mut counts = Counts { acts: 0, timeouts: 0, may_vanish: true };
        for (index, thread) in locals.threads.iter().enumerate() {
            let acts = self.made(agent, index, &thread.acts, None);
            counts.acts += acts;
            counts.may_vanish &= thread.act_may_vanish || acts == 0;
            let Some((all_waiting, waiting_compared)) = waiting else { continue };
            if may_time_out(self.quotient.bounds, thread.waiting, all_waiting) {
                let doubtful = match self.quotient.bounds.timeouts {
                    Timeouts::Quiescent => waiting_compared,
                    Timeouts::Any => thread.waiting_compared,
                };
                let timeouts = self.made(agent, index, &thread.timeouts, Some(doubtful));
                counts.timeouts += timeouts;
                counts.may_vanish &= thread.timeout_may_vanish || timeouts == 0;
            }
        }
        self.quotient.locals[id as usize] = Some(locals);
        counts
    }

    /// Adds the acts or the timeouts of a thread to the batch, and counts them; for timeouts it is said whether an open
    /// comparison lets them happen.
    fn made(&mut self, agent: AgentId, thread: usize, steps: &[LocalStep], timeout: Option<bool>) -> usize {
        let steps = steps.iter().enumerate();
        steps.filter(|(number, step)| self.step(agent, (thread, *number), step, timeout)).count()
    }

    /// Adds a step to the batch; false if it is none.
    fn step(
        &mut self,
        agent: AgentId,
        (thread, number): (usize, usize),
        step: &LocalStep,
        timeout: Option<bool>,
    ) -> bool {
        let (words, dropped) = (self.batch.words.len(), self.batch.dropped.len());
        let (result, sent_to) = self.result(agent, step);
        if result == Result::Nothing {
            return false;
        }
        self.batch.entries.push(Entry {
            agent,
            state: self.state[agent.index()],
            thread,
            timeout: timeout.is_some(),
            step: number,
            doubtful: timeout == Some(true),
            result,
            words: words..self.batch.words.len(),
            dropped: dropped..self.batch.dropped.len(),
            sent_to,
        });
        true
    }

    fn result(&mut self, agent: AgentId, step: &LocalStep) -> (Result, u64) {
        match &step.ending {
            LocalEnding::Cut(bound) => (Result::Cut(*bound), 0),
            LocalEnding::TooLong => (Result::TooLong, 0),
            LocalEnding::RunError => (Result::RunError, 0),
            LocalEnding::Runaway => match self.deliveries(agent, step) {
                Some(_) => (Result::Runaway, 0),
                None => (Result::Overflow, 0),
            },
            LocalEnding::State { next, symbols, names, may_be_idle, .. } => {
                let held = self.name(agent, symbols, names);
                let Some(mut change) = self.deliveries(agent, step) else {
                    return (Result::Overflow, 0);
                };
                change.changed.push((agent, *next, held));
                let result = if self.write(&change, *may_be_idle) { Result::State } else { Result::Nothing };
                (result, change.sent_to)
            }
        }
    }

    /// What an agent calls its own, and what that is here.
    fn meaning(&self, agent: AgentId, names: &[AgentId]) -> Vec<AgentId> {
        if names.is_empty() {
            return Vec::new();
        }
        let agents = &self.quotient.agents;
        let id = self.state[agent.index()];
        let mut here = vec![agents.symmetry().stands_for(agent)];
        here.extend(agents.names(id));
        let mut there = vec![agent];
        there.extend(self.scene.into_iter().flat_map(|scene| &scene[agent.index()].1.names));
        names.iter().map(|&name| agents.symmetry().meaning(name, &here, &there)).collect()
    }

    /// Symbols and names by what they are in the scene; symbols that the step makes follow all that are there.
    fn name(&self, agent: AgentId, symbols: &[u32], names: &[AgentId]) -> Held {
        let none = Vec::new();
        let held = self.scene.map_or(&none, |scene| &scene[agent.index()].1.symbols);
        let named = |symbol: u32| {
            let in_use = || {
                let all = self.scene.into_iter().flatten().flat_map(|(_, held)| &held.symbols);
                all.max().map_or(0, |max| max + 1)
            };
            held.get(symbol as usize).copied().unwrap_or_else(|| in_use() + symbol - held.len() as u32)
        };
        Held {
            symbols: symbols.iter().map(|&symbol| named(symbol)).collect(),
            names: self.meaning(agent, names),
        }
    }

    /// Delivers what the step sends; `None` if a mailbox is full.
    fn deliveries(&mut self, agent: AgentId, step: &LocalStep) -> Option<Change> {
        let mut change = Change { changed: Vec::new(), sent_to: 0 };
        let Some(sent) = &step.sent else { return Some(change) };
        let message = self.name(agent, &sent.symbols, &sent.names);
        let performative = self.quotient.agents.message(sent.message).performative;
        let mut last: Option<(StateId, StateId)> = None;
        for to in self.recipients(agent, &sent.to) {
            // Also what is dropped: in another order the agent had not ended yet.
            change.sent_to |= part_bit(self.quotient.program.agent(to).part);
            let id = self.state[to.index()];
            if self.quotient.agents.brief(id).status != Status::Running {
                self.batch.dropped.push((performative, to));
                continue;
            }
            if let Some((before, after)) = last
                && before == id
            {
                change.changed.push((to, after, Held::default()));
                continue;
            }
            let mut held = self.scene.map(|scene| scene[to.index()].1.clone()).unwrap_or_default();
            let next = self.quotient.agents.deliver(to, id, sent.message, &mut held, &message)?;
            if self.scene.is_none() && message == Held::default() {
                last = Some((id, next));
            }
            change.changed.push((to, next, held));
        }
        Some(change)
    }

    /// Whom the recipients of a step are here, in order.
    fn recipients(&self, agent: AgentId, to: &[AgentId]) -> Vec<AgentId> {
        let symmetry = self.quotient.agents.symmetry();
        let mut recipients = Vec::with_capacity(to.len());
        let mut others = Vec::new();
        for class in symmetry.classes() {
            let all = class.len() - usize::from(class.contains(&agent));
            if all > 0 && to.len() >= all && to.iter().filter(|it| class.contains(it)).count() == all {
                recipients.extend(class.iter().copied().filter(|&it| it != agent));
            } else {
                others.extend(to.iter().copied().filter(|it| class.contains(it)));
            }
        }
        recipients.extend(to.iter().copied().filter(|&it| symmetry.class_of(it).is_none()));
        recipients.extend(self.meaning(agent, &others));
        recipients.sort_unstable();
        recipients
    }

    /// Writes the next state; false if that is the one before but for counters.
    fn write(&mut self, change: &Change, may_be_idle: bool) -> bool {
        let symmetry = self.quotient.agents.symmetry();
        if self.scene.is_none() && change.changed.iter().all(|(.., held)| *held == Held::default()) {
            if may_be_idle {
                return false;
            }
            let start = self.batch.words.len();
            self.batch.words.extend_from_slice(self.state);
            for &(agent, id, _) in &change.changed {
                self.batch.words[start + agent.index()] = id;
            }
            if !self.quotient.raw {
                sort(symmetry, &mut self.batch.words[start..], &mut self.quotient.sorting);
            }
            return true;
        }
        let before: Scene = match self.scene {
            Some(scene) => scene.clone(),
            None => self.state.iter().map(|&id| (id, Held::default())).collect(),
        };
        let mut next = before.clone();
        for (agent, id, held) in &change.changed {
            next[agent.index()] = (*id, held.clone());
        }
        if may_be_idle {
            let next = number_symbols(next.clone());
            let same = before.iter().zip(&next).all(|((_, before), (_, after))| before == after);
            if same {
                return false;
            }
        }
        let next = if self.quotient.raw { number_symbols(next) } else { canonical(symmetry, next) };
        write(&next, &mut self.batch.words);
        true
    }
}
