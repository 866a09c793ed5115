//! The rows of stored states, computed in parallel for shares of the new states of a batch.

use std::sync::Mutex;

use indexmap::IndexSet;
use map_graph::BitSet;
use map_ir::{AgentId, Program, Properties, Value};
use map_semantics::{AgentState, View, state_of};
use rustc_hash::FxBuildHasher;

use super::letters::{Letters, Row, RowId};
use crate::agents::StateId;
use crate::state::space::Space;
use crate::state::store::{Folder, Store};

/// The rows of all stored states.
pub(super) struct Rows<'a> {
    program: &'a Program,
    properties: &'a Properties,
    /// Whether any proposition depends on the state. If not, all states share one row.
    depend_on_state: bool,
    /// The agent states whose steps are known, by id.
    agents: Vec<Option<Box<AgentState>>>,
    /// The row of each stored state, if propositions depend on the state.
    of: Vec<RowId>,
    /// Number of states in a share.
    share: usize,
    shares: Vec<Mutex<Share>>,
}

/// The rows of some consecutive states.
#[derive(Default)]
struct Share {
    /// The distinct rows.
    rows: IndexSet<Row, FxBuildHasher>,
    /// For each state the index of its row in `rows`.
    of: Vec<RowId>,
    folder: Folder,
    words: Vec<u32>,
}

/// The common row, if no proposition depends on the state.
const COMMON_ROW: RowId = 0;

const NO_PANIC: &str = "no thread panics";

impl<'a> Rows<'a> {
    pub(super) fn new(
        program: &'a Program,
        properties: &'a Properties,
        share: usize,
        letters: &mut Letters<'_>,
    ) -> Self {
        let depend_on_state = !properties.states.is_empty()
            || !properties.quantities.is_empty()
            || !properties.monitors.is_empty();
        if !depend_on_state {
            letters.number_row(Row { states: BitSet::new(0), quantities: Box::default(), monitored: 0 });
        }
        Self {
            program,
            properties,
            depend_on_state,
            agents: Vec::new(),
            of: Vec::new(),
            share,
            shares: Vec::new(),
        }
    }

    /// The row of a stored state.
    pub(super) fn of(&self, state: u32) -> RowId {
        if self.depend_on_state { self.of[state as usize] } else { COMMON_ROW }
    }

    /// Stores an agent state whose steps are known.
    pub(super) fn learn(&mut self, space: &Space<'_>, id: StateId) {
        if self.depend_on_state {
            let more = (id as usize + 1).max(self.agents.len());
            self.agents.resize_with(more, || None);
            self.agents[id as usize] = Some(Box::new(space.agents.state(id)));
        }
    }

    /// Adds the next stored state.
    pub(super) fn push(&mut self, space: &Space<'_>, words: &[u32], letters: &mut Letters<'_>) {
        let row = self.number(space, words, letters);
        self.push_number(row);
    }

    /// Adds the next stored state, whose row is known.
    pub(super) fn push_number(&mut self, row: RowId) {
        if self.depend_on_state {
            self.of.push(row);
        }
    }

    /// The number of the row of a state.
    pub(super) fn number(&self, space: &Space<'_>, words: &[u32], letters: &mut Letters<'_>) -> RowId {
        if self.depend_on_state { letters.number_row(self.row(space, words)) } else { COMMON_ROW }
    }

    /// The number of shares of `found` states.
    pub(super) fn shares(&self, found: usize) -> usize {
        if self.depend_on_state { found.div_ceil(self.share) } else { 0 }
    }

    /// Allocates the shares for `found` states.
    pub(super) fn make_room(&mut self, found: usize) {
        let shares = self.shares(found);
        while self.shares.len() < shares {
            self.shares.push(Mutex::default());
        }
    }

    /// Computes the rows of a share of the states in `found`.
    pub(super) fn compute(
        &self,
        space: &Space<'_>,
        store: &Store,
        found: std::ops::Range<u32>,
        share: usize,
    ) {
        let Share { rows, of, folder, words } = &mut *self.shares[share].lock().expect(NO_PANIC);
        for state in found.skip(share * self.share).take(self.share) {
            store.load(folder, state, words, |id| space.tail_of(id));
            of.push(rows.insert_full(self.row(space, words)).0 as RowId);
        }
    }

    /// Merges the rows of `found` states, in order, so that the numbers do not depend on the threads.
    pub(super) fn merge(&mut self, found: usize, letters: &mut Letters<'_>) {
        let shares = self.shares(found);
        for share in &mut self.shares[..shares] {
            let Share { rows, of, .. } = share.get_mut().expect(NO_PANIC);
            let numbers: Vec<RowId> = rows.drain(..).map(|row| letters.number_row(row)).collect();
            self.of.extend(of.drain(..).map(|row| numbers[row as usize]));
        }
    }

    fn row(&self, space: &Space<'_>, words: &[u32]) -> Row {
        let view = StoredView { space, agents: &self.agents, words };
        let (states, quantities) = state_of(self.program, self.properties, &view);
        Row { states, quantities, monitored: space.monitored_in(words) }
    }

    /// Estimated bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.of.capacity() * size_of::<RowId>() + self.agents.len() * 512
    }
}

/// A global state as seen by propositions.
struct StoredView<'v, 'a> {
    space: &'v Space<'a>,
    /// The agent states by id, at least those of the global state.
    agents: &'v [Option<Box<AgentState>>],
    words: &'v [u32],
}

impl View for StoredView<'_, '_> {
    fn agent(&self, agent: AgentId) -> &AgentState {
        let state = self.agents[self.space.id_of(self.words, agent) as usize].as_ref();
        state.expect("the steps of the agents of a stored state are known")
    }

    fn all_waiting(&self, agent: AgentId) -> bool {
        self.space.all_waiting(self.space.id_of(self.words, agent))
    }

    fn mailbox(&self, agent: AgentId) -> usize {
        self.space.mailbox_of(self.words, agent) as usize
    }

    fn cell(&self, agent: AgentId, index: usize) -> Option<Value> {
        let value = self.agent(agent).memory.get(index).copied()?;
        Some(self.space.in_the_scene(self.words, agent, value))
    }
}
