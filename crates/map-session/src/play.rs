//! A single run that is drawn at random.

use std::ops::ControlFlow;

use map_ir::Value;
use map_semantics::{Measuring, SceneStep};
use map_simulate::{Respondent, Run, SimulatedStep, SimulationOptions, drawn_initial, simulate_with};

use crate::memory::RunMemory;
use crate::run_judge::RunJudge;
use crate::scene::Scene;

/// Asks for a run.
#[derive(Clone, Debug)]
pub struct Simulate {
    /// How it is drawn.
    pub options: SimulationOptions,
    /// The initial values, as options of [`map_semantics::open_cells`].
    pub initial: Vec<u32>,
}

/// A run that was played.
pub struct PlayedRun {
    /// The scene.
    pub scene: Scene,
    /// How the run was drawn.
    pub options: SimulationOptions,
    /// The run; without its steps, which were shown to whoever asked.
    pub run: Run,
    /// What explains its end.
    pub memory: RunMemory,
    /// The indices of the properties that it violates.
    pub violated: Vec<usize>,
    /// The values collected, in the order of the measures; those that it does not have are `None`. Empty if it did not
    /// come to an end: it was broken off, or a bound cut all that was left.
    pub collected: Vec<Option<Value>>,
}

impl Simulate {
    /// A run whose initial values are drawn, too.
    #[must_use]
    pub fn new(scene: &Scene, options: SimulationOptions) -> Self {
        let initial = drawn_initial(&scene.program, options.seed);
        Self { options, initial }
    }

    /// Plays the run. `respond` answers procedures without a body, unless it leaves them to chance; `see` is shown each
    /// step, and may break off.
    pub fn ask<'r>(
        &'r self,
        scene: &Scene,
        respond: &'r mut Respondent<'r>,
        see: &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>,
    ) -> PlayedRun {
        let Scene { program, properties, bounds, .. } = scene;
        let mut memory = RunMemory::default();
        let mut judge = RunJudge::new(program, bounds, &properties.compiled);
        let mut measuring = Measuring::new(program, bounds, &properties.measures.compiled);
        let initial = self.initial.clone();
        let run = simulate_with(program, bounds, &self.options, initial, respond, &mut |seen| {
            memory.keep(seen);
            judge.see(seen);
            if seen.observed.result == SceneStep::Made {
                measuring.see(seen.step.agent, &seen.observed.outcome);
            }
            see(seen)
        });
        let violated = judge.violated(&run);
        let last = run.state.as_ref().filter(|_| run.has_come_to_an_end());
        let collected = last.map_or_else(Vec::new, |state| measuring.read(state));
        PlayedRun { scene: scene.clone(), options: self.options.clone(), run, memory, violated, collected }
    }
}

impl PlayedRun {
    /// The names of the properties that it violates.
    pub fn violated_names(&self) -> impl Iterator<Item = &str> {
        let list = &self.scene.properties.compiled.list;
        self.violated.iter().map(|&index| list[index].name.as_str())
    }
}
