//! Transition-based generalised Büchi automata.

use crate::cube::Cube;

/// An edge of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The moments at which it can be taken.
    pub guard: Cube,
    /// The acceptance conditions it belongs to, as bits.
    pub marks: u128,
    /// The state it leads to.
    pub target: u32,
}

/// A transition-based generalised Büchi automaton. Its initial state is 0 and every edge reads one moment; a word is
/// accepted if some run over it takes edges of every acceptance condition infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    atoms: Vec<u32>,
    conditions: u32,
    states: Vec<Vec<Edge>>,
}

impl Automaton {
    /// `states` must not be empty, and there are at most 128 conditions; marks beyond them are dropped.
    pub(crate) fn new(atoms: Vec<u32>, conditions: u32, mut states: Vec<Vec<Edge>>) -> Self {
        let all = low_bits(conditions);
        states.iter_mut().flatten().for_each(|edge| edge.marks &= all);
        Self { atoms, conditions, states }
    }

    /// The propositions it reads, indexed by the bits that represent them in guards and moments.
    #[must_use]
    pub fn atoms(&self) -> &[u32] {
        &self.atoms
    }

    /// Number of acceptance conditions.
    #[must_use]
    pub const fn conditions(&self) -> u32 {
        self.conditions
    }

    /// The set of all acceptance conditions.
    #[must_use]
    pub const fn all_marks(&self) -> u128 {
        low_bits(self.conditions)
    }

    /// Number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether it accepts no word: simplification reduces such an automaton to one state without edges.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states[0].is_empty()
    }

    /// Whether a state trivially accepts every word: it has an accepting self-loop without a guard.
    #[must_use]
    pub fn is_universal(&self, state: u32) -> bool {
        let stays = Edge { guard: Cube::TRUE, marks: self.all_marks(), target: state };
        self.edges(state).contains(&stays)
    }

    /// The edges out of a state.
    #[must_use]
    pub fn edges(&self, state: u32) -> &[Edge] {
        &self.states[state as usize]
    }

    /// Number of edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Encodes a moment as a bit set of propositions, which guards are evaluated on.
    pub fn moment(&self, holds: impl Fn(u32) -> bool) -> u128 {
        self.atoms.iter().enumerate().fold(0, |moment, (bit, &atom)| moment | u128::from(holds(atom)) << bit)
    }

    pub(crate) fn states(&self) -> &[Vec<Edge>] {
        &self.states
    }
}

/// The set of the first `count` bits.
const fn low_bits(count: u32) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}
