//! Which costs are known to come to too much while a search goes on, so that it need not go on for that.

use map_ir::PropositionId;

use crate::property::graph::LabelledGraph;
use crate::property::plan::ceilings::Ceiling;

/// The claims about costs that are known to be violated.
pub(super) struct Exceeded<'a> {
    ceilings: &'a [Ceiling],
    /// Number of expanded states when they were looked at last.
    looked_at: usize,
    propositions: Vec<PropositionId>,
}

impl<'a> Exceeded<'a> {
    pub(super) fn new(ceilings: &'a [Ceiling]) -> Self {
        Self { ceilings, looked_at: 0, propositions: Vec::new() }
    }

    /// The propositions that stand for them.
    pub(super) fn propositions(&self) -> &[PropositionId] {
        &self.propositions
    }

    /// Looks at a graph with so many found states, if it has grown twofold. Only shortest ways to states are looked at:
    /// a way that comes back to where others have been may pay more. All runs with as many steps are explored then.
    pub(super) fn look(&mut self, graph: &LabelledGraph, found: usize) {
        if self.propositions.len() == self.ceilings.len() || graph.len() < 2 * self.looked_at {
            return;
        }
        self.looked_at = graph.len();
        let is_open = |it: &&Ceiling| !self.propositions.contains(&it.literal.proposition);
        let open: Vec<&Ceiling> = self.ceilings.iter().filter(is_open).collect();
        let exceeded = open.into_iter().filter(|it| most_on_shortest(graph, found, it.cost) >= it.too_much);
        self.propositions.extend(exceeded.map(|it| it.literal.proposition).collect::<Vec<_>>());
    }
}

/// The most that a shortest way to some state costs.
fn most_on_shortest(graph: &LabelledGraph, found: usize, cost: usize) -> i128 {
    const FAR: u32 = u32::MAX;
    let price: Vec<i64> = graph.labels().map(|(_, letter)| graph.letter(letter).costs[cost]).collect();
    let (mut depth, mut paid) = (vec![FAR; found], vec![0_i64; found]);
    graph.initial_labels().for_each(|(state, _)| depth[state as usize] = 0);
    let mut most = 0;
    // States have their numbers in the order of their depths.
    for state in 0..graph.len() {
        for packed in graph.packed(state as u32) {
            // Halts have no numbers yet, and steps that go wrong cost nothing.
            let target = packed.target as usize;
            let deeper = depth[state].saturating_add(1);
            if target >= found || depth[target] < deeper {
                continue;
            }
            depth[target] = deeper;
            paid[target] = paid[target].max(paid[state].saturating_add(price[packed.label as usize]));
            most = most.max(paid[target]);
        }
    }
    i128::from(most)
}
