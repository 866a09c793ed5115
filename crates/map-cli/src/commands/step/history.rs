//! The steps taken so far, with checkpoints, so that going to any of them need not replay from the start.

use std::ops::ControlFlow;

use map_explain::Memory;
use map_ir::{Program, Symbol, Value};
use map_semantics::{Bounds, Step};
use map_simulate::{
    Impossible, Run, RunEnd, SimulatedStep, SimulationOptions, first, go_on, repeat, seed_of_run,
};

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
    memory: Memory,
}

impl Checkpoint {
    /// How many agents and messages it holds.
    fn size(&self) -> usize {
        let agents = self.run.state.iter().flat_map(|state| &state.agents);
        agents.map(|agent| 1 + agent.messages()).sum()
    }
}

/// Called with each step as it is taken.
pub(super) type Observer<'s> = dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()> + 's;

/// The steps taken, the state they led to, and checkpoints on the way. Undone steps are kept until another step is
/// taken.
pub(super) struct History<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
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

impl<'a> History<'a> {
    /// No steps yet, after a start with these initial values ([`first`]).
    pub(super) fn new(program: &'a Program, bounds: &'a Bounds, initial: Vec<u32>) -> Self {
        let now = Checkpoint { run: first(program, bounds, initial), memory: Memory::default() };
        let (held, checkpoints) = (now.size(), vec![now.clone()]);
        Self {
            program,
            bounds,
            values: Vec::new(),
            steps: Vec::new(),
            now,
            checkpoints,
            held,
            spacing: SPACING,
        }
    }

    /// Goes back to the start, which gets these initial values, and forgets all steps.
    pub(super) fn restart(&mut self, initial: Vec<u32>) {
        *self = Self::new(self.program, self.bounds, initial);
    }

    /// The run in its current state.
    pub(super) fn run(&self) -> &Run {
        &self.now.run
    }

    /// The same, so that its end can be judged.
    pub(super) fn run_mut(&mut self) -> &mut Run {
        &mut self.now.run
    }

    pub(super) fn memory(&self) -> &Memory {
        &self.now.memory
    }

    /// The steps that lead to the current state.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps[..self.now.run.steps as usize]
    }

    /// The number of steps, undone ones included.
    pub(super) fn len(&self) -> u64 {
        self.steps.len() as u64
    }

    /// The first symbol that is not in use.
    pub(super) fn fresh(&self) -> Symbol {
        self.now.run.state.as_ref().map_or(Symbol(0), |state| state.fresh)
    }

    /// Takes a step and discards the undone ones.
    pub(super) fn take(&mut self, step: Step, see: &mut Observer<'_>) -> Result<(), Impossible> {
        let (made, memory) = (self.now.run.steps as usize, &mut self.now.memory);
        let mut see = |seen: &SimulatedStep<'_>| {
            memory.keep(seen);
            see(seen)
        };
        repeat(self.program, self.bounds, &mut self.now.run, [&step], &self.values, &mut see)
            .map_err(|(_, why)| why)?;
        self.steps.truncate(made);
        self.steps.push(step);
        self.checkpoint();
        Ok(())
    }

    /// Takes the steps of a trace, which refer to `values`, as far as they are possible. To be called at the start.
    pub(super) fn take_all(
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
    pub(super) fn random(&mut self, options: &SimulationOptions, most: u64, see: &mut Observer<'_>) {
        loop {
            let made = self.now.run.steps;
            self.steps.truncate(made as usize);
            let (seed, max_steps) = (seed_of_run(options.seed, made), most.min(made.saturating_add(STRIDE)));
            let options = SimulationOptions { seed, max_steps, ..options.clone() };
            let (steps, memory) = (&mut self.steps, &mut self.now.memory);
            go_on(self.program, self.bounds, &options, &mut self.now.run, &mut |seen| {
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
    /// ([`History::replay_to`]).
    pub(super) fn rewind_to(&mut self, step: u64) {
        let after = self.checkpoints.partition_point(|checkpoint| checkpoint.run.steps <= step);
        let start = std::mem::take(&mut self.now.run.start);
        self.now = self.checkpoints[after.saturating_sub(1)].clone();
        self.now.run.start = start;
    }

    /// Replays steps until `step` of them have been taken.
    pub(super) fn replay_to(&mut self, step: u64, see: &mut Observer<'_>) -> Result<(), (u64, Impossible)> {
        let step = step.min(self.len());
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
            let (program, bounds) = (self.program, self.bounds);
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
        if self.len() == made {
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

#[cfg(test)]
mod tests;
