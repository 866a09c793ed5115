//! Interned agent states, stored as lists of numbers. A search may reach millions of them, most with different
//! mailboxes, but they are composed from few controls, memories and messages.

use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use hashbrown::HashTable;
use map_ir::{AgentId, Value};
use map_semantics::{AgentState, Control, Mailbox, Message, Status, UnderWay};
use rustc_hash::{FxBuildHasher, FxHasher};

use super::StateId;
use super::interner::Interner;
use super::sizes::{HeapBytes, PLACED, make_room, make_room_in_index};

/// The states, numbered in the order of interning.
#[derive(Default)]
pub(super) struct States {
    controls: Interner<Control>,
    memories: Interner<Vec<Value>>,
    calls: Interner<Vec<u32>>,
    messages: Interner<Arc<Message>>,
    parts: Interner<Parts>,
    /// For each state the number of its parts, then those of its messages, as variable-length integers: those on their
    /// way, then those in the mailbox, oldest first.
    bytes: Vec<u8>,
    ends: Ends,
    /// Numbers of states, by the hash of their bytes.
    index: HashTable<StateId>,
    /// A buffer: the encoding of the state being looked up.
    encoded: Vec<u8>,
}

/// The components of a state without its messages: owner and status; the numbers of its control, memory and counters;
/// how many of its messages are on their way.
pub(super) type Parts = [u32; 5];

impl HeapBytes for Parts {
    fn heap_bytes(&self) -> usize {
        0
    }
}

const STATUSES: [Status; 4] = [Status::Running, Status::Done, Status::Failed, Status::Crashed];

fn owner_and_status(agent: AgentId, status: Status) -> u32 {
    let status = STATUSES.iter().position(|it| *it == status).expect("all are there");
    (agent.index() * STATUSES.len() + status) as u32
}

fn status_of(parts: &Parts) -> Status {
    STATUSES[parts[0] as usize % STATUSES.len()]
}

fn hash_of(bytes: &[u8]) -> u64 {
    FxBuildHasher.hash_one(bytes)
}

/// The end of each state's bytes.
#[derive(Default)]
struct Ends {
    /// The start of every [`STATES`]th state.
    starts: Vec<usize>,
    /// The ends, relative to that start.
    ends: Vec<u32>,
}

/// Number of states that share a start.
const STATES: usize = 256;

impl Ends {
    fn push(&mut self, end: usize) {
        let place = self.ends.len();
        if place.is_multiple_of(STATES) {
            let start = if place == 0 { 0 } else { self.get(place - 1) };
            make_room(&mut self.starts, 1);
            self.starts.push(start);
        }
        make_room(&mut self.ends, 1);
        let end = u32::try_from(end - self.starts[place / STATES]);
        self.ends.push(end.expect("mailboxes are shorter than millions of messages"));
    }

    fn get(&self, place: usize) -> usize {
        self.starts[place / STATES] + self.ends[place] as usize
    }

    fn range(&self, place: usize) -> Range<usize> {
        let start = match place % STATES {
            0 => self.starts[place / STATES],
            _ => self.get(place - 1),
        };
        start..self.get(place)
    }

    fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<usize>() + self.ends.capacity() * size_of::<u32>()
    }
}

impl States {
    pub(super) fn len(&self) -> usize {
        self.ends.ends.len()
    }

    /// Number of interned messages.
    pub(super) fn message_count(&self) -> usize {
        self.messages.len()
    }

    /// The number of a state, and whether it is new.
    pub(super) fn insert(&mut self, agent: AgentId, state: &AgentState) -> (StateId, bool) {
        let parts = self.number_parts(agent, state);
        let messages = state.under_way.iter().chain(state.mailbox.iter());
        let messages: Vec<u32> = messages.map(|message| self.messages.number(message)).collect();
        self.insert_numbers(parts, &messages)
    }

    /// The number of a state's parts.
    pub(super) fn number_parts(&mut self, agent: AgentId, state: &AgentState) -> u32 {
        let parts = [
            owner_and_status(agent, state.status),
            self.controls.number(&state.control),
            self.memories.number(&state.memory),
            self.calls.number(&state.calls),
            state.under_way.len() as u32,
        ];
        self.parts.number(&parts)
    }

    /// The number of the state with these parts and messages, given by their numbers, and whether it is new.
    pub(super) fn insert_numbers(&mut self, parts: u32, messages: &[u32]) -> (StateId, bool) {
        let mut encoded = std::mem::take(&mut self.encoded);
        encoded.clear();
        push_number(&mut encoded, parts);
        messages.iter().for_each(|&message| push_number(&mut encoded, message));
        self.insert_bytes(encoded)
    }

    fn insert_bytes(&mut self, encoded: Vec<u8>) -> (StateId, bool) {
        let hash = hash_of(&encoded);
        let known = self.find(hash, &encoded);
        let id = known.unwrap_or_else(|| {
            let id = StateId::try_from(self.len()).ok().filter(|id| id >> 30 == 0);
            let id = id.expect("agent states are fewer than 2^30, which take tens of gigabytes");
            let Self { index, bytes, ends, .. } = self;
            let hash_at = |it: StateId| hash_of(&bytes[ends.range(it as usize)]);
            make_room_in_index(index, hash_at);
            index.insert_unique(hash, id, |&it| hash_at(it));
            make_room(bytes, encoded.len());
            bytes.extend_from_slice(&encoded);
            ends.push(bytes.len());
            id
        });
        self.encoded = encoded;
        (id, known.is_none())
    }

