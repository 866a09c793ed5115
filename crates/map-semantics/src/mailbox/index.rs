//! An index for finding a message in a long queue without scanning it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use map_ir::Value;

use super::Message;

/// The messages of one performative by the value they hold at each place: their arguments, then the sender.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// The arrival numbers of the messages that hold this value, oldest first; no list is empty.
    by_value: BTreeMap<(usize, Value), VecDeque<u64>>,
    /// The arrival numbers of the messages that hold an abstract value, which may equal any other.
    open: BTreeMap<usize, VecDeque<u64>>,
}

impl Index {
    pub(super) fn of<'a>(messages: impl IntoIterator<Item = &'a (u64, Arc<Message>)>) -> Box<Self> {
        let mut index = Box::<Self>::default();
        for (arrival, message) in messages {
            index.add(*arrival, message);
        }
        index
    }

    /// Adds the newest message.
    pub(super) fn add(&mut self, arrival: u64, message: &Message) {
        for (place, value) in places(message) {
            match value {
                Value::Abstract(_) => self.open.entry(place).or_default().push_back(arrival),
                _ => self.by_value.entry((place, value)).or_default().push_back(arrival),
            }
        }
    }

    pub(super) fn remove(&mut self, arrival: u64, message: &Message) {
        for (place, value) in places(message) {
            if let Value::Abstract(_) = value {
                self.open.get_mut(&place).into_iter().for_each(|arrivals| forget(arrivals, arrival));
                continue;
            }
            if let Some(arrivals) = self.by_value.get_mut(&(place, value)) {
                forget(arrivals, arrival);
                if arrivals.is_empty() {
                    self.by_value.remove(&(place, value));
                }
            }
        }
    }

    /// The arrival numbers, oldest first, of all messages that may hold these values, and possibly of others: the
    /// shortest list for a single place is used. `wanted` is not empty, and none of its values is abstract.
    pub(super) fn candidates(&self, wanted: &[(usize, Value)]) -> Candidates<'_> {
        let found = wanted.iter().map(|&(place, value)| Candidates {
            exact: self.by_value.get(&(place, value)),
            open: self.open.get(&place),
            next: (0, 0),
        });
        found.min_by_key(Candidates::len).unwrap_or_default()
    }
}

/// The value at each place of a message.
fn places(message: &Message) -> impl Iterator<Item = (usize, Value)> {
    message.arguments.iter().copied().chain([Value::Agent(message.sender)]).enumerate()
}

fn forget(arrivals: &mut VecDeque<u64>, arrival: u64) {
    if let Ok(at) = arrivals.binary_search(&arrival) {
        arrivals.remove(at);
    }
}

/// Two sorted lists of arrival numbers, merged.
#[derive(Default)]
pub(super) struct Candidates<'a> {
    exact: Option<&'a VecDeque<u64>>,
    open: Option<&'a VecDeque<u64>>,
    next: (usize, usize),
}

impl Candidates<'_> {
    fn len(&self) -> usize {
        self.exact.map_or(0, VecDeque::len) + self.open.map_or(0, VecDeque::len)
    }
}

impl Iterator for Candidates<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let exact = self.exact.and_then(|it| it.get(self.next.0)).copied();
        let open = self.open.and_then(|it| it.get(self.next.1)).copied();
        match (exact, open) {
            (Some(exact), Some(open)) if open < exact => {
                self.next.1 += 1;
                Some(open)
            }
            (Some(exact), _) => {
                self.next.0 += 1;
                Some(exact)
            }
            (None, open) => {
                self.next.1 += 1;
                open
            }
        }
    }
}
