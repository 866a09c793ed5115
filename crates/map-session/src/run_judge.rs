//! Which properties a simulated run violates.

use map_ir::{Program, Properties, Temporal};
use map_semantics::{Bounds, Letter, Moments, SceneStep};
use map_simulate::{Run, SimulatedStep};
use map_verify::{prefix_violates, run_violates};

/// Watches a simulated run, moment by moment, and says which properties it violates.
pub struct RunJudge<'a> {
    properties: &'a Properties,
    /// From the first state on; that before the next step is still to be seen.
    moments: Moments<'a>,
    /// The last step goes wrong: the run stays in the state before it.
    wrong: bool,
}

impl<'a> RunJudge<'a> {
    /// Before the first step.
    #[must_use]
    pub fn new(program: &'a Program, bounds: &'a Bounds, properties: &'a Properties) -> Self {
        Self { properties, moments: Moments::new(program, bounds, properties), wrong: false }
    }

    /// Records the state before a step.
    pub fn see(&mut self, seen: &SimulatedStep<'_>) {
        if self.properties.list.is_empty() {
            return;
        }
        self.moments.see(seen.scene);
        match seen.observed.result {
            SceneStep::Wrong(_) => self.wrong = true,
            _ => self.moments.step(seen.step.agent, &seen.observed.outcome),
        }
    }

    /// The indices of the properties that the run violates. One that has ended stays as it is for ever; of one that was
    /// cut off only what it did counts. `possible` is about all runs, and no single one violates it.
    #[must_use]
    pub fn violated(mut self, run: &Run) -> Vec<usize> {
        let Some(state) = run.state.as_ref().filter(|_| !self.properties.list.is_empty()) else {
            return Vec::new();
        };
        if !self.wrong {
            self.moments.see(state);
        }
        let for_ever = run.has_come_to_an_end().then(|| [self.moments.staying(state).clone()]);
        let letters: Vec<&Letter> = self.moments.letters().collect();
        let is_violated = |formula: &Temporal| match &for_ever {
            Some([letter]) => run_violates(formula, &letters, &[letter]),
            None => prefix_violates(formula, &letters),
        };
        let properties = self.properties.list.iter().enumerate();
        let violated = properties.filter(|(_, property)| is_violated(&property.formula));
        violated.map(|(index, _)| index).collect()
    }
}
