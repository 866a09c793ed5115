//! Applies a step of one agent to the global state.

use map_ir::{AgentId, PerformativeId};
use map_semantics::Status;

use super::located::Slot;
use super::scratch::{Changed, Scratch, Token};
use super::space::Space;
use crate::agents::{After, Brief, Delivered, End, LocalStep, Missing, Sent, StateId};

/// The state that a step starts from, and the slot of the agent that takes it.
#[derive(Clone, Copy)]
pub(super) struct Origin<'s> {
    pub(super) words: &'s [u32],
    pub(super) slot: usize,
}

/// The outcome of applying a step to the global state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Composed {
    /// The next state was written.
    Next,
    /// The tables lack an entry; the other outputs are meaningless.
    Missing,
    /// A mailbox is full.
    Overflow,
    /// The step leads to no state: see its [`End`].
    NoState,
}

/// Stands for no place: the step leads to no state of its agent.
const NO_PLACE: u32 = u32::MAX;

impl Scratch {
    /// The messages that the last step sent to agents that have ended.
    pub(super) fn dropped(&self) -> &[(PerformativeId, AgentId)] {
        &self.dropped
    }

    /// The parts that the last step sends to, as bits.
    pub(super) fn sent_to(&self) -> u64 {
        self.sent_to
    }

    /// For each recipient, or slot of recipients, of the last step: how many copies of its message could be lost.
    /// Recipients that have ended count 0. Empty if the step sends nothing or the network loses nothing.
    pub(super) fn copies(&self) -> &[u32] {
        &self.copies
    }

    /// Applies a step and writes the next state. `lost` gives, parallel to [`Scratch::copies`], how many copies are
    /// lost; trailing zeros may be omitted.
    pub(super) fn compose(
        &mut self,
        space: &Space<'_>,
        origin: Origin<'_>,
        step: LocalStep<'_>,
        lost: &[u32],
    ) -> Composed {
        let actor = self.begin(origin.slot);
        self.place = NO_PLACE;
        let (place, more) = match step.end() {
            End::State { after, more, .. } => (after, more),
            End::Runaway | End::RunError if !self.send(space, origin, actor, step, lost) => {
                return Composed::Overflow;
            }
            End::Runaway | End::Cut(_) | End::TooLong | End::RunError => return Composed::NoState,
        };
        let taken = more.filter(|&kind| {
            let (brief, tail) = self.held(space, origin.words, origin.slot);
            brief.split(tail).2[kind as usize] > 1
        });
        self.place = if taken.is_some() { place + 1 } else { place };
        self.change(space, origin, actor, step.after(self.place), taken);
        if !self.send(space, origin, actor, step, lost) {
            return Composed::Overflow;
        }
        if self.missing.is_empty() {
            self.write_next(space, origin.words, lost.iter().sum());
            self.monitor(space, origin.words, step.after(self.place).id);
        }
        if self.missing.is_empty() { Composed::Next } else { Composed::Missing }
    }

    /// Writes what is monitored after the step to a successor of the agent's state.
    fn monitor(&mut self, space: &Space<'_>, words: &[u32], successor: u32) {
        let (Some(place), Some(monitors)) = (space.layout.monitored(), &space.agents.monitors) else {
            return;
        };
        match monitors.after(words[place], successor) {
            Ok(after) => {
                self.next[place] = after;
                self.altered.end = space.layout.singles();
            }
            Err((before, happening)) => self.missing.push(Missing::Monitored(before, happening)),
        }
    }

    /// The place of the agent's state after the last step, for [`LocalStep::after`], if it leads to one.
    pub(super) fn place(&self) -> Option<u32> {
        (self.place != NO_PLACE).then_some(self.place)
    }

    /// Resets the buffers for a step of an agent in a slot; returns the agent's token.
    fn begin(&mut self, slot: usize) -> Token {
        self.changed.clear();
        self.tails.clear();
        self.singled.clear();
        self.meanings.clear();
        self.dropped.clear();
        self.sent_to = 0;
        self.copies.clear();
        self.left.clear();
        self.left.extend(self.located.slots().iter().map(|slot| slot.count));
        self.token_in(slot)
    }

    /// The token of one agent of a slot, singled out unless it is alone there.
    fn token_in(&mut self, slot: usize) -> Token {
        if self.located.slot(slot).is_single() {
            return slot as Token;
        }
        self.left[slot] -= 1;
        self.singled.push(slot);
        (self.located.slots().len() + self.singled.len() - 1) as Token
    }

    /// The slot that a token belongs to.
    pub(super) fn slot_of(&self, token: Token) -> usize {
        let slots = self.located.slots().len();
        (token as usize).checked_sub(slots).map_or(token as usize, |singled| self.singled[singled])
    }

