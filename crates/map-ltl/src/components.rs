//! Strongly connected components, without recursion.

/// The components of the part of a graph that can be reached from some roots, each after all that it leads to (Tarjan,
/// "Depth-first search and linear graph algorithms", 1972; the stack of lowest links after Gabow, 2000).
///
/// `next(node, cursor)` is asked for the successors of a node one after the other: it moves the cursor on, which starts as
/// its default, and answers nothing when there are no more. `found` gets the nodes of each component.
pub fn components<C: Default>(
    nodes: usize,
    roots: impl IntoIterator<Item = u32>,
    mut next: impl FnMut(u32, &mut C) -> Option<u32>,
    mut found: impl FnMut(&[u32]),
) {
    const NEW: u32 = u32::MAX;
    const CLOSED: u32 = u32::MAX - 1;
    // Position on `open` while the node's component is not yet known.
    let mut position = vec![NEW; nodes];
    let mut open: Vec<u32> = Vec::new();
    // Where on `open` the components begin that are not yet known to be one.
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
                    // All begun since then lie on a cycle.
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
