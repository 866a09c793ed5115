//! Runs whose steps are given rather than drawn.

use std::fmt;
use std::ops::ControlFlow;

use map_ir::{Program, Value};
use map_semantics::{Bounds, NoStep, ProposedStep, SceneState, SceneStep, Step, propose};

use crate::options::RunEnd;
use crate::pool::Pool;
use crate::run::{Run, SimulatedStep};

/// Why a given step cannot be taken at its place in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// There is no first state.
    NoFirstState,
    /// The step before it went wrong, which ended the run.
    AfterTheEnd,
    /// It is not a step of the state.
    NoStep(NoStep),
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFirstState => f.write_str("the scene has no first state"),
            Self::AfterTheEnd => f.write_str("the step before it goes wrong, which ends the run"),
            Self::NoStep(why) => why.fmt(f),
        }
    }
}

/// Takes these steps from the present state of the run. `values` are the values that options from outside refer to
/// ([`map_semantics::Reply::from_option`]). `observer` sees every step, as in [`crate::simulate`], and may stop.
/// Afterwards the run's end is [`RunEnd::Stopped`], or the error of the last step.
///
/// # Errors
/// If a step cannot be taken: the number of steps taken before it, and the reason. The run stays at the state before
/// that step.
pub fn repeat<'s>(
    program: &Program,
    bounds: &Bounds,
    run: &mut Run,
    steps: impl IntoIterator<Item = &'s Step>,
    values: &[Value],
    observer: &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>,
) -> Result<(), (u64, Impossible)> {
    let mut steps = steps.into_iter().peekable();
    let Some(mut state) = run.state.take() else {
        return if steps.peek().is_some() { Err((0, Impossible::NoFirstState)) } else { Ok(()) };
    };
    let mut pool = Pool::new(program, bounds, &state);
    let mut result = Ok(());
    for (index, step) in (0..).zip(steps) {
        match one(program, bounds, run, (&mut state, &mut pool), step, values, observer) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => break,
            Err(why) => {
                result = Err((index, why));
                break;
            }
        }
    }
    run.state = Some(state);
    result
}

fn one(
    program: &Program,
    bounds: &Bounds,
    run: &mut Run,
    (state, pool): (&mut SceneState, &mut Pool<'_>),
    step: &Step,
    values: &[Value],
    observer: &mut dyn FnMut(&SimulatedStep<'_>) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Impossible> {
    if matches!(run.end, RunEnd::Wrong(..)) {
        return Err(Impossible::AfterTheEnd);
    }
    let in_time = || pool.may_time_out(state, step.agent, step.thread);
    let proposed = propose(program, bounds, state, step, values, in_time);
    let ProposedStep { place, observed } = proposed.map_err(Impossible::NoStep)?;
    run.count(step.agent, &observed);
    let before = &state.agents[step.agent.index()];
    let flow = observer(&SimulatedStep {
        number: run.steps,
        step: step.clone(),
        place,
        before,
        scene: state,
        observed: &observed,
    });
    match observed.result {
        SceneStep::Wrong(error) => run.end = RunEnd::Wrong(step.agent, error),
        _ => {
            run.end = RunEnd::Stopped;
            pool.make(state, step.agent, observed.outcome, &observed.lost);
        }
    }
    Ok(flow)
}
