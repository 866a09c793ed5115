//! Runs of the labelled graph.

use crate::property::graph::{NOBODY, Transition};
use crate::property::verdict::RunEnding;

/// A finite path: its transitions, each with its source.
pub(in crate::property) type Path = Vec<(u32, Transition)>;

/// A run that supports a verdict.
#[derive(Clone, Debug)]
pub(in crate::property) struct Run {
    /// The initial state.
    pub(in crate::property) first: u32,
    pub(in crate::property) path: Path,
    pub(in crate::property) ending: RunEnding,
    /// Whether it depends on open comparisons, as does every run that is as short.
    pub(in crate::property) open: bool,
}

impl Run {
    /// Whether it is better to show: one that depends on no open comparison, then a shorter one.
    pub(in crate::property) fn is_better(&self, other: Option<&Self>) -> bool {
        let order = |run: &Self| (run.open, steps(&run.path));
        other.is_none_or(|other| order(self) < order(other))
    }
}

/// Number of steps of a path. Transitions of nobody are no steps.
pub(in crate::property) fn steps(path: &Path) -> usize {
    path.iter().filter(|(_, it)| it.mover != NOBODY).count()
}
