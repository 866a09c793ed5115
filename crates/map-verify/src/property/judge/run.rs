//! Runs of the labelled graph.

use crate::property::graph::{NOBODY, Transition};
use crate::property::verdict::RunEnding;

/// A finite path: its transitions, each with its source.
pub(super) type Path = Vec<(u32, Transition)>;

/// A run that supports a verdict.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The initial state.
    pub(super) first: u32,
    pub(super) path: Path,
    pub(super) ending: RunEnding,
    /// Whether it depends on open comparisons, as does every run that is as short.
    pub(super) open: bool,
}

impl Run {
    /// Whether it is better to show: one that depends on no open comparison, then a shorter one.
    pub(super) fn is_better(&self, other: Option<&Self>) -> bool {
        let order = |run: &Self| (run.open, steps(&run.path));
        other.is_none_or(|other| order(self) < order(other))
    }
}

/// Number of steps of a path. Transitions of nobody are no steps.
pub(super) fn steps(path: &Path) -> usize {
    path.iter().filter(|(_, it)| it.mover != NOBODY).count()
}
