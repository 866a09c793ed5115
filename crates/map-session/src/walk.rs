//! A run that is made by hand or by a trace, step by step, and back.

use std::ops::ControlFlow;

use map_ir::{Program, Symbol, Value};
use map_semantics::{Bounds, EnabledStep, SceneStep, Status, Step, Turn, scene_steps};
use map_simulate::{
    Impossible, Run, RunEnd, SimulatedStep, SimulationOptions, first, go_on, repeat, seed_of_run,
};

use crate::memory::RunMemory;
use crate::scene::Scene;

/// The least number of steps between two checkpoints. Large checkpoints are further apart, because keeping one costs as
/// much as replaying some steps.
const SPACING: u64 = 16;

/// Keeping this many agents and messages costs roughly as much as replaying one step.
const HELD_PER_STEP: u64 = 8;

/// A long replay sets about this many checkpoints; replaying from one of them sets more.
const REPLAY_CHECKPOINTS: u64 = 256;

/// Random steps between two checkpoints.
const STRIDE: u64 = 4096;

/// The most agents and messages that all checkpoints together hold, unless there are no more than [`MIN_CHECKPOINTS`].
const MAX_HELD: usize = 2_000_000;

/// This many checkpoints are kept whatever their size.
const MIN_CHECKPOINTS: usize = 32;

/// A state of the run, with what is needed to continue from it. `run.start`, what the agents did on their way to their
/// first places, is kept only in the current one.
#[derive(Clone)]
struct Checkpoint {
    run: Run,
    memory: RunMemory,
}

impl Checkpoint {
    /// How many agents and messages it holds.
    fn size(&self) -> usize {
        let agents = self.run.state.iter().flat_map(|state| &state.agents);
        agents.map(|agent| 1 + agent.messages()).sum()
    }
}

/// Called with each step as it is taken.
pub type Observer<'s> = dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()> + 's;

/// The steps taken, the state they led to, and checkpoints on the way, so that going to any of them need not replay
/// from the start. Undone steps are kept until another step is taken.
pub struct Walk {
    scene: Scene,
    /// The values from outside that the steps refer to.
    values: Vec<Value>,
    steps: Vec<Step>,
    now: Checkpoint,
    /// In increasing order of steps; the first is the start.
    checkpoints: Vec<Checkpoint>,
    /// How many agents and messages the checkpoints hold in all.
    held: usize,
    /// The least number of steps between two checkpoints; doubled whenever they are thinned out.
    spacing: u64,
}

impl Walk {
    /// No steps yet, after a start with these initial values ([`first`]).
    #[must_use]
    pub fn new(scene: Scene, initial: Vec<u32>) -> Self {
        let now =
            Checkpoint { run: first(&scene.program, &scene.bounds, initial), memory: RunMemory::default() };
        let (held, checkpoints) = (now.size(), vec![now.clone()]);
        Self { scene, values: Vec::new(), steps: Vec::new(), now, checkpoints, held, spacing: SPACING }
    }

    /// Goes back to the start, which gets these initial values, and forgets all steps.
    pub fn restart(&mut self, initial: Vec<u32>) {
        *self = Self::new(self.scene.clone(), initial);
    }

