//! The random number generator. Its output must stay reproducible for ever, so nothing here may change.

use map_ir::Weights;
use rand_xoshiro::Xoshiro256StarStar;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// xoshiro256** (Blackman and Vigna), seeded through `SplitMix64`. The samplers are our own, because those of libraries
/// change between releases.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256StarStar);

impl Random {
    /// The generator for a seed.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self(Xoshiro256StarStar::seed_from_u64(seed))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniformly distributed number below `n` (Lemire's multiplication with rejection).
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is a number below n");
        let rejected_below = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(n);
            if product as u64 >= rejected_below {
                return (product >> 64) as u64;
            }
        }
    }

    /// True with the given probability: never for 0, always for 1.
    pub fn chance(&mut self, probability: f64) -> bool {
        let unit = (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        unit < probability
    }
}

/// The index of one of so many values, drawn by their weights.
pub(crate) fn drawn(random: &mut Random, options: u32, weights: Option<&Weights>) -> u32 {
    match weights {
        None => random.below(u64::from(options)) as u32,
        Some(weights) => weights.index_at(random.below(weights.sum())) as u32,
    }
}
