//! The x coordinates of items in their ranks, and the bands of the ranks.

use super::layered::Layered;
use super::straight::straighten;

/// The number of sweeps over all ranks.
const SWEEPS: usize = 40;

/// The least space between two bands.
const BETWEEN: f64 = 20.0;

/// The most that slanted links add to that space.
const MORE: f64 = 34.0;

/// The coordinates of everything.
pub(super) struct Places {
    /// The x of each item.
    pub(super) x: Vec<f64>,
    /// The top and bottom of each rank's band.
    pub(super) bands: Vec<(f64, f64)>,
    pub(super) width: f64,
}

/// Computes coordinates: each rank in turn is placed as near to its neighbours as its order and the sizes allow; then
/// edges that are nearly straight are made so.
pub(super) fn places(layered: &Layered) -> Places {
    let mut x = vec![0.0; layered.items.len()];
    for rank in &layered.ranks {
        let mut at = 0.0;
        for (place, &item) in rank.iter().enumerate() {
            if place > 0 {
                at += layered.distance(rank[place - 1], item);
            }
            x[item] = at;
        }
    }
    let count = layered.ranks.len();
    for sweep in 0..SWEEPS {
        let (up, down) = match sweep {
            late if late + 8 >= SWEEPS => (true, true),
            even if even % 2 == 0 => (true, false),
            _ => (false, true),
        };
        for step in 0..count {
            let rank = if sweep % 2 == 0 { step } else { count - 1 - step };
            place_rank(layered, rank, (up, down), &mut x);
        }
    }
    straighten(layered, &mut x);
    let left = |item: usize| x[item] - layered.items[item].left;
    let leftmost = (0..x.len()).map(left).fold(f64::INFINITY, f64::min);
    let x: Vec<f64> = x.iter().map(|x| x - leftmost).collect();
    let width = x.iter().zip(&layered.items).map(|(x, item)| x + item.right).fold(0.0, f64::max);
    let bands = bands(layered, &x);
    Places { x, bands, width }
}

/// Places the items of a rank so that the weighted sum of squared distances from their desired positions is least. With
/// the minimum distances subtracted this is isotonic regression, solved by the pool-adjacent-violators algorithm (R. E.
/// Barlow et al., *Statistical Inference under Order Restrictions*, 1972).
fn place_rank(layered: &Layered, rank: usize, (up, down): (bool, bool), x: &mut [f64]) {
    let mut pools: Vec<Pool> = Vec::new();
    let mut offset = 0.0;
    let items = &layered.ranks[rank];
    for (place, &item) in items.iter().enumerate() {
        if place > 0 {
            offset += layered.distance(items[place - 1], item);
        }
        let (wish, weight) = wish(layered, item, (up, down), x);
        let mut pool = Pool { sum: (wish - offset) * weight, weight, items: 1 };
        while let Some(before) = pools.pop_if(|before| before.mean() > pool.mean()) {
            pool = pool.with(&before);
        }
        pools.push(pool);
    }
    let mut place = 0;
    let mut offset = 0.0;
    for pool in pools {
        for _ in 0..pool.items {
            if place > 0 {
                offset += layered.distance(items[place - 1], items[place]);
            }
            x[items[place]] = pool.mean() + offset;
            place += 1;
        }
    }
}

/// The desired position of an item, the weighted mean of its neighbours' positions, and the weight of that wish.
fn wish(layered: &Layered, item: usize, (up, down): (bool, bool), x: &[f64]) -> (f64, f64) {
    // Without such neighbours an item prefers, with little weight, to stay where it is.
    let (mut sum, mut total) = (x[item] * 1e-3, 1e-3);
    let this = &layered.items[item];
    let above = this.above.iter().filter(|_| up);
    let below = this.below.iter().filter(|_| down);
    for &other in above.chain(below) {
        let weight = match (this.is_dummy, layered.items[other].is_dummy) {
            (true, true) => 8.0,
            (true, false) | (false, true) => 2.0,
            (false, false) => 1.0,
        };
        sum += weight * x[other];
        total += weight;
    }
    (sum / total, total)
}

/// A block of neighbouring items at their minimum distances.
struct Pool {
    sum: f64,
    weight: f64,
    items: usize,
}

impl Pool {
    fn mean(&self) -> f64 {
        self.sum / self.weight
    }

    fn with(&self, other: &Self) -> Self {
        Self {
            sum: self.sum + other.sum,
            weight: self.weight + other.weight,
            items: self.items + other.items,
        }
    }
}

fn bands(layered: &Layered, x: &[f64]) -> Vec<(f64, f64)> {
    let mut bands = Vec::new();
    let mut top = 0.0;
    for rank in &layered.ranks {
        let height = rank.iter().map(|&item| layered.items[item].height).fold(0.0, f64::max);
        bands.push((top, top + height));
        let links = rank.iter().flat_map(|&item| layered.items[item].below.iter().map(move |&to| (item, to)));
        let slant = links.map(|(from, to)| (x[from] - x[to]).abs()).fold(0.0, f64::max);
        top += height + BETWEEN + (slant / 10.0).min(MORE);
    }
    bands
}
