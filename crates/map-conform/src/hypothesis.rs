//! A state that an agent may be in, given what the log has shown.

use std::sync::Arc;

use map_ir::{
    AgentId, Memory, PointId, PointKind, Program, Recipient, RoleId, Slicing, Symbol, Value, Visible,
};
use map_semantics::{AgentState, Bounds, Message, NodeKind, Status};
use rustc_hash::FxHashMap;

use crate::before::{Before, Words};
use crate::constraint::{Constraint, Judged};
use crate::orbits::interchangeable;
use crate::relevance::Relevance;

/// A state that an agent may be in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hypothesis {
    pub(crate) state: AgentState,
    /// What holds of abstract values, sorted.
    pub(crate) open: Vec<Constraint>,
    /// Whether it rests on comparisons of values that will never be known.
    pub(crate) doubtful: bool,
    /// The last message that was sent, if copies of it have not been logged yet, with their recipients.
    pub(crate) copies: Option<(Arc<Message>, Vec<AgentId>)>,
    /// The last message that was sent, if it went to a whole role that others have joined since, or may join.
    pub(crate) said: Option<UnknownMessage>,
    /// Messages sent to the agent that may not have arrived yet, by sender.
    pub(crate) pending: Vec<Arc<Message>>,
    /// What the log does not show, if it begins in the middle of the conversation.
    pub(crate) before: Option<Before>,
}

/// A message to a whole role that agents may join. Those who have joined since its first copy may have been there: a
/// copy to them shows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct UnknownMessage {
    pub(crate) message: Arc<Message>,
    /// The role; `None` for all roles.
    role: Option<RoleId>,
    /// Who has joined since, and whether it is doubtful that they were there: another message did not reach them.
    pub(crate) since: Vec<(AgentId, bool)>,
}

/// What turns out when something is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A symbol is this value.
    Bound(Value, Value),
    /// An answer is none that can be computed with or ordered: it is this value; `None` if it is too large.
    Unfit(Option<Value>),
}

/// What all hypotheses of a program share.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) program: Arc<Program>,
    pub(crate) bounds: Bounds,
    /// Whether agents may join.
    pub(crate) is_open: bool,
    /// The agents of each part that may be interchangeable: none if agents may join.
    pub(crate) interchangeable: Vec<Vec<AgentId>>,
    pub(crate) words: Words,
    /// Whether the time of a thread that waits may run out at any moment, unnoticed.
    pub(crate) time_runs_out: bool,
    relevance: Relevance,
    slicing: Slicing,
    /// By role and index in its memory: whether the cell is observed, so that it matters when its agent has ended, too.
    observed_cells: Vec<Vec<bool>>,
}

impl Frame {
    /// What is `observed` matters besides messages.
    pub(crate) fn new(program: Arc<Program>, bounds: Bounds, is_open: bool, observed: &Visible) -> Self {
        let mut visible = observed.clone();
        for (index, performative) in program.performatives.iter().enumerate() {
            let id = map_ir::PerformativeId::new(index);
            visible.arguments.extend((0..performative.arity).map(|place| (id, place)));
        }
        let slicing = Slicing::new(&program, !bounds.rounds_of.is_empty(), &[], &visible);
        let interchangeable = if is_open { Vec::new() } else { interchangeable(&program) };
        let relevance = Relevance::new(&program, &slicing);
        let words = Words::new(&program);
        let is_observed = |role: usize, cell| observed.cells.contains(&(RoleId::new(role), cell));
        let of_role = |(role, memory): (usize, &Memory)| {
            memory.cells.iter().map(|(cell, _)| is_observed(role, *cell)).collect()
        };
        let observed_cells = program.memories.iter().enumerate().map(of_role).collect();
        Self {
            program,
            bounds,
            is_open,
            interchangeable,
            words,
            time_runs_out: true,
            relevance,
            slicing,
            observed_cells,
        }
    }

    /// What is to be remembered of a send to these recipients.
    pub(crate) fn said(
        &self,
        point: PointId,
        message: &Arc<Message>,
        to: &[AgentId],
    ) -> Option<UnknownMessage> {
        let PointKind::Send { agent: Recipient::Any, role, .. } = self.program.point(point).kind else {
            return None;
        };
        // All recipients have the role of the address.
        let role = match role {
            Recipient::Any => None,
            Recipient::Is(_) => Some(self.program.agent(*to.first()?).role),
        };
        self.is_open.then(|| UnknownMessage { message: Arc::clone(message), role, since: Vec::new() })
    }

