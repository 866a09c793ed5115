//! Cycles in graphs whose nodes are clauses.

/// For every node the number of its strongly connected component.
///
/// Tarjan's algorithm with a stack of its own: chains of clauses may be long.
pub(crate) fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; edges.len()];
    let mut low = vec![0; edges.len()];
    let mut component = vec![UNSEEN; edges.len()];
    let (mut seen, mut components) = (0, 0);
    let mut open = Vec::new();
    for root in 0..edges.len() {
        if order[root] != UNSEEN {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            if *next == 0 {
                (order[node], low[node]) = (seen, seen);
                seen += 1;
                open.push(node);
            }
            if let Some(&target) = edges[node].get(*next) {
                *next += 1;
                if order[target] == UNSEEN {
                    path.push((target, 0));
                } else if component[target] == UNSEEN {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn cycles_are_components() {
        let found = components(&[vec![1], vec![2], vec![1, 3], vec![], vec![4, 0]]);
        assert_eq!(found[1], found[2]);
        for (a, b) in [(0, 1), (0, 3), (1, 3), (3, 4), (0, 4)] {
            assert_ne!(found[a], found[b], "{a} {b}");
        }
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges: Vec<Vec<usize>> = (0..100_000).map(|node| vec![(node + 1) % 100_000]).collect();
        assert!(components(&edges).iter().all(|&component| component == 0));
    }
}
