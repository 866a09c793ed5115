//! Steps of agents, and deliveries to them, by the numbers of what their states are made of: where mailboxes are queues and
//! states are interned as they are. Debug builds compare what comes of it with what comes of the states themselves.

use std::sync::Arc;

use map_ir::{AgentId, PerformativeId};
use map_semantics::{AgentState, Ending, Next, Status};

use super::alike::{Common, CommonFollowing};
use super::deliver::Deliveries;
use super::intern::first_occurrence;
use super::local::{Deed, End, Following, Kept, Received, Shape};
use super::steps::{Told, end_without_state, ended, numbered};
use super::{Agents, Brief, Places, StateId, position_or_push};

impl Agents<'_> {
    /// Whether mailboxes are queues and states are interned as they are.
    pub(super) fn has_queues(&self) -> bool {
        self.only_symbols() && !self.bounds.network.unordered
    }

    /// The steps of a state, by what it has in common with others.
    pub(super) fn steps_by_numbers(&mut self, id: StateId) -> (u32, Vec<Following>) {
        let mut messages = std::mem::take(&mut self.messages);
        messages.clear();
        messages.extend(self.states.messages(id));
        let performative_of = |message| self.states.performative(message);
        // Taken out while it is read, for states that follow may be new.
        let alike = std::mem::take(&mut self.alike);
        let parts = self.states.parts_number(id);
        let steps = match alike.find((parts, &messages), performative_of, &mut self.read) {
            Some(common) => {
                let steps = self.follow_all(id, &messages, common);
                self.alike = alike;
                steps
            }
            None => {
                self.alike = alike;
                let common = self.find_common(id, &messages);
                self.follow_all(id, &messages, &common)
            }
        };
        self.messages = messages;
        steps
    }

    /// What becomes of a state with these messages by its steps.
    fn follow_all(&mut self, id: StateId, messages: &[u32], common: &Common) -> (u32, Vec<Following>) {
        let own = self.brief(id).symbols;
        let mut all = std::mem::take(&mut self.following);
        all.clear();
        all.extend(common.following.iter().map(|following| {
            // New symbols follow those of the state.
            let symbols = following.symbols.iter().map(|&it| match it.checked_sub(common.symbols) {
                None => it,
                Some(new) => own + new,
            });
            self.follow(messages, (following.parts, symbols), following.taken)
        }));
        (common.shape, all)
    }

    /// What the steps of a state have in common with those of others.
    fn find_common(&mut self, id: StateId, messages: &[u32]) -> Arc<Common> {
        let (agent, before, found) = self.steps_of(id);
        let outline = self.outline(&before, &found);
        let looks = found.looks.clone();
        let symbols = self.brief(id).symbols;
        let mut sends_new = false;
        let (mut deeds, mut following) = (Vec::new(), Vec::new());
        for (thread, resolved) in numbered(found) {
            let Told { label, sent, ending, taken, .. } = self.told(agent, thread, resolved);
            sends_new |= sent.is_some_and(|it| self.steps.sent[it].symbols.iter().any(|&it| it >= symbols));
            let end = match ending {
                Ending::State(next) => {
                    let (after, ended) = (following.len() as u32, ended(next.status));
                    following.push(self.common_following(agent, &before, next, taken));
                    End::State { after, more: None, ended }
                }
                other => end_without_state(&other),
            };
            deeds.push(Deed { label, sent, end });
        }
        let shape = self.steps.shapes.number(&Shape { outline, deeds: deeds.into() });
        let common = Arc::new(Common { shape, following: following.into(), symbols });
        // Symbols that are new in what is sent have no other numbers in other states.
        if !sends_new {
            let performative_of = |message| self.states.performative(message);
            self.alike.keep((self.states.parts_number(id), messages), performative_of, &looks, &common);
        }
        common
    }

    fn common_following(
        &mut self,
        agent: AgentId,
        before: &AgentState,
        next: Next,
        taken: Option<(PerformativeId, u64)>,
    ) -> CommonFollowing {
        let mut symbols = Vec::new();
        let mut state = AgentState::new(next);
        state.rename_symbols(&mut |symbol| first_occurrence(&mut symbols, symbol));
        let taken = taken.map(|(performative, arrival)| {
            // The mailbox was made anew: messages are numbered from 0 on.
            let older = before.mailbox.iter().take(arrival as usize);
            (performative, older.filter(|it| it.performative == performative).count() as u32)
        });
        CommonFollowing { parts: self.states.number_parts(agent, &state), symbols: symbols.into(), taken }
    }

    /// What becomes of a state with these messages by a step to the parts of this number, which hold these of its symbols.
    fn follow(
        &mut self,
        messages: &[u32],
        (parts, held): (u32, impl Iterator<Item = u32>),
        taken: Option<(PerformativeId, u32)>,
    ) -> Following {
        let mut mailbox = std::mem::take(&mut self.mailbox);
        mailbox.clear();
        mailbox.extend_from_slice(messages);
        if let Some((performative, older)) = taken {
            let is_one = |&message: &u32| self.states.performative(message) == performative;
            let mut of_it = mailbox.iter().enumerate().filter(|(_, message)| is_one(message));
            let (place, _) = of_it.nth(older as usize).expect("what was looked at is there");
            mailbox.remove(place);
        }
        let mut left = Vec::new();
        let status = self.states.status(parts);
        if status != Status::Running {
            if ended(status).is_some() {
                left.extend(mailbox.iter().map(|&message| self.states.performative(message)));
                left.sort_unstable();
                left.dedup();
            }
            mailbox.clear();
        }
        let mut symbols = std::mem::take(&mut self.symbols);
        symbols.clear();
        symbols.extend(held);
        for message in &mut mailbox {
            *message = self.states.renamed(*message, |symbol| position_or_push(&mut symbols, symbol));
        }
        let (next, new) = self.states.insert_numbers(parts, &mailbox);
        if new {
            self.add_row(Brief::new(status, symbols.len() as u32, mailbox.len() as u32), Vec::new());
        }
        let kept = self.number_kept(&symbols, &left);
        (self.mailbox, self.symbols) = (mailbox, symbols);
        Following { next, kept }
    }

    /// The number of what an agent holds after a step: these symbols, and no names. It leaves these unread.
    fn number_kept(&mut self, symbols: &[u32], left: &[PerformativeId]) -> u32 {
        let (names, counts) = ([].as_slice(), Places::default());
        let is_it = |kept: &Kept| {
            (&*kept.symbols, &*kept.names, &kept.counts, &*kept.left) == (symbols, names, &counts, left)
        };
        let make = || Kept {
            symbols: symbols.into(),
            names: names.into(),
            counts: counts.clone(),
            left: left.into(),
        };
        self.steps.kept.number_of(&(symbols, names, &counts, left), is_it, make)
    }

    /// What becomes of a running agent when a message is put at the end of its mailbox. What is new in it gets the next
    /// numbers: no other message is named anew.
    pub(super) fn append(&mut self, recipient: StateId, message: u32, pattern: u32) -> (StateId, u32) {
        let brief = self.brief(recipient);
        assert_eq!(brief.status, Status::Running, "only running agents are delivered to");
        let messages = brief.messages + 1;
        let pattern = &self.patterns[pattern as usize];
        let symbols = pattern.iter().fold(brief.symbols, |symbols, &symbol| symbols.max(symbol + 1));
        let message = self.states.renamed(message, |symbol| pattern[symbol as usize]);
        let (next, new) = self.states.insert_with(recipient, message);
        if new {
            self.add_row(Brief::new(Status::Running, symbols, messages), Vec::new());
        }
        (next, self.received_in_order(symbols))
    }

    /// The number of so many symbols, and nothing else, in the order of their numbers.
    fn received_in_order(&mut self, symbols: u32) -> u32 {
        let Deliveries { received, in_order, .. } = &mut self.deliveries;
        for symbols in in_order.len() as u32..=symbols {
            let counts = Places::default();
            let all = Received { symbols: (0..symbols).collect(), names: Box::default(), counts };
            in_order.push(received.number(&all));
        }
        in_order[symbols as usize]
    }
}
