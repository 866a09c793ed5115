//! The steps of a plain state, for searches that are small and must not rest on any table.

use map_ir::{AgentId, Program};
use map_semantics::{
    AgentSteps, Bounds, Observed, Outcome, Recorded, SceneState, SceneStep, Step, StepError, Timeouts, Turn,
    agent_steps, may_time_out,
};

use crate::report::ViolationKind;

/// A step that is made or goes wrong.
pub(crate) struct Made {
    pub(crate) step: Step,
    /// Whether it rests on an open comparison.
    pub(crate) compared: bool,
    /// How it goes wrong, if it does.
    pub(crate) wrong: Option<ViolationKind>,
    /// What happens in it.
    pub(crate) outcome: Outcome,
    /// The state before it, if it goes wrong.
    pub(crate) next: SceneState,
}

/// Every step of those agents that are `wanted` but crashes, in the order of agents and threads; where copies of a message
/// may be lost, none is.
pub(crate) fn steps_of(
    program: &Program,
    bounds: &Bounds,
    scene: &SceneState,
    wanted: impl Fn(AgentId) -> bool,
) -> Vec<Made> {
    let all: Vec<AgentSteps> = program
        .cast()
        .zip(&scene.agents)
        .map(|(agent, it)| agent_steps(program, bounds, agent, it))
        .collect();
    let all_waiting = all.iter().all(AgentSteps::all_waiting);
    let compared = all.iter().flat_map(|steps| &steps.threads).any(|thread| thread.waiting_compared);
    let mut made = Vec::new();
    for (agent, steps) in program.cast().zip(&all).filter(|&(agent, _)| wanted(agent)) {
        for (index, thread) in steps.threads.iter().enumerate() {
            let acts = thread.acts.iter().map(|act| (act, Turn::Act, act.compared));
            let early = match bounds.timeouts {
                Timeouts::Quiescent => compared,
                Timeouts::Any => thread.waiting_compared,
            };
            let timeouts = thread.timeouts.iter().map(|it| (it, Turn::Timeout, it.compared || early));
            let timeouts = timeouts.filter(|_| may_time_out(bounds, thread.waiting, all_waiting));
            for (resolved, turn, compared) in acts.chain(timeouts) {
                let options = resolved.options.clone();
                let mut step = Step { agent, thread: index, turn, options };
                let (next, observed) = take(program, bounds, scene, &mut step);
                let wrong = match observed.result {
                    SceneStep::Made => None,
                    SceneStep::Wrong(StepError::Overflow(_)) => Some(ViolationKind::MailboxOverflow),
                    SceneStep::Wrong(StepError::Runaway(_)) => Some(ViolationKind::RunawayRecursion),
                    SceneStep::Wrong(StepError::RunError(_)) => Some(ViolationKind::RunError),
                    SceneStep::Nothing | SceneStep::Cut(_) | SceneStep::TooLong(_) => continue,
                };
                made.push(Made { step, compared, wrong, outcome: observed.outcome, next });
            }
        }
    }
    made
}

/// Takes a step; its options become complete by letting every copy arrive that might be lost.
fn take(program: &Program, bounds: &Bounds, scene: &SceneState, step: &mut Step) -> (SceneState, Observed) {
    let most = step.options.len() + scene.agents.len();
    loop {
        let mut next = scene.clone();
        let mut recorded = Recorded::new(&step.options, &[], scene.fresh);
        let observed = next.step(program, bounds, step.agent, step.thread, step.turn, &mut recorded);
        if recorded.fits() || step.options.len() >= most {
            return (next, observed);
        }
        step.options.push(0);
    }
}
