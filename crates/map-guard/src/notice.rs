//! What becomes known by itself.

use map_ir::PointId;

use crate::conversation::Ending;

/// Something that agents or operators should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// There is something for an agent in its inbox.
    Arrived {
        /// The conversation.
        conversation: String,
        /// The name of the agent.
        agent: String,
    },
    /// Time has run out for an agent, if it waits at this place.
    Timeout {
        /// The conversation.
        conversation: String,
        /// The name of the agent.
        agent: String,
        /// The place.
        place: PointId,
        /// The number of the event.
        seq: u64,
    },
    /// An agent owes a message for too long.
    Silent {
        /// The conversation.
        conversation: String,
        /// The name of the agent.
        agent: String,
        /// Whether it is given up.
        gave_up: bool,
        /// The number of the event.
        seq: u64,
    },
    /// Nothing can happen any more, and not all have ended.
    Stuck {
        /// The conversation.
        conversation: String,
        /// The number of the event.
        seq: u64,
    },
    /// A conversation is over.
    Closed {
        /// The conversation.
        conversation: String,
        /// Why.
        why: Ending,
        /// The number of the event.
        seq: u64,
    },
}
