//! All runs of a whole scene that have what a guard has recorded: sets of states, with concrete answers from the
//! beginning, and nothing put off or forgotten.

#![allow(
    clippy::mutable_key_type,
    reason = "the index of a mailbox is built on first use; equality and hashes do not depend on it"
)]

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexSet;
use map_conform::LoggedMessage;
use map_ir::{AgentId, PointId, Program, Symbol, Value};
use map_semantics::{
    Action, AgentState, Delivery, Ending, Message, Status, act, deliver, is_waitfor, time_out,
};

use crate::conform::moves::{BOUNDS, Odometer, starts};

/// What an agent can do in a state.
#[derive(Default)]
pub(super) struct Able {
    silent: Vec<AgentState>,
    sends: Vec<(AgentState, Arc<Message>, Vec<AgentId>)>,
    timeouts: Vec<(PointId, AgentState)>,
    /// Whether each of its threads may wait.
    at_rest: bool,
    /// Whether a bound came first.
    is_cut: bool,
}

/// What agents can do, so that it is found out once.
pub(super) struct Ables<'a> {
    program: &'a Program,
    universe: &'a [Value],
    known: HashMap<(AgentId, AgentState), Arc<Able>>,
}

impl<'a> Ables<'a> {
    pub(super) fn new(program: &'a Program, universe: &'a [Value]) -> Self {
        Self { program, universe, known: HashMap::new() }
    }

    fn of(&mut self, agent: AgentId, state: &AgentState) -> Arc<Able> {
        if let Some(known) = self.known.get(&(agent, state.clone())) {
            return Arc::clone(known);
        }
        let able = Arc::new(self.find(agent, state));
        self.known.insert((agent, state.clone()), Arc::clone(&able));
        able
    }

    /// Whether a bound came first for some agent in a state.
    fn finds_cut(&mut self, state: &State) -> bool {
        state.agents.iter().enumerate().any(|(index, agent)| self.of(AgentId::new(index), agent).is_cut)
    }

    fn find(&self, agent: AgentId, state: &AgentState) -> Able {
        let mut able = Able { at_rest: true, ..Able::default() };
        if state.status != Status::Running {
            return able;
        }
        for thread in state.control.threads() {
            let place = state.control.place(thread);
            let mut waits = false;
            let mut odometer = Odometer::new(self.universe);
            loop {
                let outcome = act(self.program, &BOUNDS, agent, state, thread, Symbol(0), &mut odometer);
                able.is_cut |= is_cut(&outcome.ending);
                waits |= outcome.ending == Ending::Nothing && is_waitfor(self.program, place);
                if let Ending::State(next) = outcome.ending {
                    let mut after = state.clone();
                    after.go_on(&BOUNDS, next, outcome.action.as_ref().and_then(Action::taken));
                    match outcome.action {
                        Some(Action::Send { message, to, .. }) => able.sends.push((after, message, to)),
                        _ => able.silent.push(after),
                    }
                }
                if !odometer.advance() {
                    break;
                }
            }
            able.at_rest &= waits;
            if !waits {
                continue;
            }
            let mut odometer = Odometer::new(self.universe);
            loop {
                let outcome = time_out(self.program, &BOUNDS, agent, state, thread, Symbol(0), &mut odometer);
                able.is_cut |= is_cut(&outcome.ending);
                match outcome.ending {
                    Ending::State(next) => {
                        let mut after = state.clone();
                        after.go_on(&BOUNDS, next, None);
                        able.timeouts.push((place, after));
                    }
                    // It waits again.
                    Ending::Nothing if is_waitfor(self.program, place) => {
                        able.timeouts.push((place, state.clone()));
                    }
                    _ => {}
                }
                if !odometer.advance() {
                    break;
                }
            }
        }
        able
    }
}

fn is_cut(ending: &Ending) -> bool {
    matches!(ending, Ending::Cut(_) | Ending::TooLong(_))
}

/// The state of a whole run, with what is on its way to agents who are called.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    agents: Vec<AgentState>,
    under_way: Vec<(AgentId, Arc<Message>)>,
}

