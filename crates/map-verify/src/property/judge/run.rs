//! A run of the labelled graph that shows something.

use crate::property::graph::{NOBODY, Transition};
use crate::property::verdict::RunEnding;

/// A run up to a point: the transitions it takes, each with its source.
pub(super) type Path = Vec<(u32, Transition)>;

/// A run that shows something.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) path: Path,
    pub(super) ending: RunEnding,
    /// Whether it rests on open comparisons, and so do all that are as good.
    pub(super) open: bool,
}

impl Run {
    /// Whether it is the better one to show: one that rests on no open comparison, then the shorter one.
    pub(super) fn is_better(&self, other: Option<&Self>) -> bool {
        let order = |run: &Self| (run.open, steps(&run.path));
        other.is_none_or(|other| order(self) < order(other))
    }
}

/// How many steps a path has: to stay where it is, is none.
pub(super) fn steps(path: &Path) -> usize {
    path.iter().filter(|(_, it)| it.agent != NOBODY).count()
}