    fn held<'s, 'w>(&self, space: &'s Space<'_>, words: &'w [u32], slot: usize) -> (&'s Brief, &'w [u32]) {
        (space.agents.brief(self.located.slot(slot).id), self.located.tail(words, slot))
    }

    /// Records the next state of `count` agents, whose new tail is `tails[start..]`.
    fn push_changed(&mut self, token: Token, next: StateId, count: u32, start: usize) {
        if let Some(left) = self.left.get_mut(token as usize) {
            *left -= count;
        }
        self.changed.push(Changed { token, next, count, tail: (start as u32, self.tails.len() as u32) });
    }

    /// Records the next state of the agent that takes the step.
    fn change(
        &mut self,
        space: &Space<'_>,
        origin: Origin<'_>,
        actor: Token,
        after: After<'_>,
        taken: Option<u32>,
    ) {
        let kept = after.kept;
        let mut tails = std::mem::take(&mut self.tails);
        self.name_symbols(origin, &kept.symbols, &mut tails);
        for &name in &kept.names {
            tails.push(self.meaning(space, origin, actor, name));
        }
        if !kept.counts.is_empty() {
            let (brief, tail) = self.held(space, origin.words, origin.slot);
            kept.counts.write(brief.split(tail).2, taken, &mut tails);
        }
        self.tails = tails;
        self.push_changed(actor, after.next, 1, 0);
    }

    /// Appends the global names of the agent's symbols. Symbols that the step creates are numbered after all existing
    /// ones.
    fn name_symbols(&self, origin: Origin<'_>, symbols: &[u32], out: &mut Vec<u32>) {
        if symbols.is_empty() {
            return;
        }
        let held = self.located.symbols(origin.words, origin.slot);
        let unused = self.located.unused(self.located.slots().len());
        let name = |&symbol: &u32| {
            let made = || unused + symbol - held.len() as u32;
            held.get(symbol as usize).copied().unwrap_or_else(made)
        };
        out.extend(symbols.iter().map(name));
    }

    /// Resolves the actor's name for an interchangeable agent. Agents that the actor holds no name for are taken in
    /// order; naming one singles it out.
    fn meaning(&mut self, space: &Space<'_>, origin: Origin<'_>, actor: Token, name: AgentId) -> Token {
        if let Some(&(_, token)) = self.meanings.iter().find(|(known, _)| *known == name) {
            return token;
        }
        let symmetry = space.agents.symmetry();
        let slot = self.located.slot(origin.slot);
        let (brief, tail) = self.held(space, origin.words, origin.slot);
        let held = brief.split(tail).1;
        let names = space.agents.names(slot.id);
        let token = if name == symmetry.stands_for(slot.agent) {
            actor
        } else if let Some(place) = names.iter().position(|&it| it == name) {
            held[place]
        } else {
            let class = symmetry.class_of(name).expect("only interchangeable agents are named so");
            let is_mentioned = |it: &AgentId| *it == symmetry.stands_for(slot.agent) || names.contains(it);
            let others = symmetry.classes()[class].iter().filter(|it| !is_mentioned(it));
            let rank = others.take_while(|it| **it != name).count() as u32;
            let slot = self.slot_of_other(class, origin.slot, held, rank);
            self.token_in(slot)
        };
        self.meanings.push((name, token));
        token
    }

    /// The slot of the agent with this rank in its class, not counting one agent of the slot `own` and those named in
    /// `held`.
    fn slot_of_other(&self, class: usize, own: usize, held: &[u32], mut rank: u32) -> usize {
        for slot in self.located.of_class(class) {
            let mentioned = u32::from(slot == own) + u32::from(held.contains(&(slot as u32)));
            let others = self.located.slot(slot).count - mentioned;
            if rank < others {
                return slot;
            }
            rank -= others;
        }
        unreachable!("a class has as many others as there are names for them")
    }

    /// Collects the recipients of the step, whole slots and single agents, in no particular order.
    fn find_recipients(&mut self, space: &Space<'_>, origin: Origin<'_>, actor: Token, sent: &Sent) {
        let mut recipients = std::mem::take(&mut self.recipients);
        recipients.clear();
        for &name in &sent.named {
            recipients.push(self.meaning(space, origin, actor, name));
        }
        recipients.extend(sent.to.iter().map(|&agent| space.fixed_slot(agent) as Token));
        let slots = self.located.slots().len();
        for &class in &sent.classes {
            let members = self.located.of_class(class);
            let several = members.clone().filter(|&slot| self.left[slot] > 0).map(|slot| slot as Token);
            recipients.extend(several.filter(|&token| token != actor));
            let singled = self.singled.iter().enumerate().filter(|(_, slot)| members.contains(slot));
            let tokens = singled.map(|(index, _)| (slots + index) as Token);
            recipients.extend(tokens.filter(|&token| token != actor));
        }
        self.recipients = recipients;
    }

