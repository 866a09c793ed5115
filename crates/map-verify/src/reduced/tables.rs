//! Interned agent states, and what `map-semantics` says of each, computed once; as `crate::agents`, but for states of
//! which only what can matter is kept, whose owner may be any of its class.
//!
//! An interned state names its abstract values 0, 1, .. by first occurrence; which symbols of the scene these are is
//! kept beside it in the global state. So agent states that differ only in the names of symbols are one. With symmetry
//! it is the same for the names of interchangeable agents ([`crate::symmetry`]), and with slicing what cannot matter is
//! taken out first ([`crate::slicing`]).

use hashbrown::HashMap;
use indexmap::IndexSet;
use map_ir::{AgentId, ClauseId, PerformativeId, PointId, Program, Symbol, Value};
use map_semantics::{
    Action, AgentState, BoundHit, Bounds, Control, Delivery, Ending, Event, Mailbox, Message, Resolved,
    Status, StepKind, agent_steps, deliver,
};
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::ample::{Firmness, Messages};
use super::slicing::Slicer;
use super::symmetry::Symmetry;

/// Index of an interned state of one particular agent.
pub(crate) type StateId = u32;

/// A step of one agent as a patch of the global state. Symbols are numbered as in the state before; new ones follow.
pub(crate) struct LocalStep {
    pub(crate) thread: u32,
    pub(crate) kind: StepKind,
    /// Whether it rests on an open comparison.
    pub(crate) compared: bool,
    pub(crate) ending: LocalEnding,
    pub(crate) sent: Option<Sent>,
    /// How what was open was settled.
    pub(crate) options: Vec<u32>,
    pub(crate) ran: Vec<PointId>,
    pub(crate) entered: Vec<ClauseId>,
    /// What the agent leaves unread by ending.
    pub(crate) left: Vec<PerformativeId>,
}

pub(crate) enum LocalEnding {
    State {
        /// The agent's next state.
        next: StateId,
        /// Which symbols it holds.
        symbols: Vec<u32>,
        /// Which names of interchangeable agents it holds beside its own.
        names: Vec<AgentId>,
        /// Whether the agent ends by this step, and if so with success.
        ended: Option<bool>,
        /// A move or timeout that changes at most which symbols the agent holds, and counters: it is no step where it
        /// leaves the whole scene as it was.
        may_be_idle: bool,
    },
    Cut(BoundHit),
    Runaway,
    RunError,
    TooLong,
}

/// A message and whom it goes to.
pub(crate) struct Sent {
    pub(crate) message: u32,
    pub(crate) symbols: Vec<u32>,
    pub(crate) names: Vec<AgentId>,
    pub(crate) to: Vec<AgentId>,
}

/// All steps of one interned agent state.
pub(crate) struct Locals {
    pub(crate) threads: Vec<LocalThread>,
    pub(crate) all_waiting: bool,
    /// Some thread waits only if open comparisons come out so.
    pub(crate) waiting_compared: bool,
    pub(crate) firmness: Firmness,
}

pub(crate) struct LocalThread {
    pub(crate) acts: Vec<LocalStep>,
    pub(crate) timeouts: Vec<LocalStep>,
    pub(crate) waiting: bool,
    pub(crate) waiting_compared: bool,
    pub(crate) act_may_vanish: bool,
    pub(crate) timeout_may_vanish: bool,
}

/// What the search loop needs of every agent state.
#[derive(Clone, Copy)]
pub(crate) struct Brief {
    pub(crate) status: Status,
    /// How many symbols it holds.
    pub(crate) symbols: u32,
    /// How many names of interchangeable agents it holds beside its own.
    pub(crate) names: u32,
    /// How many messages lie in its mailbox.
    pub(crate) mailbox: u32,
}

/// What an agent or a message holds, by the names that these have in the scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held {
    /// Symbols.
    pub(crate) symbols: Vec<u32>,
    /// Interchangeable agents.
    pub(crate) names: Vec<AgentId>,
}

