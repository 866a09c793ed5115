//! The least that a run costs which comes to a good end: shortest paths (E. Dijkstra, Numerische Mathematik 1, 1959).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use map_ir::PropositionId;

use crate::budget::{Budget, Clock, Limit};
use crate::property::graph::LabelledGraph;
use crate::property::judge::weights::Weights;

/// The least cost of a run to the good end, which a proposition says; `None` if there is none.
pub(super) fn cheapest(
    graph: &LabelledGraph,
    weights: &Weights,
    good_end: PropositionId,
    budget: &mut Budget<'_>,
) -> Result<Option<i64>, Limit> {
    // Thrice, for what waits in the heap.
    budget.afford(graph.len() * 3 * size_of::<(i64, u32)>())?;
    let mut least: Vec<Option<i64>> = vec![None; graph.len()];
    let mut todo = BinaryHeap::new();
    for (state, letter) in graph.initial_letters() {
        if graph.holds(letter, good_end) {
            return Ok(Some(0));
        }
        least[state as usize] = Some(0);
        todo.push(Reverse((0_i64, state, false)));
    }
    let mut clock = Clock::default();
    while let Some(Reverse((paid, state, is_good))) = todo.pop() {
        clock.tick(budget)?;
        if is_good {
            return Ok(Some(paid));
        }
        if least[state as usize].is_some_and(|known| known < paid) {
            continue;
        }
        for &packed in graph.packed(state) {
            let then = paid.saturating_add(weights.of(packed.label));
            let known = &mut least[packed.target as usize];
            if known.is_none_or(|known| then < known) {
                *known = Some(then);
                let letter = graph.unpack(packed).letter;
                todo.push(Reverse((then, packed.target, graph.holds(letter, good_end))));
            }
        }
    }
    Ok(None)
}
