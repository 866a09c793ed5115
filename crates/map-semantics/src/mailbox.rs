//! Messages and mailboxes.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use map_ir::{AgentId, PerformativeId, Program, Symbol, Value};

mod index;

use crate::Network;
use index::{Candidates, Index};

/// The queue length from which receives use an index. It is above the default of `--mailbox`, so that a state-space
/// search never pays for one.
const INDEX_THRESHOLD: usize = 64;

/// A message in a mailbox.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// The performative.
    pub performative: PerformativeId,
    /// Who sent it.
    pub sender: AgentId,
    /// Its arguments.
    pub arguments: Vec<Value>,
}

impl Message {
    /// The value at a place of the tuple that patterns are matched against: arguments, sender's name, sender's role.
    #[must_use]
    pub fn at(&self, program: &Program, place: usize) -> Value {
        match self.arguments.get(place) {
            Some(&argument) => argument,
            None if place == self.arguments.len() => Value::Agent(self.sender),
            None => Value::Role(program.agent(self.sender).role),
        }
    }

    /// Replaces every agent's name by the result of `rename`: the sender's if `sender` is set, then those among the
    /// arguments.
    pub fn rename_agents(&mut self, sender: bool, rename: &mut impl FnMut(AgentId) -> AgentId) {
        if sender {
            self.sender = rename(self.sender);
        }
        self.arguments.iter_mut().for_each(|argument| rename_agent(argument, rename));
    }

    /// Replaces every argument, and the sender as an agent's name, by the result of `replace`, which gives agents for
    /// agents. A message that does not change stays shared.
    pub fn replace_values(this: &mut Arc<Self>, replace: &mut impl FnMut(Value) -> Value) {
        let mut changes = |value: Value| replace(value) != value;
        if !changes(Value::Agent(this.sender)) && !this.arguments.iter().any(|&value| changes(value)) {
            return;
        }
        let message = Arc::make_mut(this);
        if let Value::Agent(sender) = replace(Value::Agent(message.sender)) {
            message.sender = sender;
        }
        message.arguments.iter_mut().for_each(|argument| *argument = replace(*argument));
    }

    /// Whether [`Message::rename_agents`] would rename anything.
    pub(crate) fn names_agents(&self, sender: bool) -> bool {
        sender || self.arguments.iter().any(|argument| matches!(argument, Value::Agent(_)))
    }

    /// Compares messages of one performative, ignoring their symbols.
    fn cmp_shape(&self, other: &Self) -> Ordering {
        let key = |message: &Self| {
            let mut shape = message.arguments.clone();
            for symbol in shape.iter_mut().filter_map(Value::symbol_mut) {
                *symbol = Symbol(0);
            }
            (message.sender, shape)
        };
        key(self).cmp(&key(other))
    }
}

/// Renames the value if it is an agent's name.
pub(crate) fn rename_agent(value: &mut Value, rename: &mut impl FnMut(AgentId) -> AgentId) {
    if let Value::Agent(agent) = value {
        *agent = rename(*agent);
    }
}

/// The messages an agent has received and not yet taken.
///
/// They are grouped by performative, so that a receive examines only those it could take. Two mailboxes are equal if
/// they hold equal messages in the same order of arrival. In a bag arrival numbers say nothing of time: messages are
/// kept in a fixed order (by `Mailbox::insert`), so that equal bags are equal mailboxes.
#[derive(Clone, Debug, Default)]
pub struct Mailbox {
    /// Sorted by performative; none is empty.
    queues: Vec<Queue>,
    arrivals: u64,
    len: usize,
}

#[derive(Clone, Debug)]
struct Queue {
    performative: PerformativeId,
    /// Oldest first, with arrival numbers.
    messages: VecDeque<(u64, Arc<Message>)>,
    /// Built on first use.
    index: OnceLock<Box<Index>>,
}

impl Queue {
    fn new(performative: PerformativeId, first: (u64, Arc<Message>)) -> Self {
        Self { performative, messages: VecDeque::from([first]), index: OnceLock::new() }
    }
}

/// The messages that a receive examines.
pub(crate) struct Search<'a> {
    queue: Option<&'a Queue>,
    next: usize,
    candidates: Option<Candidates<'a>>,
}

impl<'a> Iterator for Search<'a> {
    type Item = (u64, &'a Arc<Message>);

    fn next(&mut self) -> Option<Self::Item> {
        let messages = &self.queue?.messages;
        let at = match &mut self.candidates {
            None => self.next,
            Some(candidates) => {
                let arrival = candidates.next()?;
                messages.binary_search_by_key(&arrival, |&(at, _)| at).ok()?
            }
        };
        self.next += 1;
        messages.get(at).map(|(arrival, message)| (*arrival, message))
    }
}

impl Mailbox {
    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The messages, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Message>> {
        self.arrivals().into_iter().map(|(_, message)| message)
    }

    /// The messages with their arrival numbers, oldest first.
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

