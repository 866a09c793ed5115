//! Interning agent states: slicing, and renaming of symbols and agents.

use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, Symbol, Value};
use map_semantics::{AgentState, Mailbox, Message};
use map_store::Full;

use super::local::StepsAt;
use super::sizes::{make_room, try_make_room};
use crate::abstraction::canonical::Held;
use crate::abstraction::slicing::Slicer;

use super::{Agents, Brief, Missing, Row, StateId, position_or_push};

/// An interned state.
pub(super) struct Interned {
    pub(super) id: StateId,
    /// Its symbols, and its names except the owner's, as they were before interning.
    pub(super) symbols: Vec<u32>,
    pub(super) names: Vec<AgentId>,
    /// For each kind of message, if they are counted, the former kinds merged into it.
    pub(super) kinds: Vec<Vec<u32>>,
}

/// An unreduced state, interned.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    pub(crate) id: StateId,
    /// What it holds; names are indices of agents.
    pub(crate) held: Held,
}

impl Agents<'_> {
    /// Interns a state of an agent, which may be any of its class. If messages are counted, `kinds` gives for each
    /// message the kinds that it represents.
    pub(super) fn intern(
        &mut self,
        agent: AgentId,
        mut state: AgentState,
        mut kinds: Vec<Vec<u32>>,
    ) -> Interned {
        if let Some(slicer) = &self.slicer {
            slicer.state(agent, &mut state);
            let messages: Vec<Arc<Message>> = state.mailbox.iter().cloned().collect();
            if let Some(order) = slicer.order(agent, &messages) {
                state.mailbox = Mailbox::default();
                order.iter().for_each(|&index| state.mailbox.push(Arc::clone(&messages[index])));
                kinds = order.iter().map(|&index| std::mem::take(&mut kinds[index])).collect();
            }
        }
        let mut symbols: Vec<u32> = Vec::new();
        state.rename_symbols(&mut |symbol| first_occurrence(&mut symbols, symbol));
        let (names, renamed) = self.rename_agents(agent, &mut state);
        if self.counts_messages() {
            collapse(&mut state.mailbox, &mut kinds);
        }
        let brief = Brief {
            ties: self.bounds.network.unordered && state.mailbox.has_ties(),
            names: names.len() as u32,
            counted: self.counts_messages(),
            ..Brief::new(state.status, symbols.len() as u32, state.messages() as u32)
        };
        let (id, new) = self.states.insert(self.symmetry.stands_for(agent), &state);
        if new {
            self.add_row(brief, renamed);
        }
        Interned { id, symbols, names, kinds }
    }

    /// Makes room for some more agent states.
    ///
    /// # Errors
    /// [`Full`] if the system has no memory for them.
    pub(crate) fn make_room(&mut self) -> Result<(), Full> {
        try_make_room(&mut self.rows)
    }

    /// Adds the row of a newly interned state.
    pub(super) fn add_row(&mut self, brief: Brief, names: Vec<AgentId>) {
        let names = self.names.insert_full(names.into()).0 as u32;
        self.any_ties |= brief.ties;
        let brief = Brief { fingerprint: self.states.fingerprint(self.rows.len() as StateId), ..brief };
        make_room(&mut self.rows, 1);
        self.rows.push(Row { brief, names, steps: StepsAt::UNKNOWN });
    }

    /// Interns an unreduced state.
    pub(crate) fn intern_whole(&mut self, agent: AgentId, state: &AgentState) -> Whole {
        let (mailbox, kinds) = match &self.slicer {
            Some(slicer) => sliced(slicer, &state.mailbox),
            None => (state.mailbox.clone(), Vec::new()),
        };
        let state = AgentState {
            status: state.status,
            control: state.control.clone(),
            memory: state.memory.clone(),
            mailbox,
            under_way: state.under_way.clone(),
            calls: state.calls.clone(),
        };
        let Interned { id, symbols, names, kinds } = self.intern(agent, state, kinds);
        let names = names.iter().map(|name| name.index() as u32).collect();
        let counts = kinds.iter().map(|messages| messages.len() as u32).collect();
        Whole { id, held: Held { symbols, names, counts } }
    }

    /// The id and the symbols of a state as [`Agents::intern`] would return them, if it is interned. Only without
    /// slicing and symmetry.
    pub(crate) fn known(
        &self,
        agent: AgentId,
        mut state: AgentState,
    ) -> Result<(StateId, Vec<u32>), Missing> {
        let mut symbols = Vec::new();
        state.rename_symbols(&mut |symbol| first_occurrence(&mut symbols, symbol));
        match self.states.get(agent, &state) {
            Some(id) => Ok((id, symbols)),
            None => Err(Missing::State(Box::new((agent, state)))),
        }
    }

    /// An agent state as it is in the scene: with the global names of symbols and interchangeable agents, and with
    /// all messages of each kind.
    pub(crate) fn in_the_scene(
        &self,
        owner: AgentId,
        id: StateId,
        symbols: &[u32],
        names: &[AgentId],
        counts: &[u32],
    ) -> AgentState {
        let mut state = self.named(id, symbols);
        let here: Vec<AgentId> =
            [self.symmetry.stands_for(owner)].into_iter().chain(self.names(id).iter().copied()).collect();
        let there: Vec<AgentId> = [owner].into_iter().chain(names.iter().copied()).collect();
        let senders = |performative| self.sender_matters(performative);
        state.rename_agents(senders, &mut |name| self.symmetry.meaning(name, &here, &there));
        if self.counts_messages() {
            let kinds = std::mem::take(&mut state.mailbox);
            for (message, &count) in kinds.iter().zip(counts) {
                (0..count).for_each(|_| state.mailbox.push(Arc::clone(message)));
            }
        }
        state
    }

    /// An agent state with the global names of its symbols.
    pub(crate) fn named(&self, id: StateId, held: &[u32]) -> AgentState {
        let mut state = self.state(id);
        state.rename_symbols(&mut |symbol| Symbol(held[symbol.0 as usize]));
        state
    }

    /// Interns a message; also returns the symbols and the names it holds.
    pub(super) fn intern_message(&mut self, mut message: Message) -> (u32, Vec<u32>, Vec<AgentId>) {
        if let Some(slicer) = &self.slicer {
            slicer.message(&mut message);
        }
        let mut symbols: Vec<u32> = Vec::new();
        for symbol in message.arguments.iter_mut().filter_map(Value::symbol_mut) {
            *symbol = first_occurrence(&mut symbols, *symbol);
        }
        let (mut names, mut renamed) = (Vec::new(), Vec::new());
        if !self.symmetry.classes().is_empty() {
            let sender = self.sender_matters(message.performative);
            message.rename_agents(sender, &mut |agent| self.renamed(agent, &mut names, &mut renamed));
        }
        (self.states.insert_message(message), symbols, names)
    }

    /// Renames interchangeable agents by first occurrence, the owner first. Returns the old and the new names,
    /// without the owner's.
    fn rename_agents(&self, owner: AgentId, state: &mut AgentState) -> (Vec<AgentId>, Vec<AgentId>) {
        let mut old = vec![owner];
        let mut new = vec![self.symmetry.stands_for(owner)];
        if !self.symmetry.classes().is_empty() {
            let senders = |performative| self.sender_matters(performative);
            state.rename_agents(senders, &mut |agent| self.renamed(agent, &mut old, &mut new));
        }
        (old.split_off(1), new.split_off(1))
    }

    pub(super) fn sender_matters(&self, performative: PerformativeId) -> bool {
        self.slicer.as_ref().is_none_or(|slicer| slicer.sender_matters(performative))
    }

    fn renamed(&self, agent: AgentId, old: &mut Vec<AgentId>, new: &mut Vec<AgentId>) -> AgentId {
        let Some(class) = self.symmetry.class_of(agent) else { return agent };
        if let Some(known) = old.iter().position(|&it| it == agent) {
            return new[known];
        }
        let name = self.symmetry.unused(class, |it| new.contains(&it));
        old.push(agent);
        new.push(name);
        name
    }
}

