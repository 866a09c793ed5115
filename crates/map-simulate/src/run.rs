//! The scheduler.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use map_ir::{AgentId, PerformativeId, PointId, Program, Value};
use map_semantics::{
    AgentState, Bounds, Ending, ObservedStep, Outcome, SceneState, SceneStep, Status, Step, StepError, Turn,
    open_cells,
};

use crate::dice::Dice;
use crate::options::{RunEnd, SimulationOptions};
use crate::outside::{Respondent, Response};
use crate::pool::{Drawn, Pool};
use crate::random::{Random, drawn};

/// After this many fruitless draws in a row the run ends with [`RunEnd::AskedInVain`], or with [`RunEnd::Cut`] if a
/// bound cut one of them.
pub const MAX_VAIN_DRAWS: u32 = 10_000;

/// A step of a run as the observer sees it: just before it is taken, so that nothing need be copied.
#[derive(Debug)]
pub struct SimulatedStep<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// The step itself, which can be replayed.
    pub step: Step,
    /// Where the thread rested before it.
    pub place: PointId,
    /// The agent before it.
    pub before: &'a AgentState,
    /// The state before it.
    pub scene: &'a SceneState,
    /// Everything observed of it.
    pub observed: &'a ObservedStep,
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: RunEnd,
    /// The number of its steps, including one that went wrong.
    pub steps: u64,
    /// The initial values chosen, as options of [`map_semantics::open_cells`].
    pub initial: Vec<u32>,
    /// The outcome of each agent's way to its first places, in the order of the cast.
    pub start: Vec<Outcome>,
    /// The last state; `None` if a way to the first places is cut or goes wrong.
    pub state: Option<SceneState>,
    /// For each agent, the number of its last step; 0 if it took none.
    pub last_step: Vec<u64>,
    /// How many messages were left unread by agents that had ended, by performative and agent.
    pub unread: BTreeMap<(PerformativeId, AgentId), u64>,
    /// The values received from outside, which the options of steps refer to ([`map_semantics::Reply::from_option`]).
    pub values: Vec<Value>,
}

impl Run {
    /// Counts a step.
    pub(crate) fn count(&mut self, agent: AgentId, observed: &ObservedStep) {
        self.steps += 1;
        self.last_step[agent.index()] = self.steps;
        for &unread in &observed.unread {
            *self.unread.entry(unread).or_default() += 1;
        }
    }

    /// Whether nothing can follow: it was not broken off, and no bound cut what was left.
    #[must_use]
    pub const fn has_come_to_an_end(&self) -> bool {
        match self.end {
            RunEnd::Ended | RunEnd::NothingMoves | RunEnd::AskedInVain | RunEnd::Wrong(..) => true,
            RunEnd::Cut(_)
            | RunEnd::MaxSteps
            | RunEnd::TooLong(..)
            | RunEnd::Unanswered(..)
            | RunEnd::NoHonestAnswer(..)
            | RunEnd::Stopped => false,
        }
    }

    /// Whether some agent has failed.
    #[must_use]
    pub fn some_failed(&self) -> bool {
        self.state
            .as_ref()
            .is_some_and(|state| state.agents.iter().any(|agent| agent.status == Status::Failed))
    }
}

/// Runs the scene once. `observer` sees every step just before it is taken, and may end the run with it.
pub fn simulate(
    program: &Program,
    bounds: &Bounds,
    options: &SimulationOptions,
    observer: &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>,
) -> Run {
    let initial = drawn_initial(program, options.seed);
    simulate_with(program, bounds, options, initial, &mut |_| Response::Chance, observer)
}

/// Like [`simulate`], but with these initial values ([`first`]), and `respondent` answers procedures that have no body,
/// unless it leaves them to chance.
pub fn simulate_with<'a>(
    program: &Program,
    bounds: &Bounds,
    options: &'a SimulationOptions,
    initial: Vec<u32>,
    respondent: &'a mut Respondent<'a>,
    observer: &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>,
) -> Run {
    let mut run = first(program, bounds, initial);
    run.values = go(program, bounds, (options, respondent), &mut run, observer);
    run
}

/// The initial values that [`simulate`] draws with this seed, as options of [`map_semantics::open_cells`].
#[must_use]
pub fn drawn_initial(program: &Program, seed: u64) -> Vec<u32> {
    // A generator of its own: the steps are drawn as if nothing had been chosen before.
    let mut random = Random::from_seed(!seed);
    open_cells(program)
        .map(|cell| drawn(&mut random, cell.values.len() as u32, cell.values.weights()))
        .collect()
}

/// Continues a run from its present state. `options.max_steps` limits the total number of steps, including earlier
/// ones.
pub fn go_on(
    program: &Program,
    bounds: &Bounds,
    options: &SimulationOptions,
    run: &mut Run,
    observer: &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>,
) {
    go(program, bounds, (options, &mut |_| Response::Chance), run, observer);
}

/// A run without steps: its end is [`RunEnd::Stopped`], or why there is no first state. `initial` has one option for
/// each of [`map_semantics::open_cells`].
///
/// # Panics
/// If these are no such options ([`map_semantics::are_initial`]).
#[must_use]
pub fn first(program: &Program, bounds: &Bounds, initial: Vec<u32>) -> Run {
    let (state, start) = SceneState::start(program, bounds, &initial);
    Run {
        initial,
        end: if state.is_some() { RunEnd::Stopped } else { no_first_state(&start) },
        steps: 0,
        start,
        state,
        last_step: vec![0; program.agents.len()],
        unread: BTreeMap::new(),
        values: Vec::new(),
    }
}

