//! Temporal formulas on small graphs, judged naively: a second opinion on the verifier's automata, products and
//! shortcuts.
//!
//! A run is a path through the graph; its moments are the first one and then one for each move. Everything follows the
//! definitions, with loops over all states, and shares nothing with the engines.

mod drawn;
mod runs;

pub use drawn::drawn_run_satisfies;
pub use runs::some_run_satisfies;

use std::collections::BTreeSet;

/// The propositions that hold at a moment.
pub type Letter = BTreeSet<usize>;

/// A labelled graph. Its initial state is 0.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The letter of the first moment.
    pub first: Letter,
    /// At least one state.
    pub states: Vec<State>,
    /// Number of agents.
    pub agents: usize,
}

/// A state of a [`Graph`].
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The possible moves. A run that stays where it is does so by a move without an agent to the same state, and then
    /// for ever.
    pub moves: Vec<Move>,
    /// The agents that a weakly fair run may not keep waiting here for ever.
    pub enabled: BTreeSet<usize>,
}

/// A move between states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The agent that makes it, if any.
    pub agent: Option<usize>,
    /// The state it leads to.
    pub target: usize,
    /// The letter of the moment it leads to.
    pub letter: Letter,
    /// Whether it is a poll that was answered, which does not count as a turn of the agent.
    pub poll: bool,
    /// Whether it is a fault, which a run drawn by lot makes only a finite number of times.
    pub fault: bool,
    /// Whether it exists only for some outcomes of open comparisons.
    pub open: bool,
}

/// The runs that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Those drawn by lot: what has no probability does not count.
    Drawn,
    /// Those that are weakly fair to each agent.
    Fair,
    /// All.
    All,
}

/// A temporal formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// Always true.
    True,
    /// A proposition.
    Atom(usize),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Box<Formula>, Box<Formula>),
    /// At the next moment.
    Next(Box<Formula>),
    /// The second holds now or later, and until then the first does.
    Until(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// `not f`.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// `f and g`.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    /// `f or g`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.negated().and(other.negated()).negated()
    }

    /// `next f`.
    #[must_use]
    pub fn next(self) -> Self {
        Self::Next(Box::new(self))
    }

    /// `f until g`.
    #[must_use]
    pub fn until(self, other: Self) -> Self {
        Self::Until(Box::new(self), Box::new(other))
    }

    /// `eventually f`.
    #[must_use]
    pub fn eventually(self) -> Self {
        Self::True.until(self)
    }

    /// `always f`.
    #[must_use]
    pub fn always(self) -> Self {
        self.negated().eventually().negated()
    }
}
