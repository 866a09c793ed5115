//! Messages on their way, in a network that delays them (language reference, "Networks").

use std::sync::Arc;

use map_ir::AgentId;

use crate::Message;

/// A way from a sender with messages on it.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The place of the message that arrives next.
    pub(crate) place: u32,
    /// Who sent what is on it.
    pub sender: AgentId,
}

/// Messages that were sent to an agent and have not arrived: grouped by sender, in the order of the cast, and each
/// sender's in the order in which it sent them. They arrive in that order, so the first of each group may be next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct UnderWay {
    messages: Vec<Arc<Message>>,
}

impl UnderWay {
    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The messages, group by group.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Message>> {
        self.messages.iter()
    }

    /// The messages, mutably. What is changed must not be a sender.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Arc<Message>> {
        self.messages.iter_mut()
    }

    /// The message at a place of the list.
    #[must_use]
    pub fn get(&self, place: u32) -> Option<&Arc<Message>> {
        self.messages.get(place as usize)
    }

    /// Adds a message that was just sent.
    pub fn add(&mut self, message: Arc<Message>) {
        let behind = self.messages.partition_point(|earlier| earlier.sender <= message.sender);
        self.messages.insert(behind, message);
    }

    /// The ways by which messages come, one for each sender that has some, in the order of the cast.
    pub fn ways(&self) -> impl Iterator<Item = Way> {
        let sender = |place: usize| self.messages[place].sender;
        let is_first = move |&place: &usize| place == 0 || sender(place - 1) != sender(place);
        let first = (0..self.messages.len()).filter(is_first);
        first.map(move |place| Way { place: place as u32, sender: sender(place) })
    }

    /// Takes out the message at a place.
    pub(crate) fn take(&mut self, place: u32) -> Arc<Message> {
        self.messages.remove(place as usize)
    }
}
