//! What begins on marked lines of a model, so that trails can be read.

use map_ir::{AgentId, PartId, PointId};

/// The beginning of a step, as marked on a line of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepMark {
    /// The part whose agents take it.
    pub part: PartId,
    /// The point at which the thread rests before it.
    pub place: PointId,
    /// The ask, send or receive; `None` for moves and timeouts.
    pub action: Option<PointId>,
    /// Whether it is a timeout.
    pub timeout: bool,
}

/// What begins on a marked line of a model.
#[derive(Clone, Debug)]
pub(crate) enum LineMark {
    /// A step.
    Step(StepMark),
    /// The cells of an agent start in one of several ways: with these options of its
    /// [`open_cells`](map_semantics::open_cells).
    Initial(AgentId, Vec<u32>),
}
