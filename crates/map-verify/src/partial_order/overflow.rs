//! The maximum number of messages that one run can send to each part.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::budget::{Budget, Limit};
use crate::graph::edges::{BLOCK, Edges, Lists};

/// By part: number of messages sent to it.
pub(crate) type Weight = Vec<u32>;

/// Weights, numbered; number 0 is that of sending nothing.
pub(crate) type Weights = IndexSet<Weight, FxBuildHasher>;

/// Bounds on what runs send, and whether the graph is cyclic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SendBounds {
    /// By part: the maximum number of messages that a run sends to its agents together; `None` if unbounded.
    pub(crate) most: Vec<Option<u32>>,
    /// Whether some run returns to a state.
    pub(crate) cyclic: bool,
}

/// Computes bounds on what runs send. `sent` resolves the weight numbers of transitions; missing trailing parts of a
/// weight count 0.
///
/// # Errors
/// The limit that was reached.
pub(crate) fn most_sent(
    edges: &Edges,
    sent: &[Weight],
    states: usize,
    parts: usize,
    budget: &mut Budget<'_>,
) -> Result<SendBounds, Limit> {
    let unpacked = budget.tuning.unpacked.min(edges.block_count());
    budget.afford(states * (parts + 1) * size_of::<u32>() + unpacked * Unpacked::BYTES_EACH)?;
    let mut flow = Flow {
        edges,
        sent,
        parts,
        incoming: vec![0; states],
        most: vec![0; states * parts],
        ready: Vec::new(),
        left: states,
        self_loops: false,
    };
    flow.count_incoming(budget)?;
    flow.sort(budget)?;
    flow.judge(budget)
}

/// Longest paths by topological sorting (A. Kahn, "Topological sorting of large networks", 1962).
struct Flow<'e> {
    edges: &'e Edges,
    sent: &'e [Weight],
    parts: usize,
    /// By state: number of transitions from other, unsorted states; [`SORTED`] once it is sorted itself.
    incoming: Vec<u32>,
    /// By state and part: the maximum that runs to the state send.
    most: Vec<u32>,
    /// Unsorted states whose predecessors are all sorted, and which the first pass does not reach again.
    ready: Vec<u32>,
    /// Number of unsorted states.
    left: usize,
    /// Whether some transition leads back to its own state.
    self_loops: bool,
}

const SORTED: u32 = u32::MAX;

/// Number of states sorted between two checks of the budget.
const STRIDE: usize = 1 << 12;

/// A direct-mapped cache of unpacked blocks. A path may enter another block with every step, but neighbouring paths
/// enter the same ones.
struct Unpacked<'e> {
    edges: &'e Edges,
    blocks: Vec<(usize, Lists)>,
}

impl<'e> Unpacked<'e> {
    /// Approximate bytes of an unpacked block.
    const BYTES_EACH: usize = 1 << 10;

    /// A cache of at most `count` blocks.
    fn new(edges: &'e Edges, count: usize) -> Self {
        let count = count.min(edges.block_count());
        Self { edges, blocks: (0..count).map(|_| (usize::MAX, Lists::default())).collect() }
    }

    /// The targets of a state, and the weights of these transitions.
    fn of(&mut self, state: u32) -> (&[u32], &[u32]) {
        let (block, place) = (state as usize / BLOCK, state as usize % BLOCK);
        let count = self.blocks.len();
        let (unpacked, lists) = &mut self.blocks[block % count];
        if *unpacked != block {
            self.edges.read_whole_block(block, lists);
            *unpacked = block;
        }
        (lists.of(place), lists.weights_of(place))
    }
}

impl Flow<'_> {
    fn sent(&self, weight: u32, part: usize) -> u32 {
        self.sent[weight as usize].get(part).copied().unwrap_or(0)
    }

    fn count_incoming(&mut self, budget: &mut Budget<'_>) -> Result<(), Limit> {
        let edges = self.edges;
        edges.for_each(budget, |state, targets, _| {
            for &target in targets {
                match target == state {
                    true => self.self_loops = true,
                    false => self.incoming[target as usize] += 1,
                }
            }
        })
    }

    /// Sorts all states that are neither on a cycle nor reachable from one; self-loops do not count as cycles here.
    /// Most transitions lead to higher numbers, so nearly all states are sorted in the first pass.
    fn sort(&mut self, budget: &mut Budget<'_>) -> Result<(), Limit> {
        let edges = self.edges;
        edges.for_each(budget, |state, targets, weights| {
            if self.incoming[state as usize] == 0 {
                self.pass(state, targets, weights, state);
            }
        })?;
        let mut unpacked = Unpacked::new(edges, budget.tuning.unpacked);
        let mut sorted = 0_usize;
        while let Some(state) = self.ready.pop() {
            sorted += 1;
            if sorted.is_multiple_of(STRIDE) {
                budget.check()?;
            }
            let (targets, weights) = unpacked.of(state);
            self.pass(state, targets, weights, u32::MAX);
        }
        Ok(())
    }

    /// Sorts a state. States below `passed` that this makes ready are queued; the first pass will reach the others.
    fn pass(&mut self, state: u32, targets: &[u32], weights: &[u32], passed: u32) {
        self.incoming[state as usize] = SORTED;
        self.left -= 1;
        for (&target, &weight) in targets.iter().zip(weights).filter(|(target, _)| **target != state) {
            for part in 0..self.parts {
                let most = self.most[state as usize * self.parts + part];
                let so_far = most.saturating_add(self.sent(weight, part));
                let known = &mut self.most[target as usize * self.parts + part];
                *known = so_far.max(*known);
            }
            let left = &mut self.incoming[target as usize];
            *left -= 1;
            if *left == 0 && target < passed {
                self.ready.push(target);
            }
        }
    }

    fn judge(&mut self, budget: &mut Budget<'_>) -> Result<SendBounds, Limit> {
        let cyclic = self.left > 0 || self.self_loops;
        let repeated = if cyclic { self.repeated(budget)? } else { vec![false; self.parts] };
        let most = |part: usize| self.most.iter().skip(part).step_by(self.parts).max().copied();
        let most = (0..self.parts).map(|part| if repeated[part] { None } else { most(part) });
        Ok(SendBounds { most: most.collect(), cyclic })
    }

    /// By part: whether something is sent to it on a cycle, or at a state reachable from one.
    fn repeated(&self, budget: &mut Budget<'_>) -> Result<Vec<bool>, Limit> {
        let mut repeated = vec![false; self.parts];
        self.edges.for_each(budget, |state, targets, weights| {
            let is_left = self.incoming[state as usize] != SORTED;
            for (&target, &weight) in targets.iter().zip(weights) {
                if is_left || target == state {
                    for (part, repeated) in repeated.iter_mut().enumerate() {
                        *repeated |= self.sent(weight, part) > 0;
                    }
                }
            }
        })?;
        Ok(repeated)
    }
}

