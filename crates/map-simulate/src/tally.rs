//! Weights of many agents and their sum, in a Fenwick tree (1994): drawing an index and changing a weight take
//! logarithmic time.

/// A weight for each index.
pub(crate) struct Tally {
    weights: Vec<u32>,
    /// Node `i`, counted from 1, holds the sum of the `i & -i` weights that end with the `i`th.
    sums: Vec<u64>,
    total: u64,
}

impl Tally {
    pub(crate) fn new(len: usize) -> Self {
        Self { weights: vec![0; len], sums: vec![0; len + 1], total: 0 }
    }

    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    pub(crate) fn set(&mut self, index: usize, weight: u32) {
        let before = std::mem::replace(&mut self.weights[index], weight);
        if before == weight {
            return;
        }
        let (before, weight) = (u64::from(before), u64::from(weight));
        self.total = self.total - before + weight;
        let mut node = index + 1;
        while node < self.sums.len() {
            self.sums[node] = self.sums[node] - before + weight;
            node += node & node.wrapping_neg();
        }
    }

    /// The index that the `n`th unit of weight belongs to, and the number of that unit within the index.
    ///
    /// # Panics
    /// If `n` is not below the total.
    pub(crate) fn find(&self, mut n: u64) -> (usize, usize) {
        assert!(n < self.total, "n is below the total");
        let mut node = 0;
        let mut width = self.sums.len().next_power_of_two();
        while width > 0 {
            let next = node + width;
            if next < self.sums.len() && self.sums[next] <= n {
                node = next;
                n -= self.sums[next];
            }
            width /= 2;
        }
        (node, n as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use crate::Random;

    #[test]
    fn finds_what_a_scan_finds() {
        let mut random = Random::from_seed(1);
        for len in 1..70 {
            let mut tally = Tally::new(len);
            let mut weights = vec![0; len];
            for _ in 0..50 {
                let index = random.below(len as u64) as usize;
                weights[index] = random.below(4) as u32;
                tally.set(index, weights[index]);
                let units = weights
                    .iter()
                    .enumerate()
                    .flat_map(|(index, &weight)| (0..weight as usize).map(move |unit| (index, unit)));
                let units: Vec<_> = units.collect();
                assert_eq!(tally.total(), units.len() as u64);
                let found: Vec<_> = (0..tally.total()).map(|n| tally.find(n)).collect();
                assert_eq!(found, units);
            }
        }
    }
}
