//! Every step of a state, repeated on a copy of it.

use map_ir::{AgentId, PointId, Program};
use map_semantics::{
    AgentSteps, Bounds, Choice, Choices, Observed, SceneState, SceneStep, Step, agent_steps, may_time_out,
};

/// A step that can be made, or goes wrong, or is cut.
pub(super) struct Possible {
    pub(super) step: Step,
    /// Where the thread rested.
    pub(super) place: PointId,
    pub(super) observed: Observed,
    /// The state it leads to; the same one unless the step is made.
    pub(super) after: SceneState,
}

/// All steps, agent by agent, acts before timeouts.
pub(super) fn steps(program: &Program, bounds: &Bounds, state: &SceneState) -> Vec<Possible> {
    let all: Vec<AgentSteps> = program
        .cast()
        .zip(&state.agents)
        .map(|(id, agent)| agent_steps(program, bounds, id, agent))
        .collect();
    let all_waiting = all.iter().all(AgentSteps::all_waiting);
    let mut found = Vec::new();
    for (agent, steps) in program.cast().zip(&all) {
        for (index, thread) in steps.threads.iter().enumerate() {
            let mut see = |timeout: bool, options: &[u32]| {
                let step = Step { agent, thread: index, timeout, options: options.to_vec() };
                let (observed, after) = take(program, bounds, state, agent, &step);
                if observed.result != SceneStep::Nothing {
                    let place = state.agents[agent.index()].control.place(thread.thread);
                    found.push(Possible { step, place, observed, after });
                }
            };
            for act in &thread.acts {
                see(false, &act.options);
            }
            if may_time_out(bounds, thread.waiting, all_waiting) {
                for timeout in &thread.timeouts {
                    see(true, &timeout.options);
                }
            }
        }
    }
    found
}

fn take(
    program: &Program,
    bounds: &Bounds,
    state: &SceneState,
    agent: AgentId,
    step: &Step,
) -> (Observed, SceneState) {
    let mut after = state.clone();
    let mut settled = Settled(step.options.iter().copied());
    let observed = after.step(program, bounds, agent, step.thread, step.timeout, &mut settled);
    (observed, after)
}

/// Settles open questions with these options, in order.
struct Settled<I>(I);

impl<I: Iterator<Item = u32>> Choices for Settled<I> {
    fn choose(&mut self, _: &Choice<'_>) -> u32 {
        self.0.next().unwrap_or(0)
    }
}
