//! The scheduler.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use map_ir::{AgentId, PerformativeId, PointId, Program};
use map_semantics::{
    Action, AgentState, BoundHit, Bounds, Choice, Choices, Ending, Observed, Outcome, SceneState, SceneStep,
    Status, Step, StepError,
};

use crate::Random;
use crate::moves::Moves;

/// After so many draws in a row that came to nothing the run ends with [`RunEnd::AskedInVain`], or with
/// [`RunEnd::Cut`] if a bound had a share in it.
pub const MAX_VAIN_DRAWS: u32 = 10_000;

/// What determines a run beside program and bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulationOptions {
    /// Determines everything that is drawn.
    pub seed: u64,
    /// The probability, from 0 to 1, that a decision answers when it might say "no".
    pub yes: f64,
    /// The run ends after so many steps.
    pub max_steps: u64,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All agents have ended.
    Ended,
    /// Some agents have not ended, and there is no step.
    NothingMoves,
    /// The last step goes wrong.
    Wrong(AgentId, StepError),
    /// The only steps left are cut by a bound.
    Cut(BoundHit),
    /// Nothing but polls could happen, and they came to nothing again and again.
    AskedInVain,
    /// [`SimulationOptions::max_steps`] were made and there are more.
    MaxSteps,
    /// An act made more calls than any sensible one ([`map_semantics::MAX_CALLS`]).
    TooLong(AgentId, PointId),
    /// The observer ended the run.
    Stopped,
}

/// A step of a run, as the observer sees it.
#[derive(Debug)]
pub struct SimulatedStep<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// Which step: enough to repeat it.
    pub step: Step,
    /// Where the thread rested before it.
    pub place: PointId,
    /// The agent before it.
    pub before: &'a AgentState,
    /// What was seen of it.
    pub observed: &'a Observed,
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// How.
    pub end: RunEnd,
    /// How many steps it had; one that goes wrong counts.
    pub steps: u64,
    /// What each agent did on its way to its first places, in the order of the cast.
    pub start: Vec<Outcome>,
    /// The last state; none if a way to the first places is cut or goes wrong.
    pub state: Option<SceneState>,
    /// For each agent the number of its last step; 0 if it made none.
    pub last_step: Vec<u64>,
    /// How often messages were left unread by agents that had ended.
    pub unread: BTreeMap<(PerformativeId, AgentId), u64>,
}

impl Run {
    /// Whether some agent has failed.
    #[must_use]
    pub fn some_failed(&self) -> bool {
        self.state
            .as_ref()
            .is_some_and(|state| state.agents.iter().any(|agent| agent.status == Status::Failed))
    }
}

/// Runs the scene once. `observer` sees every step as soon as it is made and may end the run.
pub fn simulate(
    program: &Program,
    bounds: &Bounds,
    options: &SimulationOptions,
    observer: &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>,
) -> Run {
    let (state, start) = SceneState::start(program, bounds);
    let mut run = Run {
        end: RunEnd::Ended,
        steps: 0,
        start,
        state: None,
        last_step: vec![0; program.agents.len()],
        unread: BTreeMap::new(),
    };
    match state {
        None => run.end = no_first_state(&run.start),
        Some(mut state) => {
            let mut scheduler = Scheduler::new(program, bounds, options, &state);
            run.end = scheduler.go(&mut state, &mut run, observer);
            run.state = Some(state);
        }
    }
    run
}

