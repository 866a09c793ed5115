//! Letters: which propositions hold at a moment. Memoised for each pair of a step's events and its target state's
//! atoms.

use hashbrown::HashMap;
use indexmap::IndexSet;
use map_graph::BitSet;
use map_ir::{Properties, Value};
use map_semantics::Moment;
use rustc_hash::FxBuildHasher;

use crate::property::graph::{LabelId, LabelledGraph, LetterId};

/// Index of the set of events of a step; [`Letters::NOTHING`] if there is no step.
pub(super) type EventsId = u32;

/// Index of a [`Row`].
pub(super) type RowId = u32;

/// The truth of all state atoms and the values of all quantities in a state.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Row {
    /// The state atoms that hold.
    pub(super) states: BitSet,
    pub(super) quantities: Box<[Option<Value>]>,
}

/// The memo tables.
pub(super) struct Letters<'a> {
    properties: &'a Properties,
    events: IndexSet<BitSet, FxBuildHasher>,
    rows: IndexSet<Row, FxBuildHasher>,
    letters: HashMap<(EventsId, RowId), LetterId, FxBuildHasher>,
    /// Letters together with agents.
    labels: HashMap<(u32, EventsId, RowId), LabelId, FxBuildHasher>,
}

impl<'a> Letters<'a> {
    /// The empty set of events.
    pub(super) const NOTHING: EventsId = 0;

    pub(super) fn new(properties: &'a Properties) -> Self {
        let nothing = BitSet::new(properties.events.len());
        Self {
            properties,
            events: IndexSet::from_iter([nothing]),
            rows: IndexSet::default(),
            letters: HashMap::default(),
            labels: HashMap::default(),
        }
    }

    /// The number of a set of events.
    pub(super) fn number_events(&mut self, events: BitSet) -> EventsId {
        self.events.insert_full(events).0 as EventsId
    }

    /// The number of a row.
    pub(super) fn number_row(&mut self, row: Row) -> RowId {
        self.rows.insert_full(row).0 as RowId
    }

    /// The letter of a step that leads to a state.
    pub(super) fn letter(&mut self, graph: &mut LabelledGraph, events: EventsId, row: RowId) -> LetterId {
        if let Some(known) = self.known(events, row) {
            return known;
        }
        let Row { states, quantities } = &self.rows[row as usize];
        let moment = Moment { events: &self.events[events as usize], states, quantities };
        let letter = graph.intern(moment.letter(self.properties));
        self.letters.insert((events, row), letter);
        letter
    }

    /// The letter of a step, combined with the agent that takes it.
    pub(super) fn label(
        &mut self,
        graph: &mut LabelledGraph,
        agent: u32,
        events: EventsId,
        row: RowId,
    ) -> LabelId {
        if let Some(&known) = self.labels.get(&(agent, events, row)) {
            return known;
        }
        let letter = self.letter(graph, events, row);
        let label = graph.label(agent, letter);
        self.labels.insert((agent, events, row), label);
        label
    }

    /// The letter of a step, if it occurs in the graph.
    pub(super) fn known(&self, events: EventsId, row: RowId) -> Option<LetterId> {
        self.letters.get(&(events, row)).copied()
    }

    /// Estimated bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let row = 64 + 8 * self.properties.states.len().div_ceil(64) + 24 * self.properties.quantities.len();
        let events = 64 + 8 * self.properties.events.len().div_ceil(64);
        (self.letters.capacity() + self.labels.capacity()) * 16
            + self.rows.len() * row
            + self.events.len() * events
    }
}
