//! Traces: lists of steps that can be repeated, and their repetition on plain states.

use map_ir::{PointId, Program, Value};
use map_semantics::{
    AgentSteps, Bounds, Ending, Observed, Outcome, Recorded, SceneState, SceneStep, Status, Step, StepError,
    Turn, agent_steps, may_time_out,
};

use crate::{InternalError, ViolationKind};

/// A trace from the first state. Its last step may be one that goes wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A trace that has been repeated.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What each agent did on its way to its first places, in the order of the cast.
    pub start: Vec<Outcome>,
    /// The steps with all that was seen of them.
    pub steps: Vec<ReplayedStep>,
    /// The state before each step, and the last one; empty if there is no first state.
    pub states: Vec<SceneState>,
}

/// A step that has been repeated.
#[derive(Clone, Debug)]
pub struct ReplayedStep {
    /// Which step.
    pub step: Step,
    /// Where the thread rested before it.
    pub place: PointId,
    /// What was seen of it.
    pub observed: Observed,
}

/// Repeats a trace through `map-semantics` on plain states.
///
/// # Errors
/// If some step is not possible where it stands, or one before the last goes wrong.
pub fn replay(program: &Program, bounds: &Bounds, trace: &Trace) -> Result<Replayed, InternalError> {
    replay_with(program, bounds, trace, &[])
}

/// Repeats a trace in which procedures were answered from outside; `values` is what its options refer to
/// ([`map_semantics::Reply::from_option`]).
///
/// # Errors
/// As those of [`replay`].
pub fn replay_with(
    program: &Program,
    bounds: &Bounds,
    trace: &Trace,
    values: &[Value],
) -> Result<Replayed, InternalError> {
    let (state, start) = SceneState::start(program, bounds);
    let mut replayed = Replayed { start, steps: Vec::new(), states: Vec::new() };
    let Some(mut state) = state else {
        return if trace.steps.is_empty() {
            Ok(replayed)
        } else {
            Err(impossible(0, "there is no first state"))
        };
    };
    replayed.states.push(state.clone());
    for (index, step) in trace.steps.iter().enumerate() {
        let agent = state.agents.get(step.agent.index()).ok_or_else(|| impossible(index, "no such agent"))?;
        let node =
            agent.control.threads().nth(step.thread).ok_or_else(|| impossible(index, "no such thread"))?;
        let place = agent.control.place(node);
        if step.turn == Turn::Timeout && !time_may_run_out(program, bounds, &state, step) {
            return Err(impossible(index, "time cannot run out here"));
        }
        let mut options = Recorded::new(&step.options, values, state.fresh);
        let observed = state.step(program, bounds, step.agent, step.thread, step.turn, &mut options);
        if !options.fits() {
            return Err(impossible(index, "the recorded answers do not fit"));
        }
        match observed.result {
            SceneStep::Made => replayed.states.push(state.clone()),
            SceneStep::Wrong(_) if index + 1 == trace.steps.len() => {}
            _ => return Err(impossible(index, "there is no such step")),
        }
        replayed.steps.push(ReplayedStep { step: step.clone(), place, observed });
    }
    Ok(replayed)
}

/// Repeats the trace of a violation and looks whether it shows what it is said to show.
pub(crate) fn confirm(
    program: &Program,
    bounds: &Bounds,
    kind: ViolationKind,
    possible: bool,
    trace: &Trace,
) -> Result<(), InternalError> {
    let replayed = replay(program, bounds, trace)?;
    let wrong = replayed.steps.last().map(|step| &step.observed.result);
    let last = replayed.states.last();
    let shown = match kind {
        ViolationKind::Failure => {
            last.is_some_and(|state| state.agents.iter().any(|agent| agent.status == Status::Failed))
        }
        ViolationKind::Deadlock => last.is_some_and(|state| possible || !has_step(program, bounds, state)),
        ViolationKind::MailboxOverflow => matches!(wrong, Some(SceneStep::Wrong(StepError::Overflow(_)))),
        ViolationKind::RunawayRecursion => {
            matches!(wrong, Some(SceneStep::Wrong(StepError::Runaway(_))))
                || replayed.start.iter().any(|outcome| matches!(outcome.ending, Ending::Runaway(_)))
        }
        ViolationKind::RunError => matches!(wrong, Some(SceneStep::Wrong(StepError::RunError(_)))),
        ViolationKind::Livelock => last.is_some_and(|state| has_step(program, bounds, state)),
    };
    if shown { Ok(()) } else { Err(InternalError(format!("the trace shows no {}", kind.words()))) }
}

/// Whether anything but a crash can happen.
fn has_step(program: &Program, bounds: &Bounds, state: &SceneState) -> bool {
    let steps = steps_of_all(program, bounds, state);
    let all_waiting = steps.iter().all(AgentSteps::all_waiting);
    program.cast().zip(&steps).any(|(agent, steps)| {
        steps.threads.iter().enumerate().any(|(index, thread)| {
            let is_step = |turn: Turn, options: &[u32]| {
                let mut options = Recorded::new(options, &[], state.fresh);
                let observed = state.clone().step(program, bounds, agent, index, turn, &mut options);
                observed.result != SceneStep::Nothing
            };
            thread.acts.iter().any(|act| is_step(Turn::Act, &act.options))
                || (may_time_out(bounds, thread.waiting, all_waiting)
                    && thread.timeouts.iter().any(|timeout| is_step(Turn::Timeout, &timeout.options)))
        })
    })
}

fn steps_of_all(program: &Program, bounds: &Bounds, state: &SceneState) -> Vec<AgentSteps> {
    program
        .cast()
        .zip(&state.agents)
        .map(|(agent, state)| agent_steps(program, bounds, agent, state))
        .collect()
}

fn impossible(index: usize, why: &str) -> InternalError {
    InternalError(format!("step {} of the trace cannot be repeated: {why}", index + 1))
}

fn time_may_run_out(program: &Program, bounds: &Bounds, state: &SceneState, step: &Step) -> bool {
    let steps = steps_of_all(program, bounds, state);
    let all_waiting = steps.iter().all(AgentSteps::all_waiting);
    let own = steps[step.agent.index()].threads.get(step.thread);
    own.is_some_and(|thread| may_time_out(bounds, thread.waiting, all_waiting))
}
