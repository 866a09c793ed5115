//! Whose states are followed, and under which rules.

use map_ir::AgentId;

use crate::hypothesis::Frame;
use crate::pending::Arrivals;
use crate::work::Work;

/// An agent whose states are followed, and the rules.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) arrivals: Arrivals,
    pub(crate) work: &'a Work,
    pub(crate) agent: AgentId,
}
