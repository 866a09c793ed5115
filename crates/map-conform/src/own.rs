//! What the lines of a log say of one agent.

use std::sync::Arc;

use map_ir::AgentId;
use map_semantics::Message;

use crate::monitor::Spoken;
use crate::report::Said;

/// What concerns an agent, in its own order.
#[derive(Clone, Debug)]
pub(crate) enum Own {
    Sends(Spoken),
    Receives(AgentId, Arc<Message>),
    /// What nobody in the scene says.
    Unknown(AgentId, Arc<Said>),
}