#[cfg(test)]
mod tests {
    use map_testkit::scenes::Random;

    use super::{Budget, SendBounds, Weight, most_sent};
    use crate::budget::Stop;
    use crate::graph::edges::{Edge, Edges, Keeps};
    use crate::tuning::Tuning;

    const PARTS: usize = 2;

    /// For each state the targets and weights of its transitions. States are numbered in the order in which they are
    /// found.
    type Graph = Vec<Vec<(u32, u32)>>;

    fn random_graph(random: &mut Random, weights: usize) -> Graph {
        let back = random.below(40);
        let (mut lists, mut found) = (Graph::new(), 1);
        while lists.len() < found && lists.len() < 120 {
            let mut list = Vec::new();
            for _ in 0..random.below(4) {
                let target = match random.below(100) {
                    0..60 => {
                        found += 1;
                        found - 1
                    }
                    chance if chance < 60 + back => random.below(found),
                    _ => lists.len() + random.below(found - lists.len()),
                };
                list.push((target as u32, random.below(weights) as u32));
            }
            lists.push(list);
        }
        lists.resize(found, Vec::new());
        lists
    }

    /// Reference implementation: reachability by paths of any length, then longest paths between states that no cycle
    /// reaches.
    fn naive(lists: &Graph, sent: &[Weight]) -> SendBounds {
        let states = lists.len();
        let mut reaches = vec![vec![false; states]; states];
        for (state, list) in lists.iter().enumerate() {
            list.iter()
                .filter(|(it, _)| *it as usize != state)
                .for_each(|(it, _)| reaches[state][*it as usize] = true);
        }
        for middle in 0..states {
            let behind = reaches[middle].clone();
            for row in reaches.iter_mut().filter(|row| row[middle]) {
                row.iter_mut().zip(&behind).for_each(|(it, behind)| *it |= behind);
            }
        }
        let is_left: Vec<bool> = (0..states)
            .map(|it| (0..states).any(|on| reaches[on][on] && (on == it || reaches[on][it])))
            .collect();
        let of = |weight: u32, part: usize| sent[weight as usize].get(part).copied().unwrap_or(0);
        let edges = || {
            lists
                .iter()
                .enumerate()
                .flat_map(|(from, list)| list.iter().map(move |&(to, weight)| (from, to as usize, weight)))
        };
        let most = (0..PARTS).map(|part| {
            if edges().any(|(from, to, weight)| of(weight, part) > 0 && (is_left[from] || from == to)) {
                return None;
            }
            let mut most = vec![0; states];
            for _ in 0..states {
                for (from, to, weight) in edges().filter(|(from, to, _)| !is_left[*from] && from != to) {
                    most[to] = most[to].max(most[from] + of(weight, part));
                }
            }
            most.into_iter().max()
        });
        let self_loops = edges().any(|(from, to, _)| from == to);
        SendBounds { most: most.collect(), cyclic: self_loops || is_left.contains(&true) }
    }

    #[test]
    fn as_the_naive_paths_say() {
        let sent: Vec<Weight> = vec![vec![], vec![1, 0], vec![0, 2], vec![1], vec![3, 1]];
        let (mut cyclic, mut unbounded) = (0, 0);
        for seed in 0..400 {
            let mut random = Random::new(seed, 0);
            let weights = 1 + random.below(sent.len());
            let lists = random_graph(&mut random, weights);
            let mut edges = Edges::new(Keeps { faults: false, weights: true });
            for list in &lists {
                edges.end().push_state(list.iter().map(|&(target, weight)| Edge {
                    target,
                    unlucky: false,
                    weight,
                }));
            }
            let mut tick = || None;
            let mut budget = Budget {
                memory: usize::MAX,
                threads: 1,
                tuning: Tuning::TINY,
                tick: &mut tick,
                stop: Stop::default(),
            };
            let found = most_sent(&edges, &sent, lists.len(), PARTS, &mut budget).expect("no limit");
            assert_eq!(found, naive(&lists, &sent), "seed {seed}: {lists:?}");
            cyclic += usize::from(found.cyclic);
            unbounded += usize::from(found.most.contains(&None));
        }
        assert!((50..350).contains(&cyclic) && unbounded > 50, "{cyclic} cyclic, {unbounded} without bound");
    }
}
