//! One breadth-first exploration loop.
use map_ir::Program;
use map_semantics::Bounds;

use crate::{InternalError, Limits, Progress, Report};

/// Explores the scene and judges it.
///
/// Without `keep_going` the search ends with the level of the first violation.
///
/// # Errors
/// If a trace does not replay, which would be a defect of the engine.
pub fn verify(
    _program: &Program,
    _bounds: &Bounds,
    _limits: &Limits,
    _keep_going: bool,
    _progress: &mut dyn Progress,
) -> Result<Report, InternalError> {
    unreachable!()
}
