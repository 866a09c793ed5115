//! What becomes of an agent state when a message is delivered to it.

use std::sync::Arc;

use map_ir::{AgentId, Value};
use map_semantics::{Bounds, Delivery, Message, deliver};

use super::intern::Interned;
use super::{Agents, Missing, Pattern, Places, StateId, position_or_push};

/// What became of a delivery.
#[derive(Clone)]
pub(crate) struct Delivered {
    pub(crate) next: StateId,
    /// Which symbols, and which names but its own, the recipient holds then, by its numbering and that of the pattern.
    pub(crate) symbols: Box<[u32]>,
    pub(crate) names: Box<[u32]>,
    /// How many messages it holds of each kind.
    pub(crate) counts: Places,
}

impl Agents<'_> {
    /// The state of a running agent, whose mailbox is not full, after a message was put into that. The pattern says for
    /// each symbol of the message, then for each name, where it stands among the agent's.
    pub(crate) fn deliver(
        &self,
        recipient: StateId,
        message: u32,
        pattern: &[u32],
    ) -> Result<&Delivered, Missing> {
        let number = if pattern.is_empty() { Some(0) } else { self.patterns.get_index_of(pattern) };
        let known = number.and_then(|it| self.deliveries.get(&(recipient, message, it as u32)));
        known.ok_or_else(|| Missing::Delivery { recipient, message, pattern: pattern.to_vec() })
    }

    pub(super) fn delivered(&mut self, recipient: StateId, message: u32, pattern: usize) -> Delivered {
        let (agent, before) = (self.states[recipient as usize].agent, self.state(recipient).clone());
        let (message, names) = self.as_named_by(recipient, message, &self.patterns[pattern]);
        let mut state = before;
        // Whether it is full is looked at where the message is sent: here messages are counted.
        let roomy = Bounds { mailbox: u32::MAX, ..self.bounds.clone() };
        let delivery = deliver(&roomy, &mut state, &Arc::new(message));
        assert_eq!(delivery, Delivery::Delivered, "only running agents are delivered to");
        let kinds = if self.counts_messages() { state.mailbox.len() as u32 } else { 0 };
        let own = (0..kinds).map(|kind| vec![kind]).collect();
        let Interned { id: next, symbols, names: held, kinds: now } = self.intern(agent, state, own);
        let number = |name: &AgentId| names.iter().position(|it| it == name).expect("it was named here");
        let delivered = Delivered {
            next,
            symbols: symbols.into(),
            names: held.iter().map(|name| number(name) as u32).collect(),
            counts: Places::new(kinds as usize, &now),
        };
        self.note_delivery(&delivered);
        delivered
    }

    /// A message with the symbols and names that its recipient has for them, and the names that the recipient then
    /// has beside its own.
    fn as_named_by(&self, recipient: StateId, message: u32, pattern: &Pattern) -> (Message, Vec<AgentId>) {
        let mut renamed = Message::clone(&self.messages[message as usize]);
        // The names that the recipient has, its own first, then those that are new to it.
        let mut names = vec![self.states[recipient as usize].agent];
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
        let mut message = Message::clone(&self.messages[message as usize]);
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
