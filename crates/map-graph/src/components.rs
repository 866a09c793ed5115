//! Strongly connected components, without recursion.

/// The strongly connected components of the part of a graph reachable from some roots, in reverse topological order:
/// each after all components it leads to. (R. Tarjan, "Depth-first search and linear graph algorithms", 1972, in the
/// path-based form of H. Gabow, 2000, with a stack of component starts instead of low links.)
///
/// `next(node, cursor)` iterates over the successors of a node: it advances the cursor, which starts as its default,
/// and returns `None` after the last one. `found` is called with the nodes of each component.
pub fn strong_components<C: Default>(
    nodes: usize,
    roots: impl IntoIterator<Item = u32>,
    mut next: impl FnMut(u32, &mut C) -> Option<u32>,
    mut found: impl FnMut(&[u32]),
) {
    const NEW: u32 = u32::MAX;
    const CLOSED: u32 = u32::MAX - 1;
    // Position on `open`, until the node's component is complete.
    let mut position = vec![NEW; nodes];
    let mut open: Vec<u32> = Vec::new();
    // The starts on `open` of the components found so far, which may still be merged.
    let mut starts: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, C)> = Vec::new();
    for root in roots {
        if position[root as usize] != NEW {
            continue;
        }
        let mut entering = Some(root);
        loop {
            if let Some(node) = entering.take() {
                position[node as usize] = open.len() as u32;
                starts.push(open.len() as u32);
                open.push(node);
                path.push((node, C::default()));
            }
            let Some((node, cursor)) = path.last_mut() else { break };
            match next(*node, cursor) {
                Some(target) => match position[target as usize] {
                    NEW => entering = Some(target),
                    CLOSED => {}
                    // All components begun since then lie on a cycle.
                    known => {
                        while starts.last().is_some_and(|&start| start > known) {
                            starts.pop();
                        }
                    }
                },
                None => {
                    let start = position[*node as usize];
                    path.pop();
                    if starts.last() == Some(&start) {
                        starts.pop();
                        for &member in &open[start as usize..] {
                            position[member as usize] = CLOSED;
                        }
                        found(&open[start as usize..]);
                        open.truncate(start as usize);
                    }
                }
            }
        }
    }
}

/// For every node of a graph the number of its strongly connected component. `edges` lists the successors of each
/// node.
#[must_use]
pub fn strong_component_numbers(edges: &[Vec<usize>]) -> Vec<usize> {
    let next = |node: u32, cursor: &mut usize| {
        *cursor += 1;
        edges[node as usize].get(*cursor - 1).map(|&target| target as u32)
    };
    let mut numbers = vec![0; edges.len()];
    let mut number = 0;
    strong_components(edges.len(), 0..edges.len() as u32, next, |members| {
        members.iter().for_each(|&member| numbers[member as usize] = number);
        number += 1;
    });
    numbers
}

#[cfg(test)]
mod tests {
    use super::{strong_component_numbers, strong_components};

    /// A simple pseudorandom generator, good enough for graphs.
    fn numbers(seed: u64) -> impl FnMut(u32) -> u32 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move |bound| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as u32 % bound
        }
    }

    fn reached_from(graph: &[Vec<u32>], node: usize) -> Vec<bool> {
        let mut reached = vec![false; graph.len()];
        let mut todo = vec![node];
        while let Some(next) = todo.pop() {
            if !std::mem::replace(&mut reached[next], true) {
                todo.extend(graph[next].iter().map(|&target| target as usize));
            }
        }
        reached
    }

    #[test]
    fn components_are_the_mutually_reachable_nodes() {
        for seed in 0..300 {
            let mut below = numbers(seed);
            let nodes = 1 + below(12) as usize;
            let density = 1 + below(4);
            let graph: Vec<Vec<u32>> =
                (0..nodes).map(|_| (0..below(density + 1)).map(|_| below(nodes as u32)).collect()).collect();
            let reaches: Vec<Vec<bool>> = (0..nodes).map(|node| reached_from(&graph, node)).collect();
            let mut found: Vec<Vec<u32>> = Vec::new();
            let next = |node: u32, cursor: &mut usize| {
                *cursor += 1;
                graph[node as usize].get(*cursor - 1).copied()
            };
            strong_components(nodes, [0], next, |members| found.push(members.to_vec()));
            let mut seen = vec![false; nodes];
            for members in &found {
                for &member in members {
                    assert!(!std::mem::replace(&mut seen[member as usize], true), "seed {seed}: found once");
                    for node in 0..nodes {
                        let mutual = reaches[member as usize][node] && reaches[node][member as usize];
                        assert_eq!(members.contains(&(node as u32)), mutual, "seed {seed}: {graph:?}");
                        let earlier = !reaches[member as usize][node] || mutual || seen[node];
                        assert!(earlier, "seed {seed}: after all that it leads to");
                    }
                }
            }
            assert_eq!(seen, reaches[0], "seed {seed}: all that can be reached");
        }
    }

    #[test]
    fn cycles_are_components() {
        let found = strong_component_numbers(&[vec![1], vec![2], vec![1, 3], vec![], vec![4, 0]]);
        assert_eq!(found[1], found[2]);
        for (a, b) in [(0, 1), (0, 3), (1, 3), (3, 4), (0, 4)] {
            assert_ne!(found[a], found[b], "{a} {b}");
        }
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges: Vec<Vec<usize>> = (0..100_000).map(|node| vec![(node + 1) % 100_000]).collect();
        assert!(strong_component_numbers(&edges).iter().all(|&component| component == 0));
    }
}
