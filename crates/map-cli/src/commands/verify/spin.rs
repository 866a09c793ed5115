//! `map verify --with spin`: runs SPIN on the exported model, and compares its verdicts with ours.

use std::time::Instant;

use map_doors::{Spin, SpinEffort, SpinStop};
use map_flags::Host as _;
use map_spin::{ClaimOutcome, ClaimedProperty, Opinion, compare_claims, model, model_with_claims};
use map_verify::{Fairness, PropertyOptions, verify_properties};

use super::searched::Searched;
use super::task::Task;
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs SPIN on a scene that was searched. Returns `None` if the scene cannot be exported, which has been reported, or
/// if SPIN was interrupted.
pub(super) fn ask(
    spin: &Spin,
    task: &Task<'_>,
    searched: &Searched<'_>,
    console: &mut Console,
) -> Result<Option<Opinion>, Failure> {
    let model = match model(&task.scene) {
        Ok(model) => model,
        Err(refusals) => {
            console.set_exit(Exit::Source);
            show_diagnostics(console, &task.scene.source, &refusals)?;
            return Ok(None);
        }
    };
    // SPIN may take long, or fail: our own result is on the screen by then.
    console.flush()?;
    let started = Instant::now();
    let limit = task.args.search.limits.time_limit;
    let effort =
        SpinEffort { states: searched.found.report.statistics.states, limit, stop: task.interrupt.flag() };
    let mut opinion = match answered(spin.verify(&model.text, effort), console)? {
        Answered::Whole(opinion) => opinion,
        Answered::Limited(why) => Opinion::limited(&why, started.elapsed()),
        // The properties would fail in the same way.
        Answered::Hindered(why) => return Ok(Some(Opinion::limited(&why, started.elapsed()))),
        Answered::Interrupted => return Ok(None),
    };
    opinion.compare(&model, searched.found).map_err(Failure::Internal)?;
    opinion.properties = properties(task, effort, console)?;
    let claimed = opinion.properties.iter().map(|property| property.agrees);
    if claimed.chain([opinion.agrees]).any(|agrees| agrees == Some(false)) {
        // One of the two tools is wrong. The results are printed all the same.
        console.set_exit(Exit::Internal);
    }
    Ok(Some(opinion))
}

/// Runs SPIN on every property that the model can state; the others are reported.
fn properties(
    task: &Task<'_>,
    effort: SpinEffort<'_>,
    console: &mut Console,
) -> Result<Vec<ClaimedProperty>, Failure> {
    let scene = &task.scene;
    if scene.properties.compiled.list.is_empty() {
        return Ok(Vec::new());
    }
    // A scene that cannot be exported with claims cannot be exported without them either; that has been reported.
    let Some((model, unstated)) = model_with_claims(scene) else { return Ok(Vec::new()) };
    show_diagnostics(console, &scene.source, &unstated)?;
    if model.claims.is_empty() {
        return Ok(Vec::new());
    }
    let names = model.claims.iter().map(|claim| claim.name.as_str());
    let outcomes = match answered(Spin::claims(&model.text, names, effort), console)? {
        Answered::Whole(outcomes) => outcomes,
        Answered::Limited(why) | Answered::Hindered(why) => {
            vec![ClaimOutcome::limited(&why); model.claims.len()]
        }
        Answered::Interrupted => return Ok(Vec::new()),
    };
    let limits = task.time.within(effort.limit).next(task.args.limits());
    let mut watch = task.watch(scene, &limits);
    let reductions = task.args.search.reductions.chosen();
    let options = PropertyOptions { limits: limits.limits, fairness: Fairness::None, reductions };
    let properties = &scene.properties.compiled;
    let ours = verify_properties(&scene.program, properties, &scene.bounds, &options, &mut watch)?;
    compare_claims(scene, &model, &outcomes, &ours).map_err(Failure::Internal)
}

/// What SPIN has to say.
enum Answered<T> {
    Whole(T),
    /// Nothing, as its time was over.
    Limited(String),
    /// Nothing, as something failed, which has been reported.
    Hindered(String),
    Interrupted,
}

/// # Errors
/// If SPIN does not accept the exported model.
fn answered<T>(result: Result<T, SpinStop>, console: &mut Console) -> Result<Answered<T>, Failure> {
    Ok(match result {
        Ok(result) => Answered::Whole(result),
        Err(SpinStop::TimedOut) => Answered::Limited("its time was over".to_owned()),
        Err(SpinStop::Hindered(hindrance)) => {
            console.set_exit(Exit::Source);
            console.complain(&hindrance.message())?;
            Answered::Hindered(hindrance.what)
        }
        Err(SpinStop::Interrupted) => {
            console.set_exit(Exit::Interrupted);
            Answered::Interrupted
        }
        Err(SpinStop::Refused(what)) => {
            return Err(Failure::Internal(format!("SPIN does not accept the exported model: {what}")));
        }
    })
}
