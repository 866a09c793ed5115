//! Straightens edges: moves items so that linked ones stand exactly below each other.
//!
//! Blocks of items that are in line move as a whole. Each link in turn joins the block above it to the block below it,
//! if there is a place where neither comes too close to its neighbours.

use super::layered::Layered;

/// The weight of a node, where a dummy has 1: it is better to move dummies.
const NODE: f64 = 4.0;

/// Straightens as many links as there is room for.
pub(super) fn straighten(layered: &Layered, x: &mut [f64]) {
    let mut place = vec![0; layered.items.len()];
    for rank in &layered.ranks {
        for (at, &item) in rank.iter().enumerate() {
            place[item] = at;
        }
    }
    let mut blocks = Blocks {
        layered,
        place,
        of: (0..x.len()).collect(),
        items: (0..x.len()).map(|it| vec![it]).collect(),
    };
    for (above, below) in links(layered) {
        blocks.join(above, below, x);
    }
}

/// The links to be straightened: first those within long edges, then those between nodes that have no other link on
/// that side, then the others, of which one on either side of a node can be straight.
fn links(layered: &Layered) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (above, item) in layered.items.iter().enumerate() {
        for &below in &item.below {
            let (dummy, other) = (item.is_dummy, layered.items[below].is_dummy);
            let sides =
                usize::from(item.below.len() == 1) + usize::from(layered.items[below].above.len() == 1);
            let order = match (dummy && other, sides) {
                (true, _) => 0,
                (false, 2) => 1,
                _ => 2,
            };
            found.push((order, above, below));
        }
    }
    found.sort_by_key(|&(order, ..)| order);
    found.into_iter().map(|(_, above, below)| (above, below)).collect()
}

struct Blocks<'l> {
    layered: &'l Layered,
    /// The place of each item in its rank.
    place: Vec<usize>,
    /// The block of each item.
    of: Vec<usize>,
    /// The items of each block, from the top: one in each of neighbouring ranks.
    items: Vec<Vec<usize>>,
}

impl Blocks<'_> {
    /// Puts two linked items in line, with the blocks that end and begin with them, if there is room.
    fn join(&mut self, above: usize, below: usize, x: &mut [f64]) {
        let (upper, lower) = (self.of[above], self.of[below]);
        let ends_here = self.items[upper].last() == Some(&above);
        if !ends_here || self.items[lower].first() != Some(&below) {
            return;
        }
        let (least, most) = (self.room(upper, x), self.room(lower, x));
        let (least, most) = (least.0.max(most.0), least.1.min(most.1));
        if least > most {
            return;
        }
        let (heavy, light) = (self.weight(upper), self.weight(lower));
        let wish = (heavy * x[above] + light * x[below]) / (heavy + light);
        let target = wish.clamp(least, most);
        let moved = std::mem::take(&mut self.items[lower]);
        for &item in &moved {
            self.of[item] = upper;
        }
        self.items[upper].extend(moved);
        for &item in &self.items[upper] {
            x[item] = target;
        }
    }

    /// The least and the greatest x at which no item of a block is too close to its neighbours.
    fn room(&self, block: usize, x: &[f64]) -> (f64, f64) {
        let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
        for &item in &self.items[block] {
            let rank = &self.layered.ranks[self.layered.rank_of[item]];
            let at = self.place[item];
            if let Some(&left) = at.checked_sub(1).and_then(|left| rank.get(left)) {
                least = least.max(x[left] + self.layered.distance(left, item));
            }
            if let Some(&right) = rank.get(at + 1) {
                most = most.min(x[right] - self.layered.distance(item, right));
            }
        }
        (least, most)
    }

    fn weight(&self, block: usize) -> f64 {
        let weight = |&item: &usize| if self.layered.items[item].is_dummy { 1.0 } else { NODE };
        self.items[block].iter().map(weight).sum()
    }
}
