//! A step with what was seen of it, which is what explanations start from.

use map_ir::PointId;
use map_semantics::{AgentState, Observed, Step};

/// A step as it was made.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// Which step.
    pub step: &'a Step,
    /// Where the thread rested.
    pub place: PointId,
    /// The agent before it.
    pub before: &'a AgentState,
    /// What was seen of it.
    pub observed: &'a Observed,
}
