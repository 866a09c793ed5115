//! Verification of temporal properties. A search (`search`) builds a labelled graph (`graph`), on which each property
//! is judged (`judge`), by single searches or as linear temporal logic. Every run that is shown is replayed on
//! unreduced states, and the propositions at its moments are evaluated again.
//!
//! Which reductions are sound for a property depends on what it refers to; properties that admit the same ones share
//! a search (`plan`, `searches`).

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
    searches::judge_all(program, properties, bounds, options, progress)
}
