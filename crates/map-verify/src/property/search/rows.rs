//! What holds in each stored state: worked out by all threads, for shares of the states that a batch has found.

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

/// What holds in all stored states.
pub(super) struct Rows<'a> {
    program: &'a Program,
    properties: &'a Properties,
    /// Whether propositions look at states at all. If not, the same holds in each.
    are_told_apart: bool,
    /// The agent states whose steps are known, by their ids.
    agents: Vec<Option<Box<AgentState>>>,
    /// For each stored state what holds in it, if states are told apart.
    of: Vec<RowId>,
    /// States of a share.
    share: usize,
    shares: Vec<Mutex<Share>>,
}

/// What holds in some states that follow each other.
#[derive(Default)]
struct Share {
    /// All that holds in some of them.
    rows: IndexSet<Row, FxBuildHasher>,
    /// For each which of that.
    of: Vec<RowId>,
    folder: Folder,
    words: Vec<u32>,
}

/// What holds in every state where they are not told apart.
const THE_SAME: RowId = 0;

const NO_PANIC: &str = "no thread panics";

impl<'a> Rows<'a> {
    pub(super) fn new(
        program: &'a Program,
        properties: &'a Properties,
        share: usize,
        letters: &mut Letters<'_>,
    ) -> Self {
        let are_told_apart = !properties.states.is_empty() || !properties.quantities.is_empty();
        if !are_told_apart {
            letters.number_row(Row { states: BitSet::new(0), quantities: Box::default() });
        }
        Self {
            program,
            properties,
            are_told_apart,
            agents: Vec::new(),
            of: Vec::new(),
            share,
            shares: Vec::new(),
        }
    }

    /// What holds in a stored state.
    pub(super) fn of(&self, state: u32) -> RowId {
        if self.are_told_apart { self.of[state as usize] } else { THE_SAME }
    }

    /// Takes note of an agent state whose steps are known.
    pub(super) fn learn(&mut self, space: &Space<'_>, id: StateId) {
        if self.are_told_apart {
            let more = (id as usize + 1).max(self.agents.len());
            self.agents.resize_with(more, || None);
            self.agents[id as usize] = Some(Box::new(space.agents.state(id)));
        }
    }

    /// Adds the next stored state.
    pub(super) fn push(&mut self, space: &Space<'_>, words: &[u32], letters: &mut Letters<'_>) {
        if self.are_told_apart {
            let row = self.row(space, words);
            self.of.push(letters.number_row(row));
        }
    }

    /// Into how many shares so many states are divided.
    pub(super) fn shares(&self, found: usize) -> usize {
        if self.are_told_apart { found.div_ceil(self.share) } else { 0 }
    }

    /// Before so many states are looked at.
    pub(super) fn make_room(&mut self, found: usize) {
        let shares = self.shares(found);
        while self.shares.len() < shares {
            self.shares.push(Mutex::default());
        }
    }

    /// Works out what holds in a share of the states that were found.
    pub(super) fn work_out(
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

    /// Takes over what was worked out for so many states, in order: so the numbers do not depend on the threads.
    pub(super) fn take_over(&mut self, found: usize, letters: &mut Letters<'_>) {
        let shares = self.shares(found);
        for share in &mut self.shares[..shares] {
            let Share { rows, of, .. } = share.get_mut().expect(NO_PANIC);
            let numbers: Vec<RowId> = rows.drain(..).map(|row| letters.number_row(row)).collect();
            self.of.extend(of.drain(..).map(|row| numbers[row as usize]));
        }
    }

    fn row(&self, space: &Space<'_>, words: &[u32]) -> Row {
        let view = Looked { space, agents: &self.agents, words };
        let (states, quantities) = state_of(self.program, self.properties, &view);
        Row { states, quantities }
    }

    /// A rough count of the bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.of.capacity() * size_of::<RowId>() + self.agents.len() * 512
    }
}

/// A global state as propositions see it.
struct Looked<'v, 'a> {
    space: &'v Space<'a>,
    /// The agent states by their ids, at least those of the global state.
    agents: &'v [Option<Box<AgentState>>],
    words: &'v [u32],
}

impl View for Looked<'_, '_> {
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
