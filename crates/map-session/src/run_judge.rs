//! Which properties a simulated run violates.

use map_ir::{AgentId, Program, Properties, Temporal};
use map_semantics::{Bounds, Letter, Outcome, SceneState, SceneStep, Watch};
use map_simulate::{Run, SimulatedStep};
use map_verify::{prefix_violates, run_violates};

/// Watches a simulated run, moment by moment, and says which properties it violates.
pub struct RunJudge<'a> {
    properties: &'a Properties,
    watch: Watch<'a>,
    /// What holds at each moment so far, from the first state on.
    letters: Vec<Letter>,
    /// The step that led to the state before the next one.
    made: Option<(AgentId, Outcome)>,
    /// The last step goes wrong: the run stays in the state before it.
    wrong: bool,
}

impl<'a> RunJudge<'a> {
    /// Before the first step.
    #[must_use]
    pub fn new(program: &'a Program, bounds: &'a Bounds, properties: &'a Properties) -> Self {
        let watch = Watch::new(program, bounds, properties);
        Self { properties, watch, letters: Vec::new(), made: None, wrong: false }
    }

    /// Records the state before a step.
    pub fn see(&mut self, seen: &SimulatedStep<'_>) {
        if self.properties.list.is_empty() {
            return;
        }
        self.record(seen.scene);
        match seen.observed.result {
            SceneStep::Wrong(_) => self.wrong = true,
            _ => self.made = Some((seen.step.agent, seen.observed.outcome.clone())),
        }
    }

    fn record(&mut self, state: &SceneState) {
        let made = self.made.take();
        let made = made.as_ref().map(|(agent, outcome)| (*agent, outcome));
        self.letters.push(self.watch.see(made, state));
    }

    /// The indices of the properties that the run violates. One that has ended stays as it is for ever; of one that was
    /// cut off only what it did counts. `possible` is about all runs, and no single one violates it.
    #[must_use]
    pub fn violated(mut self, run: &Run) -> Vec<usize> {
        let Some(state) = run.state.as_ref().filter(|_| !self.properties.list.is_empty()) else {
            return Vec::new();
        };
        if !self.wrong {
            self.record(state);
        }
        let for_ever = run.has_come_to_an_end().then(|| [self.watch.see(None, state)]);
        let is_violated = |formula: &Temporal| match &for_ever {
            Some(cycle) => run_violates(formula, &self.letters, cycle),
            None => prefix_violates(formula, &self.letters),
        };
        let properties = self.properties.list.iter().enumerate();
        let violated = properties.filter(|(_, property)| is_violated(&property.formula));
        violated.map(|(index, _)| index).collect()
    }
}
