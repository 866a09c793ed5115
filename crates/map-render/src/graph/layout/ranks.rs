//! Ranks: every edge leads from a rank to a lower one.

use super::Plan;

/// How often nodes are moved towards their neighbours.
const PASSES: usize = 4;

/// The rank of each node, from 0 at the top. An edge with a label spans two ranks at least: the label has one between.
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
    // Nodes with more edges on one side move there as far as they can, which makes these edges shorter.
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
