//! What becomes of an agent state when a message is delivered to it.

use std::hash::Hasher;
use std::sync::Arc;

use hashbrown::HashTable;
use map_ir::{AgentId, Value};
use map_semantics::{Bounds, Delivery, Message, deliver};
use rustc_hash::FxHasher;

use super::intern::Interned;
use super::local::Received;
use super::once::Numbered;
use super::sizes::{PLACED, make_room, make_room_in_index};
use super::{Agents, Missing, Pattern, Places, StateId, position_or_push};

/// What became of an agent state when a message was delivered to it.
#[derive(Clone, Copy)]
pub(crate) struct Delivered<'t> {
    pub(crate) next: StateId,
    pub(crate) received: &'t Received,
}

/// A message that was delivered to an agent state under a pattern, and the number of what the agent then holds.
pub(super) struct Known {
    pub(super) recipient: StateId,
    pub(super) message: u32,
    pattern: u32,
    pub(super) next: StateId,
    received: u32,
}

/// All that were computed.
#[derive(Default)]
pub(super) struct Deliveries {
    all: Vec<Known>,
    /// Places among them, by the hashes of what was delivered to whom.
    index: HashTable<u32>,
    pub(super) received: Numbered<Received>,
}

impl Known {
    fn hash(&self) -> u64 {
        hash_of(self.recipient, self.message, self.pattern)
    }
}

fn hash_of(recipient: StateId, message: u32, pattern: u32) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from(recipient) | u64::from(message) << 32);
    hasher.write_u32(pattern);
    hasher.finish()
}

impl Deliveries {
    /// The place of a delivery, if it is known.
    fn find(&self, recipient: StateId, message: u32, pattern: u32) -> Option<u32> {
        let is_it = |&place: &u32| {
            let known = &self.all[place as usize];
            (known.recipient, known.message, known.pattern) == (recipient, message, pattern)
        };
        self.index.find(hash_of(recipient, message, pattern), is_it).copied()
    }

    fn add(&mut self, delivered: Known) {
        let Self { all, index, .. } = self;
        let place = u32::try_from(all.len()).expect("deliveries are fewer than 2^32");
        let hash_at = |it: u32| all[it as usize].hash();
        make_room_in_index(index, hash_at);
        index.insert_unique(delivered.hash(), place, |&it| hash_at(it));
        make_room(all, 1);
        all.push(delivered);
    }

    pub(super) fn all(&self) -> &[Known] {
        &self.all
    }

    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Known>() + self.index.capacity() * PLACED + self.received.bytes()
    }
}

impl Agents<'_> {
    /// The state of a running agent, whose mailbox is not full, after a message was put into that. The pattern says for
    /// each symbol of the message, then for each name, where it stands among the agent's.
    pub(crate) fn deliver(
        &self,
        recipient: StateId,
        message: u32,
        pattern: &[u32],
    ) -> Result<Delivered<'_>, Missing> {
        let Some(number) = self.pattern(pattern) else {
            return Err(Missing::DeliveryUnder(Box::new((recipient, message, pattern.into()))));
        };
        let place = self.deliveries.find(recipient, message, number);
        let place = place.ok_or(Missing::Delivery { recipient, message, pattern: number })?;
        let Known { next, received, .. } = self.deliveries.all[place as usize];
        Ok(Delivered { next, received: &self.deliveries.received[received] })
    }

    /// The number of a pattern, if it has one.
    #[inline]
    fn pattern(&self, pattern: &[u32]) -> Option<u32> {
        if pattern.is_empty() {
            return Some(0);
        }
        self.patterns.get_index_of(pattern).map(|number| number as u32)
    }

    /// Finds out what becomes of an agent state.
    pub(super) fn fill_delivery(&mut self, recipient: StateId, message: u32, pattern: u32) {
        if self.deliveries.find(recipient, message, pattern).is_some() {
            return;
        }
        let (next, received) = self.deliver_to_state(recipient, message, pattern);
        self.deliveries.add(Known { recipient, message, pattern, next, received });
        // The state after the delivery is expanded next: its steps need not be missing first.
        self.fill_locals(next);
    }

    /// Delivers a message to an agent state: the state that follows, and what it holds.
    fn deliver_to_state(&mut self, recipient: StateId, message: u32, pattern: u32) -> (StateId, u32) {
        let (agent, mut state) = (self.states.owner(recipient), self.state(recipient));
        let (renamed, names) = self.as_named_by(recipient, message, &self.patterns[pattern as usize]);
        // Whether it is full is looked at where the message is sent: here messages are counted.
        let roomy = Bounds { mailbox: u32::MAX, ..self.bounds.clone() };
        let delivery = deliver(&roomy, &mut state, &Arc::new(renamed));
        assert_eq!(delivery, Delivery::Delivered, "only running agents are delivered to");
        let kinds = if self.counts_messages() { state.mailbox.len() as u32 } else { 0 };
        let own = (0..kinds).map(|kind| vec![kind]).collect();
        let Interned { id: next, symbols, names: held, kinds: now } = self.intern(agent, state, own);
        let number = |name: &AgentId| names.iter().position(|it| it == name).expect("it was named here");
        let names = held.iter().map(|name| number(name) as u32).collect();
        let counts = Places::new(kinds as usize, &now);
        (next, self.deliveries.received.number(&Received { symbols: symbols.into(), names, counts }))
    }

    /// A message with the symbols and names that its recipient has for them, and the names that the recipient then
    /// has beside its own.
    fn as_named_by(&self, recipient: StateId, message: u32, pattern: &Pattern) -> (Message, Vec<AgentId>) {
        let mut renamed = Message::clone(self.states.message(message));
        // The names that the recipient has, its own first, then those that are new to it.
        let mut names = vec![self.states.owner(recipient)];
        names.extend(self.names(recipient));
        if !pattern.is_empty() {
            for symbol in renamed.arguments.iter_mut().filter_map(Value::symbol_mut) {
                symbol.0 = pattern[symbol.0 as usize];
            }
            let numbers = &pattern[pattern.len() - self.message_names(message)..];
            let (mut seen, mut numbers) = (Vec::new(), numbers.iter());
            let sender = self.sender_matters(renamed.performative);
            renamed.rename_agents(sender, &mut |name| {
                let Some(class) = self.symmetry.class_of(name) else { return name };
                let known = seen.iter().find(|&&(it, _)| it == name).map(|&(_, number)| number);
                let number = known.unwrap_or_else(|| {
                    let number = *numbers.next().expect("the pattern has a number for every name") as usize;
                    seen.push((name, number));
                    number
                });
                if number == names.len() {
                    names.push(self.symmetry.unused(class, |it| names.contains(&it)));
                }
                names[number]
            });
        }
        (renamed, names.split_off(1))
    }

    /// How many names of interchangeable agents a message holds.
    fn message_names(&self, message: u32) -> usize {
        let mut names = Vec::new();
        let mut message = Message::clone(self.states.message(message));
        let sender = self.sender_matters(message.performative);
        message.rename_agents(sender, &mut |name| {
            if self.symmetry.class_of(name).is_some() {
                position_or_push(&mut names, name);
            }
            name
        });
        names.len()
    }
}
