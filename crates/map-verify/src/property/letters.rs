//! Letters: which propositions hold at a moment. What happens in a step is worked out once for each step of an interned
//! agent state, what holds in a state once for each state, and a letter once for each pair of the two.

use hashbrown::HashMap;
use indexmap::IndexSet;
use map_ir::{AgentId, Program, Properties, StateQuantity, Symbol, Value};
use map_semantics::{AgentState, Bounds, Moment, StepKind, View, agent_steps, events_of, state_of};
use rustc_hash::FxBuildHasher;

use super::graph::{LabelledGraph, LetterId};
use crate::agents::{Label, LocalStep, StateId};
use crate::space::Space;

/// What happens in a step, as an index; [`Letters::NOTHING`] if there is none.
pub(super) type EventsId = u32;

/// What holds in a state, as an index.
pub(super) type RowId = u32;

#[derive(PartialEq, Eq, Hash)]
struct Row {
    states: Box<[u64]>,
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
    bounds: &'a Bounds,
    events: IndexSet<Box<[u64]>, FxBuildHasher>,
    rows: IndexSet<Row, FxBuildHasher>,
    steps: Vec<Option<Vec<StepEvents>>>,
    /// The agent states that have been looked at.
    states: Vec<Option<Box<AgentState>>>,
    letters: HashMap<(EventsId, RowId), LetterId, FxBuildHasher>,
    scratch: Vec<u64>,
}

impl<'a> Letters<'a> {
    /// No step, so no event.
    pub(super) const NOTHING: EventsId = 0;

    pub(super) fn new(program: &'a Program, properties: &'a Properties, bounds: &'a Bounds) -> Self {
        let nothing = vec![0; properties.events.len().div_ceil(64)].into_boxed_slice();
        Self {
            program,
            properties,
            bounds,
            events: IndexSet::from_iter([nothing]),
            rows: IndexSet::default(),
            steps: Vec::new(),
            states: Vec::new(),
            letters: HashMap::default(),
            scratch: vec![0; properties.propositions.len().div_ceil(64)],
        }
    }

    /// Makes [`Letters::events`] know the steps of an agent state.
    pub(super) fn prepare(&mut self, space: &Space<'_>, agent: AgentId, id: StateId) {
        let index = id as usize;
        if self.steps.len() <= index {
            self.steps.resize_with(index + 1, || None);
        }
        if self.steps[index].is_some() {
            return;
        }
        let found = agent_steps(self.program, self.bounds, agent, &space.agents.state(id));
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
    pub(super) fn events(&self, id: StateId, step: &LocalStep) -> EventsId {
        if step.label.kind == StepKind::Crash {
            return Self::NOTHING;
        }
        let Label { thread, kind, options, .. } = &*step.label;
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
        let agents = space.agent_count();
        space.fill_locals(&state[..agents]);
        for &id in &state[..agents] {
            let index = id as usize;
            if self.states.len() <= index {
                self.states.resize_with(index + 1, || None);
            }
            self.states[index].get_or_insert_with(|| Box::new(space.agents.state(id)));
        }
        let view = SpaceView { space, states: &self.states, state };
        let (states, mut quantities) = state_of(self.program, self.properties, &view);
        for (quantity, value) in self.properties.quantities.iter().zip(&mut quantities) {
            if let (StateQuantity::Cell(agent, _), Some(symbol)) =
                (quantity, value.as_mut().and_then(Value::symbol_mut))
            {
                *symbol = scene_symbol(space, state, *agent, *symbol);
            }
        }
        self.rows.insert_full(Row { states, quantities }).0 as RowId
    }

    /// The letter of a step that leads to a state.
    pub(super) fn letter(&mut self, graph: &mut LabelledGraph, events: EventsId, row: RowId) -> LetterId {
        if let Some(&known) = self.letters.get(&(events, row)) {
            return known;
        }
        let Row { states, quantities } = &self.rows[row as usize];
        let moment = Moment { events: &self.events[events as usize], states, quantities };
        self.scratch.fill(0);
        for (index, proposition) in self.properties.propositions.iter().enumerate() {
            self.scratch[index / 64] |= u64::from(moment.holds(proposition)) << (index % 64);
        }
        let letter = graph.intern(&self.scratch);
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

/// An interned agent state names its symbols by first occurrence; the global state says which they are in the scene.
fn scene_symbol(space: &Space<'_>, state: &[u32], agent: AgentId, symbol: Symbol) -> Symbol {
    let before: u32 = state[..agent.index()].iter().map(|&id| space.agents.brief(id).symbols).sum();
    Symbol(state[space.header() + before as usize + symbol.0 as usize])
}

/// A global state as propositions see it.
struct SpaceView<'v, 'a> {
    space: &'v Space<'a>,
    /// The agent states by their ids, at least those of the global state.
    states: &'v [Option<Box<AgentState>>],
    state: &'v [u32],
}

impl View for SpaceView<'_, '_> {
    fn agent(&self, agent: AgentId) -> &AgentState {
        let state = self.states[self.state[agent.index()] as usize].as_ref();
        state.expect("made before the state is judged")
    }

    fn all_waiting(&self, agent: AgentId) -> bool {
        self.space.all_waiting(self.state[agent.index()])
    }
}
