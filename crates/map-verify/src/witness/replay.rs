//! Traces: lists of steps that can be repeated, and their repetition on plain states.

use map_ir::{PointId, Program, Value};
use map_semantics::{
    Bounds, Ending, Observed, Outcome, Proposed, SceneState, SceneStep, Status, Step, propose, scene_steps,
    time_may_run_out,
};

use crate::budget::{Budget, Limit};
use crate::report::{InternalError, Trace, ViolationKind};

/// Why there is no trace of something that was found.
pub(crate) enum NoTrace {
    /// A limit came first.
    Limit(Limit),
    /// A way of representatives was not found among the states of the scene: where agents hold the names of
    /// interchangeable others, a state may have two, and the scene comes to the other one.
    Unlifted,
    /// The engine contradicts itself.
    Broken(InternalError),
}

/// Why a search has no report.
pub(crate) enum NoReport {
    /// [`NoTrace::Unlifted`]: without symmetry there is one.
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

/// What a message in a mailbox adds to a state of a trace that is repeated: a place in a queue that has room for twice as
/// many. The message itself is shared.
pub(crate) const KEPT_MESSAGE: usize = 2 * size_of::<(u64, usize)>();

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
    let mut states = Vec::new();
    let Repeated { start, steps, last } = repeat(program, bounds, trace, values, &mut |before| {
        states.push(before.clone());
        Ok::<(), InternalError>(())
    })?;
    states.extend(last);
    Ok(Replayed { start, steps, states })
}

/// A trace that has been repeated, without the states passed.
struct Repeated {
    start: Vec<Outcome>,
    steps: Vec<ReplayedStep>,
    /// The last state; none if the last step went wrong, or if there is no first state.
    last: Option<SceneState>,
}

/// Repeats a trace and shows the state before each step.
fn repeat<E: From<InternalError>>(
    program: &Program,
    bounds: &Bounds,
    trace: &Trace,
    values: &[Value],
    before: &mut dyn FnMut(&SceneState) -> Result<(), E>,
) -> Result<Repeated, E> {
    let (state, start) = SceneState::start(program, bounds);
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
        let Proposed { place, observed } = propose(program, bounds, &state, step, values, in_time)
            .map_err(|why| impossible(index, &why.to_string()))?;
        went_wrong = !state.follow(bounds, step.agent, &observed);
        steps.push(ReplayedStep { step: step.clone(), place, observed });
    }
    let last = (!went_wrong).then_some(state);
    Ok(Repeated { start, steps, last })
}

/// Repeats the trace of a violation and looks whether it shows what it is said to show.
///
/// # Errors
/// If it does not, or a limit comes first.
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
            // Others never come to their first places.
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
        ViolationKind::MailboxOverflow | ViolationKind::RunError => wrong == Some(kind),
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
