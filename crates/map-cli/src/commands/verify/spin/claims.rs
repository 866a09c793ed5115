//! Compares SPIN's verdicts on properties with ours, both over all runs.

use map_export::{Claim, Model, Source, export, retrace_claim};
use map_flags::Host as _;
use map_session::Scene;
use map_verify::{
    Fairness, PropertyJudgement, PropertyOptions, PropertyVerdict, Trace, replay, run_violates,
    verify_properties,
};

use super::super::task::Task;
use super::opinion::Claimed;
use super::tool::ClaimResult;
use super::{Spin, Stopped};
use crate::commands::export::refusals;
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs SPIN on every property that the model can state; the others are reported.
pub(super) fn ask(task: &Task<'_>, console: &mut Console) -> Result<Vec<Claimed>, Failure> {
    let Task { interrupt, scene, .. } = task;
    let Scene { source: text, program, properties: set, bounds } = scene;
    let properties = &set.compiled;
    let source = Source { name: text.name(), text: text.text(), properties: &[] };
    if properties.list.is_empty() {
        return Ok(Vec::new());
    }
    // A scene that cannot be exported with claims cannot be exported without them either; that has been reported.
    let Ok(model) = export(program, bounds, &source, properties) else { return Ok(Vec::new()) };
    show_diagnostics(console, text, &refusals::unstated(&model, set))?;
    if model.claims.is_empty() {
        return Ok(Vec::new());
    }
    let limit = task.args.search.limits.time_limit;
    let names = model.claims.iter().map(|claim| claim.name.as_str());
    let found = match Spin::claims(&model.text, names, limit, interrupt) {
        Ok(found) => found,
        Err(Stopped::Interrupted) => {
            console.set_exit(Exit::Interrupted);
            return Ok(Vec::new());
        }
        Err(Stopped::TimedOut) => {
            model.claims.iter().map(|_| ClaimResult::limited("its time was over")).collect()
        }
        Err(Stopped::Hindered(hindrance)) => {
            hindrance.report(console)?;
            model.claims.iter().map(|_| ClaimResult::limited(&hindrance.what)).collect()
        }
        Err(Stopped::Refused(what)) => {
            return Err(Failure::Internal(format!("SPIN does not accept the claims of the model: {what}")));
        }
    };
    let limits = task.time.within(limit).next(task.args.limits());
    let mut watch = task.watch(scene, &limits);
    let reductions = task.args.search.reductions.chosen();
    let options = PropertyOptions { limits: limits.limits, fairness: Fairness::None, reductions };
    let ours = verify_properties(program, properties, bounds, &options, &mut watch)?;
    drop(watch);
    let mut all = Vec::new();
    for (index, judged) in ours.properties.iter().enumerate() {
        let claims = model.claims.iter().zip(&found).filter(|(claim, _)| claim.property == index);
        let claims: Vec<(&Claim, &ClaimResult)> = claims.collect();
        if claims.is_empty() {
            continue;
        }
        let retraced = retraced(scene, &model, &claims)?;
        let claimed = together(judged, &claims, retraced);
        if claimed.agrees == Some(false) {
            console.set_exit(Exit::Internal);
        }
        all.push(claimed);
    }
    Ok(all)
}

/// Combines the results of all claims that make up a property.
fn together(
    judged: &PropertyJudgement,
    claims: &[(&Claim, &ClaimResult)],
    retraced: Option<usize>,
) -> Claimed {
    let limited = claims.iter().find_map(|(_, found)| found.limited.clone());
    let wrong = |(claim, found): &(&Claim, &ClaimResult)| {
        found.limited.is_none() && found.violated != claim.to_refute
    };
    let holds = match claims.iter().any(wrong) {
        true => Some(false),
        false => limited.is_none().then_some(true),
    };
    let ours = match judged.verdict {
        PropertyVerdict::Holds => Some(true),
        PropertyVerdict::Violated => Some(false),
        PropertyVerdict::Inconclusive => None,
    };
    // A run whose end depends on the outcome of open comparisons is no run of the model.
    let agrees = holds.zip(ours).filter(|_| !judged.possible).map(|(theirs, ours)| theirs == ours);
    Claimed {
        name: judged.name.clone(),
        holds,
        limited: limited.filter(|_| holds.is_none()),
        ours: judged.verdict,
        agrees,
        states: claims.iter().map(|(_, found)| found.states).max().unwrap_or(0),
        retraced,
    }
}

/// Translates SPIN's counterexamples into steps of the dialogue, replays each, and checks that it violates its claim;
/// returns the length of the shortest.
fn retraced(
    Scene { program, properties, bounds, .. }: &Scene,
    model: &Model,
    claims: &[(&Claim, &ClaimResult)],
) -> Result<Option<usize>, Failure> {
    let properties = &properties.compiled;
    let mut shortest = None;
    for (claim, found) in claims {
        let Some(trail) = &found.trail else { continue };
        let internal = |what: &str| Failure::Internal(format!("SPIN's trail against {}: {what}", claim.name));
        let shown = model.counterexample(trail);
        let violates = |prefix: &[_], cycle: &[_]| run_violates(&claim.formula, prefix, cycle);
        let run = retrace_claim(program, properties, bounds, &shown, violates)
            .ok_or_else(|| internal("it is no run of the dialogue that violates it"))?;
        let trace = Trace { steps: run.steps, ..Trace::default() };
        let replayed = replay(program, bounds, &trace).map_err(|error| internal(&error.to_string()))?;
        let steps = replayed.steps.len();
        shortest = Some(shortest.map_or(steps, |known: usize| known.min(steps)));
    }
    Ok(shortest)
}
