//! Cycles of agents that wait for each other.

use std::collections::VecDeque;

use map_ir::AgentId;

use super::Wait;

/// A shortest cycle of agents each of which waits for the next, and the last for the first. Of several it is the one
/// found from the first agent in `waits`; empty if there is none.
pub(super) fn shortest_cycle(waits: &[Wait]) -> Vec<AgentId> {
    let agents = waits.iter().map(|wait| wait.agent);
    let cycles = agents.filter_map(|agent| way_back(waits, agent));
    cycles.min_by_key(Vec::len).unwrap_or_default()
}

/// A shortest cycle through an agent, by breadth-first search.
fn way_back(waits: &[Wait], from: AgentId) -> Option<Vec<AgentId>> {
    let mut came_from: Vec<(AgentId, AgentId)> = Vec::new();
    let mut todo = VecDeque::from([from]);
    while let Some(agent) = todo.pop_front() {
        let on = waits.iter().filter(|wait| wait.agent == agent).flat_map(|wait| &wait.on);
        for &next in on {
            if next == from {
                let back =
                    |at: &AgentId| came_from.iter().find(|(to, _)| to == at).map(|&(_, before)| before);
                let mut cycle: Vec<AgentId> = std::iter::successors(Some(agent), back).collect();
                cycle.reverse();
                return Some(cycle);
            }
            if came_from.iter().all(|&(to, _)| to != next) {
                came_from.push((next, agent));
                todo.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use map_ir::AgentId;

    use super::super::Wait;
    use super::shortest_cycle;

    fn waits(pairs: &[(usize, usize)]) -> Vec<Wait> {
        let agent = AgentId::new;
        pairs
            .iter()
            .map(|&(a, b)| Wait { agent: agent(a), what: String::new(), on: vec![agent(b)] })
            .collect()
    }

    #[test]
    fn finds_the_shortest_cycle() {
        let indices = |pairs: &[(usize, usize)]| -> Vec<usize> {
            shortest_cycle(&waits(pairs)).into_iter().map(AgentId::index).collect()
        };
        assert_eq!(indices(&[(0, 1), (1, 2), (2, 0)]), [0, 1, 2]);
        assert_eq!(indices(&[(0, 1), (1, 2), (2, 0), (2, 1)]), [1, 2]);
        assert_eq!(indices(&[(3, 0), (0, 1), (1, 0)]), [0, 1]);
        assert_eq!(indices(&[(0, 0), (0, 1)]), [0]);
        assert!(indices(&[(0, 1), (1, 2)]).is_empty());
        assert!(indices(&[]).is_empty());
    }
}
