//! What properties remember of earlier steps, interned: a number in every state.

use indexmap::IndexSet;
use map_ir::{AgentId, Program, Properties};
use map_semantics::{Bounds, Happening, MonitorState, Outcome, decreased};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Number of a [`MonitorState`]. 0 is where runs start.
pub(crate) type MonitoredId = u32;

/// The monitors of the properties that a search is for.
pub(crate) struct Monitors<'a> {
    program: &'a Program,
    properties: &'a Properties,
    ceilings: Vec<i64>,
    monitored: IndexSet<MonitorState, FxBuildHasher>,
    /// What happens in steps; number 0 is nothing.
    happenings: IndexSet<Happening, FxBuildHasher>,
    /// The number of what happens in the step to each successor of an agent state.
    of_steps: Vec<u32>,
    after: FxHashMap<(MonitoredId, u32), MonitoredId>,
    /// The monitors whose ceilings are not sound after all.
    decreased: Vec<usize>,
}

impl<'a> Monitors<'a> {
    /// `None` if the properties have no monitors. `ceilings` are as for [`MonitorState::after`].
    pub(crate) fn new(
        program: &'a Program,
        properties: &'a Properties,
        bounds: &Bounds,
        ceilings: &[i64],
    ) -> Option<Self> {
        let first = || MonitorState::first(program, bounds, properties).capped(ceilings);
        (!properties.monitors.is_empty()).then(|| Self {
            program,
            properties,
            ceilings: ceilings.to_vec(),
            monitored: IndexSet::from_iter([first()]),
            happenings: IndexSet::from_iter([Happening::nothing(properties)]),
            of_steps: Vec::new(),
            after: FxHashMap::default(),
            decreased: Vec::new(),
        })
    }

    /// The number of something noted, which is interned if it is new.
    pub(crate) fn number(&mut self, monitored: &MonitorState) -> MonitoredId {
        // A run on plain states counts without ceilings.
        let capped = monitored.capped(&self.ceilings);
        self.monitored.insert_full(capped).0 as MonitoredId
    }

    pub(crate) fn get(&self, id: MonitoredId) -> &MonitorState {
        &self.monitored[id as usize]
    }

    /// What is noted after the step to a successor of an agent state; the missing entry if that is not known.
    #[inline]
    pub(crate) fn after(
        &self,
        before: MonitoredId,
        successor: u32,
    ) -> Result<MonitoredId, (MonitoredId, u32)> {
        match self.of_steps[successor as usize] {
            0 => Ok(before),
            happening => {
                let key = (before, happening);
                self.after.get(&key).copied().ok_or(key)
            }
        }
    }

    /// Computes a missing entry.
    pub(super) fn fill(&mut self, (before, happening): (MonitoredId, u32)) {
        let happened = &self.happenings[happening as usize];
        let after = self.monitored[before as usize].after(self.properties, happened, &self.ceilings);
        let after = self.monitored.insert_full(after).0 as MonitoredId;
        self.after.insert((before, happening), after);
    }

    /// The number of what happens in a step.
    pub(super) fn happening(&mut self, agent: AgentId, outcome: &Outcome) -> u32 {
        let happening = Happening::of_step(self.program, self.properties, agent, outcome);
        let capped = |&index: &usize| self.ceilings[index] < i64::MAX;
        self.decreased.extend(decreased(self.properties, &happening).iter().filter(|it| capped(it)));
        self.happenings.insert_full(happening).0 as u32
    }

    /// Notes what happens in the steps to the next successors of agent states.
    pub(super) fn note_steps(&mut self, happenings: &[u32]) {
        self.of_steps.extend(happenings);
    }

    /// The monitors whose ceilings are not sound after all, because a step decreases them.
    pub(crate) fn decreased(&self) -> &[usize] {
        &self.decreased
    }

    /// Estimated bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let monitored: usize = self.monitored.iter().map(|it| 64 + it.bytes()).sum();
        monitored + self.after.capacity() * 16 + self.of_steps.capacity() * 4 + self.happenings.len() * 128
    }
}