/// Why there is no first state. What goes wrong is worth more than what is cut.
fn no_first_state(start: &[Outcome]) -> RunEnd {
    let ends = start.iter().enumerate().filter_map(|(agent, outcome)| match outcome.ending {
        Ending::Runaway(point) => Some(RunEnd::Wrong(AgentId::new(agent), StepError::Runaway(point))),
        Ending::TooLong(point) => Some(RunEnd::TooLong(AgentId::new(agent), point)),
        Ending::Cut(bound) => Some(RunEnd::Cut(bound)),
        // Nothing is asked on the way to the first places.
        Ending::State(_) | Ending::Nothing | Ending::RunError(_) => None,
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
    moves: Vec<Moves>,
    dice: Dice,
}

impl<'a> Scheduler<'a> {
    fn new(
        program: &'a Program,
        bounds: &'a Bounds,
        options: &SimulationOptions,
        state: &SceneState,
    ) -> Self {
        let agents = program.cast().zip(&state.agents);
        let moves = agents.map(|(agent, state)| Moves::of(program, bounds, agent, state)).collect();
        let dice = Dice { random: Random::from_seed(options.seed), yes: options.yes, options: Vec::new() };
        Self { program, bounds, max_steps: options.max_steps, moves, dice }
    }

    fn go(
        &mut self,
        state: &mut SceneState,
        run: &mut Run,
        observer: &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>,
    ) -> RunEnd {
        let mut vain = 0;
        let mut cut = None;
        loop {
            let quiescent = self.moves.iter().all(|moves| moves.all_waiting);
            let movable: usize = self.moves.iter().map(|moves| moves.movable(quiescent)).sum();
            if movable == 0 {
                return self.no_step(state, quiescent);
            }
            if run.steps == self.max_steps {
                return RunEnd::MaxSteps;
            }
            let (agent, thread, timeout) = self.draw(quiescent, movable);
            let before = state.agents[agent.index()].clone();
            self.dice.options.clear();
            let observed = state.step(self.program, self.bounds, agent, thread, timeout, &mut self.dice);
            let made = match observed.result {
                SceneStep::Made => true,
                SceneStep::Wrong(_) => false,
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
            };
            (vain, cut) = (0, None);
            run.steps += 1;
            run.last_step[agent.index()] = run.steps;
            for &unread in &observed.unread {
                *run.unread.entry(unread).or_default() += 1;
            }
            if made {
                self.refresh(state, agent, &observed);
            }
            let node = before.control.threads().nth(thread).expect("the thread that was drawn");
            let seen = SimulatedStep {
                number: run.steps,
                step: Step { agent, thread, timeout, options: self.dice.options.clone() },
                place: before.control.place(node),
                before: &before,
                observed: &observed,
            };
            let stopped = observer(&seen).is_break();
            match observed.result {
                SceneStep::Wrong(error) => return RunEnd::Wrong(agent, error),
                _ if stopped => return RunEnd::Stopped,
                _ => {}
            }
        }
    }

    /// Draws a thread among those that have a step, and whether it acts or its time runs out.
    fn draw(&mut self, quiescent: bool, movable: usize) -> (AgentId, usize, bool) {
        let mut n = self.dice.random.below(movable as u64) as usize;
        for (agent, moves) in self.moves.iter().enumerate() {
            let here = moves.movable(quiescent);
            if n < here {
                let (thread, act, timeout) = moves.nth_movable(self.bounds, quiescent, n);
                let timeout = if act && timeout { self.dice.random.below(2) == 1 } else { timeout };
                return (AgentId::new(agent), thread, timeout);
            }
            n -= here;
        }
        unreachable!("n is below the number of threads that have a step")
    }

    /// Only those who acted or were sent something can do other things than before.
    fn refresh(&mut self, state: &SceneState, actor: AgentId, observed: &Observed) {
        let recipients: &[AgentId] = match &observed.outcome.action {
            Some(Action::Send { to, .. }) => to,
            _ => &[],
        };
        for &agent in recipients.iter().chain([&actor]) {
            let index = agent.index();
            self.moves[index] = Moves::of(self.program, self.bounds, agent, &state.agents[index]);
        }
    }

    fn no_step(&self, state: &SceneState, quiescent: bool) -> RunEnd {
        if state.agents.iter().all(|agent| agent.status != Status::Running) {
            return RunEnd::Ended;
        }
        let cut = self.moves.iter().find_map(|moves| moves.cut(self.bounds, quiescent));
        cut.map_or(RunEnd::NothingMoves, RunEnd::Cut)
    }
}

/// Settles open questions at random, and remembers how.
struct Dice {
    random: Random,
    yes: f64,
    options: Vec<u32>,
}

impl Choices for Dice {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        let option = match choice {
            Choice::Answer { .. } => u32::from(self.random.chance(self.yes)),
            Choice::Equal { .. }
            | Choice::Condition { .. }
            | Choice::Domain { .. }
            | Choice::Recipients { .. } => self.random.below(u64::from(choice.options())) as u32,
        };
        self.options.push(option);
        option
    }
}
