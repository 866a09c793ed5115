//! Interned agent states, and what `map-semantics` says of each, computed once.
//!
//! An interned state names its abstract values 0, 1, .. by first occurrence; which symbols of the scene these are is
//! kept beside it in the global state. So agent states that differ only in the names of symbols are one.

use hashbrown::HashMap;
use indexmap::IndexSet;
use map_ir::{AgentId, ClauseId, PerformativeId, PointId, Program, Symbol, Value};
use map_semantics::{
    Action, AgentState, BoundHit, Bounds, Delivery, Ending, Event, Message, Resolved, Status, StepKind,
    agent_steps, deliver,
};
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// Index of an interned state of one particular agent.
pub(crate) type StateId = u32;

/// A step of one agent as a patch of the global state. Symbols are numbered as in the state before; new ones follow.
pub(crate) struct LocalStep {
    /// Its number among all that were computed.
    pub(crate) id: u32,
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
        /// Whether the agent ends by this step, but not by a crash, and if so with success.
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
    pub(crate) to: Vec<AgentId>,
}

/// All steps of one interned agent state.
pub(crate) struct Locals {
    pub(crate) threads: Vec<LocalThread>,
    pub(crate) all_waiting: bool,
    /// Some thread waits only if open comparisons come out so.
    pub(crate) waiting_compared: bool,
    /// Its crash, if agents may crash.
    pub(crate) crash: Option<LocalStep>,
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
    /// Its mailbox is a bag whose order depends on the scene ([`map_semantics::order_bags`]).
    pub(crate) ties: bool,
}

#[derive(PartialEq, Eq, Hash)]
struct Owned {
    agent: AgentId,
    state: AgentState,
}

/// Where symbols stand in another numbering, such as a message's symbols in that of the recipient; those it does not
/// hold get the next numbers.
pub(crate) type Pattern = Vec<u32>;

/// What a delivery leads to: the recipient's next state, and which old symbol each of its symbols is, as a pattern; nothing if
/// the mailbox is full.
type Delivered = Option<(StateId, u32)>;

/// Something that the tables do not say yet.
#[derive(Debug)]
pub(crate) enum Missing {
    /// The id of an agent state.
    State { agent: AgentId, state: AgentState },
    /// The steps of an agent state.
    Locals(StateId),
    /// What becomes of an agent state when a message is delivered to it.
    Delivery { recipient: StateId, message: u32, pattern: Pattern },
}

/// The tables. Threads read them side by side; what is missing is filled in by one while the others rest, in an order that
/// does not depend on their number, so that neither do the ids.
pub(crate) struct Agents<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    states: IndexSet<Owned, FxBuildHasher>,
    briefs: Vec<Brief>,
    locals: Vec<Option<Locals>>,
    steps: u32,
    any_ties: bool,
    messages: IndexSet<Arc<Message>, FxBuildHasher>,
    patterns: IndexSet<Pattern, FxBuildHasher>,
    deliveries: HashMap<(StateId, u32, u32), Delivered, FxBuildHasher>,
    bytes: usize,
}

impl<'a> Agents<'a> {
    pub(crate) fn new(program: &'a Program, bounds: &'a Bounds) -> Self {
        Self {
            program,
            bounds,
            states: IndexSet::default(),
            briefs: Vec::new(),
            locals: Vec::new(),
            steps: 0,
            any_ties: false,
            messages: IndexSet::default(),
            patterns: IndexSet::default(),
            deliveries: HashMap::default(),
            bytes: 0,
        }
    }

    pub(crate) fn brief(&self, id: StateId) -> Brief {
        self.briefs[id as usize]
    }

    pub(crate) fn state(&self, id: StateId) -> &AgentState {
        &self.states[id as usize].state
    }

    /// Whether some state has a bag whose order depends on the scene.
    pub(crate) fn any_ties(&self) -> bool {
        self.any_ties
    }

    /// How many steps were computed.
    pub(crate) fn step_count(&self) -> usize {
        self.steps as usize
    }

