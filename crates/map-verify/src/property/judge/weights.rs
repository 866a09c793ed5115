//! What the transitions of the labelled graph cost.

use crate::property::graph::{LabelId, LabelledGraph};

/// What transitions cost, by label.
pub(in crate::property) struct Weights(Vec<i64>);

impl Weights {
    /// Of a cost of the properties.
    pub(in crate::property) fn new(graph: &LabelledGraph, cost: usize) -> Self {
        Self(graph.labels().map(|(_, letter)| graph.letter(letter).costs[cost]).collect())
    }

    /// What a transition with this label costs.
    pub(in crate::property) fn of(&self, label: LabelId) -> i64 {
        self.0[label as usize]
    }
}
