//! Interned agent states, kept as lists of numbers. A search may come to millions of them, mostly with mailboxes that
//! differ, but they are put together from few controls, memories and messages.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use map_ir::{AgentId, Value};
use map_semantics::{AgentState, Control, Mailbox, Message, Status};
use rustc_hash::FxBuildHasher;

use super::StateId;
use super::once::Numbered;
use super::sizes::{PLACED, make_room};

/// The states, numbered in the order in which they were interned.
#[derive(Default)]
pub(super) struct States {
    controls: Numbered<Control>,
    memories: Numbered<Vec<Value>>,
    calls: Numbered<Vec<u32>>,
    messages: Numbered<Arc<Message>>,
    /// For every state what it is made of: owner and status, the numbers of its control, memory and counters, then those
    /// of its messages, oldest first.
    words: Vec<u32>,
    ends: Vec<usize>,
    /// Numbers of states, by the hashes of their words.
    index: HashTable<StateId>,
    /// Words of the state that is looked for.
    sought: Vec<u32>,
}

/// The place of the counters among the words of a state, and where its messages start.
const CALLS: usize = 3;
const MESSAGES: usize = 4;

const STATUSES: [Status; 4] = [Status::Running, Status::Done, Status::Failed, Status::Crashed];

fn owner_and_status(agent: AgentId, status: Status) -> u32 {
    let status = STATUSES.iter().position(|it| *it == status).expect("all are there");
    (agent.index() * STATUSES.len() + status) as u32
}

fn hash_of(words: &[u32]) -> u64 {
    FxBuildHasher.hash_one(words)
}

impl States {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of a state, and whether it is new.
    pub(super) fn insert(&mut self, agent: AgentId, state: &AgentState) -> (StateId, bool) {
        let mut sought = std::mem::take(&mut self.sought);
        sought.clear();
        sought.extend([
            owner_and_status(agent, state.status),
            self.controls.number(&state.control),
            self.memories.number(&state.memory),
            self.calls.number(&state.calls),
        ]);
        sought.extend(state.mailbox.iter().map(|message| self.messages.number(message)));
        let hash = hash_of(&sought);
        let known = self.find(hash, &sought);
        let id = known.unwrap_or_else(|| {
            let id = StateId::try_from(self.len()).ok().filter(|id| id >> 30 == 0);
            let id = id.expect("agent states are fewer than 2^30, which take a hundred gigabytes");
            make_room(&mut self.words, sought.len());
            make_room(&mut self.ends, 1);
            self.words.extend_from_slice(&sought);
            self.ends.push(self.words.len());
            let Self { index, words, ends, .. } = self;
            index.insert_unique(hash, id, |&it| hash_of(words_of(words, ends, it)));
            id
        });
        self.sought = sought;
        (id, known.is_none())
    }

    /// The number of a state, if it is known.
    pub(super) fn get(&self, agent: AgentId, state: &AgentState) -> Option<StateId> {
        let parts = [
            self.controls.find(&state.control)?,
            self.memories.find(&state.memory)?,
            self.calls.find(&state.calls)?,
        ];
        let mut sought = vec![owner_and_status(agent, state.status)];
        sought.extend(parts);
        for message in state.mailbox.iter() {
            sought.push(self.messages.find(message)?);
        }
        self.find(hash_of(&sought), &sought)
    }

    fn find(&self, hash: u64, sought: &[u32]) -> Option<StateId> {
        self.index.find(hash, |&it| self.words_of(it) == sought).copied()
    }

    fn words_of(&self, id: StateId) -> &[u32] {
        words_of(&self.words, &self.ends, id)
    }

    /// Whose state it is.
    pub(super) fn owner(&self, id: StateId) -> AgentId {
        AgentId::new(self.words_of(id)[0] as usize / STATUSES.len())
    }

    /// A state as it was interned.
    pub(super) fn state(&self, id: StateId) -> AgentState {
        let words = self.words_of(id);
        let mut mailbox = Mailbox::default();
        self.mailbox(id).for_each(|message| mailbox.push(Arc::clone(message)));
        AgentState {
            status: STATUSES[words[0] as usize % STATUSES.len()],
            control: self.controls[words[1]].clone(),
            memory: self.memories[words[2]].clone(),
            mailbox,
            calls: self.calls[words[CALLS]].clone(),
        }
    }

    /// The messages in the mailbox of a state, oldest first.
    pub(super) fn mailbox(&self, id: StateId) -> impl Iterator<Item = &Arc<Message>> {
        self.words_of(id)[MESSAGES..].iter().map(|&message| self.message(message))
    }

    /// The number of a message.
    pub(super) fn insert_message(&mut self, message: Message) -> u32 {
        self.messages.number(&Arc::new(message))
    }

    pub(super) fn message(&self, message: u32) -> &Arc<Message> {
        &self.messages[message]
    }

    pub(super) fn bytes(&self) -> usize {
        let words = self.words.capacity() * size_of::<u32>() + self.ends.capacity() * size_of::<usize>();
        let parts =
            self.controls.bytes() + self.memories.bytes() + self.calls.bytes() + self.messages.bytes();
        words + self.index.capacity() * PLACED + parts
    }
}

fn words_of<'w>(words: &'w [u32], ends: &[usize], id: StateId) -> &'w [u32] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &words[start..ends[id]]
}
