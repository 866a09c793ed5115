//! The graph in ranks, with a dummy wherever an edge passes through a rank, so that all links join neighbouring ranks.

use super::{Plan, Size};

/// The space that an edge needs on either side.
const EDGE: f64 = 5.0;

/// The space between an edge and the label on its right.
pub(super) const BESIDE: f64 = 5.0;

/// How far a loop extends to the right of its node.
pub(super) const LOOP: f64 = 24.0;

/// The height of a loop without label.
const LOOP_HEIGHT: f64 = 22.0;

/// A node or a dummy.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// How far it extends to the left of its x.
    pub(super) left: f64,
    /// How far it extends to the right.
    pub(super) right: f64,
    pub(super) height: f64,
    pub(super) is_dummy: bool,
    /// Items of the rank above that it is linked to.
    pub(super) above: Vec<usize>,
    /// Items of the rank below that it is linked to.
    pub(super) below: Vec<usize>,
}

/// The layered graph.
pub(super) struct Layered {
    /// The nodes of the plan, then the dummies.
    pub(super) items: Vec<Item>,
    /// The items of each rank, from the left.
    pub(super) ranks: Vec<Vec<usize>>,
    pub(super) rank_of: Vec<usize>,
    /// For each edge, the items it passes through, from the top; empty for loops.
    pub(super) chains: Vec<Vec<usize>>,
    /// For each edge, the dummy that makes room for its label, if it has one.
    pub(super) labels: Vec<Option<usize>>,
    /// For each edge, whether it was reversed and so points upwards.
    pub(super) backwards: Vec<bool>,
}

impl Layered {
    pub(super) fn new(plan: &Plan, backwards: &[bool], ranks: &[usize]) -> Self {
        let last = ranks.iter().copied().max().unwrap_or(0);
        let mut layered = Self {
            items: plan.nodes.iter().map(|node| item(node.size)).collect(),
            ranks: vec![Vec::new(); last + 1],
            rank_of: ranks.to_vec(),
            chains: Vec::new(),
            labels: Vec::new(),
            backwards: backwards.to_vec(),
        };
        for (node, &rank) in ranks.iter().enumerate() {
            layered.ranks[rank].push(node);
        }
        for (edge, &turned) in plan.edges.iter().zip(backwards) {
            let (from, to) = if turned { (edge.to, edge.from) } else { (edge.from, edge.to) };
            if from == to {
                layered.chains.push(Vec::new());
                layered.labels.push(None);
            } else {
                layered.link(from, to, edge.label);
            }
        }
        for (node, loops) in loops(plan) {
            let width = loops.iter().map(|size| size.width).fold(0.0, f64::max);
            let height: f64 = loops.iter().map(|&size| loop_height(size)).sum();
            let item = &mut layered.items[node];
            item.right += LOOP + BESIDE + width;
            item.height = item.height.max(height);
        }
        layered
    }

    fn link(&mut self, from: usize, to: usize, label: Option<Size>) {
        let (first, last) = (self.rank_of[from], self.rank_of[to]);
        let label_rank = first.midpoint(last);
        let (mut chain, mut label_item) = (vec![from], None);
        for rank in first + 1..last {
            let dummy = self.items.len();
            let mut item = item(Size { width: 2.0 * EDGE, height: 0.0 });
            item.is_dummy = true;
            if let (true, Some(label)) = (rank == label_rank, label) {
                item.right += BESIDE + label.width;
                item.height = label.height;
                label_item = Some(dummy);
            }
            self.items.push(item);
            self.rank_of.push(rank);
            self.ranks[rank].push(dummy);
            chain.push(dummy);
        }
        chain.push(to);
        for pair in chain.windows(2) {
            self.items[pair[0]].below.push(pair[1]);
            self.items[pair[1]].above.push(pair[0]);
        }
        self.chains.push(chain);
        self.labels.push(label_item);
    }

    /// The least distance between the x of two neighbours in a rank.
    pub(super) fn distance(&self, left: usize, right: usize) -> f64 {
        let (left, right) = (&self.items[left], &self.items[right]);
        let gap = if left.is_dummy && right.is_dummy { 6.0 } else { 18.0 };
        left.right + gap + right.left
    }
}

fn item(size: Size) -> Item {
    Item {
        left: size.width / 2.0,
        right: size.width / 2.0,
        height: size.height,
        is_dummy: false,
        above: Vec::new(),
        below: Vec::new(),
    }
}

/// The nodes that have loops, with the sizes of their labels.
fn loops(plan: &Plan) -> std::collections::BTreeMap<usize, Vec<Size>> {
    let mut loops = std::collections::BTreeMap::<usize, Vec<Size>>::new();
    for edge in plan.edges.iter().filter(|edge| edge.from == edge.to) {
        loops.entry(edge.from).or_default().push(edge.label.unwrap_or_default());
    }
    loops
}

/// The height of a loop with a label of that size.
pub(super) fn loop_height(label: Size) -> f64 {
    LOOP_HEIGHT.max(label.height + 4.0)
}
