//! Interned agent states, kept as lists of numbers. A search may come to millions of them, mostly with mailboxes that
//! differ, but they are put together from few controls, memories and messages.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use map_ir::{AgentId, Symbol, Value};
use map_semantics::{AgentState, Control, Mailbox, Message, Status};
use rustc_hash::FxBuildHasher;

use super::StateId;
use super::alike::bytes_of_map;
use super::once::Numbered;
use super::sizes::{PLACED, make_room, pieces_of};

/// The states, numbered in the order in which they were interned.
#[derive(Default)]
pub(super) struct States {
    controls: Numbered<Control>,
    memories: Numbered<Vec<Value>>,
    calls: Numbered<Vec<u32>>,
    messages: Numbered<Arc<Message>>,
    /// For every state its [`Parts`], then the numbers of its messages, oldest first.
    words: Vec<u32>,
    ends: Vec<usize>,
    /// Numbers of states, by the hashes of their words.
    index: HashTable<StateId>,
    /// Words of the state that is looked for.
    sought: Vec<u32>,
    /// The numbers of messages with other symbols, by their own number and those.
    renamed: HashMap<Box<[u32]>, u32, FxBuildHasher>,
    /// What is looked for there.
    names: Vec<u32>,
    /// Bytes of those that are kept.
    renamed_pieces: usize,
}

/// What a state is made of, but for its messages: owner and status, the numbers of its control, memory and counters.
pub(super) type Parts = [u32; MESSAGES];

/// The place of the counters among the words of a state, and where its messages start.
const CALLS: usize = 3;
const MESSAGES: usize = 4;

const STATUSES: [Status; 4] = [Status::Running, Status::Done, Status::Failed, Status::Crashed];

fn owner_and_status(agent: AgentId, status: Status) -> u32 {
    let status = STATUSES.iter().position(|it| *it == status).expect("all are there");
    (agent.index() * STATUSES.len() + status) as u32
}

/// The status of a state that is made of these.
pub(super) fn status_of(parts: &Parts) -> Status {
    STATUSES[parts[0] as usize % STATUSES.len()]
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
        let parts = self.parts(agent, state);
        let mailbox: Vec<u32> = state.mailbox.iter().map(|message| self.messages.number(message)).collect();
        self.insert_numbers(&parts, &mailbox)
    }

    /// What a state is made of, but for its messages.
    pub(super) fn parts(&mut self, agent: AgentId, state: &AgentState) -> Parts {
        [
            owner_and_status(agent, state.status),
            self.controls.number(&state.control),
            self.memories.number(&state.memory),
            self.calls.number(&state.calls),
        ]
    }

    /// The number of the state that is made of these, and whether it is new.
    pub(super) fn insert_numbers(&mut self, parts: &Parts, mailbox: &[u32]) -> (StateId, bool) {
        let mut sought = std::mem::take(&mut self.sought);
        sought.clear();
        sought.extend_from_slice(parts);
        sought.extend_from_slice(mailbox);
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

    /// What a state is made of.
    pub(super) fn parts_and_messages(&self, id: StateId) -> (&Parts, &[u32]) {
        self.words_of(id).split_first_chunk().expect("every state has its parts")
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
            status: status_of(self.parts_and_messages(id).0),
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

    /// The number of a message with other symbols.
    pub(super) fn renamed(&mut self, message: u32, mut name: impl FnMut(u32) -> u32) -> u32 {
        let Self { messages, renamed, names, renamed_pieces, .. } = self;
        names.clear();
        names.push(message);
        let mut differs = false;
        for Symbol(symbol) in messages[message].arguments.iter().filter_map(|it| it.symbol()) {
            let new = name(symbol);
            differs |= new != symbol;
            names.push(new);
        }
        if !differs {
            return message;
        }
        if let Some(&known) = renamed.get(names.as_slice()) {
            return known;
        }
        let mut made = Message::clone(&messages[message]);
        let symbols = made.arguments.iter_mut().filter_map(Value::symbol_mut);
        symbols.zip(&names[1..]).for_each(|(symbol, &new)| symbol.0 = new);
        let number = messages.number(&Arc::new(made));
        *renamed_pieces += pieces_of(names);
        renamed.insert(names.as_slice().into(), number);
        number
    }

    pub(super) fn message(&self, message: u32) -> &Arc<Message> {
        &self.messages[message]
    }

    pub(super) fn bytes(&self) -> usize {
        let words = self.words.capacity() * size_of::<u32>() + self.ends.capacity() * size_of::<usize>();
        let parts =
            self.controls.bytes() + self.memories.bytes() + self.calls.bytes() + self.messages.bytes();
        let renamed = bytes_of_map(&self.renamed) + self.renamed_pieces;
        words + self.index.capacity() * PLACED + parts + renamed
    }
}

fn words_of<'w>(words: &'w [u32], ends: &[usize], id: StateId) -> &'w [u32] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &words[start..ends[id]]
}
