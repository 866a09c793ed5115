//! What was accepted for an agent, and has not been acknowledged by it.

use std::collections::VecDeque;
use std::sync::Arc;

use map_ir::PointId;
use map_semantics::Message;
use serde_json::Value as Json;

/// The most messages and events that are handed over at once.
const MAX_BATCH: usize = 100;

/// A message or an event for an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its number.
    pub seq: u64,
    /// What it is.
    pub kind: ItemKind,
}

/// What is handed over to an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A message, as its sender gave it.
    Message {
        /// The name of the sender.
        from: String,
        /// The performative.
        performative: String,
        /// The arguments.
        args: Arc<Vec<Json>>,
    },
    /// Time has run out for the agent, if it waits at this place.
    Timeout(PointId),
}

/// What is handed over in answer to an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Messages and events, by number.
    pub items: Vec<Item>,
    /// What the agent may do, if there is nothing and it does not wait because it owes a message.
    pub debt: Option<crate::offer::AgentOffer>,
    /// Whether there is nothing, and it may be waited for.
    pub may_wait: bool,
}

/// An item with what monitors make of it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) item: Item,
    /// The message in the terms of the scene.
    pub(crate) message: Option<Arc<Message>>,
}

/// What has not been acknowledged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inbox {
    entries: VecDeque<Entry>,
    /// The number of the last entry that was handed over; 0 before the first.
    handed: u64,
}

impl Inbox {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn push(&mut self, entry: Entry) {
        self.entries.push_back(entry);
    }

    /// The number of the last entry that was handed over.
    pub(crate) fn handed(&self) -> u64 {
        self.handed
    }

    /// All of it.
    pub(crate) fn items(&self) -> impl Iterator<Item = &Item> {
        self.entries.iter().map(|entry| &entry.item)
    }

    /// Whether everything has been handed over.
    pub(crate) fn is_read(&self) -> bool {
        self.entries.back().is_none_or(|last| last.item.seq <= self.handed)
    }

    /// The entries that have not been handed over.
    pub(crate) fn unread(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.item.seq > self.handed)
    }

    /// Forgets what is acknowledged: everything up to this number.
    pub(crate) fn acknowledge(&mut self, upto: u64) {
        while self.entries.front().is_some_and(|first| first.item.seq <= upto) {
            self.entries.pop_front();
        }
    }

    /// The next items, without those up to this number.
    pub(crate) fn batch(&self, after: u64) -> Vec<Item> {
        let rest = self.entries.iter().filter(|entry| entry.item.seq > after);
        rest.take(MAX_BATCH).map(|entry| entry.item.clone()).collect()
    }

    /// Hands over everything up to this number; what had not been before.
    pub(crate) fn hand_over(&mut self, upto: u64) -> Vec<Entry> {
        let fresh: Vec<Entry> = self.unread().filter(|entry| entry.item.seq <= upto).cloned().collect();
        self.handed = self.handed.max(upto);
        fresh
    }

    /// Keeps only what agents are told.
    pub(crate) fn forget_meanings(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.message = None);
    }

    /// Drops everything: nobody reads it any more.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }
}
