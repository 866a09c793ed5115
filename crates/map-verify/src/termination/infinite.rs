//! Infinite runs of the finished graph: whether there are any, and the livelocks.
//!
//! Crashes and losses are ignored: the good end must be reachable without them. A state has *hope* if it can reach a
//! good end, or something else that is no livelock. A state without hope is a livelock.

use map_graph::BitSet;

use crate::budget::{Budget, Limit};
use crate::graph::cycles::has_cycle;
use crate::graph::edges::Edges;
use crate::graph::reach::reaches;
use crate::mark;

/// The result of the analysis.
pub(crate) struct Analysis {
    /// Whether some run never ends.
    pub(crate) infinite_run: bool,
    /// The states without hope.
    pub(crate) livelocks: BitSet,
}

/// Analyses a completely explored graph. `may_have_cycle` is false if it is known to be acyclic.
///
/// # Errors
/// The limit that was reached.
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
