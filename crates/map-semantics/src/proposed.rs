//! Checks whether a proposed step exists: for callers that replay steps or let a user choose them.

use std::fmt;

use map_ir::{PointId, Program, Value};

use crate::outcome::BoundHit;
use crate::scene::{ObservedStep, SceneState, SceneStep};
use crate::step::{Step, Turn};
use crate::{Bounds, RecordedOptions};

/// Why a proposed step does not exist or cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoStep {
    /// The cast has no agent with this number.
    NoAgent,
    /// The agent has no thread with this number, or has ended.
    NoThread,
    /// Time cannot run out there.
    NoTimeout,
    /// There are too many or too few options, or one is out of range.
    Options,
    /// The act comes to nothing, so it is not a step.
    Nothing,
    /// A bound cuts it.
    Cut(BoundHit),
    /// The act makes too many calls.
    TooLong,
}

impl fmt::Display for NoStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoAgent => "the cast has no agent of that number",
            Self::NoThread => "the agent has no such thread, or has ended",
            Self::NoTimeout => "time cannot run out there",
            Self::Options => "what was left open cannot be settled so",
            Self::Nothing => "it comes to nothing",
            Self::Cut(BoundHit::Depth) => "the bound on the depth cuts it",
            Self::Cut(BoundHit::Rounds) => "the bound on rounds cuts it",
            Self::TooLong => "it makes too many calls, or can go on in too many ways",
        })
    }
}

/// A proposed step that can be taken.
#[derive(Clone, Debug)]
pub struct ProposedStep {
    /// Where the thread rests before it.
    pub place: PointId,
    /// Its result: [`SceneStep::Made`] or [`SceneStep::Wrong`]. The state has not changed; [`SceneState::follow`] takes
    /// the step.
    pub observed: ObservedStep,
}

/// Checks whether a state has a step, and computes its result. `values` are the values that options from outside refer
/// to ([`crate::Reply::from_option`]). `may_time_out` is called for a timeout and says whether time may run out for its
/// thread: [`crate::time_may_run_out`], unless the caller knows the answer already.
///
/// # Errors
/// If there is no such step, or it cannot be taken.
pub fn propose(
    program: &Program,
    bounds: &Bounds,
    state: &SceneState,
    step: &Step,
    values: &[Value],
    may_time_out: impl FnOnce() -> bool,
) -> Result<ProposedStep, NoStep> {
    let Step { agent, thread, turn, options } = step;
    let before = state.agents.get(agent.index()).ok_or(NoStep::NoAgent)?;
    let control = &before.control;
    let node = match turn {
        // The message is for the agent as a whole.
        Turn::Arrive => {
            let way = thread.checked_sub(control.threads().count());
            way.and_then(|way| before.under_way.ways().nth(way)).and(control.threads().next())
        }
        Turn::Act | Turn::Timeout | Turn::Crash => control.threads().nth(*thread),
    };
    let node = node.ok_or(NoStep::NoThread)?;
    if *turn == Turn::Crash && *thread != 0 {
        return Err(NoStep::NoThread);
    }
    if *turn == Turn::Timeout && !may_time_out() {
        return Err(NoStep::NoTimeout);
    }
    let mut recorded = RecordedOptions::new(options, values, state.fresh);
    let observed = state.attempt(program, bounds, *agent, *thread, *turn, &mut recorded);
    if !recorded.fits() {
        return Err(NoStep::Options);
    }
    match observed.result {
        SceneStep::Made | SceneStep::Wrong(_) => Ok(ProposedStep { place: control.place(node), observed }),
        SceneStep::Nothing => Err(NoStep::Nothing),
        SceneStep::Cut(bound) => Err(NoStep::Cut(bound)),
        SceneStep::TooLong(_) => Err(NoStep::TooLong),
    }
}