/// A message that some run can have next.
pub(super) type Explained = IndexSet<(AgentId, Message, Vec<AgentId>)>;

/// There are too many states to look at.
#[derive(Debug)]
pub(super) struct TooMany;

/// The runs that have what was recorded so far, by their states.
#[derive(Clone)]
pub(super) struct Runs {
    states: IndexSet<State>,
    /// By agent: whether it is called, so that messages and timeouts come at any time.
    called: Vec<bool>,
    /// Those whose time may run out at any time all the same.
    hasty: Option<AgentId>,
    /// By agent: whether it has said that it is at rest.
    pub(super) rested: Vec<bool>,
    /// By agent: whether it was given up.
    pub(super) silenced: Vec<bool>,
}

/// A search that finds more gives up.
const MAX_STATES: usize = 600;

impl Runs {
    pub(super) fn start(ables: &mut Ables<'_>, called: Vec<bool>) -> Result<Self, TooMany> {
        let states = starts(ables.program).into_iter().map(|agents| State { agents, under_way: Vec::new() });
        let agents = ables.program.agents.len();
        let (rested, silenced) = (vec![false; agents], vec![false; agents]);
        let mut runs = Self { states: states.collect(), called, hasty: None, rested, silenced };
        runs.close(ables)?;
        Ok(runs)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The same, but that the time of an agent may run out at any time.
    pub(super) fn hastened(&self, ables: &mut Ables<'_>, agent: AgentId) -> Result<Self, TooMany> {
        let mut runs = Self { hasty: Some(agent), ..self.clone() };
        runs.rested[agent.index()] = false;
        runs.close(ables)?;
        Ok(runs)
    }

    /// Adds everything that happens unseen.
    fn close(&mut self, ables: &mut Ables<'_>) -> Result<(), TooMany> {
        let mut todo: Vec<State> = self.states.iter().cloned().collect();
        while let Some(state) = todo.pop() {
            if ables.finds_cut(&state) {
                return Err(TooMany);
            }
            let mut next: Vec<State> = Vec::new();
            for (index, agent) in state.agents.iter().enumerate() {
                let id = AgentId::new(index);
                if self.silenced[index] {
                    continue;
                }
                let able = ables.of(id, agent);
                let may_run_out = self.called[index] || self.hasty == Some(id);
                let timeouts = able.timeouts.iter().filter(|_| may_run_out).map(|(_, after)| after);
                for after in able.silent.iter().chain(timeouts) {
                    let mut changed = state.clone();
                    changed.agents[index] = after.clone();
                    next.push(changed);
                }
            }
            for (index, (to, message)) in state.under_way.iter().enumerate() {
                let is_of_both =
                    |(its, other): &(AgentId, Arc<Message>)| its == to && other.sender == message.sender;
                if state.under_way[..index].iter().any(is_of_both) {
                    continue;
                }
                let mut changed = state.clone();
                changed.under_way.remove(index);
                assert_ne!(deliver(&BOUNDS, &mut changed.agents[to.index()], message), Delivery::Overflow);
                next.push(changed);
            }
            for state in next {
                if !self.states.contains(&state) {
                    self.states.insert(state.clone());
                    todo.push(state);
                }
            }
            if self.states.len() > MAX_STATES {
                return Err(TooMany);
            }
        }
        Ok(())
    }

    /// What agents can send next.
    pub(super) fn explained(&self, ables: &mut Ables<'_>) -> Explained {
        let mut all = Explained::new();
        for state in &self.states {
            for (index, agent) in state.agents.iter().enumerate() {
                if self.rested[index] || self.silenced[index] {
                    continue;
                }
                let able = ables.of(AgentId::new(index), agent);
                for (_, message, to) in &able.sends {
                    all.insert((AgentId::new(index), (**message).clone(), to.clone()));
                }
            }
        }
        all
    }

    /// The states of all agents in each run.
    pub(super) fn states(&self) -> impl Iterator<Item = &[AgentState]> {
        self.states.iter().map(|state| &state.agents[..])
    }

    /// The states in which its sender may be right after a message.
    pub(super) fn after_send(&self, ables: &mut Ables<'_>, sent: &LoggedMessage) -> Vec<AgentState> {
        let mut all = Vec::new();
        for state in &self.states {
            let able = ables.of(sent.from, &state.agents[sent.from.index()]);
            let same =
                able.sends.iter().filter(|(_, message, to)| **message == *sent.message && *to == sent.to);
            all.extend(same.map(|(after, ..)| after.clone()));
        }
        all
    }

    /// A message was accepted; those in `now` have it at once.
    pub(super) fn send(
        &mut self,
        ables: &mut Ables<'_>,
        sent: &LoggedMessage,
        now: &[AgentId],
    ) -> Result<(), TooMany> {
        let mut next = IndexSet::new();
        for state in &self.states {
            let able = ables.of(sent.from, &state.agents[sent.from.index()]);
            for (after, message, to) in &able.sends {
                if **message != *sent.message || *to != sent.to {
                    continue;
                }
                let mut changed = state.clone();
                changed.agents[sent.from.index()] = after.clone();
                for to in to.iter().filter(|to| **to != sent.from && !self.silenced[to.index()]) {
                    if self.called[to.index()] {
                        changed.under_way.push((*to, Arc::clone(&sent.message)));
                    }
                }
                next.insert(changed);
            }
        }
        self.states = next;
        self.rested[sent.from.index()] = false;
        for &to in now {
            self.arrive(to, &sent.message);
        }
        for to in sent.to.iter().filter(|to| self.called[to.index()]) {
            self.rested[to.index()] = false;
        }
        self.close(ables)
    }

    /// A message gets into a mailbox; what happens unseen has happened before or comes after it.
    fn arrive(&mut self, to: AgentId, message: &Arc<Message>) {
        let delivered = |mut state: State| {
            assert_ne!(deliver(&BOUNDS, &mut state.agents[to.index()], message), Delivery::Overflow);
            state
        };
        self.states = std::mem::take(&mut self.states).into_iter().map(delivered).collect();
        self.rested[to.index()] = false;
    }

    /// A message is handed over, and gets into the mailbox with that.
    pub(super) fn hand_over(
        &mut self,
        ables: &mut Ables<'_>,
        to: AgentId,
        message: &Arc<Message>,
    ) -> Result<(), TooMany> {
        self.arrive(to, message);
        self.close(ables)
    }

    /// Only those remain in which an agent may be at rest, even when all that is on its way to it has arrived.
    pub(super) fn come_to_rest(&mut self, ables: &mut Ables<'_>, agent: AgentId) {
        self.states.retain(|state| {
            let mut own = state.agents[agent.index()].clone();
            for (_, message) in state.under_way.iter().filter(|(to, _)| *to == agent) {
                assert_ne!(deliver(&BOUNDS, &mut own, message), Delivery::Overflow);
            }
            ables.of(agent, &state.agents[agent.index()]).at_rest && ables.of(agent, &own).at_rest
        });
    }

    /// Time runs out for an agent at rest, if it waits at this place.
    pub(super) fn run_out(
        &mut self,
        ables: &mut Ables<'_>,
        agent: AgentId,
        place: PointId,
    ) -> Result<(), TooMany> {
        self.come_to_rest(ables, agent);
        let mut next = IndexSet::new();
        for state in &self.states {
            let own = &state.agents[agent.index()];
            let is_there = own.status == Status::Running
                && own.control.threads().any(|thread| own.control.place(thread) == place);
            if !is_there {
                next.insert(state.clone());
                continue;
            }
            let able = ables.of(agent, own);
            for (_, after) in able.timeouts.iter().filter(|(its, _)| *its == place) {
                let mut changed = state.clone();
                changed.agents[agent.index()] = after.clone();
                next.insert(changed);
            }
        }
        self.states = next;
        self.rested[agent.index()] = false;
        self.close(ables)
    }

    /// An agent is given up.
    pub(super) fn silence(&mut self, agent: AgentId) {
        self.silenced[agent.index()] = true;
    }
}
