//! How many messages each part can be sent in one run at most.

use super::graph::Graph;

/// For every part the most messages that a run sends to its agents together; `None` if there is no bound. `weights` has
/// for each transition of the graph a row of `sent`, and that for each part how many are sent; rows may end early.
pub(crate) fn most_sent(
    graph: &Graph,
    weights: &[u32],
    sent: &[Vec<u32>],
    states: usize,
    parts: usize,
) -> Vec<Option<u32>> {
    let (order, sorted) = topological_order(graph, states);
    let mut is_left = vec![false; states];
    order[sorted..].iter().for_each(|&state| is_left[state as usize] = true);
    let of = |row: u32, part: usize| sent[row as usize].get(part).copied().unwrap_or(0);
    (0..parts)
        .map(|part| {
            // States that are left lie on cycles or behind them; a cycle of one state is not left.
            let repeated = (0..states).any(|state| {
                let circles = |edge: usize| graph.target(edge) as usize == state;
                graph
                    .range(state)
                    .any(|edge| of(weights[edge], part) > 0 && (is_left[state] || circles(edge)))
            });
            if repeated {
                return None;
            }
            let mut most = vec![0_u32; states];
            for &state in &order[..sorted] {
                let so_far = most[state as usize];
                for edge in graph.range(state as usize) {
                    let target = graph.target(edge) as usize;
                    most[target] = most[target].max(so_far.saturating_add(of(weights[edge], part)));
                }
            }
            most.into_iter().max()
        })
        .collect()
}

/// The states in topological order, then those that lie on cycles or behind them; and how many the first are.
fn topological_order(graph: &Graph, states: usize) -> (Vec<u32>, usize) {
    let mut incoming = vec![0_u32; states];
    for state in 0..states {
        for edge in graph.range(state).filter(|&edge| graph.target(edge) as usize != state) {
            incoming[graph.target(edge) as usize] += 1;
        }
    }
    let mut order: Vec<u32> = (0..states as u32).filter(|&state| incoming[state as usize] == 0).collect();
    let mut done = 0;
    while done < order.len() {
        let state = order[done] as usize;
        done += 1;
        for edge in graph.range(state).filter(|&edge| graph.target(edge) as usize != state) {
            let target = graph.target(edge) as usize;
            incoming[target] -= 1;
            if incoming[target] == 0 {
                order.push(target as u32);
            }
        }
    }
    let sorted = order.len();
    let mut is_sorted = vec![false; states];
    order.iter().for_each(|&state| is_sorted[state as usize] = true);
    order.extend((0..states as u32).filter(|&state| !is_sorted[state as usize]));
    (order, sorted)
}
