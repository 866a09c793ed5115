//! Runs whose steps are given, not drawn.

use std::fmt;
use std::ops::ControlFlow;

use map_ir::{Program, Value};
use map_semantics::{BoundHit, Bounds, Recorded, SceneState, SceneStep, Step, Turn};

use crate::options::RunEnd;
use crate::pool::Pool;
use crate::run::{Run, SimulatedStep};

/// Why a step that is given cannot be made where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// There is no first state.
    NoFirstState,
    /// The step before it went wrong, which ends a run.
    AfterTheEnd,
    /// The cast has no agent of that number.
    NoAgent,
    /// The agent has no thread of that number, or has ended.
    NoThread,
    /// Time cannot run out there.
    NoTimeout,
    /// The options are too many, too few, or not among those there are.
    Options,
    /// The act comes to nothing, so it is no step.
    Nothing,
    /// A bound cuts it.
    Cut(BoundHit),
    /// The act makes too many calls.
    TooLong,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoFirstState => "the scene has no first state",
            Self::AfterTheEnd => "the step before it goes wrong, which ends the run",
            Self::NoAgent => "the cast has no agent of that number",
            Self::NoThread => "the agent has no such thread, or has ended",
            Self::NoTimeout => "time cannot run out there",
            Self::Options => "what was left open cannot be settled so",
            Self::Nothing => "it comes to nothing",
            Self::Cut(BoundHit::Depth) => "the bound on the depth cuts it",
            Self::Cut(BoundHit::Rounds) => "the bound on rounds cuts it",
            Self::TooLong => "it makes too many calls",
        })
    }
}

/// Makes these steps, from where the run is. `values` is what options that came from outside refer to
/// ([`map_semantics::Reply::from_option`]). `observer` sees every step, as in [`crate::simulate`], and may stop it. The
/// run's end is [`RunEnd::Stopped`] afterwards, or what went wrong in the last step.
///
/// # Errors
/// The first step that cannot be made: how many were made before it, and why. These have been made.
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
    let agent = state.agents.get(step.agent.index()).ok_or(Impossible::NoAgent)?;
    let node = agent.control.threads().nth(step.thread).ok_or(Impossible::NoThread)?;
    let place = agent.control.place(node);
    if step.turn == Turn::Timeout && !pool.may_time_out(state, step.agent, step.thread) {
        return Err(Impossible::NoTimeout);
    }
    let mut recorded = Recorded::new(&step.options, values, state.fresh);
    let observed = state.attempt(program, bounds, step.agent, step.thread, step.turn, &mut recorded);
    if !recorded.fits() {
        return Err(Impossible::Options);
    }
    match observed.result {
        SceneStep::Made | SceneStep::Wrong(_) => {}
        SceneStep::Nothing => return Err(Impossible::Nothing),
        SceneStep::Cut(bound) => return Err(Impossible::Cut(bound)),
        SceneStep::TooLong(_) => return Err(Impossible::TooLong),
    }
    run.count(step.agent, &observed);
    let before = &state.agents[step.agent.index()];
    let flow = observer(&SimulatedStep {
        number: run.steps,
        step: step.clone(),
        place,
        before,
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
