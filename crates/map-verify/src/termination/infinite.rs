//! What the finished graph says of infinite runs: whether there are any, and the states of livelocks.
//!
//! Crashes and losses are left out: the good end must be reachable without them. A state has *hope* if a good end, or
//! something else that is no livelock, can be reached from it. A state without hope is a livelock.

use map_graph::BitSet;

use super::mark;
use crate::budget::{Budget, Limit};
use crate::graph::cycles::has_cycle;
use crate::graph::edges::Edges;
use crate::graph::reach::reaches;

/// What the graph says.
pub(crate) struct Analysis {
    /// Some run never ends.
    pub(crate) infinite_run: bool,
    /// The states from which nothing good can be reached.
    pub(crate) livelocks: BitSet,
}

/// Judges a completely explored graph, which has no cycle unless it may have one.
///
/// # Errors
/// The limit that came first.
pub(crate) fn analyse(
    edges: &Edges,
    marks: &[u8],
    may_have_cycle: bool,
    budget: &mut Budget<'_>,
) -> Result<Analysis, Limit> {
    budget.afford(2 * BitSet::bytes_for(marks.len()))?;
    let hopeful = mark::GOOD_END | mark::CUT | mark::WRONG | mark::DEADLOCK | mark::FAILED;
    let has_hope = |state: usize| marks[state] & hopeful != 0;
    let cyclic = may_have_cycle && has_cycle(edges, marks.len(), budget)?;
    // Without cycles every state leads to an end.
    let livelocks = match !cyclic && edges.ends().all(has_hope) {
        true => BitSet::new(marks.len()),
        false => reaches(edges, marks.len(), has_hope, budget)?.complement(),
    };
    let polls_for_ever = marks.iter().any(|marks| marks & mark::ONLY_POLLS != 0);
    Ok(Analysis { infinite_run: polls_for_ever || cyclic, livelocks })
}
