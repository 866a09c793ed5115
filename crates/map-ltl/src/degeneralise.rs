//! Degeneralisation to one acceptance condition on states: the form of SPIN's never claims.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::automaton::{Automaton, Edge};
use crate::cube::Cube;
use crate::simplify::accepting_components;

/// A state of a [`Buchi`] automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BuchiState {
    /// Whether runs that visit this state infinitely often are accepted.
    pub accepting: bool,
    /// Guards and targets, ascending.
    pub edges: Vec<(Cube, u32)>,
}

/// A Büchi automaton with accepting states. Its initial state is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    /// The propositions, indexed by the bits that represent them in guards.
    pub atoms: Vec<u32>,
    /// The states.
    pub states: Vec<BuchiState>,
}

impl Automaton {
    /// An automaton for the same words with one condition: runs wait for the conditions in turn (Gastin and Oddoux,
    /// "Fast LTL to Büchi automata translation", CAV 2001). A state is accepting when the last condition has just been
    /// met.
    #[must_use]
    pub fn degeneralised(&self) -> Buchi {
        let component = accepting_components(self);
        let met = |level: u32, edge: &Edge| {
            (level..self.conditions()).take_while(|&it| edge.marks >> it & 1 == 1).count() as u32 + level
        };
        // Outside accepting components the level does not matter.
        let level_after = |state: u32, level: u32, edge: &Edge| match component[edge.target as usize] {
            None => 0,
            here if here != component[state as usize] => 0,
            _ if level == self.conditions() => met(0, edge),
            _ => met(level, edge),
        };
        let mut places: IndexSet<(u32, u32), FxBuildHasher> = IndexSet::from_iter([(0, 0)]);
        let mut states = Vec::new();
        while states.len() < places.len() {
            let (state, level) = places[states.len()];
            let edge = |edge: &Edge| {
                let place = (edge.target, level_after(state, level, edge));
                (edge.guard, places.insert_full(place).0 as u32)
            };
            let edges = self.edges(state).iter().map(edge).collect();
            let accepting = component[state as usize].is_some() && level == self.conditions();
            states.push(BuchiState { accepting, edges });
        }
        merged(Buchi { atoms: self.atoms().to_vec(), states })
    }
}

/// Merges states with the same edges, repeatedly.
fn merged(mut automaton: Buchi) -> Buchi {
    loop {
        for state in &mut automaton.states {
            state.edges.sort_unstable();
            state.edges.dedup();
        }
        let distinct: IndexSet<&BuchiState, FxBuildHasher> = automaton.states.iter().collect();
        if distinct.len() == automaton.states.len() {
            return automaton;
        }
        let number: Vec<u32> =
            automaton.states.iter().map(|state| distinct.get_index_of(state).unwrap_or(0) as u32).collect();
        let mut states: Vec<BuchiState> = distinct.into_iter().cloned().collect();
        for (_, target) in states.iter_mut().flat_map(|state| &mut state.edges) {
            *target = number[*target as usize];
        }
        automaton = Buchi { atoms: automaton.atoms, states };
    }
}
