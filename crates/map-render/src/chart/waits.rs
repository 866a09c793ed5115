//! Who waits for whom, in a circle.

use std::collections::VecDeque;

use map_ir::AgentId;

use super::Wait;

/// A shortest circle of agents each of which waits for the next; of several the one with the first agent.
pub(super) fn circle(waits: &[Wait]) -> Vec<AgentId> {
    let agents = waits.iter().map(|wait| wait.agent);
    let circles = agents.filter_map(|agent| way_back(waits, agent));
    circles.min_by_key(Vec::len).unwrap_or_default()
}

/// The shortest way from an agent over those it waits for back to itself.
fn way_back(waits: &[Wait], from: AgentId) -> Option<Vec<AgentId>> {
    let mut came_from: Vec<(AgentId, AgentId)> = Vec::new();
    let mut todo = VecDeque::from([from]);
    while let Some(agent) = todo.pop_front() {
        let on = waits.iter().filter(|wait| wait.agent == agent).flat_map(|wait| &wait.on);
        for &next in on {
            if next == from {
                let back =
                    |at: &AgentId| came_from.iter().find(|(to, _)| to == at).map(|&(_, before)| before);
                let mut circle: Vec<AgentId> = std::iter::successors(Some(agent), back).collect();
                circle.reverse();
                return Some(circle);
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
    use super::circle;

    fn waits(pairs: &[(usize, usize)]) -> Vec<Wait> {
        let agent = AgentId::new;
        pairs
            .iter()
            .map(|&(a, b)| Wait { agent: agent(a), what: String::new(), on: vec![agent(b)] })
            .collect()
    }

    #[test]
    fn the_shortest_circle() {
        let indices = |pairs: &[(usize, usize)]| -> Vec<usize> {
            circle(&waits(pairs)).into_iter().map(AgentId::index).collect()
        };
        assert_eq!(indices(&[(0, 1), (1, 2), (2, 0)]), [0, 1, 2]);
        assert_eq!(indices(&[(0, 1), (1, 2), (2, 0), (2, 1)]), [1, 2]);
        assert_eq!(indices(&[(3, 0), (0, 1), (1, 0)]), [0, 1]);
        assert_eq!(indices(&[(0, 0), (0, 1)]), [0]);
        assert!(indices(&[(0, 1), (1, 2)]).is_empty());
        assert!(indices(&[]).is_empty());
    }
}
