//! The sites of violations.

use map_semantics::Step;

/// The site of the best violation of a kind found so far.
pub(crate) struct Site {
    /// Length of the traces to it.
    pub(super) steps: usize,
    /// Whether it depends on no open comparison.
    pub(super) clean: bool,
    /// `None` if it is before the initial state.
    pub(super) state: Option<u32>,
    /// The violating step of this state, unless the state itself is the violation.
    pub(super) step: Option<Step>,
}

impl Site {
    /// Whether it is better: a shorter trace, then one that depends on no open comparison, then a lower state number.
    pub(super) fn is_better(&self, other: Option<&Self>) -> bool {
        let order = |site: &Self| (site.steps, !site.clean, site.state);
        other.is_none_or(|other| order(self) < order(other))
    }
}
