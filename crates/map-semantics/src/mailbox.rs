//! Messages, mailboxes, and delivery.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
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

/// The messages an agent has received and not yet taken.
///
/// They are kept by performative, so that a receive looks only at those it could take. Two mailboxes are equal if they
/// hold equal messages in the same order of arrival.
#[derive(Clone, Debug, Default)]
pub struct Mailbox {
    /// By performative, in the order of the ids; none of them is empty.
    queues: Vec<Queue>,
    arrivals: u64,
    len: usize,
}

#[derive(Clone, Debug)]
struct Queue {
    performative: PerformativeId,
    /// Oldest first, with the number of its arrival.
    messages: VecDeque<(u64, Arc<Message>)>,
}

impl Mailbox {
    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The messages, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Message>> {
        self.arrivals().into_iter().map(|(_, message)| message)
    }

    /// The messages with the numbers of their arrival, oldest first.
    fn arrivals(&self) -> Vec<(u64, &Arc<Message>)> {
        let mut all: Vec<_> = self
            .queues
            .iter()
            .flat_map(|queue| queue.messages.iter().map(|(at, message)| (*at, message)))
            .collect();
        if self.queues.len() > 1 {
            all.sort_unstable_by_key(|&(at, _)| at);
        }
        all
    }

    /// The messages of a performative with the numbers of their arrival, oldest first.
    pub(crate) fn of(&self, performative: PerformativeId) -> impl Iterator<Item = (u64, &Arc<Message>)> {
        let queue = self.queues.iter().find(|queue| queue.performative == performative);
        queue.into_iter().flat_map(|queue| queue.messages.iter().map(|(at, message)| (*at, message)))
    }

    /// The messages but the one that arrived as that number.
    pub fn without(&self, arrival: Option<u64>) -> impl Iterator<Item = &Arc<Message>> {
        let others = self.arrivals().into_iter().filter(move |&(at, _)| Some(at) != arrival);
        others.map(|(_, message)| message)
    }

    /// Adds the newest message.
    pub fn push(&mut self, message: Arc<Message>) {
        let entry = (self.arrivals, message);
        self.arrivals += 1;
        self.len += 1;
        let performative = entry.1.performative;
        match self.queues.binary_search_by_key(&performative, |queue| queue.performative) {
            Ok(index) => self.queues[index].messages.push_back(entry),
            Err(index) => {
                let queue = Queue { performative, messages: VecDeque::from([entry]) };
                self.queues.insert(index, queue);
            }
        }
    }

    /// Takes out the message that arrived as that number, if it is there.
    pub(crate) fn take(&mut self, performative: PerformativeId, arrival: u64) {
        let Ok(queue) = self.queues.binary_search_by_key(&performative, |queue| queue.performative) else {
            return;
        };
        let messages = &mut self.queues[queue].messages;
        if let Ok(index) = messages.binary_search_by_key(&arrival, |&(at, _)| at) {
            messages.remove(index);
            self.len -= 1;
            if messages.is_empty() {
                self.queues.remove(queue);
            }
        }
    }

    /// The messages to be changed, oldest first.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Arc<Message>> {
        let mut all: Vec<_> = self.queues.iter_mut().flat_map(|queue| queue.messages.iter_mut()).collect();
        all.sort_unstable_by_key(|entry| entry.0);
        all.into_iter().map(|entry| &mut entry.1)
    }
}

impl PartialEq for Mailbox {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl Eq for Mailbox {}

impl Hash for Mailbox {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len);
        self.iter().for_each(|message| message.hash(state));
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
