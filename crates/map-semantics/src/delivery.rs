//! Delivery of messages to mailboxes.

use std::sync::Arc;

use crate::agent::{AgentState, Status};
use crate::{Bounds, Message};

/// The fate of a message sent to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It is in the mailbox, or on its way there.
    Delivered,
    /// The agent has ended: it is dropped, and counts as unread unless the agent has crashed.
    Dropped,
    /// The mailbox is full.
    Overflow,
}

/// Sends a message to an agent: it is in the mailbox at once, or on its way if the network delays messages. What is on
/// its way counts against the bound on mailboxes, too.
pub fn deliver(bounds: &Bounds, recipient: &mut AgentState, message: &Arc<Message>) -> Delivery {
    if recipient.status != Status::Running {
        return Delivery::Dropped;
    }
    if recipient.messages() >= bounds.mailbox as usize {
        return Delivery::Overflow;
    }
    if bounds.network.delayed {
        recipient.under_way.add(Arc::clone(message));
    } else {
        recipient.mailbox.receive(bounds.network, Arc::clone(message));
    }
    Delivery::Delivered
}
