//! Letters: which propositions hold at a moment. Memoised for each step's events, what was monitored before it, and its
//! target state's atoms.

use hashbrown::HashMap;
use indexmap::IndexSet;
use map_graph::BitSet;
use map_ir::{Properties, Value};
use map_semantics::{Happening, Moment};
use rustc_hash::FxBuildHasher;

use crate::agents::{MonitoredId, Monitors};
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
    /// What is monitored in it.
    pub(super) monitored: MonitoredId,
}

/// What a letter depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MomentKey {
    pub(super) events: EventsId,
    /// What was monitored before.
    pub(super) before: MonitoredId,
    pub(super) row: RowId,
}

/// The memo tables.
pub(super) struct Letters<'a> {
    properties: &'a Properties,
    events: IndexSet<Happening, FxBuildHasher>,
    rows: IndexSet<Row, FxBuildHasher>,
    letters: HashMap<MomentKey, LetterId, FxBuildHasher>,
    /// Letters together with agents.
    labels: HashMap<(u32, MomentKey), LabelId, FxBuildHasher>,
}

impl<'a> Letters<'a> {
    /// The empty set of events.
    pub(super) const NOTHING: EventsId = 0;

    pub(super) fn new(properties: &'a Properties) -> Self {
        Self {
            properties,
            events: IndexSet::from_iter([Happening::nothing(properties)]),
            rows: IndexSet::default(),
            letters: HashMap::default(),
            labels: HashMap::default(),
        }
    }

    /// The number of a set of events.
    pub(super) fn number_events(&mut self, events: Happening) -> EventsId {
        self.events.insert_full(events).0 as EventsId
    }

    /// The number of a row.
    pub(super) fn number_row(&mut self, row: Row) -> RowId {
        self.rows.insert_full(row).0 as RowId
    }

    /// Number of distinct rows.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// What is monitored in the states of a row.
    pub(super) fn monitored(&self, row: RowId) -> MonitoredId {
        self.rows[row as usize].monitored
    }

    /// The letter of a moment.
    pub(super) fn letter(
        &mut self,
        graph: &mut LabelledGraph,
        monitors: Option<&Monitors<'_>>,
        key: MomentKey,
    ) -> LetterId {
        if let Some(known) = self.known(key) {
            return known;
        }
        let Row { states, quantities, monitored } = &self.rows[key.row as usize];
        let moment = Moment {
            happening: &self.events[key.events as usize],
            before: monitors.map(|it| it.get(key.before)),
            states,
            quantities,
            after: monitors.map(|it| it.get(*monitored)),
        };
        let letter = graph.intern(moment.letter(self.properties));
        self.letters.insert(key, letter);
        letter
    }

    /// The letter of a step, combined with the mover that takes it.
    pub(super) fn label(
        &mut self,
        graph: &mut LabelledGraph,
        monitors: Option<&Monitors<'_>>,
        mover: u32,
        key: MomentKey,
    ) -> LabelId {
        if let Some(&known) = self.labels.get(&(mover, key)) {
            return known;
        }
        let letter = self.letter(graph, monitors, key);
        let label = graph.label(mover, letter);
        self.labels.insert((mover, key), label);
        label
    }

    /// The letter of a moment, if it occurs in the graph.
    pub(super) fn known(&self, key: MomentKey) -> Option<LetterId> {
        self.letters.get(&key).copied()
    }

    /// Estimated bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let row = 64 + 8 * self.properties.states.len().div_ceil(64) + 24 * self.properties.quantities.len();
        let events =
            80 + 8 * self.properties.events.len().div_ceil(64) + 24 * self.properties.arguments.len();
        (self.letters.capacity() + self.labels.capacity()) * 20
            + self.rows.len() * row
            + self.events.len() * events
    }
}
