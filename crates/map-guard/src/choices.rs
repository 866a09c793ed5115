//! What is chosen in a dialogue that is played: one list of numbers, by which it can be played again.

use map_simulate::Random;

/// Chooses what played agents do, and remembers it.
pub struct Choices {
    given: Vec<u32>,
    random: Option<Random>,
    /// Whether what was taken least is preferred.
    prefers: bool,
    made: Vec<u32>,
}

impl Choices {
    /// Chosen at random, and rather what was taken less often before.
    #[must_use]
    pub fn drawn(seed: u64) -> Self {
        Self { given: Vec::new(), random: Some(Random::from_seed(seed)), prefers: true, made: Vec::new() }
    }

    /// Chosen at random, whatever was taken before: what the preference is worth is measured against this.
    #[must_use]
    pub fn drawn_evenly(seed: u64) -> Self {
        Self { prefers: false, ..Self::drawn(seed) }
    }

    /// Chosen as the numbers say, each modulo the number of options. Where they end, the first option is taken.
    #[must_use]
    pub fn given(numbers: Vec<u32>) -> Self {
        Self { given: numbers, random: None, prefers: false, made: Vec::new() }
    }

    /// What was chosen so far, without what the first option would be taken for anyway.
    #[must_use]
    pub fn made(&self) -> &[u32] {
        let end = self.made.iter().rposition(|&number| number != 0).map_or(0, |last| last + 1);
        &self.made[..end]
    }

    /// Whether it chooses at random.
    pub(crate) fn is_drawn(&self) -> bool {
        self.random.is_some()
    }

    /// Whether the second of two options is taken.
    pub fn flip(&mut self) -> bool {
        self.choose(&[0, 0]) == 1
    }

    /// Chooses one of the options, of which it is known how often each was taken before: those that were taken least
    /// are preferred three times in four, if anything is.
    pub(crate) fn choose(&mut self, taken: &[u32]) -> usize {
        let count = taken.len();
        if count < 2 {
            return 0;
        }
        let chosen = match &mut self.random {
            None => self.given.get(self.made.len()).map_or(0, |&number| number as usize % count),
            Some(random) => {
                let least = taken.iter().min().copied().unwrap_or(0);
                let fresh: Vec<usize> = (0..count).filter(|&option| taken[option] == least).collect();
                match if self.prefers { random.below(4) } else { 0 } {
                    0 => random.below(count as u64) as usize,
                    _ => fresh[random.below(fresh.len() as u64) as usize],
                }
            }
        };
        self.made.push(chosen as u32);
        chosen
    }
}
