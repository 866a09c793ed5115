//! SPIN's answers about the properties of a scene beside ours, both over all runs.

use map_export::{Claim, Model, Source, export, retrace_claim};
use map_semantics::Bounds;
use map_verify::{Fairness, Judged, PropertyVerdict, Trace, replay, run_violates, verify_properties};

use super::opinion::Claimed;
use super::tool::Refuted;
use super::{Failure, Searched, Spin, Stopped};
use crate::commands::export::refusals;
use crate::commands::show_diagnostics;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::progress::Watch;

/// Asks SPIN about every property that a model can state; what it cannot is said.
pub(super) fn ask(
    searched: &Searched<'_>,
    bounds: &Bounds,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<Vec<Claimed>, Failure> {
    let loaded = searched.answers.loaded;
    let (program, properties) = (searched.answers.program, &loaded.properties.compiled);
    let source = Source { name: loaded.source.name(), text: loaded.source.text(), properties: &[] };
    if properties.list.is_empty() {
        return Ok(Vec::new());
    }
    // What cannot be exported with claims cannot without, and that has been said.
    let Ok(model) = export(program, bounds, &source, properties) else { return Ok(Vec::new()) };
    show_diagnostics(console, &loaded.source, &refusals::unstated(&model, &loaded.properties))?;
    if model.claims.is_empty() {
        return Ok(Vec::new());
    }
    let limit = searched.answers.args.time_limit;
    let names = model.claims.iter().map(|claim| claim.name.as_str());
    let found = match Spin::claims(&model.text, names, limit, interrupt) {
        Ok(found) => found,
        Err(Stopped::Interrupted) => {
            console.set_exit(Exit::Interrupted);
            return Ok(Vec::new());
        }
        Err(Stopped::TimedOut) => {
            model.claims.iter().map(|_| Refuted::limited("its time was over")).collect()
        }
        Err(Stopped::Hindered(hindrance)) => {
            hindrance.tell(console)?;
            model.claims.iter().map(|_| Refuted::limited(&hindrance.what)).collect()
        }
        Err(Stopped::Refused(what)) => {
            return Err(Failure::Internal(format!("SPIN does not accept the claims of the model: {what}")));
        }
    };
    let mut watch = Watch::new(loaded.source.name(), limit, searched.limits.memory, interrupt, false);
    let ours = verify_properties(program, properties, bounds, &searched.limits, Fairness::None, &mut watch);
    watch.finish();
    let ours = ours.map_err(|error| Failure::Internal(error.to_string()))?;
    let mut all = Vec::new();
    for (index, judged) in ours.properties.iter().enumerate() {
        let claims = model.claims.iter().zip(&found).filter(|(claim, _)| claim.property == index);
        let claims: Vec<(&Claim, &Refuted)> = claims.collect();
        if claims.is_empty() {
            continue;
        }
        let retraced = retraced(searched, bounds, &model, &claims)?;
        let claimed = together(judged, &claims, retraced);
        if claimed.agrees == Some(false) {
            console.set_exit(Exit::Internal);
        }
        all.push(claimed);
    }
    Ok(all)
}

/// The answers to all claims that a property is made of.
fn together(judged: &Judged, claims: &[(&Claim, &Refuted)], retraced: Option<usize>) -> Claimed {
    let limited = claims.iter().find_map(|(_, found)| found.limited.clone());
    let wrong =
        |(claim, found): &(&Claim, &Refuted)| found.limited.is_none() && found.violated != claim.to_refute;
    let holds = match claims.iter().any(wrong) {
        true => Some(false),
        false => limited.is_none().then_some(true),
    };
    let ours = match judged.verdict {
        PropertyVerdict::Holds => Some(true),
        PropertyVerdict::Violated => Some(false),
        PropertyVerdict::Inconclusive => None,
    };
    // A run that ends because open comparisons come out so is no run of the model.
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

/// SPIN's counterexamples as steps of ours, each replayed and seen to violate its claim; the steps of the shortest.
fn retraced(
    searched: &Searched<'_>,
    bounds: &Bounds,
    model: &Model,
    claims: &[(&Claim, &Refuted)],
) -> Result<Option<usize>, Failure> {
    let (program, properties) = (searched.answers.program, &searched.answers.loaded.properties.compiled);
    let mut shortest = None;
    for (claim, found) in claims {
        let Some(trail) = &found.trail else { continue };
        let internal = |what: &str| Failure::Internal(format!("SPIN's trail against {}: {what}", claim.name));
        let shown = model.counterexample(trail);
        let violates = |prefix: &[_], cycle: &[_]| run_violates(&claim.formula, prefix, cycle);
        let run = retrace_claim(program, properties, bounds, &shown, violates)
            .ok_or_else(|| internal("it is no run of the dialogue that violates it"))?;
        let trace = Trace { steps: run.steps };
        let replayed = replay(program, bounds, &trace).map_err(|error| internal(&error.to_string()))?;
        let steps = replayed.steps.len();
        shortest = Some(shortest.map_or(steps, |known: usize| known.min(steps)));
    }
    Ok(shortest)
}