    /// The messages of a performative with their arrival numbers, oldest first. `wanted` gives the values that they
    /// must hold and their places (arguments, then the sender), none of them abstract. It is a filter for speed only:
    /// the result contains every message that may match, and possibly others.
    pub(crate) fn of(
        &self,
        performative: PerformativeId,
        wanted: impl FnOnce() -> Vec<(usize, Value)>,
    ) -> Search<'_> {
        let queue = self.queues.iter().find(|queue| queue.performative == performative);
        let candidates = queue.filter(|queue| queue.messages.len() >= INDEX_THRESHOLD).and_then(|queue| {
            let wanted = wanted();
            let index = (!wanted.is_empty()).then(|| queue.index.get_or_init(|| Index::of(&queue.messages)));
            index.map(|index| index.candidates(&wanted))
        });
        Search { queue, next: 0, candidates }
    }

    /// How many messages equal this one and are before the one with this arrival number, or anywhere if none is given.
    #[must_use]
    pub fn equal_before(&self, message: &Message, arrival: Option<u64>) -> usize {
        let queue = self.queues.iter().find(|queue| queue.performative == message.performative);
        let messages = queue.into_iter().flat_map(|queue| &queue.messages);
        let before = messages.take_while(|(number, _)| Some(*number) != arrival);
        before.filter(|(_, earlier)| **earlier == *message).count()
    }

    /// The messages except the one with this arrival number.
    pub fn without(&self, arrival: Option<u64>) -> impl Iterator<Item = &Arc<Message>> {
        let others = self.arrivals().into_iter().filter(move |&(at, _)| Some(at) != arrival);
        others.map(|(_, message)| message)
    }

    /// Adds a message that arrives: at the end, or at its place in the order of the bag if mailboxes are bags.
    pub(crate) fn receive(&mut self, network: Network, message: Arc<Message>) {
        if network.unordered {
            self.insert(message);
        } else {
            self.push(message);
        }
    }

    /// Adds the newest message.
    pub fn push(&mut self, message: Arc<Message>) {
        let entry = (self.arrivals, message);
        self.arrivals += 1;
        self.len += 1;
        let performative = entry.1.performative;
        match self.queues.binary_search_by_key(&performative, |queue| queue.performative) {
            Ok(index) => {
                let queue = &mut self.queues[index];
                if let Some(index) = queue.index.get_mut() {
                    index.add(entry.0, &entry.1);
                }
                queue.messages.push_back(entry);
            }
            Err(index) => self.queues.insert(index, Queue::new(performative, entry)),
        }
    }

    /// Adds a message to a bag, which is sorted by performative, sender and arguments. Symbols rank equal here, and a
    /// new message comes after its equals; the scene breaks the ties ([`crate::order_bags`]).
    pub(crate) fn insert(&mut self, message: Arc<Message>) {
        let performative = message.performative;
        self.len += 1;
        match self.queues.binary_search_by_key(&performative, |queue| queue.performative) {
            Ok(index) => {
                let messages = &mut self.queues[index].messages;
                let at = messages.partition_point(|(_, it)| it.cmp_shape(&message) != Ordering::Greater);
                messages.insert(at, (0, message));
            }
            Err(index) => {
                self.queues.insert(index, Queue::new(performative, (0, message)));
            }
        }
        self.number();
    }

    /// Renumbers the messages in their present order.
    fn number(&mut self) {
        let entries = self.queues.iter_mut().flat_map(|queue| {
            queue.index = OnceLock::new();
            &mut queue.messages
        });
        for (number, entry) in entries.enumerate() {
            entry.0 = number as u64;
        }
        self.arrivals = self.len as u64;
    }

    /// Whether a bag holds messages that differ only in their symbols, so that their order is not yet fixed.
    #[must_use]
    pub fn has_ties(&self) -> bool {
        self.queues.iter().any(|queue| {
            let messages = queue.messages.iter().zip(queue.messages.iter().skip(1));
            messages.into_iter().any(|((_, a), (_, b))| a != b && a.cmp_shape(b) == Ordering::Equal)
        })
    }

    /// Sorts a bag by a key that refines the order of [`Mailbox::insert`].
    pub(crate) fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&Message) -> K) {
        for queue in &mut self.queues {
            queue.messages.make_contiguous().sort_by_cached_key(|(_, message)| key(message));
        }
        self.number();
    }

    /// Removes the message with this arrival number, if it is there.
    pub(crate) fn take(&mut self, performative: PerformativeId, arrival: u64) {
        let Ok(queue) = self.queues.binary_search_by_key(&performative, |queue| queue.performative) else {
            return;
        };
        let Queue { messages, index, .. } = &mut self.queues[queue];
        let found = messages.binary_search_by_key(&arrival, |&(at, _)| at).ok();
        if let Some((_, message)) = found.and_then(|at| messages.remove(at)) {
            if let Some(index) = index.get_mut() {
                index.remove(arrival, &message);
            }
            self.len -= 1;
            if messages.is_empty() {
                self.queues.remove(queue);
            }
        }
    }

    /// The messages, mutably, oldest first.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Arc<Message>> {
        let queues = self.queues.iter_mut();
        let mut all: Vec<_> = queues
            .flat_map(|queue| {
                // The caller may change what is indexed.
                queue.index = OnceLock::new();
                queue.messages.iter_mut()
            })
            .collect();
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
