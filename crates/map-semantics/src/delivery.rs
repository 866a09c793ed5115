//! How a message comes into a mailbox.

use std::sync::Arc;

use crate::agent::{AgentState, Status};
use crate::{Bounds, Message};

/// What became of a message that was sent to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It lies in the mailbox.
    Delivered,
    /// The agent has ended: it is dropped, and counts as unread unless the agent has crashed.
    Dropped,
    /// The mailbox is full.
    Overflow,
}

/// Puts a message into an agent's mailbox: at the end, or in its place if mailboxes are bags.
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
