//! The reductions of the state space.

use map_semantics::{Bounds, Network};

/// The reductions, each of which can be switched off. `docs/book/src/reductions.md` explains what each preserves, and
/// why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Irrelevant values are removed from states.
    pub slicing: bool,
    /// States that differ by a permutation of interchangeable agents are identified.
    pub symmetry: bool,
    /// Of commuting steps only one order is explored.
    pub partial_order: bool,
    /// Chains of single steps are merged into one. Has no effect without partial order.
    pub merging: bool,
}

impl Reductions {
    /// All of them.
    pub const ALL: Self = Self { slicing: true, symmetry: true, partial_order: true, merging: true };
    /// None: states and transitions are those of the semantics.
    pub const NONE: Self = Self { slicing: false, symmetry: false, partial_order: false, merging: false };

    /// Those that preserve the length of every shortest trace.
    #[must_use]
    pub const fn without_partial_order(self) -> Self {
        Self { partial_order: false, merging: false, ..self }
    }

    /// Those of them that a search for properties or costs may use under these bounds: none in a network that is not
    /// instant.
    pub(crate) fn under(self, bounds: &Bounds) -> Self {
        match (bounds.network == Network::INSTANT, &bounds.after) {
            (true, None) => self,
            (true, Some(_)) => self.after_steps(),
            (false, _) => Self::NONE,
        }
    }

    /// Those of them that may be used where steps are behind the runs: only slicing. Agents that are alike at the start
    /// of a dialogue need not be so later on.
    pub(crate) const fn after_steps(self) -> Self {
        Self { slicing: self.slicing, ..Self::NONE }
    }

    /// Their names, as in the flags that switch them off.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let all = [
            (self.slicing, "slicing"),
            (self.symmetry, "symmetry"),
            (self.partial_order, "partial order"),
            (self.merging, "merging"),
        ];
        all.into_iter().filter_map(|(on, name)| on.then_some(name)).collect()
    }
}