#[derive(PartialEq, Eq, Hash)]
struct Owned {
    agent: AgentId,
    /// But for its mailbox.
    state: AgentState,
    /// What lies in the mailbox, oldest first: indices into [`Agents::contents`], each with how often it follows itself.
    mailbox: Box<[(u32, u32)]>,
}

/// An agent's state in which messages that are equal and follow each other stand once, each with how many they are. As
/// a receive takes the oldest of those it may take, what the agent can do is the same.
#[derive(Clone)]
struct Counted {
    state: AgentState,
    /// Parallel to the mailbox.
    counts: Vec<u32>,
}

/// Where a message's symbols, then its names, stand in the recipient's numbering; those it does not hold get the next
/// numbers. The recipient's own name is number 0, the others it holds follow.
type Pattern = Vec<u32>;

/// What became of a delivery.
#[derive(Clone)]
struct Delivered {
    next: StateId,
    /// Which symbols, and which names but its own, the recipient holds then, by its numbering and that of the pattern.
    symbols: Box<[u32]>,
    names: Box<[u32]>,
}

/// The tables.
pub(crate) struct Agents<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    slicer: Option<Slicer<'a>>,
    symmetry: Symmetry,
    messages_text: Messages,
    states: IndexSet<Owned, FxBuildHasher>,
    /// Messages as they lie in mailboxes, with the symbols and names of the owner's numbering.
    contents: IndexSet<Arc<Message>, FxBuildHasher>,
    briefs: Vec<Brief>,
    /// The names that each state holds beside its owner's, in the order of first occurrence.
    names: Vec<Box<[AgentId]>>,
    /// Clauses whose values slicing took out although a move may depend on them.
    pub(crate) doubtful: BTreeSet<ClauseId>,
    messages: IndexSet<Arc<Message>, FxBuildHasher>,
    patterns: IndexSet<Pattern, FxBuildHasher>,
    deliveries: HashMap<(StateId, u32, u32), Option<Delivered>, FxBuildHasher>,
    bytes: usize,
}

impl<'a> Agents<'a> {
    pub(crate) fn new(
        program: &'a Program,
        bounds: &'a Bounds,
        slicer: Option<Slicer<'a>>,
        symmetry: Symmetry,
    ) -> Self {
        let matters = |performative| slicer.as_ref().is_none_or(|it| it.message_matters(performative));
        Self {
            messages_text: Messages::new(program, matters),
            program,
            bounds,
            slicer,
            symmetry,
            states: IndexSet::default(),
            contents: IndexSet::default(),
            briefs: Vec::new(),
            names: Vec::new(),
            doubtful: BTreeSet::new(),
            messages: IndexSet::default(),
            patterns: IndexSet::default(),
            deliveries: HashMap::default(),
            bytes: 0,
        }
    }

    pub(crate) fn brief(&self, id: StateId) -> Brief {
        self.briefs[id as usize]
    }

    /// An interned state.
    fn state(&self, id: StateId) -> Counted {
        let Owned { state, mailbox, .. } = &self.states[id as usize];
        let mut state = state.clone();
        for &(content, _) in mailbox {
            state.mailbox.push(Arc::clone(&self.contents[content as usize]));
        }
        Counted { state, counts: mailbox.iter().map(|&(_, count)| count).collect() }
    }