    /// A rough count of the bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.deliveries.capacity() * 28 + self.locals.capacity() * size_of::<Option<Locals>>()
    }

    /// Interns a state; the result's second part says which old symbol each of its symbols is.
    pub(crate) fn intern(&mut self, agent: AgentId, mut state: AgentState) -> (StateId, Vec<u32>) {
        let mut symbols: Vec<u32> = Vec::new();
        state.rename_symbols(&mut |symbol| first_occurrence(&mut symbols, symbol));
        let status = state.status;
        let ties = self.bounds.network.unordered && state.mailbox.has_ties();
        let bytes = size_of_state(&state);
        let (index, new) = self.states.insert_full(Owned { agent, state });
        if new {
            self.bytes += bytes;
            self.briefs.push(Brief { status, symbols: symbols.len() as u32, ties });
            self.locals.push(None);
            self.any_ties |= ties;
        }
        (u32::try_from(index).expect("agent states are fewer than 2^32"), symbols)
    }

    /// The id of a state, and its symbols, as [`Agents::intern`] would return them, if it is interned.
    pub(crate) fn known(&self, agent: AgentId, mut state: AgentState) -> Result<(StateId, Pattern), Missing> {
        let mut symbols = Vec::new();
        state.rename_symbols(&mut |symbol| first_occurrence(&mut symbols, symbol));
        let owned = Owned { agent, state };
        match self.states.get_index_of(&owned) {
            Some(id) => Ok((id as StateId, symbols)),
            None => Err(Missing::State { agent, state: owned.state }),
        }
    }

    /// The steps of an agent state, if they are known.
    pub(crate) fn locals(&self, id: StateId) -> Option<&Locals> {
        self.locals[id as usize].as_ref()
    }

    /// Finds out what was missing.
    pub(crate) fn fill(&mut self, missing: Missing) {
        match missing {
            Missing::State { agent, state } => {
                self.intern(agent, state);
            }
            Missing::Locals(id) => {
                if self.locals[id as usize].is_none() {
                    self.locals[id as usize] = Some(self.compute_locals(id));
                }
            }
            Missing::Delivery { recipient, message, pattern } => {
                let (pattern, _) = self.patterns.insert_full(pattern);
                let key = (recipient, message, pattern as u32);
                if !self.deliveries.contains_key(&key) {
                    let result = self.delivered(recipient, message, pattern);
                    self.deliveries.insert(key, result);
                }
            }
        }
    }

    fn compute_locals(&mut self, id: StateId) -> Locals {
        let Owned { agent, state } = &self.states[id as usize];
        let agent = *agent;
        let before = state.clone();
        let steps = agent_steps(self.program, self.bounds, agent, &before);
        let all_waiting = steps.all_waiting();
        let waiting_compared = steps.threads.iter().any(|thread| thread.waiting_compared);
        let crash = steps.crash.map(|outcome| {
            let crash = Resolved { outcome, options: Vec::new(), compared: false };
            self.patch(agent, 0, &before, crash)
        });
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
        Locals { threads, all_waiting, waiting_compared, crash }
    }

    fn patches(
        &mut self,
        agent: AgentId,
        thread: u32,
        before: &AgentState,
        found: Vec<Resolved>,
    ) -> Vec<LocalStep> {
        found.into_iter().map(|it| self.patch(agent, thread, before, it)).collect()
    }

    fn patch(&mut self, agent: AgentId, thread: u32, before: &AgentState, found: Resolved) -> LocalStep {
        let Resolved { outcome, options, compared } = found;
        let mut left = Vec::new();
        let ending = match outcome.ending {
            Ending::State(next) => {
                let may_be_idle = outcome.action.is_none() && before.control.same_shape(&next.control);
                let ended = match next.status {
                    Status::Running | Status::Crashed => None,
                    Status::Done => Some(true),
                    Status::Failed => Some(false),
                };
                let mut after = before.clone();
                let unread = after.go_on(next, outcome.action.as_ref().and_then(Action::taken));
                if ended.is_some() {
                    left.extend(unread.iter().map(|message| message.performative));
                }
                let (next, symbols) = self.intern(agent, after);
                LocalEnding::State { next, symbols, ended, may_be_idle }
            }
            Ending::Cut(bound) => LocalEnding::Cut(bound),
            Ending::Runaway(_) => LocalEnding::Runaway,
            Ending::TooLong(_) => LocalEnding::TooLong,
            Ending::RunError(_) => LocalEnding::RunError,
            Ending::Nothing => unreachable!("agent_steps leaves out what is no step"),
        };
        let sent = match outcome.action {
            Some(Action::Send { message, to, .. }) => {
                let (message, symbols) = self.intern_message(Arc::unwrap_or_clone(message));
                Some(Sent { message, symbols, to })
            }
            _ => None,
        };
        let entered = outcome
            .events
            .iter()
            .filter_map(|event| if let Event::Called(_, clause, _) = event { Some(*clause) } else { None })
            .collect();
        self.bytes += 160 + 4 * (options.len() + outcome.ran.len());
        self.steps += 1;
        LocalStep {
            id: self.steps - 1,
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

    fn intern_message(&mut self, mut message: Message) -> (u32, Vec<u32>) {
        let mut symbols: Vec<u32> = Vec::new();
        for symbol in message.arguments.iter_mut().filter_map(Value::symbol_mut) {
            *symbol = first_occurrence(&mut symbols, *symbol);
        }
        (self.messages.insert_full(Arc::new(message)).0 as u32, symbols)
    }

    /// An agent state with its symbols by their names in the scene.
    pub(crate) fn named(&self, id: StateId, held: &[u32]) -> AgentState {
        let mut state = self.state(id).clone();
        state.rename_symbols(&mut |symbol| Symbol(held[symbol.0 as usize]));
        state
    }

    /// The state of a running agent after a message was put into its mailbox; `None` if that is full. `pattern` says
    /// for each symbol of the message where it stands among the agent's, those that are new to it following the others;
    /// the result's second part which of all these each symbol of the next state is.
    pub(crate) fn deliver(
        &self,
        recipient: StateId,
        message: u32,
        pattern: &[u32],
    ) -> Result<Option<(StateId, &[u32])>, Missing> {
        let number = self.patterns.get_index_of(pattern);
        let known = number.and_then(|it| self.deliveries.get(&(recipient, message, it as u32)));
        match known {
            Some(delivered) => {
                Ok(delivered.map(|(next, order)| (next, self.patterns[order as usize].as_slice())))
            }
            None => Err(Missing::Delivery { recipient, message, pattern: pattern.to_vec() }),
        }
    }

    /// The recipient's next state, and which symbol of those held or sent each of its symbols is, as a pattern.
    fn delivered(&mut self, recipient: StateId, message: u32, pattern: usize) -> Delivered {
        let mut renamed = Message::clone(&self.messages[message as usize]);
        let pattern = &self.patterns[pattern];
        for symbol in renamed.arguments.iter_mut().filter_map(Value::symbol_mut) {
            symbol.0 = pattern[symbol.0 as usize];
        }
        let Owned { agent, state } = &self.states[recipient as usize];
        let (agent, mut state) = (*agent, state.clone());
        match deliver(self.bounds, &mut state, &Arc::new(renamed)) {
            Delivery::Delivered => {
                let (next, order) = self.intern(agent, state);
                Some((next, self.patterns.insert_full(order).0 as u32))
            }
            Delivery::Overflow => None,
            Delivery::Dropped => unreachable!("only running agents are delivered to"),
        }
    }

    pub(crate) fn message(&self, id: u32) -> &Message {
        &self.messages[id as usize]
    }
}

fn first_occurrence(symbols: &mut Vec<u32>, symbol: Symbol) -> Symbol {
    let known = symbols.iter().position(|&it| it == symbol.0);
    let index = known.unwrap_or_else(|| {
        symbols.push(symbol.0);
        symbols.len() - 1
    });
    Symbol(index as u32)
}

fn size_of_state(state: &AgentState) -> usize {
    let messages: usize = state.mailbox.iter().map(|message| 64 + 16 * message.arguments.len()).sum();
    160 + messages + 96 * state.control.nodes.len()
}
