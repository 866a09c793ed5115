//! A step with everything observed of it: the input of explanations.

use map_ir::PointId;
use map_semantics::{AgentState, Observed, Step};

/// A step as it was taken.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The step.
    pub step: &'a Step,
    /// Where the thread rested.
    pub place: PointId,
    /// The agent before it.
    pub before: &'a AgentState,
    /// Everything observed of it.
    pub observed: &'a Observed,
}
