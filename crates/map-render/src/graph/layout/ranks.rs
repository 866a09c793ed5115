//! Assigns ranks so that every edge points downwards.

use super::Plan;

/// The number of passes that move nodes towards their neighbours.
const PASSES: usize = 4;

/// The rank of each node, from 0 at the top: the longest path from the top, then adjusted to shorten edges. An edge
/// with a label spans at least two ranks, to leave one for the label.
pub(super) fn ranks(plan: &Plan, backwards: &[bool]) -> Vec<usize> {
    let count = plan.nodes.len();
    let (mut above, mut below) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (edge, &turned) in plan.edges.iter().zip(backwards) {
        let length = if edge.label.is_some() { 2 } else { 1 };
        let (from, to) = if turned { (edge.to, edge.from) } else { (edge.from, edge.to) };
        if from != to {
            below[from].push((to, length));
            above[to].push((from, length));
        }
    }
    let order = topological(&above, &below);
    let mut ranks = vec![0_usize; count];
    for &node in &order {
        ranks[node] = above[node].iter().map(|&(it, length)| ranks[it] + length).max().unwrap_or(0);
    }
    // A node with more edges on one side moves as far as it can to that side, which shortens these edges.
    for pass in 0..PASSES {
        let up = pass % 2 == 1;
        let mut see = |node: usize| {
            let lowest = below[node].iter().map(|&(it, length)| ranks[it] - length).min();
            let highest = above[node].iter().map(|&(it, length)| ranks[it] + length).max();
            match (highest, lowest) {
                (None, Some(lowest)) => ranks[node] = lowest,
                (Some(highest), Some(lowest)) if below[node].len() > above[node].len() => {
                    ranks[node] = lowest.max(highest);
                }
                (Some(highest), Some(_)) if below[node].len() < above[node].len() => ranks[node] = highest,
                _ => {}
            }
        };
        if up {
            order.iter().copied().for_each(&mut see);
        } else {
            order.iter().rev().copied().for_each(&mut see);
        }
    }
    let top = ranks.iter().copied().min().unwrap_or(0);
    ranks.iter().map(|rank| rank - top).collect()
}

/// A topological order (A. B. Kahn, "Topological sorting of large networks", 1962).
fn topological(above: &[Vec<(usize, usize)>], below: &[Vec<(usize, usize)>]) -> Vec<usize> {
    let mut waiting: Vec<usize> = above.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..above.len()).filter(|&node| waiting[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for &(it, _) in &below[node] {
            waiting[it] -= 1;
            if waiting[it] == 0 {
                order.push(it);
            }
        }
    }
    order
}