    /// A message as far as it matters to its recipient.
    pub(crate) fn relevant(&self, recipient: AgentId, message: &Arc<Message>) -> Arc<Message> {
        self.relevance.of(&self.program, recipient, message)
    }

    /// Replaces the values that can have no effect any more by a fixed one.
    fn forget(&self, agent: AgentId, state: &mut AgentState) {
        state.control.replace_dead(&self.program, &self.slicing, || Value::Integer(0));
        let role = self.program.agent(agent).role;
        let runs = state.status == Status::Running;
        for (index, cell) in state.memory.iter_mut().enumerate() {
            let matters = match runs {
                true => self.slicing.cell_at(role, index),
                false => self.observed_cells[role.index()][index],
            };
            if !matters {
                *cell = Value::Integer(0);
            }
        }
    }
}

impl Hypothesis {
    pub(crate) fn new(state: AgentState) -> Self {
        let (open, pending) = (Vec::new(), Vec::new());
        Self { state, open, doubtful: false, copies: None, said: None, pending, before: None }
    }

    /// About how much memory it takes, and work to copy: in nodes and messages.
    pub(crate) fn weight(&self) -> usize {
        1 + self.state.control.nodes.len() + self.state.mailbox.len() + self.pending.len()
    }

    /// The number of messages to it that it has not taken.
    pub(crate) fn untaken(&self) -> usize {
        self.state.mailbox.len() + self.pending.len()
    }

    /// Whether copies of its last message have to come before anything else does.
    pub(crate) fn lacks_copies(&self) -> bool {
        self.copies.is_some() && self.before.as_ref().is_none_or(|before| before.own > 1)
    }

    /// A message of its own is in the log.
    pub(crate) fn note_own(&mut self) {
        if let Some(before) = &mut self.before {
            before.own = (before.own + 1).min(2);
            before.copied = None;
        }
    }

    /// Values that were fresh before the log begins may be any that it shows.
    pub(crate) fn forget_freshness(&mut self) {
        let mut forget = |value: &mut Value| {
            if let Value::Fresh(symbol) = *value {
                *value = Value::Abstract(symbol);
            }
        };
        each_value(&mut self.state, &mut forget);
        self.open.iter_mut().for_each(|constraint| constraint.for_each_value(&mut forget));
    }

