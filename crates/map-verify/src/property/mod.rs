//! Judging properties: a search (`search`) makes a labelled graph (`graph`), on which each is judged (`judge`), by single
//! searches or as linear temporal logic. Every run that is shown is made again on plain states, and what the properties say
//! of its moments is looked at again.
//!
//! Up to which reductions a property can be judged depends on what it looks at; those that agree in that share a search
//! (`plan`, `searches`).

mod form;
mod graph;
mod judge;
mod plan;
mod search;
mod searches;
mod verdict;

pub use judge::temporal::run_violates;
pub use verdict::{
    Fairness, Judged, PropertyOptions, PropertyReport, PropertySearch, PropertyVerdict, RunEnding, ShownRun,
};

use map_ir::{Program, Properties};
use map_semantics::Bounds;

use crate::budget::Progress;
use crate::report::InternalError;

/// Judges all properties: in as few searches as what they look at allows, each up to as many reductions as that allows.
///
/// # Errors
/// If a run does not replay, or does not show what it is said to show, which would be a defect of the engine.
pub fn verify_properties(
    program: &Program,
    properties: &Properties,
    bounds: &Bounds,
    options: &PropertyOptions,
    progress: &mut dyn Progress,
) -> Result<PropertyReport, InternalError> {
    searches::judge_all(program, properties, bounds, options, progress)
}