/// A mailbox without irrelevant values, and the places of the messages that each of its messages stands for: neighbours
/// that have become equal are one, so that little is left of a flood.
fn sliced(slicer: &Slicer<'_>, mailbox: &Mailbox) -> (Mailbox, Vec<Vec<u32>>) {
    let mut last: Option<Arc<Message>> = None;
    let (mut sliced, mut kinds) = (Mailbox::default(), Vec::<Vec<u32>>::new());
    for (place, message) in (0..).zip(mailbox.iter()) {
        let mut message = Message::clone(message);
        slicer.message(&mut message);
        match kinds.last_mut() {
            Some(kind) if last.as_deref() == Some(&message) => kind.push(place),
            _ => {
                let message = Arc::new(message);
                sliced.push(Arc::clone(&message));
                last = Some(message);
                kinds.push(vec![place]);
            }
        }
    }
    (sliced, kinds)
}

/// Collapses equal adjacent messages into one.
fn collapse(mailbox: &mut Mailbox, kinds: &mut Vec<Vec<u32>>) {
    let mut kept: Vec<Arc<Message>> = Vec::new();
    let mut merged: Vec<Vec<u32>> = Vec::new();
    for (message, kind) in mailbox.iter().zip(kinds.drain(..)) {
        match merged.last_mut() {
            Some(last) if kept.last() == Some(message) => last.extend(kind),
            _ => {
                kept.push(Arc::clone(message));
                merged.push(kind);
            }
        }
    }
    // Refilled, so that messages are numbered from 0 on.
    *mailbox = Mailbox::default();
    kept.into_iter().for_each(|message| mailbox.push(message));
    *kinds = merged;
}

pub(super) fn first_occurrence(symbols: &mut Vec<u32>, symbol: Symbol) -> Symbol {
    Symbol(position_or_push(symbols, symbol.0))
}
