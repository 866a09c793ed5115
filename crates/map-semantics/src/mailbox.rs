//! Messages and their delivery.

use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, Program, Value};

use crate::{AgentState, Bounds, Status};

/// A message as it lies in a mailbox.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The performative.
    pub performative: PerformativeId,
    /// Who sent it.
    pub sender: AgentId,
    /// Its arguments.
    pub arguments: Vec<Value>,
}

impl Message {
    /// The value at a place of the tuple that patterns are held against: arguments, sender's name, sender's role.
    pub(crate) fn at(&self, program: &Program, place: usize) -> Value {
        match self.arguments.get(place) {
            Some(&argument) => argument,
            None if place == self.arguments.len() => Value::Agent(self.sender),
            None => Value::Role(program.agent(self.sender).role),
        }
    }
}

/// What became of a message that was sent to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It lies in the mailbox.
    Delivered,
    /// The agent has ended: it is dropped and counts as unread.
    Dropped,
    /// The mailbox is full.
    Overflow,
}

/// Puts a message at the end of an agent's mailbox.
pub fn deliver(bounds: &Bounds, recipient: &mut AgentState, message: &Arc<Message>) -> Delivery {
    if recipient.status != Status::Running {
        return Delivery::Dropped;
    }
    if recipient.mailbox.len() >= bounds.mailbox as usize {
        return Delivery::Overflow;
    }
    recipient.mailbox.push(Arc::clone(message));
    Delivery::Delivered
}