    /// The number of a state, if it is interned.
    pub(super) fn get(&self, agent: AgentId, state: &AgentState) -> Option<StateId> {
        let parts = [
            owner_and_status(agent, state.status),
            self.controls.find(&state.control)?,
            self.memories.find(&state.memory)?,
            self.calls.find(&state.calls)?,
            state.under_way.len() as u32,
        ];
        let mut encoded = Vec::new();
        push_number(&mut encoded, self.parts.find(&parts)?);
        for message in state.under_way.iter().chain(state.mailbox.iter()) {
            push_number(&mut encoded, self.messages.find(message)?);
        }
        self.find(hash_of(&encoded), &encoded)
    }

    fn find(&self, hash: u64, encoded: &[u8]) -> Option<StateId> {
        self.index.find(hash, |&it| self.bytes_of(it) == encoded).copied()
    }

    fn bytes_of(&self, id: StateId) -> &[u8] {
        &self.bytes[self.ends.range(id as usize)]
    }

    fn parts(&self, id: StateId) -> &Parts {
        let number = next_number(&mut self.bytes_of(id)).expect("every state has its parts");
        &self.parts[number]
    }

    /// How many messages are on their way to the agent.
    pub(super) fn under_way(&self, id: StateId) -> u32 {
        self.parts(id)[4]
    }

    /// The numbers of the messages of a state: those on their way, then those in the mailbox, oldest first.
    pub(super) fn messages(&self, id: StateId) -> impl Iterator<Item = u32> {
        let mut bytes = self.bytes_of(id);
        // Skips the number of its parts.
        next_number(&mut bytes);
        std::iter::from_fn(move || next_number(&mut bytes))
    }

    /// The owner of a state.
    pub(super) fn owner(&self, id: StateId) -> AgentId {
        AgentId::new(self.parts(id)[0] as usize / STATUSES.len())
    }

    /// A state as it was interned.
    pub(super) fn state(&self, id: StateId) -> AgentState {
        let parts @ &[_, control, memory, calls, count] = self.parts(id);
        let mut under_way = UnderWay::default();
        let coming = self.messages(id).take(count as usize);
        coming.for_each(|message| under_way.add(Arc::clone(self.message(message))));
        let mut mailbox = Mailbox::default();
        self.mailbox(id).for_each(|message| mailbox.push(Arc::clone(message)));
        AgentState {
            status: status_of(parts),
            control: self.controls[control].clone(),
            memory: self.memories[memory].clone(),
            mailbox,
            under_way,
            calls: self.calls[calls].clone(),
        }
    }

    /// A hash of a state that does not depend on the numbers of its components. The same in every process of one
    /// build.
    pub(super) fn fingerprint(&self, id: StateId) -> u64 {
        let &[owner_and_status, control, memory, calls, under_way] = self.parts(id);
        let mut hasher = FxHasher::default();
        owner_and_status.hash(&mut hasher);
        self.controls[control].hash(&mut hasher);
        self.memories[memory].hash(&mut hasher);
        self.calls[calls].hash(&mut hasher);
        under_way.hash(&mut hasher);
        self.messages(id).for_each(|message| self.message(message).hash(&mut hasher));
        hasher.finish()
    }

    /// The messages in the mailbox of a state, oldest first.
    pub(super) fn mailbox(&self, id: StateId) -> impl Iterator<Item = &Arc<Message>> {
        self.messages(id).skip(self.under_way(id) as usize).map(|message| self.message(message))
    }

    /// The number of a message.
    pub(super) fn insert_message(&mut self, message: Message) -> u32 {
        self.messages.number(&Arc::new(message))
    }

    pub(super) fn message(&self, message: u32) -> &Arc<Message> {
        &self.messages[message]
    }

    pub(super) fn bytes(&self) -> usize {
        let own = self.parts.bytes() + self.bytes.capacity() + self.ends.bytes();
        let parts =
            self.controls.bytes() + self.memories.bytes() + self.calls.bytes() + self.messages.bytes();
        own + self.index.capacity() * PLACED + parts
    }
}

/// Appends a number in LEB128: seven bits per byte, low ones first; the high bit marks that more follow.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads the next number written by [`push_number`], if there is one.
fn next_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for (place, &byte) in bytes.iter().enumerate() {
        number |= u32::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            *bytes = &bytes[place + 1..];
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {

    use super::{STATES, States, next_number, push_number};

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let numbers = [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, u32::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| push_number(&mut bytes, number));
        assert_eq!(bytes.len(), 1 + 1 + 1 + 2 + 2 + 3 + 5);
        let mut rest = bytes.as_slice();
        assert_eq!(Vec::from_iter(std::iter::from_fn(|| next_number(&mut rest))), numbers);
    }

    #[test]
    fn states_are_told_apart_by_their_parts_and_messages() {
        let mut states = States::default();
        let mailbox = |number: u32| Vec::from_iter(0..number % 5);
        let parts = |number: u32| [number % 3, number, 7, 1 << 20, number % 2];
        // More states than share a start.
        let count = 3 * STATES as u32 + 1;
        for number in 0..count {
            let parts = states.parts.number(&parts(number));
            assert_eq!(states.insert_numbers(parts, &mailbox(number)), (number, true));
        }
        for number in 0..count {
            let parts_number = states.parts.number(&parts(number));
            assert_eq!(states.insert_numbers(parts_number, &mailbox(number)), (number, false));
            assert_eq!(*states.parts(number), parts(number));
            assert_eq!(Vec::from_iter(states.messages(number)), mailbox(number));
        }
    }
}
