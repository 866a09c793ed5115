//! What the lines of a log say of one agent.

use std::sync::Arc;

use map_ir::AgentId;
use map_semantics::Message;

use crate::monitor::LoggedMessage;
use crate::report::UnknownMessage;

/// What concerns an agent, in its own order.
#[derive(Clone, Debug)]
pub enum Own {
    /// A message that it sends.
    Sends(LoggedMessage),
    /// A message that gets into its mailbox.
    Receives(AgentId, Arc<Message>),
    /// What nobody in the scene says.
    Unknown(AgentId, Arc<UnknownMessage>),
}

impl Own {
    /// The agent that it concerns.
    #[must_use]
    pub fn agent(&self) -> AgentId {
        match self {
            Self::Sends(logged) => logged.from,
            Self::Receives(agent, _) | Self::Unknown(agent, _) => *agent,
        }
    }
}
