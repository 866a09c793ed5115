//! Breaks cycles by reversing edges.

use super::Plan;

/// For each edge, whether it is to be reversed: whether it is a back edge of a depth-first search that starts at the
/// first node, then at the first one not yet visited. Loops are not reversed.
pub(super) fn backwards(plan: &Plan) -> Vec<bool> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); plan.nodes.len()];
    for (index, edge) in plan.edges.iter().enumerate() {
        if edge.from != edge.to {
            out[edge.from].push(index);
        }
    }
    let mut backwards = vec![false; plan.edges.len()];
    let mut seen = vec![false; plan.nodes.len()];
    let mut open = vec![false; plan.nodes.len()];
    for first in 0..plan.nodes.len() {
        if seen[first] {
            continue;
        }
        (seen[first], open[first]) = (true, true);
        let mut stack = vec![(first, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                open[*node] = false;
                stack.pop();
                continue;
            };
            *next += 1;
            let to = plan.edges[edge].to;
            if open[to] {
                backwards[edge] = true;
            } else if !seen[to] {
                (seen[to], open[to]) = (true, true);
                stack.push((to, 0));
            }
        }
    }
    backwards
}
