//! Figures derived from the sums: shares, means, quantiles, histograms.

use super::{EndWord, Statistics};

/// The two-sided 95 % quantile of the standard normal distribution.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// A bin of a histogram, with inclusive limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// The smallest number of steps in it.
    pub from: u64,
    /// The largest number of steps in it.
    pub to: u64,
    /// The number of runs in it.
    pub runs: u64,
}

impl Statistics {
    /// The share of runs that ended in this way, with the limits of its 95 % confidence interval ([`wilson`]).
    #[must_use]
    pub fn share(&self, end: EndWord) -> (f64, f64, f64) {
        let count = self.ends.get(&end).copied().unwrap_or(0);
        let (low, high) = wilson(count, self.runs);
        (if self.runs == 0 { 0.0 } else { count as f64 / self.runs as f64 }, low, high)
    }

    /// The mean number of steps of a run; 0 if there are no runs.
    #[must_use]
    pub fn mean_steps(&self) -> f64 {
        let sum: u128 = self.steps.iter().map(|(&steps, &runs)| u128::from(steps) * u128::from(runs)).sum();
        if self.runs == 0 { 0.0 } else { sum as f64 / self.runs as f64 }
    }

    /// The limits of the 95 % confidence interval of that mean (normal approximation with the sample standard
    /// deviation). `None` with fewer than two runs.
    #[must_use]
    pub fn mean_steps_interval(&self) -> Option<(f64, f64)> {
        if self.runs < 2 {
            return None;
        }
        let mean = self.mean_steps();
        let squares = self.steps.iter().map(|(&steps, &runs)| runs as f64 * (steps as f64 - mean).powi(2));
        let variance = squares.sum::<f64>() / (self.runs - 1) as f64;
        let half = Z * (variance / self.runs as f64).sqrt();
        Some(((mean - half).max(0.0), mean + half))
    }

    /// The smallest number of steps that at least `percent` per cent of the runs do not exceed (nearest-rank method): 0
    /// is the minimum, 100 the maximum. `None` if there are no runs.
    #[must_use]
    pub fn quantile(&self, percent: u64) -> Option<u64> {
        let rank = (u128::from(self.runs) * u128::from(percent.min(100))).div_ceil(100).max(1);
        let mut below = 0;
        self.steps.iter().find_map(|(&steps, &runs)| {
            below += u128::from(runs);
            (below >= rank).then_some(steps)
        })
    }

    /// A histogram of the numbers of steps: at most `bins` bins of equal width, from the smallest number to the
    /// largest.
    #[must_use]
    pub fn histogram(&self, bins: u64) -> Vec<Bin> {
        let (Some((&first, _)), Some((&last, _))) =
            (self.steps.first_key_value(), self.steps.last_key_value())
        else {
            return Vec::new();
        };
        let width = ((last - first) / bins.max(1)).saturating_add(1);
        let mut histogram: Vec<Bin> = Vec::new();
        for number in 0..=(last - first) / width {
            let from = first + number * width;
            let to = from.saturating_add(width - 1);
            let runs = self.steps.range(from..=to).map(|(_, &runs)| runs).sum();
            histogram.push(Bin { from, to, runs });
        }
        histogram
    }
}

/// The 95 % confidence interval of a share (Wilson's score interval); 0 to 1 if there are no runs.
#[must_use]
pub fn wilson(count: u64, runs: u64) -> (f64, f64) {
    if runs == 0 {
        return (0.0, 1.0);
    }
    let (n, p) = (runs as f64, count as f64 / runs as f64);
    let denominator = 1.0 + Z * Z / n;
    let centre = (p + Z * Z / (2.0 * n)) / denominator;
    let half = Z / denominator * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let low = if count == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if count == runs { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}
