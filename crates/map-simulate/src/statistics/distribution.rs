//! How the values that were collected of many runs are distributed.

use std::collections::BTreeMap;

use super::figures::Z;
use super::wilson;

/// A value that was collected of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CollectedValue {
    /// An integer.
    Integer(i64),
    /// Another value, as it is written.
    Word(String),
    /// A value that nobody knows: it comes from a procedure without a body.
    Unknown,
}

/// How often each value was collected. All sums are of integers, so that they do not depend on the order of the runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    /// The number of runs with each value.
    pub values: BTreeMap<CollectedValue, u64>,
    /// The number of runs that ended without a value.
    pub without: u64,
    /// The number of runs that did not come to an end.
    pub stopped: u64,
}

/// Figures about those values that are integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// The number of runs with an integer.
    pub runs: u64,
    /// The mean.
    pub mean: f64,
    /// The limits of its 95 % confidence interval, by the normal approximation; `None` with a single run.
    pub interval: Option<(f64, f64)>,
    /// The standard deviation of the sample; 0 with a single run.
    pub deviation: f64,
}

impl Distribution {
    /// Counts what a run gave.
    pub(super) fn count(&mut self, value: Option<CollectedValue>) {
        match value {
            Some(value) => *self.values.entry(value).or_default() += 1,
            None => self.without += 1,
        }
    }

    /// Adds what other runs gave.
    pub(super) fn add(&mut self, other: Self) {
        self.without += other.without;
        self.stopped += other.stopped;
        for (value, runs) in other.values {
            *self.values.entry(value).or_default() += runs;
        }
    }

    /// The number of runs with a value.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.values.values().sum()
    }

    /// The integers, in order, with the number of runs for each.
    pub fn integers(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> {
        self.values.iter().filter_map(|(value, &runs)| match value {
            CollectedValue::Integer(number) => Some((*number, runs)),
            CollectedValue::Word(_) | CollectedValue::Unknown => None,
        })
    }

    /// The share of the runs with a value that have this one, with the limits of its 95 % confidence interval.
    #[must_use]
    pub fn share(&self, runs: u64) -> (f64, f64, f64) {
        let (low, high) = wilson(runs, self.runs());
        (runs as f64 / self.runs() as f64, low, high)
    }

    /// Figures about the integers; `None` if there are none.
    #[must_use]
    pub fn moments(&self) -> Option<Moments> {
        let runs: u64 = self.integers().map(|(_, runs)| runs).sum();
        if runs == 0 {
            return None;
        }
        let sum: i128 = self.integers().map(|(number, runs)| i128::from(number) * i128::from(runs)).sum();
        let mean = sum as f64 / runs as f64;
        let squares = self.integers().map(|(number, runs)| runs as f64 * (number as f64 - mean).powi(2));
        let variance = if runs == 1 { 0.0 } else { squares.sum::<f64>() / (runs - 1) as f64 };
        let half = Z * (variance / runs as f64).sqrt();
        let interval = (runs > 1).then_some((mean - half, mean + half));
        Some(Moments { runs, mean, interval, deviation: variance.sqrt() })
    }

    /// The smallest integer that at least `percent` per cent of the integers do not exceed (nearest-rank method).
    #[must_use]
    pub fn quantile(&self, percent: u64) -> Option<i64> {
        let runs: u64 = self.integers().map(|(_, runs)| runs).sum();
        self.of_rank((u128::from(runs) * u128::from(percent.min(100))).div_ceil(100).max(1) as u64)
    }

    /// Integers between which the median lies with 95 % confidence, by order statistics: the ranks below and above
    /// which there are fewer than 2.5 % by the normal approximation of the binomial distribution. `None` with fewer
    /// than six.
    #[must_use]
    pub fn median_interval(&self) -> Option<(i64, i64)> {
        let runs: u64 = self.integers().map(|(_, runs)| runs).sum();
        if runs < 6 {
            return None;
        }
        let half = Z * (runs as f64).sqrt() / 2.0;
        let low = (runs as f64 / 2.0 - half).floor().max(1.0) as u64;
        let high = ((runs as f64 / 2.0 + half).ceil() as u64 + 1).min(runs);
        Some((self.of_rank(low)?, self.of_rank(high)?))
    }

    /// The integer of this rank, from 1.
    fn of_rank(&self, rank: u64) -> Option<i64> {
        let mut below = 0;
        self.integers().find_map(|(number, runs)| {
            below += runs;
            (below >= rank).then_some(number)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{CollectedValue, Distribution};

    fn of(values: &[(i64, u64)]) -> Distribution {
        let values = values.iter().map(|&(number, runs)| (CollectedValue::Integer(number), runs)).collect();
        Distribution { values, ..Distribution::default() }
    }

    #[test]
    fn figures_with_known_values() {
        let found = of(&[(-2, 1), (1, 2), (4, 1)]);
        let moments = found.moments().expect("there are integers");
        // Deviations -3, 0 twice, 3: their squares sum up to 18.
        assert!((moments.mean - 1.0).abs() < 1e-12 && (moments.deviation - 6.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!([0, 25, 26, 75, 76, 100].map(|it| found.quantile(it)), [-2, -2, 1, 1, 4, 4].map(Some));
        assert_eq!(of(&[]).moments(), None);
        assert_eq!(of(&[]).quantile(50), None);
        let one = of(&[(7, 1)]).moments().expect("there is one");
        assert_eq!((one.mean, one.interval, one.deviation), (7.0, None, 0.0));
    }

    #[test]
    fn the_median_lies_between_order_statistics() {
        // Of a thousand values the ranks are 469 and 532.
        let thousand: Vec<(i64, u64)> = (1..=1_000).map(|number| (number, 1)).collect();
        assert_eq!(of(&thousand).median_interval(), Some((469, 532)));
        assert_eq!(of(&thousand[..5]).median_interval(), None);
        assert_eq!(of(&thousand[..6]).median_interval(), Some((1, 6)));
    }

    #[test]
    fn words_and_what_nobody_knows_are_no_integers() {
        let mut found = Distribution::default();
        for value in [
            Some(CollectedValue::Integer(3)),
            Some(CollectedValue::Word("!Ann".to_owned())),
            Some(CollectedValue::Unknown),
            None,
        ] {
            found.count(value);
        }
        assert_eq!((found.runs(), found.without, found.moments().map(|it| it.runs)), (3, 1, Some(1)));
        let (share, low, high) = found.share(1);
        assert!(low < share && share < high && (share - 1.0 / 3.0).abs() < 1e-12);
        let mut both = found.clone();
        both.add(found.clone());
        assert_eq!((both.runs(), both.without), (6, 2));
    }
}
