//! Every step of a state.

use map_ir::{PointId, Program};
use map_semantics::{
    AgentSteps, Bounds, Choice, Choices, Ending, Observed, Path, SceneState, SceneStep, Step, Turn,
    agent_steps, may_time_out,
};

/// A step that can be made, or goes wrong, or is cut.
pub struct Possible {
    /// Which step.
    pub step: Step,
    /// Where the thread rested.
    pub place: PointId,
    /// What it comes to.
    pub observed: Observed,
}

impl Possible {
    /// Whether it can be made, perhaps to go wrong: nothing cuts it.
    #[must_use]
    pub fn can_be_made(&self) -> bool {
        matches!(self.observed.result, SceneStep::Made | SceneStep::Wrong(_))
    }

    /// The state it leads to; the same one unless the step is made.
    #[must_use]
    pub fn after(&self, bounds: &Bounds, before: &SceneState) -> SceneState {
        let mut after = before.clone();
        let Observed { outcome, result, lost, .. } = &self.observed;
        if let (SceneStep::Made, Ending::State(next)) = (result, &outcome.ending) {
            after.make(bounds, self.step.agent, next.clone(), outcome.action.as_ref(), lost);
        }
        after
    }
}

/// All steps, agent by agent, acts before timeouts; crashes come last.
#[must_use]
pub fn possible_steps(program: &Program, bounds: &Bounds, state: &SceneState) -> Vec<Possible> {
    let all: Vec<AgentSteps> = program
        .cast()
        .zip(&state.agents)
        .map(|(id, agent)| agent_steps(program, bounds, id, agent))
        .collect();
    let all_waiting = all.iter().all(AgentSteps::all_waiting);
    let mut found = Vec::new();
    for (agent, steps) in program.cast().zip(&all) {
        for (index, thread) in steps.threads.iter().enumerate() {
            let mut see = |turn: Turn, options: &[u32]| {
                let step = Step { agent, thread: index, turn, options: options.to_vec() };
                every_loss(program, bounds, state, &step, thread.thread, &mut found);
            };
            for act in &thread.acts {
                see(Turn::Act, &act.options);
            }
            if may_time_out(bounds, thread.waiting, all_waiting) {
                for timeout in &thread.timeouts {
                    see(Turn::Timeout, &timeout.options);
                }
            }
        }
    }
    for (agent, steps) in program.cast().zip(&all) {
        if let Some(thread) = steps.threads.first().filter(|_| steps.crash.is_some()) {
            let step = Step { agent, thread: 0, turn: Turn::Crash, options: Vec::new() };
            every_loss(program, bounds, state, &step, thread.thread, &mut found);
        }
    }
    found
}

/// Attempts the step once for each choice of the copies of its message that are lost.
fn every_loss(
    program: &Program,
    bounds: &Bounds,
    state: &SceneState,
    step: &Step,
    node: usize,
    found: &mut Vec<Possible>,
) {
    let place = state.agents[step.agent.index()].control.place(node);
    let mut losses = Path::default();
    loop {
        let mut settled = Settled { options: step.options.iter().copied(), losses: &mut losses };
        let observed = state.attempt(program, bounds, step.agent, step.thread, step.turn, &mut settled);
        let mut step = step.clone();
        step.options.extend(losses.options());
        if observed.result != SceneStep::Nothing {
            found.push(Possible { step, place, observed });
        }
        if losses.advance(false).is_err() {
            return;
        }
    }
}

/// Settles open questions with these options, in order, and losses one way after the other.
struct Settled<'p, I> {
    options: I,
    losses: &'p mut Path,
}

impl<I: Iterator<Item = u32>> Choices for Settled<'_, I> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        match choice {
            Choice::Loss { .. } => self.losses.choose(choice),
            _ => self.options.next().unwrap_or(0),
        }
    }
}
