//! Fixed points over clauses.

use std::collections::VecDeque;

/// Evaluates every item, and an item again whenever one that it depends on has changed, until none changes any more.
///
/// `dependents` are, for every item, those that depend on it; `evaluate` says whether the item changed.
pub(crate) fn settle(dependents: &[Vec<usize>], mut evaluate: impl FnMut(usize) -> bool) {
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
