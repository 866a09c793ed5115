//! Crossing reduction: sweeps reorder each rank so that items are near their neighbours.

use super::layered::Layered;

/// The most sweeps.
const SWEEPS: usize = 24;

/// After this many sweeps without improvement the search ends.
const PATIENCE: usize = 6;

/// Puts each rank into an order with few crossings of links.
pub(super) fn order(layered: &mut Layered) {
    first_order(layered);
    let mut best = layered.ranks.clone();
    let mut fewest = crossings(layered);
    let mut in_vain = 0;
    for sweep in 0..SWEEPS {
        if fewest == 0 || in_vain == PATIENCE {
            break;
        }
        let downwards = sweep % 2 == 0;
        let count = layered.ranks.len();
        for step in 1..count {
            let rank = if downwards { step } else { count - 1 - step };
            by_neighbours(layered, rank, downwards);
        }
        let now = crossings(layered);
        if now < fewest {
            (fewest, best, in_vain) = (now, layered.ranks.clone(), 0);
        } else {
            in_vain += 1;
        }
    }
    layered.ranks = best;
}

/// The initial order: that of a depth-first search from the top, in which trees have no crossings.
fn first_order(layered: &mut Layered) {
    let mut seen = vec![false; layered.items.len()];
    let mut ordered: Vec<Vec<usize>> = vec![Vec::new(); layered.ranks.len()];
    let starts: Vec<usize> = layered.ranks.iter().flatten().copied().collect();
    for start in starts {
        let mut todo = vec![start];
        while let Some(item) = todo.pop() {
            if std::mem::replace(&mut seen[item], true) {
                continue;
            }
            ordered[layered.rank_of[item]].push(item);
            todo.extend(layered.items[item].below.iter().rev());
        }
    }
    layered.ranks = ordered;
}

/// Sorts a rank by the medians of its items' neighbours in the adjacent rank, which is fixed (P. Eades and N. C.
/// Wormald, "Edge Crossings in Drawings of Bipartite Graphs", Algorithmica 11, 1994). Items without neighbours stay
/// where they are.
fn by_neighbours(layered: &mut Layered, rank: usize, downwards: bool) {
    let places = places(layered);
    let median = |item: usize| {
        let item = &layered.items[item];
        let mut near: Vec<usize> =
            if downwards { &item.above } else { &item.below }.iter().map(|&it| places[it]).collect();
        near.sort_unstable();
        match near.len() {
            0 => None,
            odd if odd % 2 == 1 => Some(2 * near[odd / 2]),
            even => Some(near[even / 2 - 1] + near[even / 2]),
        }
    };
    let items = std::mem::take(&mut layered.ranks[rank]);
    let medians: Vec<Option<usize>> = items.iter().map(|&item| median(item)).collect();
    let mut movable: Vec<(usize, usize)> =
        medians.iter().zip(&items).filter_map(|(median, &item)| median.map(|it| (it, item))).collect();
    movable.sort_by_key(|&(median, _)| median);
    let mut sorted = movable.into_iter().map(|(_, item)| item);
    layered.ranks[rank] = items
        .iter()
        .zip(&medians)
        .map(|(&item, median)| if median.is_some() { sorted.next().unwrap_or(item) } else { item })
        .collect();
}

/// The position of each item in its rank.
fn places(layered: &Layered) -> Vec<usize> {
    let mut places = vec![0; layered.items.len()];
    for rank in &layered.ranks {
        for (place, &item) in rank.iter().enumerate() {
            places[item] = place;
        }
    }
    places
}

/// The number of crossings, counted with an accumulator tree (W. Barth, M. Jünger and P. Mutzel, "Simple and Efficient
/// Bilayer Cross Counting", Graph Drawing 2002).
pub(super) fn crossings(layered: &Layered) -> u64 {
    let places = places(layered);
    let mut total = 0;
    for pair in layered.ranks.windows(2) {
        let leaves = pair[1].len().next_power_of_two();
        let mut sums = vec![0_u64; 2 * leaves];
        for &item in &pair[0] {
            let mut ends: Vec<usize> = layered.items[item].below.iter().map(|&it| places[it]).collect();
            ends.sort_unstable();
            // Links that share an upper end do not cross, so all are counted before any is entered.
            for &end in &ends {
                let mut node = leaves + end;
                while node > 1 {
                    if node % 2 == 0 {
                        total += sums[node + 1];
                    }
                    node /= 2;
                }
            }
            for &end in &ends {
                let mut node = leaves + end;
                while node > 0 {
                    sums[node] += 1;
                    node /= 2;
                }
            }
        }
    }
    total
}