    /// The run in its current state.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.now.run
    }

    /// The steps that are enabled in the current state. If nothing can go on, the end of the run is set.
    pub fn enabled(&mut self) -> Vec<EnabledStep> {
        enabled(&self.scene.program, &self.scene.bounds, &mut self.now.run)
    }

    /// What was recorded of the steps up to the current state.
    #[must_use]
    pub fn memory(&self) -> &RunMemory {
        &self.now.memory
    }

    /// The steps that lead to the current state.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..self.now.run.steps as usize]
    }

    /// The number of steps, undone ones included.
    #[must_use]
    pub fn known_steps(&self) -> u64 {
        self.steps.len() as u64
    }

    /// The first symbol that is not in use.
    #[must_use]
    pub fn fresh(&self) -> Symbol {
        self.now.run.state.as_ref().map_or(Symbol(0), |state| state.fresh)
    }

    /// Takes a step and discards the undone ones.
    ///
    /// # Errors
    /// If it is impossible.
    pub fn take(&mut self, step: Step, see: &mut Observer<'_>) -> Result<(), Impossible> {
        let (made, memory) = (self.now.run.steps as usize, &mut self.now.memory);
        let mut see = |seen: &SimulatedStep<'_>| {
            memory.keep(seen);
            see(seen)
        };
        repeat(&self.scene.program, &self.scene.bounds, &mut self.now.run, [&step], &self.values, &mut see)
            .map_err(|(_, why)| why)?;
        self.steps.truncate(made);
        self.steps.push(step);
        self.checkpoint();
        Ok(())
    }

    /// Takes the steps of a trace, which refer to `values`, as far as they are possible. To be called at the start.
    ///
    /// # Errors
    /// The index of the first step that is impossible, and why.
    pub fn take_all(
        &mut self,
        steps: &[Step],
        values: Vec<Value>,
        see: &mut Observer<'_>,
    ) -> Result<(), (u64, Impossible)> {
        (self.steps, self.values) = (steps.to_vec(), values);
        let result = self.replay_to(self.steps.len() as u64, see);
        self.steps.truncate(self.now.run.steps as usize);
        result
    }

    /// Takes random steps until there are `most` in all or the run ends.
    pub fn random(&mut self, options: &SimulationOptions, most: u64, see: &mut Observer<'_>) {
        loop {
            let made = self.now.run.steps;
            self.steps.truncate(made as usize);
            let (seed, max_steps) = (seed_of_run(options.seed, made), most.min(made.saturating_add(STRIDE)));
            let options = SimulationOptions { seed, max_steps, ..options.clone() };
            let (steps, memory) = (&mut self.steps, &mut self.now.memory);
            go_on(&self.scene.program, &self.scene.bounds, &options, &mut self.now.run, &mut |seen| {
                steps.push(seen.step.clone());
                memory.keep(seen);
                see(seen)
            });
            let goes_on = self.now.run.end == RunEnd::MaxSteps && max_steps < most;
            if !matches!(self.now.run.end, RunEnd::Wrong(..)) && self.now.run.state.is_some() {
                self.now.run.end = RunEnd::Stopped;
            }
            self.checkpoint();
            if !goes_on {
                return;
            }
        }
    }

    /// Goes back to the last checkpoint at or before a step. The steps from there have still to be replayed
    /// ([`Walk::replay_to`]).
    pub fn rewind_to(&mut self, step: u64) {
        let after = self.checkpoints.partition_point(|checkpoint| checkpoint.run.steps <= step);
        let start = std::mem::take(&mut self.now.run.start);
        self.now = self.checkpoints[after.saturating_sub(1)].clone();
        self.now.run.start = start;
    }

    /// Replays steps until `step` of them have been taken, or `see` breaks off.
    ///
    /// # Errors
    /// The index of a step that is impossible, and why.
    pub fn replay_to(&mut self, step: u64, see: &mut Observer<'_>) -> Result<(), (u64, Impossible)> {
        let step = step.min(self.known_steps());
        let way = step.saturating_sub(self.now.run.steps);
        let stride = self.spacing().max(way / REPLAY_CHECKPOINTS);
        while self.now.run.steps < step {
            let made = self.now.run.steps;
            let chunk = made as usize..step.min(made + stride) as usize;
            let (mut stopped, memory) = (false, &mut self.now.memory);
            let mut see = |seen: &SimulatedStep<'_>| {
                memory.keep(seen);
                let flow = see(seen);
                stopped |= flow.is_break();
                flow
            };
            let Scene { program, bounds, .. } = &self.scene;
            repeat(program, bounds, &mut self.now.run, &self.steps[chunk], &self.values, &mut see)
                .map_err(|(index, why)| (made + index, why))?;
            self.checkpoint();
            if stopped {
                break;
            }
        }
        Ok(())
    }

    /// The least number of steps between two checkpoints here.
    fn spacing(&self) -> u64 {
        self.spacing.max(self.now.size() as u64 / HELD_PER_STEP)
    }

    /// Keeps the current state as a checkpoint unless another is close. If they then hold too much, every second one is
    /// dropped.
    fn checkpoint(&mut self) {
        let made = self.now.run.steps;
        let at = self.checkpoints.partition_point(|checkpoint| checkpoint.run.steps <= made);
        // A new step has been taken: later checkpoints belong to the steps it discarded.
        if self.known_steps() == made {
            self.held -= self.checkpoints.drain(at..).map(|checkpoint| checkpoint.size()).sum::<usize>();
        }
        let before = self.checkpoints[at - 1].run.steps;
        let after = self.checkpoints.get(at).map(|checkpoint| checkpoint.run.steps);
        let spacing = self.spacing();
        if made - before < spacing || after.is_some_and(|after| after - made < spacing) {
            return;
        }
        let start = std::mem::take(&mut self.now.run.start);
        let checkpoint = self.now.clone();
        self.now.run.start = start;
        self.held += checkpoint.size();
        self.checkpoints.insert(at, checkpoint);
        if self.held > MAX_HELD && self.checkpoints.len() > MIN_CHECKPOINTS {
            let mut index = 0;
            self.checkpoints.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.held = self.checkpoints.iter().map(Checkpoint::size).sum();
            self.spacing *= 2;
        }
    }
}

/// Computes the steps of the last state of a run, and sets the run's end if there are none; otherwise it stays
/// [`RunEnd::Stopped`]. The result is empty after a step that went wrong.
pub fn enabled(program: &Program, bounds: &Bounds, run: &mut Run) -> Vec<EnabledStep> {
    let Some(state) = run.state.as_ref().filter(|_| !matches!(run.end, RunEnd::Wrong(..))) else {
        return Vec::new();
    };
    let steps: Vec<EnabledStep> = scene_steps(program, bounds, state).all().collect();
    // A crash is possible at any time, so it does not count as progress.
    let goes_on = steps.iter().any(|step| step.is_taken() && step.step.turn != Turn::Crash);
    if run.end != RunEnd::Stopped || goes_on {
        return steps;
    }
    let cut = steps.iter().find_map(|step| match step.observed.result {
        SceneStep::Cut(bound) => Some(RunEnd::Cut(bound)),
        SceneStep::TooLong(point) => Some(RunEnd::TooLong(step.step.agent, point)),
        _ => None,
    });
    let all_ended = state.agents.iter().all(|agent| agent.status != Status::Running);
    run.end = if all_ended { RunEnd::Ended } else { cut.unwrap_or(RunEnd::NothingMoves) };
    steps
}

#[cfg(test)]
mod tests;