/// Continues a run to its end; returns the values received from outside on the way.
fn go<'a>(
    program: &Program,
    bounds: &Bounds,
    (options, respondent): (&'a SimulationOptions, &'a mut Respondent<'a>),
    run: &mut Run,
    observer: &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>,
) -> Vec<Value> {
    let Some(mut state) = run.state.take() else { return Vec::new() };
    let pool = Pool::new(program, bounds, &state);
    let dice = Dice::new(program, options, respondent);
    let (max_steps, crash) = (options.max_steps, options.crash);
    let mut scheduler = Scheduler { program, bounds, max_steps, crash, pool, dice };
    run.end = scheduler.go(&mut state, run, observer);
    run.state = Some(state);
    scheduler.dice.values.into_list()
}

/// Why there is no first state. Errors take precedence over cuts.
fn no_first_state(start: &[Outcome]) -> RunEnd {
    let ends = start.iter().enumerate().filter_map(|(agent, outcome)| match outcome.ending {
        Ending::Runaway(point) => Some(RunEnd::Wrong(AgentId::new(agent), StepError::Runaway(point))),
        Ending::TooLong(point) => Some(RunEnd::TooLong(AgentId::new(agent), point)),
        Ending::Cut(bound) => Some(RunEnd::Cut(bound)),
        Ending::RunError(error) => Some(RunEnd::Wrong(AgentId::new(agent), StepError::RunError(error))),
        Ending::State(_) | Ending::Nothing => None,
    });
    ends.min_by_key(|end| match end {
        RunEnd::Wrong(..) => 0,
        RunEnd::TooLong(..) => 1,
        _ => 2,
    })
    .unwrap_or(RunEnd::NothingMoves)
}

struct Scheduler<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    max_steps: u64,
    crash: f64,
    pool: Pool<'a>,
    dice: Dice<'a>,
}

impl Scheduler<'_> {
    fn go(
        &mut self,
        state: &mut SceneState,
        run: &mut Run,
        observer: &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>,
    ) -> RunEnd {
        let mut vain = 0;
        let mut cut = None;
        loop {
            if run.steps == self.max_steps && self.pool.can_move(state) {
                return RunEnd::MaxSteps;
            }
            let Some((agent, thread, turn)) = self.draw(state) else { return self.no_step(state) };
            self.dice.options.clear();
            let observed = match self.pool.take_certain(agent, thread, turn) {
                Some(outcome) => state.observe(self.bounds, agent, turn, outcome, &mut self.dice),
                None => state.attempt(self.program, self.bounds, agent, thread, turn, &mut self.dice),
            };
            if let Some(end) = self.dice.ended {
                return end;
            }
            match observed.result {
                SceneStep::Made | SceneStep::Wrong(_) => {}
                SceneStep::TooLong(point) => return RunEnd::TooLong(agent, point),
                SceneStep::Nothing | SceneStep::Cut(_) => {
                    if let SceneStep::Cut(bound) = observed.result {
                        cut = Some(bound);
                    }
                    vain += 1;
                    if vain == MAX_VAIN_DRAWS {
                        return cut.map_or(RunEnd::AskedInVain, RunEnd::Cut);
                    }
                    continue;
                }
            }
            (vain, cut) = (0, None);
            run.count(agent, &observed);
            let before = &state.agents[agent.index()];
            let shown = if turn == Turn::Arrive { 0 } else { thread };
            let node = before.control.threads().nth(shown).expect("the thread that was drawn");
            let options = std::mem::take(&mut self.dice.options);
            let seen = SimulatedStep {
                number: run.steps,
                step: Step { agent, thread, turn, options },
                place: before.control.place(node),
                before,
                scene: state,
                observed: &observed,
            };
            let stopped = observer(&seen).is_break();
            self.dice.options = seen.step.options;
            if let SceneStep::Wrong(error) = observed.result {
                return RunEnd::Wrong(agent, error);
            }
            self.pool.make(state, agent, observed.outcome, &observed.lost);
            if stopped {
                return RunEnd::Stopped;
            }
        }
    }

    /// Draws the next attempt; `None` if only crashes are possible.
    fn draw(&mut self, state: &SceneState) -> Option<(AgentId, usize, Turn)> {
        if state.may_crash(self.bounds) && self.dice.random.chance(self.crash) && self.pool.can_move(state) {
            let may_crash: Vec<AgentId> = state.may_crash_next(self.bounds).collect();
            let unlucky = may_crash[self.dice.random.below(may_crash.len() as u64) as usize];
            return Some((unlucky, 0, Turn::Crash));
        }
        let Drawn { agent, thread, act, timeout } = self.pool.draw(state, &mut self.dice.random)?;
        if thread >= state.agents[agent.index()].control.threads().count() {
            return Some((agent, thread, Turn::Arrive));
        }
        let timeout = if act && timeout { self.dice.random.below(2) == 1 } else { timeout };
        Some((agent, thread, if timeout { Turn::Timeout } else { Turn::Act }))
    }

    /// The end of a run that has no steps left.
    fn no_step(&self, state: &SceneState) -> RunEnd {
        if state.agents.iter().all(|agent| agent.status != Status::Running) {
            return RunEnd::Ended;
        }
        self.pool.cut().map_or(RunEnd::NothingMoves, RunEnd::Cut)
    }
}
