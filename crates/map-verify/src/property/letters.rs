//! Letters: which propositions hold at a moment. What happens in a step is worked out once for each step of an interned
//! agent state, what holds in a state once for each state, and a letter once for each pair of the two.
//!
//! With symmetry an agent's steps are those of the first agent of its class, which has other names for the others; what
//! happens is worked out in its words. Propositions must not tell the two apart ([`super::orbits`]).

use hashbrown::HashMap;
use indexmap::IndexSet;
use map_graph::BitSet;
use map_ir::{AgentId, Program, Properties, Symbol, Value};
use map_semantics::{AgentState, Moment, StepKind, View, events_of, state_of};
use rustc_hash::FxBuildHasher;

use super::graph::{LabelledGraph, LetterId};
use crate::agents::{Label, LocalStep, StateId};
use crate::state::space::Space;

/// What happens in a step, as an index; [`Letters::NOTHING`] if there is none.
pub(super) type EventsId = u32;

/// What holds in a state, as an index.
pub(super) type RowId = u32;

#[derive(PartialEq, Eq, Hash)]
struct Row {
    states: BitSet,
    quantities: Box<[Option<Value>]>,
}

/// What happens in the steps of an agent state.
struct StepEvents {
    thread: u32,
    timeout: bool,
    options: Vec<u32>,
    events: EventsId,
}

/// The tables.
pub(super) struct Letters<'a> {
    program: &'a Program,
    properties: &'a Properties,
    events: IndexSet<BitSet, FxBuildHasher>,
    rows: IndexSet<Row, FxBuildHasher>,
    steps: Vec<Option<Vec<StepEvents>>>,
    /// The agent states that have been looked at.
    states: Vec<Option<Box<AgentState>>>,
    letters: HashMap<(EventsId, RowId), LetterId, FxBuildHasher>,
}

impl<'a> Letters<'a> {
    /// No step, so no event.
    pub(super) const NOTHING: EventsId = 0;

    pub(super) fn new(program: &'a Program, properties: &'a Properties) -> Self {
        let nothing = BitSet::new(properties.events.len());
        Self {
            program,
            properties,
            events: IndexSet::from_iter([nothing]),
            rows: IndexSet::default(),
            steps: Vec::new(),
            states: Vec::new(),
            letters: HashMap::default(),
        }
    }

    /// Makes [`Letters::events`] know the steps of an agent state.
    pub(super) fn prepare(&mut self, space: &Space<'_>, id: StateId) {
        let index = id as usize;
        if self.steps.len() <= index {
            self.steps.resize_with(index + 1, || None);
        }
        if self.steps[index].is_some() {
            return;
        }
        let (agent, _, found) = space.agents.steps_of(id);
        let mut steps = Vec::new();
        for (thread, found) in found.threads.into_iter().enumerate() {
            let acts = found.acts.into_iter().map(|step| (false, step));
            for (timeout, step) in acts.chain(found.timeouts.into_iter().map(|step| (true, step))) {
                let events = events_of(self.program, self.properties, agent, &step.outcome);
                let events = self.events.insert_full(events).0 as EventsId;
                steps.push(StepEvents { thread: thread as u32, timeout, options: step.options, events });
            }
        }
        self.steps[index] = Some(steps);
    }

    /// What happens in a step of a prepared agent state. Which copies of a message are lost makes no difference, and a
    /// crash is no event.
    pub(super) fn events(&self, id: StateId, step: &LocalStep<'_>) -> EventsId {
        if step.label.kind == StepKind::Crash {
            return Self::NOTHING;
        }
        let Label { thread, kind, options, .. } = step.label;
        let timeout = *kind == StepKind::Timeout;
        let steps = self.steps[id as usize].as_ref().expect("prepared before the state is expanded");
        steps
            .iter()
            .find(|it| it.thread == *thread && it.timeout == timeout && it.options == *options)
            .expect("the same step relation yields the same steps")
            .events
    }

    /// What holds in a state.
    pub(super) fn row(&mut self, space: &mut Space<'_>, state: &[u32]) -> RowId {
        space.fill_locals(state);
        for (_, id, _) in space.local_states(state) {
            let index = id as usize;
            if self.states.len() <= index {
                self.states.resize_with(index + 1, || None);
            }
            self.states[index].get_or_insert_with(|| Box::new(space.agents.state(id)));
        }
        let view = SpaceView { space, states: &self.states, state };
        let (states, quantities) = state_of(self.program, self.properties, &view);
        self.rows.insert_full(Row { states, quantities }).0 as RowId
    }

    /// The letter of a step that leads to a state.
    pub(super) fn letter(&mut self, graph: &mut LabelledGraph, events: EventsId, row: RowId) -> LetterId {
        if let Some(&known) = self.letters.get(&(events, row)) {
            return known;
        }
        let Row { states, quantities } = &self.rows[row as usize];
        let moment = Moment { events: &self.events[events as usize], states, quantities };
        let letter = graph.intern(moment.letter(self.properties));
        self.letters.insert((events, row), letter);
        letter
    }

    /// A rough count of the bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let row = 64 + 8 * self.properties.states.len().div_ceil(64) + 24 * self.properties.quantities.len();
        self.letters.capacity() * 16
            + self.rows.len() * row
            + self.steps.len() * 128
            + self.states.len() * 512
    }
}

/// A global state as propositions see it.
struct SpaceView<'v, 'a> {
    space: &'v Space<'a>,
    /// The agent states by their ids, at least those of the global state.
    states: &'v [Option<Box<AgentState>>],
    state: &'v [u32],
}

impl<'v> SpaceView<'v, '_> {
    /// A value of an agent's local state by the names that symbols and interchangeable agents have in the scene.
    fn in_the_scene(&self, owner: AgentId, mut value: Value) -> Value {
        let (id, tail) = self.space.local_state(self.state, owner);
        let (symbols, names, _) = self.space.agents.brief(id).split(tail);
        if let Some(symbol) = value.symbol_mut() {
            *symbol = Symbol(symbols[symbol.0 as usize]);
        }
        if let Value::Agent(name) = &mut value {
            let agents = &self.space.agents;
            let mut here = vec![agents.symmetry().stands_for(owner)];
            here.extend(agents.names(id));
            let mut there = vec![owner];
            there.extend(names.iter().map(|&slot| self.space.agent_in(self.state, slot as usize)));
            *name = agents.symmetry().meaning(*name, &here, &there);
        }
        value
    }
}

impl View for SpaceView<'_, '_> {
    fn agent(&self, agent: AgentId) -> &AgentState {
        let (id, _) = self.space.local_state(self.state, agent);
        let state = self.states[id as usize].as_ref();
        state.expect("made before the state is judged")
    }

    fn all_waiting(&self, agent: AgentId) -> bool {
        self.space.all_waiting(self.space.local_state(self.state, agent).0)
    }

    fn mailbox(&self, agent: AgentId) -> usize {
        let (id, tail) = self.space.local_state(self.state, agent);
        self.space.agents.brief(id).mailbox(tail) as usize
    }

    fn cell(&self, agent: AgentId, index: usize) -> Option<Value> {
        let value = self.agent(agent).memory.get(index).copied()?;
        Some(self.in_the_scene(agent, value))
    }
}
