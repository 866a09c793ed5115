//! Verification of temporal properties. A search (`search`) builds a labelled graph (`graph`), on which each property
//! is judged (`judge`), by single searches or as linear temporal logic. Every run that is shown is replayed on
//! unreduced states, and the propositions at its moments are evaluated again.
//!
//! Which reductions are sound for a property depends on what it refers to; properties that admit the same ones share
//! a search (`plan`, `searches`).

mod costs;
mod form;
mod graph;
mod instance;
mod judge;
mod judgement;
mod movers;
mod plan;
mod search;
mod searches;
mod verdict;

pub use costs::{CostBounds, CostRange, CostReport, MostCost, NamedRange, verify_costs};
pub use judge::prefix::prefix_violates;
pub use judge::temporal::run_violates;
pub use plan::ceilings::{CostCeiling, cost_ceilings};
pub use verdict::{
    Fairness, PropertyJudgement, PropertyOptions, PropertyReport, PropertySearch, PropertyVerdict, RunEnding,
    ShownRun, WAITING_IS_OPEN,
};

use map_ir::{Costs, Program, Properties};
use map_semantics::Bounds;

use crate::budget::Progress;
use crate::peers::{Peers, TogetherError};
use crate::report::InternalError;
use crate::together::Link;
use searches::judge_all;

/// Verifies all properties, in few searches, each with as many reductions as its properties allow.
///
/// # Errors
/// If a run does not replay, or does not show what it should, which would be a defect of the engine.
pub fn verify_properties(
    program: &Program,
    properties: &Properties,
    bounds: &Bounds,
    options: &PropertyOptions,
    progress: &mut dyn Progress,
) -> Result<PropertyReport, InternalError> {
    let judged = judge_all(program, (properties, None), bounds, options, None, progress);
    judged.map(|(properties, _)| properties)
}

/// Verifies all properties, as [`verify_properties`] does, and says what all costs come to, as [`verify_costs`] does:
/// in one search, if some properties need as many states, and otherwise in several.
///
/// # Errors
/// As for both.
pub fn verify_properties_and_costs(
    program: &Program,
    (properties, costs): (&Properties, &Costs),
    bounds: &Bounds,
    options: &PropertyOptions,
    progress: &mut dyn Progress,
) -> Result<(PropertyReport, CostReport), InternalError> {
    let (judged, added_up) = judge_all(program, (properties, Some(costs)), bounds, options, None, progress)?;
    let added_up = match added_up {
        Some(report) => report,
        None => verify_costs(program, costs, bounds, options, progress)?,
    };
    Ok((judged, added_up))
}

/// Verifies all properties with other processes, which call this with the same program, properties, bounds and options.
/// All get the same verdicts, and those of [`verify_properties`]; only the first process gets the runs that show them,
/// the instances, and the left sides that never hold. It gathers the graph without the states, and judges it.
///
/// Limits of memory and time are each process's own; the first that is reached ends the search everywhere.
///
/// # Errors
/// If some process is lost; if a run does not replay, which would be a defect of the engine.
pub fn verify_properties_together(
    program: &Program,
    properties: &Properties,
    bounds: &Bounds,
    options: &PropertyOptions,
    peers: &mut dyn Peers,
    progress: &mut dyn Progress,
) -> Result<PropertyReport, TogetherError> {
    let mut link = Link::new(peers);
    let judged = judge_all(program, (properties, None), bounds, options, Some(&mut link), progress);
    let judged = judged.map(|(properties, _)| properties);
    link.over().map_or(judged.map_err(TogetherError::Internal), Err)
}