    /// Whether the agent has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.state.status != Status::Running
    }

    /// Admits an agent. It is `doubtful` whether they were there before.
    pub(crate) fn admit(&mut self, newcomer: AgentId, role: RoleId, doubtful: bool) {
        if let Some(said) = self.said.as_mut().filter(|it| it.role.is_none_or(|its| its == role)) {
            said.since.push((newcomer, doubtful));
        }
    }

    /// Messages that were on their way arrive: those with these indices, in this order.
    pub(crate) fn deliver_pending(&mut self, block: &[usize]) {
        for &index in block {
            self.state.mailbox.push(Arc::clone(&self.pending[index]));
        }
        let mut at = 0;
        self.pending.retain(|_| {
            at += 1;
            !block.contains(&(at - 1))
        });
    }

    /// The smallest symbol that is not in use.
    pub(crate) fn fresh(&self) -> Symbol {
        let mut next = 0;
        let mut see = |symbol: Symbol| next = next.max(symbol.0 + 1);
        self.state.visit_symbols(&mut see);
        self.open.iter().for_each(|it| it.visit_symbols(&mut see));
        Symbol(next)
    }

    /// Whether a run with it surely exists.
    pub(crate) fn is_certain(&self) -> bool {
        !self.doubtful && surely_satisfiable(&self.open)
    }

    /// Adds what holds of values; false if that contradicts what is known.
    pub(crate) fn assume(&mut self, program: &Program, new: Vec<Constraint>) -> bool {
        self.assume_and_tell(program, new, &mut |found| matches!(found, Found::Bound(..)))
    }

    /// The same; calls `accepts` with what turns out, in turn: where it is false there is a contradiction.
    pub(crate) fn assume_and_tell(
        &mut self,
        program: &Program,
        new: Vec<Constraint>,
        accepts: &mut dyn FnMut(Found) -> bool,
    ) -> bool {
        if new.is_empty() && self.open.is_empty() {
            return true;
        }
        let mut todo = new;
        todo.append(&mut self.open);
        let mut open: Vec<Constraint> = Vec::new();
        while let Some(constraint) = todo.pop() {
            match constraint.judge(program) {
                Judged::Holds => {}
                Judged::Fails => return false,
                Judged::Unfit(answer) => {
                    if !accepts(Found::Unfit(answer)) {
                        return false;
                    }
                }
                Judged::Open(constraint) => open.push(constraint),
                Judged::Bind(left, right) => {
                    let (symbol, value) =
                        if matches!(left, Value::Abstract(_)) { (left, right) } else { (right, left) };
                    let mut bind = |it: &mut Value| {
                        if *it == symbol {
                            *it = value;
                        }
                    };
                    each_value(&mut self.state, &mut bind);
                    if !accepts(Found::Bound(symbol, value)) {
                        return false;
                    }
                    // What was open may be known now.
                    todo.append(&mut open);
                    todo.iter_mut().for_each(|it| it.for_each_value(&mut bind));
                }
            }
        }
        self.open = open;
        true
    }

    /// Binds the fresh values of a message that is sent to those that the log shows, and tells what else must be equal;
    /// `None` if it cannot be the same message.
    pub(crate) fn says(
        &mut self,
        program: &Program,
        sent: &Message,
        shown: &Message,
    ) -> Option<Vec<Constraint>> {
        if sent.performative != shown.performative || sent.arguments.len() != shown.arguments.len() {
            return None;
        }
        let mut equal = Vec::new();
        let mut fresh: Vec<(Value, Value)> = Vec::new();
        for (&own, &its) in sent.arguments.iter().zip(&shown.arguments) {
            match own {
                Value::Fresh(_) => {
                    let clashes = fresh.iter().any(|&(other, shown)| (other == own) != (shown == its))
                        || sent.arguments.contains(&its);
                    if clashes || !fresh.contains(&(own, its)) && !self.bind_fresh(program, own, its) {
                        return None;
                    }
                    fresh.push((own, its));
                }
                _ if own == its => {}
                Value::Abstract(_) => equal.push(Constraint::Equal(own, its)),
                _ => return None,
            }
        }
        Some(equal)
    }

    /// Binds a fresh value to the one that the log shows; false if that is known already, and so not fresh.
    pub(crate) fn bind_fresh(&mut self, program: &Program, fresh: Value, shown: Value) -> bool {
        let in_file = match shown {
            Value::Name(id) => id.index() < program.names.len(),
            Value::Text(id) => id.index() < program.texts.len(),
            Value::Integer(_) | Value::Fresh(_) | Value::Abstract(_) => false,
            Value::Agent(_) | Value::Role(_) => true,
        };
        let mut known = in_file || self.state.mailbox.iter().any(|it| it.arguments.contains(&shown));
        each_value(&mut self.state, &mut |it| {
            known |= *it == shown;
            if *it == fresh {
                *it = shown;
            }
        });
        self.open.iter_mut().for_each(|it| {
            it.for_each_value(&mut |it| {
                if *it == fresh {
                    *it = shown;
                }
            });
        });
        !known
    }

    /// Replaces every value, also agents as senders and recipients, by the result of `replace`, which gives agents for
    /// agents.
    pub(crate) fn replace_values(&mut self, replace: &mut impl FnMut(Value) -> Value) {
        self.state.replace_values(replace);
        self.open.iter_mut().for_each(|constraint| constraint.for_each_value(&mut |it| *it = replace(*it)));
        self.pending.iter_mut().for_each(|message| Message::replace_values(message, replace));
        if let Some((message, lacking)) = &mut self.copies {
            Message::replace_values(message, replace);
            for agent in lacking.iter_mut() {
                if let Value::Agent(other) = replace(Value::Agent(*agent)) {
                    *agent = other;
                }
            }
            lacking.sort_unstable();
        }
        if let Some(before) = &mut self.before {
            let settled = before.settled.iter_mut().map(|(sender, _)| sender);
            let copied = before.copied.iter_mut().flat_map(|(_, to)| to);
            for agent in settled.chain(copied) {
                if let Value::Agent(other) = replace(Value::Agent(*agent)) {
                    *agent = other;
                }
            }
            before.settled.sort_unstable();
            before.copied.iter_mut().for_each(|(_, to)| to.sort_unstable());
        }
    }

    /// Calls `see` with every value but the senders of messages; with some more than once.
    pub(crate) fn visit_values(&self, see: &mut impl FnMut(Value)) {
        for node in &self.state.control.nodes {
            if let NodeKind::Activation { variables, .. } = &node.kind {
                variables.iter().flatten().for_each(|&value| see(value));
            }
        }
        self.state.memory.iter().for_each(|&value| see(value));
        self.open.iter().for_each(|constraint| constraint.visit_values(see));
        let copied = self.copies.iter().map(|(message, _)| message);
        for message in self.state.mailbox.iter().chain(&self.pending).chain(copied) {
            message.arguments.iter().for_each(|&value| see(value));
        }
    }

    /// The same state of an agent that is another one of the same part, in a cast that has one more in its place.
    pub(crate) fn rename(&mut self, from: AgentId, to: AgentId) {
        let (own, other) = (Value::Agent(from), Value::Agent(to));
        let mut rename = |it: &mut Value| {
            if *it == own {
                *it = other;
            }
        };
        each_value(&mut self.state, &mut rename);
        for constraint in &mut self.open {
            constraint.for_each_value(&mut rename);
            if let Constraint::Nobody(me, _, _, there) = constraint {
                // It was the last one itself.
                (*me, *there) = (to, from.index());
            }
        }
    }

    /// The normal form: what cannot matter is forgotten, symbols are numbered in the order in which they occur.
    pub(crate) fn normalise(&mut self, frame: &Frame, agent: AgentId) {
        frame.forget(agent, &mut self.state);
        // Values that go on for ever, such as a count, make long chains: nothing here may take more than linear time.
        let mut numbers: FxHashMap<Symbol, u32> = FxHashMap::default();
        let see = |numbers: &mut FxHashMap<Symbol, u32>, symbol: Symbol| {
            let next = numbers.len() as u32;
            numbers.entry(symbol).or_insert(next);
        };
        self.state.visit_symbols(&mut |symbol| see(&mut numbers, symbol));
        if numbers.is_empty() && self.open.is_empty() {
            return;
        }
        self.drop_unreachable(numbers.keys().copied().collect());
        self.open.sort_unstable();
        self.open.dedup();
        for constraint in &self.open {
            constraint.visit_symbols(&mut |symbol| see(&mut numbers, symbol));
        }
        let number = |symbol: Symbol| Symbol(numbers.get(&symbol).copied().unwrap_or(0));
        self.state.rename_symbols(&mut |symbol| number(symbol));
        for constraint in &mut self.open {
            constraint.for_each_value(&mut |it| it.symbol_mut().into_iter().for_each(|it| *it = number(*it)));
        }
        self.open.sort_unstable();
    }

    /// Drops constraints that no value of the state is connected with: the log will never decide them.
    fn drop_unreachable(&mut self, mut reached: Vec<Symbol>) {
        let all = std::mem::take(&mut self.open);
        let mut of_symbol: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        for (at, constraint) in all.iter().enumerate() {
            constraint.visit_symbols(&mut |symbol| of_symbol.entry(symbol).or_default().push(at));
        }
        let mut is_connected = vec![false; all.len()];
        while let Some(symbol) = reached.pop() {
            for at in of_symbol.remove(&symbol).unwrap_or_default() {
                if !std::mem::replace(&mut is_connected[at], true) {
                    all[at].visit_symbols(&mut |symbol| reached.push(symbol));
                }
            }
        }
        let mut left = Vec::new();
        for (constraint, is_connected) in all.into_iter().zip(is_connected) {
            let into = if is_connected { &mut self.open } else { &mut left };
            into.push(constraint);
        }
        self.doubtful |= !surely_satisfiable(&left);
    }
}

/// Whether some values certainly satisfy all of these.
fn surely_satisfiable(constraints: &[Constraint]) -> bool {
    let only_unequal = constraints.iter().all(|it| matches!(it, Constraint::NotAll(_)));
    let mut members: Vec<Value> = Vec::new();
    let only_members = constraints.iter().all(|it| {
        let Constraint::Member(value, _) = it else { return false };
        let is_first = !members.contains(value);
        members.push(*value);
        is_first
    });
    only_unequal || only_members || constraints.len() == 1 && constraints[0].is_satisfiable_alone()
}

/// Calls `change` with every value that the agent itself holds: messages come from the log, and have no symbols.
fn each_value(state: &mut AgentState, change: &mut impl FnMut(&mut Value)) {
    for node in &mut state.control.nodes {
        if let NodeKind::Activation { variables, .. } = &mut node.kind {
            variables.iter_mut().flatten().for_each(&mut *change);
        }
    }
    state.memory.iter_mut().for_each(change);
}