    /// Delivers what the step sends, except for lost copies; false if a mailbox is full.
    fn send(
        &mut self,
        space: &Space<'_>,
        origin: Origin<'_>,
        actor: Token,
        step: LocalStep<'_>,
        lost: &[u32],
    ) -> bool {
        let Some(sent) = step.sent() else { return true };
        let mut held = std::mem::take(&mut self.sent);
        held.clear();
        self.name_symbols(origin, &sent.symbols, &mut held);
        for &name in &sent.names {
            held.push(self.meaning(space, origin, actor, name));
        }
        self.sent = held;
        self.find_recipients(space, origin, actor, sent);
        let recipients = std::mem::take(&mut self.recipients);
        if space.bounds.network.losses > 0 {
            self.count_copies(space, &recipients);
        }
        let lost = lost.iter().copied().chain(std::iter::repeat(0));
        let is_roomy = recipients.iter().zip(lost).all(|(&to, lost)| {
            let count = self.left.get(to as usize).copied().unwrap_or(1) - lost;
            count == 0 || self.send_to(space, origin, sent, (to, count))
        });
        self.recipients = recipients;
        is_roomy
    }

    /// Records for each recipient how many copies could be lost.
    fn count_copies(&mut self, space: &Space<'_>, recipients: &[Token]) {
        for &to in recipients {
            let slot = self.located.slot(self.slot_of(to));
            let is_there = space.agents.brief(slot.id).status == Status::Running;
            let count = self.left.get(to as usize).copied().unwrap_or(1);
            self.copies.push(if is_there { count } else { 0 });
        }
    }

    /// Delivers a message to `count` agents of one token; false if their mailboxes are full.
    fn send_to(
        &mut self,
        space: &Space<'_>,
        origin: Origin<'_>,
        sent: &Sent,
        (to, count): (Token, u32),
    ) -> bool {
        let place = self.slot_of(to);
        let Slot { id, agent, .. } = *self.located.slot(place);
        let brief = space.agents.brief(id);
        // Dropped messages count too: in another interleaving the agent would not have ended yet.
        self.sent_to |= space.part_bit(agent);
        let tail = self.located.tail(origin.words, place);
        match brief.status {
            Status::Running => {}
            Status::Crashed => return true,
            Status::Done | Status::Failed => {
                self.dropped.push((sent.performative, agent));
                return true;
            }
        }
        if brief.mailbox(tail) >= space.bounds.mailbox {
            return false;
        }
        self.note_pattern(to, sent, brief, tail);
        match space.agents.deliver(id, sent.message, &self.pattern) {
            Ok(delivered) => self.receive((to, count), delivered, brief, tail),
            Err(missing) => self.missing.push(missing),
        }
        true
    }

    /// Writes the pattern of the message: its symbols and names in the recipient's numbering.
    fn note_pattern(&mut self, to: Token, sent: &Sent, brief: &Brief, tail: &[u32]) {
        let Self { new_symbols, new_names, pattern, sent: held, .. } = self;
        pattern.clear();
        new_symbols.clear();
        new_names.clear();
        if held.is_empty() {
            return;
        }
        let (symbols, names, _) = brief.split(tail);
        let (sent_symbols, sent_names) = held.split_at(sent.symbols.len());
        pattern.extend(sent_symbols.iter().map(|&symbol| position_or_push(symbols, new_symbols, symbol)));
        pattern.extend(sent_names.iter().map(|&name| {
            let own = name == to;
            if own { 0 } else { 1 + position_or_push(names, new_names, name) }
        }));
    }

    /// Records the next state of `count` recipients.
    fn receive(&mut self, (to, count): (Token, u32), delivered: Delivered<'_>, brief: &Brief, tail: &[u32]) {
        let Self { new_symbols, new_names, tails, .. } = self;
        let start = tails.len();
        let (symbols, names, counts) = brief.split(tail);
        let received = delivered.received;
        tails.extend(received.symbols.iter().map(|&index| at(symbols, new_symbols, index)));
        tails.extend(received.names.iter().map(|&index| at(names, new_names, index)));
        received.counts.write(counts, None, tails);
        self.push_changed(to, delivered.next, count, start);
    }
}

/// The index of an item in `held` followed by `new`; an unknown item is appended to `new`.
fn position_or_push(held: &[u32], new: &mut Vec<u32>, item: u32) -> u32 {
    let known = held.iter().chain(&*new).position(|it| *it == item);
    known.unwrap_or_else(|| {
        new.push(item);
        held.len() + new.len() - 1
    }) as u32
}

/// The item at an index of `held` followed by `new`.
fn at(held: &[u32], new: &[u32], place: u32) -> u32 {
    let place = place as usize;
    held.get(place).copied().unwrap_or_else(|| new[place - held.len()])
}
