//! Where a violation was found.

use map_semantics::Step;

/// Where the best violation of a kind was found so far.
pub(crate) struct Site {
    /// Length of the traces to it.
    pub(super) steps: usize,
    /// Whether it rests on no open comparison.
    pub(super) clean: bool,
    /// `None`: on the way to the first places.
    pub(super) state: Option<u32>,
    /// The violating step out of that state, if it is not the state itself that violates.
    pub(super) step: Option<Step>,
}

impl Site {
    /// Whether it is the better one: the shorter trace, then one free of open comparisons, then the earlier state.
    pub(super) fn is_better(&self, other: Option<&Self>) -> bool {
        let order = |site: &Self| (site.steps, !site.clean, site.state);
        other.is_none_or(|other| order(self) < order(other))
    }
}
