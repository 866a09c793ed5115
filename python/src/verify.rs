//! Verifications: the arguments become a question of `map-session`, and its answer JSON.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use map_diagnostics::SourceFile;
use map_explain::any::{AnyPresentation, in_full, in_short, tone};
use map_explain::verification::is_well;
use map_explain::{Text, Tone};
use map_flags::{Any, SearchArgs, check_collected, check_only, refuse_beside_any};
use map_json::{AnyOutput, VerifiedOutput, to_text};
use map_semantics::Bounds;
use map_session::{Compilation, FixedLimits, PropertyState, Scene, SearchLimits, TimeLimit};
use map_verify::{InternalError, Limits, Tuning};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::failure::{internal, misused, rejected};
use crate::task::{Task, work};
use crate::verified::Found;

/// The most bytes of a search that is given no limit, where Python does not know the machine's memory.
const MEMORY: u64 = 4 << 30;

/// More threads than this are never of use, and the system may not have them.
pub(crate) const MOST_THREADS: NonZeroUsize = NonZeroUsize::new(256).expect("it is not zero");

/// Verifies a scene of a text under flags.
///
/// # Errors
/// What is wrong with text or flags, or what a signal handler or `progress` raised.
pub(crate) fn verify(
    py: Python<'_>,
    source: &Arc<SourceFile>,
    args: &SearchArgs,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Found> {
    let wrong = |what: String| misused(py, &what);
    let any = args.scene.any_in(source).map_err(wrong)?;
    let limits = limits(args);
    match any.as_slice() {
        [] => about(py, source, args, limits, progress),
        [role] => {
            refuse_beside_any(Some(role), &args.bounds).map_err(wrong)?;
            about_any(py, source, args, role, limits, progress)
        }
        [first, second, ..] => Err(misused(
            py,
            &format!(
                "any number of agents is asked for of {} and of {}: give a number for all roles but one",
                first.role, second.role
            ),
        )),
    }
}

fn about(
    py: Python<'_>,
    source: &Arc<SourceFile>,
    args: &SearchArgs,
    limits: SearchLimits,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Found> {
    let wrong = |what: String| misused(py, &what);
    let compilation = args.compile(source).map_err(wrong)?;
    let (scene, _) = scene_of(py, &compilation, args)?;
    let all = [&compilation].into_iter();
    check_only(&args.judge.only, &all)
        .and_then(|()| check_collected(&args.judge.collect, &all))
        .map_err(wrong)?;
    for entry in &compilation.properties.entries {
        if let PropertyState::Refused(Some(formula), errors) = &entry.state {
            return Err(rejected(py, formula, errors));
        }
    }
    let search = |task: &Task| search(args, &scene, limits, task);
    let found = work(py, progress, search)?.map_err(|defect| internal(&defect))?;
    let json = as_text(&VerifiedOutput::new(&found, &args.scene.agents, &[]))?;
    let well = is_well(&found, &[]);
    Ok(Found { json, well, words: None, verification: Some(found), args: args.scene.clone() })
}

fn about_any(
    py: Python<'_>,
    source: &Arc<SourceFile>,
    args: &SearchArgs,
    any: &Any,
    limits: SearchLimits,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Found> {
    let args = args.about_any(any);
    let (scene, bounds) = scene_of(py, &args.compile_any(source, any), &args)?;
    let question = args.any_number(source, any, limits);
    let ask = |task: &Task| {
        let found = question.ask(&scene, &mut task.watch(&limits))?;
        let Some((count, of_property)) = found.violated() else { return Ok((found, None)) };
        // The number of agents with which something is wrong is verified again: that replays and shows the run.
        let counted = args.counting(count, of_property);
        let scene = counted.compile(source).ok().and_then(|compilation| compilation.scene(bounds));
        let violation = scene.map(|scene| search(&counted, &scene, limits, task)).transpose()?;
        Ok((found, violation.map(|violation| (violation, counted))))
    };
    let found: Result<_, InternalError> = work(py, progress, ask)?;
    let (found, violation) = found.map_err(|defect| internal(&defect))?;
    let how = AnyPresentation { others: &[], denies_fairness: false, interrupted: false };
    let shown = violation
        .as_ref()
        .map(|(violation, counted)| Box::new(VerifiedOutput::new(violation, &counted.scene.agents, &[])));
    let json = as_text(&AnyOutput { violation: shown, ..AnyOutput::new(&found, how, &args.scene.agents) })?;
    let words = |text: Text| text.to_string();
    let holds = |property: &map_session::AnyProperty| {
        matches!(property.verdict, map_session::AnyPropertyVerdict::Proved(_))
    };
    Ok(Found {
        json,
        well: tone(&found, how) == Tone::Good && found.properties.iter().flatten().all(holds),
        words: Some((words(in_short(&found, how)), words(in_full(&found, how)))),
        verification: violation.map(|(violation, _)| violation),
        args: args.scene.clone(),
    })
}

fn scene_of(py: Python<'_>, compilation: &Compilation, args: &SearchArgs) -> PyResult<(Scene, Bounds)> {
    let refused = || rejected(py, &compilation.source, &compilation.diagnostics);
    let program = compilation.program.as_ref().ok_or_else(refused)?;
    let bounds = args.bounds.resolve(program).map_err(|what| misused(py, &what))?;
    Ok((compilation.scene(bounds.clone()).ok_or_else(refused)?, bounds))
}

fn search(
    args: &SearchArgs,
    scene: &Scene,
    limits: SearchLimits,
    task: &Task,
) -> Result<map_session::Verification, InternalError> {
    args.question(limits).ask(scene, &mut task.watch(&limits))
}

/// The limits of a search under flags.
pub(crate) fn limits(args: &SearchArgs) -> SearchLimits {
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let asked = &args.limits;
    SearchLimits {
        limits: Limits {
            states: asked.max_states.map_or(usize::MAX, size),
            memory: size(asked.max_memory.unwrap_or(MEMORY)),
            threads: asked
                .threads
                .or_else(|| available_parallelism().ok())
                .map_or(NonZeroUsize::MIN, |threads| threads.min(MOST_THREADS)),
            tuning: Tuning::SHIPPED,
        },
        time: asked.time_limit.map(|time| TimeLimit { search: time, whole: time, is_shared: false }),
        fixed: FixedLimits::default(),
    }
}

fn as_text(output: &impl serde::Serialize) -> PyResult<String> {
    to_text(output).map_err(|error| PyRuntimeError::new_err(format!("internal error: {error}")))
}
