//! Which reductions are in force.

/// The reductions, each of which can be switched off. What each preserves is argued in `docs/book/src/reductions.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// What cannot matter is taken out of states.
    pub slicing: bool,
    /// States that differ in which of several interchangeable agents is which are one.
    pub symmetry: bool,
    /// Of steps that commute one order is explored.
    pub partial_order: bool,
    /// Steps that need no other order are made as one. Without partial order there are none.
    pub merging: bool,
}

impl Reductions {
    /// All of them.
    pub const ALL: Self = Self { slicing: true, symmetry: true, partial_order: true, merging: true };
    /// States and transitions are those of the plain semantics.
    pub const NONE: Self = Self { slicing: false, symmetry: false, partial_order: false, merging: false };

    /// Those that keep the length of every shortest trace.
    #[must_use]
    pub const fn without_orders(self) -> Self {
        Self { partial_order: false, merging: false, ..self }
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
