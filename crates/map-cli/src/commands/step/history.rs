//! The steps made so far, and a way to any state among them that does not begin at the start.

use std::ops::ControlFlow;

use map_explain::Memory;
use map_ir::{Program, Symbol, Value};
use map_semantics::{Bounds, Step};
use map_simulate::{
    Impossible, Run, RunEnd, SimulatedStep, SimulationOptions, first, go_on, repeat, seed_of_run,
};

/// The least number of steps between two marks. They are further apart where a mark holds much, for to keep it costs as
/// much as to make some steps again.
const SPACING: u64 = 16;

/// So many agents and messages cost as much to keep as one step to make again, roughly.
const HELD_A_STEP: u64 = 8;

/// When steps are made again for a long way, so many marks are set on it; more are set when one of them is gone back to.
const MARKS_ON_THE_WAY: u64 = 256;

/// After so many steps at random a mark is set.
const STRIDE: u64 = 4096;

/// The most agents and messages that all marks together hold; there may be [`LEAST_MARKS`] in any case.
const MOST_HELD: usize = 2_000_000;

/// So many marks are always kept.
const LEAST_MARKS: usize = 32;

/// A moment of the dialogue. What agents did on their way to the first places is kept only for the present one.
#[derive(Clone)]
struct Mark {
    run: Run,
    memory: Memory,
}

impl Mark {
    /// How many agents and messages it holds.
    fn size(&self) -> usize {
        let agents = self.run.state.iter().flat_map(|state| &state.agents);
        agents.map(|agent| 1 + agent.mailbox.len()).sum()
    }
}

/// Sees the steps as they are made.
pub(super) type See<'s> = dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()> + 's;

/// The steps that were made, the state they led to, and every so often a state on the way. What was taken back is kept
/// until another step is made.
pub(super) struct History<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    /// What the steps refer to.
    values: Vec<Value>,
    steps: Vec<Step>,
    now: Mark,
    /// In the order of their steps; the first is the start.
    marks: Vec<Mark>,
    /// How many agents and messages they hold.
    held: usize,
    spacing: u64,
}

impl<'a> History<'a> {
    pub(super) fn new(program: &'a Program, bounds: &'a Bounds) -> Self {
        let now = Mark { run: first(program, bounds), memory: Memory::default() };
        let (held, marks) = (now.size(), vec![now.clone()]);
        Self { program, bounds, values: Vec::new(), steps: Vec::new(), now, marks, held, spacing: SPACING }
    }

    /// The run as it is now.
    pub(super) fn run(&self) -> &Run {
        &self.now.run
    }

    /// Sets how the run stands.
    pub(super) fn run_mut(&mut self) -> &mut Run {
        &mut self.now.run
    }

    pub(super) fn memory(&self) -> &Memory {
        &self.now.memory
    }

    /// The steps that lead to where it is now.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps[..self.now.run.steps as usize]
    }

    /// How many steps there are with those that were taken back.
    pub(super) fn len(&self) -> u64 {
        self.steps.len() as u64
    }

    /// The first abstract value that is not in use.
    pub(super) fn fresh(&self) -> Symbol {
        self.now.run.state.as_ref().map_or(Symbol(0), |state| state.fresh)
    }

    /// Makes a step; what was taken back is forgotten.
    pub(super) fn take(&mut self, step: Step, see: &mut See<'_>) -> Result<(), Impossible> {
        let (made, memory) = (self.now.run.steps as usize, &mut self.now.memory);
        let mut see = |seen: &SimulatedStep<'_>| {
            memory.keep(seen);
            see(seen)
        };
        repeat(self.program, self.bounds, &mut self.now.run, [&step], &self.values, &mut see)
            .map_err(|(_, why)| why)?;
        self.steps.truncate(made);
        self.steps.push(step);
        self.mark();
        Ok(())
    }

    /// Makes the steps of a trace, with what they refer to, as far as they can be made; to be called at the start.
    pub(super) fn take_all(
        &mut self,
        steps: &[Step],
        values: Vec<Value>,
        see: &mut See<'_>,
    ) -> Result<(), (u64, Impossible)> {
        (self.steps, self.values) = (steps.to_vec(), values);
        let result = self.on_to(self.steps.len() as u64, see);
        self.steps.truncate(self.now.run.steps as usize);
        result
    }

    /// Makes steps at random, until there are `most` in all or the run ends.
    pub(super) fn random(&mut self, options: &SimulationOptions, most: u64, see: &mut See<'_>) {
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
            self.mark();
            if !goes_on {
                return;
            }
        }
    }

    /// Goes back to the last mark at or before that step. The steps from there are still to be made
    /// ([`History::on_to`]).
    pub(super) fn back_to(&mut self, step: u64) {
        let after = self.marks.partition_point(|mark| mark.run.steps <= step);
        let start = std::mem::take(&mut self.now.run.start);
        self.now = self.marks[after.saturating_sub(1)].clone();
        self.now.run.start = start;
    }

    /// Makes steps again until there are `step`.
    pub(super) fn on_to(&mut self, step: u64, see: &mut See<'_>) -> Result<(), (u64, Impossible)> {
        let step = step.min(self.len());
        let way = step.saturating_sub(self.now.run.steps);
        let stride = self.spacing().max(way / MARKS_ON_THE_WAY);
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
            self.mark();
            if stopped {
                break;
            }
        }
        Ok(())
    }

    /// The least number of steps between two marks here.
    fn spacing(&self) -> u64 {
        self.spacing.max(self.now.size() as u64 / HELD_A_STEP)
    }

    /// Keeps the present moment if the marks are far from it. When there are too many, every second one goes.
    fn mark(&mut self) {
        let made = self.now.run.steps;
        let near = self.marks.partition_point(|mark| mark.run.steps <= made);
        // What was taken back, and another step made, is not on the way any more.
        if self.len() == made {
            self.held -= self.marks.drain(near..).map(|mark| mark.size()).sum::<usize>();
        }
        let before = self.marks[near - 1].run.steps;
        let after = self.marks.get(near).map(|mark| mark.run.steps);
        let spacing = self.spacing();
        if made - before < spacing || after.is_some_and(|after| after - made < spacing) {
            return;
        }
        let start = std::mem::take(&mut self.now.run.start);
        let mark = self.now.clone();
        self.now.run.start = start;
        self.held += mark.size();
        self.marks.insert(near, mark);
        if self.held > MOST_HELD && self.marks.len() > LEAST_MARKS {
            let mut index = 0;
            self.marks.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.held = self.marks.iter().map(Mark::size).sum();
            self.spacing *= 2;
        }
    }
}

#[cfg(test)]
mod tests;
