//! Büchi automata with several acceptance conditions, on their transitions.

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

/// A transition-based generalised Büchi automaton. It starts in state 0 and reads one moment with every edge; a word is
/// accepted if some run over it takes edges of every acceptance condition infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    atoms: Vec<u32>,
    conditions: u32,
    states: Vec<Vec<Edge>>,
}

impl Automaton {
    /// At least one state, at most 128 conditions; marks beyond the conditions are dropped.
    pub(crate) fn new(atoms: Vec<u32>, conditions: u32, mut states: Vec<Vec<Edge>>) -> Self {
        let all = low_bits(conditions);
        states.iter_mut().flatten().for_each(|edge| edge.marks &= all);
        Self { atoms, conditions, states }
    }

    /// The propositions it knows, by the bits that stand for them in guards and moments.
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

    /// Whether it accepts no word: what is left of such an automaton is one state without edges.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states[0].is_empty()
    }

    /// Whether a state accepts every word, as can be seen at once: by staying there.
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

    /// A moment as guards read it.
    pub fn moment(&self, holds: impl Fn(u32) -> bool) -> u128 {
        self.atoms.iter().enumerate().fold(0, |moment, (bit, &atom)| moment | u128::from(holds(atom)) << bit)
    }

    pub(crate) fn states(&self) -> &[Vec<Edge>] {
        &self.states
    }
}

/// The set of the first few bits.
const fn low_bits(count: u32) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}
