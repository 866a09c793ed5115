//! Fixed points over clauses.

use std::collections::VecDeque;

/// Runs a worklist algorithm (Kildall 1973) to a fixed point: evaluates every item, and again whenever an item it
/// depends on has changed, until nothing changes.
///
/// `dependents[item]` are the items that depend on `item`; `evaluate` returns whether the item changed.
pub(crate) fn run_to_fixed_point(dependents: &[Vec<usize>], mut evaluate: impl FnMut(usize) -> bool) {
    let mut queue: VecDeque<usize> = (0..dependents.len()).collect();
    let mut waiting = vec![true; dependents.len()];
    while let Some(item) = queue.pop_front() {
        waiting[item] = false;
        if evaluate(item) {
            for &dependent in &dependents[item] {
                if !std::mem::replace(&mut waiting[dependent], true) {
                    queue.push_back(dependent);
                }
            }
        }
    }
}
