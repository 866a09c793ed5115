//! Replay of traces on unreduced states.

use map_ir::{PointId, Program, Value};
use map_semantics::{
    Bounds, Ending, ObservedStep, Outcome, ProposedStep, SceneState, SceneStep, Status, Step, are_initial,
    propose, scene_steps, time_may_run_out,
};

use crate::budget::{Budget, Limit};
use crate::report::{InternalError, Trace, ViolationKind};

/// Why there is no trace for something that was found.
pub(crate) enum NoTrace {
    /// A limit was reached.
    Limit(Limit),
    /// A path of representatives could not be lifted to the scene: if agents hold names of interchangeable others, a
    /// state may have two representatives, and the scene reaches the other one.
    Unlifted,
    /// The engine contradicts itself.
    Broken(InternalError),
}

/// Why a search has no report.
pub(crate) enum NoReport {
    /// [`NoTrace::Unlifted`]: a search without symmetry has one.
    Unlifted,
    /// The engine contradicts itself.
    Broken(InternalError),
}

impl From<NoReport> for InternalError {
    fn from(why: NoReport) -> Self {
        match why {
            NoReport::Unlifted => Self("a reduced trace stands for none of the scene".to_owned()),
            NoReport::Broken(error) => error,
        }
    }
}

impl From<InternalError> for NoReport {
    fn from(error: InternalError) -> Self {
        Self::Broken(error)
    }
}

impl From<Limit> for NoTrace {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<InternalError> for NoTrace {
    fn from(error: InternalError) -> Self {
        Self::Broken(error)
    }
}

/// Bytes that a message in a mailbox adds to a replayed state: an entry of a queue with room for twice as many. The
/// message itself is shared.
pub(crate) const KEPT_MESSAGE: usize = 2 * size_of::<(u64, usize)>();

/// A replayed trace.
#[derive(Clone, Debug)]
pub struct ReplayedRun {
    /// The initial values chosen, as options of [`map_semantics::open_cells`].
    pub initial: Vec<u32>,
    /// What each agent did to reach its first places, in the order of the cast.
    pub start: Vec<Outcome>,
    /// The steps, with everything observed of them.
    pub steps: Vec<ReplayedStep>,
    /// The state before each step, and the last one; empty if there is no initial state.
    pub states: Vec<SceneState>,
}

/// A replayed step.
#[derive(Clone, Debug)]
pub struct ReplayedStep {
    /// The step.
    pub step: Step,
    /// The point at which the thread rested before it.
    pub place: PointId,
    /// What was observed of it.
    pub observed: ObservedStep,
}

/// Replays a trace through `map-semantics` on unreduced states.
///
/// # Errors
/// If some step is not possible in its state, or one before the last goes wrong.
pub fn replay(program: &Program, bounds: &Bounds, trace: &Trace) -> Result<ReplayedRun, InternalError> {
    replay_with(program, bounds, trace, &[])
}

/// Replays a trace in which procedures were answered from outside; its options refer to `values`
/// ([`map_semantics::Reply::from_option`]).
///
/// # Errors
/// As those of [`replay`].
pub fn replay_with(
    program: &Program,
    bounds: &Bounds,
    trace: &Trace,
    values: &[Value],
) -> Result<ReplayedRun, InternalError> {
    let mut states = Vec::new();
    let Repeated { start, steps, last } = repeat(program, bounds, trace, values, &mut |before| {
        states.push(before.clone());
        Ok::<(), InternalError>(())
    })?;
    states.extend(last);
    Ok(ReplayedRun { initial: trace.initial.clone(), start, steps, states })
}

/// A replayed trace, without the intermediate states.
struct Repeated {
    start: Vec<Outcome>,
    steps: Vec<ReplayedStep>,
    /// The last state; `None` if the last step went wrong, or if there is no initial state.
    last: Option<SceneState>,
}

/// Replays a trace; calls `before` with the state before each step.
fn repeat<E: From<InternalError>>(
    program: &Program,
    bounds: &Bounds,
    trace: &Trace,
    values: &[Value],
    before: &mut dyn FnMut(&SceneState) -> Result<(), E>,
) -> Result<Repeated, E> {
    if !are_initial(program, &trace.initial) {
        return Err(
            InternalError("the initial values of the trace are not those of the scene".to_owned()).into()
        );
    }
    let (state, start) = SceneState::start(program, bounds, &trace.initial);
    let Some(mut state) = state else {
        return if trace.steps.is_empty() {
            Ok(Repeated { start, steps: Vec::new(), last: None })
        } else {
            Err(impossible(0, "there is no first state").into())
        };
    };
    let mut steps = Vec::new();
    let mut went_wrong = false;
    for (index, step) in trace.steps.iter().enumerate() {
        before(&state)?;
        if went_wrong {
            return Err(impossible(index, "the step before it goes wrong").into());
        }
        let in_time = || time_may_run_out(program, bounds, &state, step.agent, step.thread);
        let ProposedStep { place, observed } = propose(program, bounds, &state, step, values, in_time)
            .map_err(|why| impossible(index, &why.to_string()))?;
        went_wrong = !state.follow(bounds, step.agent, &observed);
        steps.push(ReplayedStep { step: step.clone(), place, observed });
    }
    let last = (!went_wrong).then_some(state);
    Ok(Repeated { start, steps, last })
}

/// Replays the trace of a violation and checks that it shows this kind of violation.
///
/// # Errors
/// If it does not, or a limit is reached.
pub(crate) fn confirm(
    program: &Program,
    bounds: &Bounds,
    kind: ViolationKind,
    possible: bool,
    trace: &Trace,
    budget: &mut Budget<'_>,
) -> Result<(), NoTrace> {
    let mut check = |_: &SceneState| Ok::<(), NoTrace>(budget.check()?);
    let Repeated { start, steps, last } = repeat(program, bounds, trace, &[], &mut check)?;
    let wrong = steps.last().and_then(|step| match step.observed.result {
        SceneStep::Wrong(error) => Some(ViolationKind::from(error)),
        _ => None,
    });
    let last = last.as_ref();
    let shown = match kind {
        ViolationKind::Failure => match last {
            Some(state) => state.agents.iter().any(|agent| agent.status == Status::Failed),
            // Some other agent never reaches its first places.
            None => {
                let failed = |outcome: &Outcome| matches!(&outcome.ending, Ending::State(next) if next.status == Status::Failed);
                start.iter().any(failed)
            }
        },
        ViolationKind::Deadlock => last.is_some_and(|state| {
            let judgement = scene_steps(program, bounds, state).judgement();
            if possible { judgement.may_be_deadlock() } else { judgement.is_deadlock() }
        }),
        ViolationKind::RunawayRecursion => {
            wrong == Some(kind) || start.iter().any(|outcome| matches!(outcome.ending, Ending::Runaway(_)))
        }
        ViolationKind::RunError => {
            wrong == Some(kind) || start.iter().any(|outcome| matches!(outcome.ending, Ending::RunError(_)))
        }
        ViolationKind::MailboxOverflow => wrong == Some(kind),
        ViolationKind::Livelock => last.is_some_and(|state| {
            let judgement = scene_steps(program, bounds, state).judgement();
            !judgement.ended && !judgement.stands_still
        }),
    };
    if shown { Ok(()) } else { Err(InternalError(format!("the trace shows no {}", kind.words())).into()) }
}

fn impossible(index: usize, why: &str) -> InternalError {
    InternalError(format!("step {} of the trace cannot be repeated: {why}", index + 1))
}
