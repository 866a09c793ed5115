//! Memoised deliveries of messages to agent states.

use std::hash::Hasher;
use std::sync::Arc;

use hashbrown::HashTable;
use map_ir::{AgentId, Value};
use map_semantics::{Bounds, Delivery, Message, deliver};
use rustc_hash::FxHasher;

use super::intern::Interned;
use super::interner::Interner;
use super::local::Received;
use super::sizes::{PLACED, make_room, make_room_in_index};
use super::{Agents, Missing, Pattern, Places, StateId, position_or_push};

/// The state of an agent after a delivery.
#[derive(Clone, Copy)]
pub(crate) struct Delivered<'t> {
    pub(crate) next: StateId,
    pub(crate) received: &'t Received,
}

/// A memoised delivery: recipient, message and pattern; then the next state, and the number of what the agent then
/// holds.
pub(super) struct MemoisedDelivery {
    pub(super) recipient: StateId,
    pub(super) message: u32,
    pattern: u32,
    pub(super) next: StateId,
    received: u32,
}

/// All deliveries computed so far.
#[derive(Default)]
pub(super) struct Deliveries {
    all: Vec<MemoisedDelivery>,
    /// Places in `all`, by the hash of recipient, message and pattern.
    index: HashTable<u32>,
    pub(super) received: Interner<Received>,
}

impl MemoisedDelivery {
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
    /// The place of a delivery, if it was computed.
    fn find(&self, recipient: StateId, message: u32, pattern: u32) -> Option<u32> {
        let is_it = |&place: &u32| {
            let known = &self.all[place as usize];
            (known.recipient, known.message, known.pattern) == (recipient, message, pattern)
        };
        self.index.find(hash_of(recipient, message, pattern), is_it).copied()
    }

    fn add(&mut self, delivered: MemoisedDelivery) {
        let Self { all, index, .. } = self;
        let place = u32::try_from(all.len()).expect("deliveries are fewer than 2^32");
        let hash_at = |it: u32| all[it as usize].hash();
        make_room_in_index(index, hash_at);
        index.insert_unique(delivered.hash(), place, |&it| hash_at(it));
        make_room(all, 1);
        all.push(delivered);
    }

    pub(super) fn all(&self) -> &[MemoisedDelivery] {
        &self.all
    }

    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<MemoisedDelivery>()
            + self.index.capacity() * PLACED
            + self.received.bytes()
    }
}

impl Agents<'_> {
    /// The state of a running agent, whose mailbox is not full, after a message was delivered. The pattern gives the
    /// place of each symbol of the message, then of each name, among the agent's.
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
        let MemoisedDelivery { next, received, .. } = self.deliveries.all[place as usize];
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

    /// Computes a delivery, if that was not done yet.
    pub(super) fn fill_delivery(&mut self, recipient: StateId, message: u32, pattern: u32) {
        if self.deliveries.find(recipient, message, pattern).is_some() {
            return;
        }
        let (next, received) = self.deliver_to_state(recipient, message, pattern);
        self.deliveries.add(MemoisedDelivery { recipient, message, pattern, next, received });
        // The next state will be expanded soon: computing its steps now saves another round.
        self.fill_locals(next);
    }

    /// Delivers a message to an agent state: the next state, and the number of what it holds.
    fn deliver_to_state(&mut self, recipient: StateId, message: u32, pattern: u32) -> (StateId, u32) {
        let (agent, mut state) = (self.states.owner(recipient), self.state(recipient));
        let (renamed, names) = self.as_named_by(recipient, message, &self.patterns[pattern as usize]);
        // Overflow is checked where the message is sent: here equal messages are collapsed.
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

    /// A message in the recipient's numbering of symbols and names, and the names that the recipient then holds
    /// besides its own.
    fn as_named_by(&self, recipient: StateId, message: u32, pattern: &Pattern) -> (Message, Vec<AgentId>) {
        let mut renamed = Message::clone(self.states.message(message));
        // The names the recipient holds, its own first, then those that are new to it.
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

    /// Number of names of interchangeable agents in a message.
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