    /// The performatives of the messages in the mailbox of a state.
    pub(crate) fn unread(&self, id: StateId) -> impl Iterator<Item = PerformativeId> + '_ {
        let mailbox = self.states[id as usize].mailbox.iter();
        mailbox.map(|&(content, _)| self.contents[content as usize].performative)
    }

    /// Takes the messages out of a mailbox.
    fn intern_mailbox(&mut self, mailbox: &Mailbox, counts: &[u32]) -> Box<[(u32, u32)]> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (message, &count) in mailbox.iter().zip(counts) {
            let content = self.contents.insert_full(Arc::clone(message)).0 as u32;
            match runs.last_mut() {
                Some((last, so_far)) if *last == content => *so_far += count,
                _ => runs.push((content, count)),
            }
        }
        runs.into()
    }

    /// A rough count of the bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.deliveries.capacity() * 24
    }

    /// What the text says of messages.
    pub(crate) fn messages(&self) -> &Messages {
        &self.messages_text
    }

    pub(crate) fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// The names that a state holds beside its owner's, as it has them.
    pub(crate) fn names(&self, id: StateId) -> &[AgentId] {
        &self.names[id as usize]
    }

    /// Interns a state of an agent, which may be any of its class. The second part of the result says which old symbol
    /// and which old name each of those it now has is.
    fn intern(&mut self, agent: AgentId, counted: Counted) -> (StateId, Held) {
        let Counted { mut state, mut counts } = counted;
        if let Some(slicer) = &self.slicer {
            slicer.state(agent, &mut state);
            let messages: Vec<Arc<Message>> = state.mailbox.iter().cloned().collect();
            if let Some(order) = slicer.order(agent, &messages) {
                state.mailbox = Mailbox::default();
                order.iter().for_each(|&index| state.mailbox.push(Arc::clone(&messages[index])));
                counts = order.iter().map(|&index| counts[index]).collect();
            }
        }
        let mut symbols: Vec<u32> = Vec::new();
        state.rename_symbols(&mut |symbol| first_occurrence(&mut symbols, symbol));
        let (names, renamed) = self.rename_agents(agent, &mut state);
        let status = state.status;
        let messages = counts.iter().sum();
        let mailbox = self.intern_mailbox(&std::mem::take(&mut state.mailbox), &counts);
        let bytes = size_of_state(&state) + 8 * mailbox.len();
        let agent = self.symmetry.stands_for(agent);
        let (index, new) = self.states.insert_full(Owned { agent, state, mailbox });
        if new {
            self.bytes += bytes;
            let (symbols, names) = (symbols.len() as u32, names.len() as u32);
            self.briefs.push(Brief { status, symbols, names, mailbox: messages });
            self.names.push(renamed.into());
        }
        (u32::try_from(index).expect("agent states are fewer than 2^32"), Held { symbols, names })
    }

    /// Interns a state of the scene itself, from whose messages nothing was taken out.
    pub(crate) fn intern_whole(&mut self, agent: AgentId, state: &AgentState) -> (StateId, Held) {
        let mut state = state.clone();
        if let Some(slicer) = &self.slicer {
            let mut sliced = Mailbox::default();
            for message in state.mailbox.iter() {
                let mut message = Message::clone(message);
                slicer.message(&mut message);
                sliced.push(Arc::new(message));
            }
            state.mailbox = sliced;
        }
        let counts = vec![1; state.mailbox.len()];
        self.intern(agent, Counted { state, counts })
    }

    /// Renames interchangeable agents by first occurrence, the owner before all. The result are the old and the new
    /// names but the owner's.
    fn rename_agents(&self, owner: AgentId, state: &mut AgentState) -> (Vec<AgentId>, Vec<AgentId>) {
        let mut old = vec![owner];
        let mut new = vec![self.symmetry.stands_for(owner)];
        if !self.symmetry.classes().is_empty() {
            let senders = |performative| self.sender_matters(performative);
            state.rename_agents(senders, &mut |agent| self.renamed(agent, &mut old, &mut new));
        }
        (old.split_off(1), new.split_off(1))
    }

    fn sender_matters(&self, performative: PerformativeId) -> bool {
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

    /// Computes the steps of an agent state.
    pub(crate) fn locals(&mut self, id: StateId) -> Locals {
        let agent = self.states[id as usize].agent;
        let mut before = self.state(id);
        if let Some(slicer) = &self.slicer {
            slicer.mark(&mut before.state.control);
        }
        let steps = agent_steps(self.program, self.bounds, agent, &before.state);
        let all_waiting = steps.all_waiting();
        let firmness = Firmness::new(self.program, &self.messages_text, &before.state, &steps);
        let waiting_compared = steps.threads.iter().any(|thread| thread.waiting_compared);
        let threads = steps
            .threads
            .into_iter()
            .enumerate()
            .map(|(index, thread)| LocalThread {
                waiting: thread.waiting,
                waiting_compared: thread.waiting_compared,
                act_may_vanish: thread.act_may_vanish,
                timeout_may_vanish: thread.timeout_may_vanish,
                acts: self.patches(agent, index as u32, &before, thread.acts),
                timeouts: self.patches(agent, index as u32, &before, thread.timeouts),
            })
            .collect();
        Locals { threads, all_waiting, waiting_compared, firmness }
    }

    fn patches(
        &mut self,
        agent: AgentId,
        thread: u32,
        before: &Counted,
        found: Vec<Resolved>,
    ) -> Vec<LocalStep> {
        found.into_iter().map(|it| self.patch(agent, thread, before, it)).collect()
    }

    fn patch(&mut self, agent: AgentId, thread: u32, before: &Counted, found: Resolved) -> LocalStep {
        let Resolved { outcome, options, compared } = found;
        let mut left = Vec::new();
        let ending = match outcome.ending {
            Ending::State(next) => {
                let may_be_idle = outcome.action.is_none() && before.state.control.same_shape(&next.control);
                if outcome.action.is_none() && !may_be_idle {
                    self.note_doubt(&before.state.control, &next.control);
                }
                let ended = (next.status != Status::Running).then_some(next.status == Status::Done);
                let mut after = before.clone();
                let taken = after.take(outcome.action.as_ref().and_then(Action::taken));
                let unread = after.state.go_on(next, taken);
                if ended.is_some() {
                    after.counts.clear();
                }
                left.extend(unread.iter().map(|message| message.performative));
                let (next, Held { symbols, names }) = self.intern(agent, after);
                LocalEnding::State { next, symbols, names, ended, may_be_idle }
            }
            Ending::Cut(bound) => LocalEnding::Cut(bound),
            Ending::Runaway(_) => LocalEnding::Runaway,
            Ending::TooLong(_) => LocalEnding::TooLong,
            Ending::RunError(_) => LocalEnding::RunError,
            Ending::Nothing => unreachable!("agent_steps leaves out what is no step"),
        };
        let sent = match outcome.action {
            Some(Action::Send { message, to, .. }) => {
                let (message, Held { symbols, names }) = self.intern_message(Arc::unwrap_or_clone(message));
                Some(Sent { message, symbols, names, to })
            }
            _ => None,
        };
        let entered = outcome
            .events
            .iter()
            .filter_map(|event| if let Event::Called(_, clause, _) = event { Some(*clause) } else { None })
            .collect();
        self.bytes += 160 + 4 * (options.len() + outcome.ran.len());
        LocalStep {
            thread,
            kind: outcome.kind,
            compared,
            ending,
            sent,
            options,
            ran: outcome.ran,
            entered,
            left,
        }
    }

    /// A move to a control that differs only in values that were taken out: whether it is a step cannot be told.
    fn note_doubt(&mut self, before: &Control, next: &Control) {
        let Some(slicer) = &self.slicer else { return };
        let (mut sliced_before, mut sliced_next) = (before.clone(), next.clone());
        slicer.take_out(&mut sliced_before);
        slicer.take_out(&mut sliced_next);
        if sliced_before.same_shape(&sliced_next) {
            self.doubtful.extend(slicer.doubtful_clauses(before, next));
        }
    }

    fn intern_message(&mut self, mut message: Message) -> (u32, Held) {
        if let Some(slicer) = &self.slicer {
            slicer.message(&mut message);
        }
        let mut symbols: Vec<u32> = Vec::new();
        for symbol in message.arguments.iter_mut().filter_map(Value::symbol_mut) {
            *symbol = first_occurrence(&mut symbols, *symbol);
        }
        let (mut names, mut renamed) = (Vec::new(), Vec::new());
        let sender = self.sender_matters(message.performative);
        message.rename_agents(sender, &mut |agent| self.renamed(agent, &mut names, &mut renamed));
        (self.messages.insert_full(Arc::new(message)).0 as u32, Held { symbols, names })
    }

    /// The state of a running agent after a message was put into its mailbox; `None` if that is full. `held` is what
    /// the agent holds and `sent` what the message does; `held` becomes what the agent holds then.
    pub(crate) fn deliver(
        &mut self,
        agent: AgentId,
        recipient: StateId,
        message: u32,
        held: &mut Held,
        sent: &Held,
    ) -> Option<StateId> {
        let mut number_of = |symbol: &u32| position_or_push(&mut held.symbols, *symbol);
        let mut pattern: Pattern = sent.symbols.iter().map(&mut number_of).collect();
        pattern.extend(
            sent.names
                .iter()
                .map(|&name| if name == agent { 0 } else { 1 + position_or_push(&mut held.names, name) }),
        );
        let (pattern, _) = self.patterns.insert_full(pattern);
        let key = (recipient, message, pattern as u32);
        if !self.deliveries.contains_key(&key) {
            let result = self.delivered(recipient, message, pattern);
            self.deliveries.insert(key, result);
        }
        let delivered = self.deliveries[&key].as_ref()?;
        held.symbols = delivered.symbols.iter().map(|&index| held.symbols[index as usize]).collect();
        held.names = delivered.names.iter().map(|&index| held.names[index as usize]).collect();
        Some(delivered.next)
    }

    fn delivered(&mut self, recipient: StateId, message: u32, pattern: usize) -> Option<Delivered> {
        let pattern = &self.patterns[pattern];
        if pattern.is_empty() {
            return self.put(recipient, &Arc::clone(&self.messages[message as usize]), &[]);
        }
        let mut renamed = Message::clone(&self.messages[message as usize]);
        for symbol in renamed.arguments.iter_mut().filter_map(Value::symbol_mut) {
            symbol.0 = pattern[symbol.0 as usize];
        }
        let agent = self.states[recipient as usize].agent;
        // The names that the recipient has, its own first, then those that are new to it.
        let mut names = vec![agent];
        names.extend(self.names(recipient));
        let (mut seen, mut numbers) =
            (Vec::new(), pattern[pattern.len() - self.message_names(message)..].iter());
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
        self.put(recipient, &Arc::new(renamed), &names[1..])
    }

    /// Puts a message, as its recipient names things, into the mailbox; `names` are those that the recipient has then.
    fn put(&mut self, recipient: StateId, message: &Arc<Message>, names: &[AgentId]) -> Option<Delivered> {
        let agent = self.states[recipient as usize].agent;
        let mut counted = self.state(recipient);
        // The mailbox is longer than that in which equal messages stand once.
        if self.briefs[recipient as usize].mailbox >= self.bounds.mailbox {
            return None;
        }
        match deliver(self.bounds, &mut counted.state, message) {
            Delivery::Delivered => {
                counted.counts.push(1);
                let (next, held) = self.intern(agent, counted);
                let names = if names.is_empty() { &self.names[recipient as usize] } else { names };
                let number = |name: &AgentId| names.iter().position(|it| it == name);
                let numbers = held.names.iter().map(|name| number(name).expect("it was named here") as u32);
                Some(Delivered { next, symbols: held.symbols.into(), names: numbers.collect() })
            }
            Delivery::Overflow => None,
            Delivery::Dropped => unreachable!("only running agents are delivered to"),
        }
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

    pub(crate) fn message(&self, id: u32) -> &Message {
        &self.messages[id as usize]
    }
}

impl Counted {
    /// Counts a message that is taken; the result is it if it was the only one of its kind, and has to go.
    fn take(&mut self, taken: Option<(PerformativeId, u64)>) -> Option<(PerformativeId, u64)> {
        let (_, arrival) = taken?;
        let count = &mut self.counts[arrival as usize];
        *count -= 1;
        if *count > 0 {
            return None;
        }
        self.counts.remove(arrival as usize);
        taken
    }
}

fn first_occurrence(symbols: &mut Vec<u32>, symbol: Symbol) -> Symbol {
    Symbol(position_or_push(symbols, symbol.0))
}

/// Where the item is; at the end if it is new.
fn position_or_push<T: PartialEq>(items: &mut Vec<T>, item: T) -> u32 {
    let known = items.iter().position(|it| *it == item);
    known.unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    }) as u32
}

fn size_of_state(state: &AgentState) -> usize {
    160 + 96 * state.control.nodes.len()
}
