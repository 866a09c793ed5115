//! The sites of violations.

use map_semantics::Step;

/// Where a violation is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Before the initial state, with these initial values.
    Start(Vec<u32>),
    /// At this state.
    State(u32),
}

/// The site of the best violation of a kind found so far.
#[derive(Clone)]
pub(crate) struct Site {
    /// Length of the traces to it.
    pub(super) steps: usize,
    /// Whether it depends on no open comparison.
    pub(super) clean: bool,
    pub(super) place: Place,
    /// The violating step of this state, unless the place itself is the violation.
    pub(super) step: Option<Step>,
}

impl Site {
    /// Whether it is better: a shorter trace, then one that depends on no open comparison, then a lower state
    /// number.
    pub(super) fn is_better(&self, other: Option<&Self>) -> bool {
        let order = |site: &Self| (site.steps, !site.clean);
        other.is_none_or(|other| (order(self), &self.place) < (order(other), &other.place))
    }
}
