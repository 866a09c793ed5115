//! Delivery of messages to mailboxes.

use std::sync::Arc;

use crate::agent::{AgentState, Status};
use crate::{Bounds, Message};

/// The fate of a message sent to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It is in the mailbox.
    Delivered,
    /// The agent has ended: it is dropped, and counts as unread unless the agent has crashed.
    Dropped,
    /// The mailbox is full.
    Overflow,
}

/// Adds a message to an agent's mailbox: at the end, or at its place in the order of the bag if mailboxes are bags.
pub fn deliver(bounds: &Bounds, recipient: &mut AgentState, message: &Arc<Message>) -> Delivery {
    if recipient.status != Status::Running {
        return Delivery::Dropped;
    }
    if recipient.mailbox.len() >= bounds.mailbox as usize {
        return Delivery::Overflow;
    }
    if bounds.network.unordered {
        recipient.mailbox.insert(Arc::clone(message));
    } else {
        recipient.mailbox.push(Arc::clone(message));
    }
    Delivery::Delivered
}
