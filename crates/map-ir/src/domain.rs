//! Sets of values, with weights for those that chance draws from.

use std::fmt::{Debug, Formatter, Result};
use std::ops::Deref;

use crate::Value;

/// The values of which one is an answer or an initial value, without duplicates. To most, a domain is the slice of its
/// values; only chance looks at the weights.
#[derive(Clone, PartialEq, Eq)]
pub struct Domain {
    values: Vec<Value>,
    weights: Option<Weights>,
}

impl Domain {
    /// A domain whose values are equally likely.
    #[must_use]
    pub fn uniform(values: Vec<Value>) -> Self {
        Self { values, weights: None }
    }

    /// A domain of values with weights.
    #[must_use]
    pub fn weighed(values: Vec<(Value, u64)>) -> Self {
        let weights = Weights::new(values.iter().map(|&(_, weight)| weight));
        Self { values: values.into_iter().map(|(value, _)| value).collect(), weights: Some(weights) }
    }

    /// The weights of the values; `None` if they are equally likely.
    #[must_use]
    pub const fn weights(&self) -> Option<&Weights> {
        self.weights.as_ref()
    }
}

impl Debug for Domain {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.weights {
            None => self.values.fmt(f),
            Some(weights) => f.debug_list().entries(self.values.iter().zip(weights.each())).finish(),
        }
    }
}

impl Deref for Domain {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values
    }
}

/// Weights of values: each is as likely as its share of their sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// By value, the sum of its weight and those before it.
    sums: Vec<u64>,
}

impl Weights {
    fn new(weights: impl Iterator<Item = u64>) -> Self {
        let sums = weights.scan(0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Self { sums: sums.collect() }
    }

    /// The weights, in the order of the values.
    pub fn each(&self) -> impl Iterator<Item = u64> {
        let before = std::iter::once(0).chain(self.sums.iter().copied());
        self.sums.iter().zip(before).map(|(sum, before)| sum - before)
    }

    /// The sum of all weights.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.sums.last().copied().unwrap_or_default()
    }

    /// The index of the value to which a number below [`Weights::sum`] leads: as many numbers lead to each value as
    /// its weight.
    #[must_use]
    pub fn index_at(&self, number: u64) -> usize {
        self.sums.partition_point(|&sum| sum <= number)
    }
}

#[cfg(test)]
mod tests {
    use super::Weights;

    #[test]
    fn as_many_numbers_lead_to_a_value_as_its_weight() {
        let weights = Weights::new([2, 0, 1, 3].into_iter());
        assert_eq!(weights.sum(), 6);
        let found: Vec<usize> = (0..6).map(|number| weights.index_at(number)).collect();
        assert_eq!(found, [0, 0, 2, 3, 3, 3]);
    }
}
