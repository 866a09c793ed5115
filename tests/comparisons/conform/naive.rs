//! A naive search for a run of the whole scene that explains a log, and random runs with their logs. Answers are
//! concrete from the beginning; nothing is put off or forgotten, and states of agents are shared only as numbers.

#![allow(
    clippy::mutable_key_type,
    reason = "the index of a mailbox is built on first use; equality and hashes do not depend on it"
)]

use std::collections::HashSet;
use std::sync::Arc;

use map_conform::{Arrivals, LoggedMessage};
use map_ir::{AgentId, Program, Value};
use map_semantics::{Action, AgentState, Ending, Message, Outcome, Status, deliver};
use map_testkit::scenes::Random;

use super::Line;
use super::moves::{BOUNDS, Moves, Number, outcomes, starts, universe};

/// The state of a whole run.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// Which of those who join are there: a set, by bits.
    there: usize,
    agents: Vec<Number>,
    /// Copies of the last message that have not been logged, by agent.
    copies: Vec<Option<(Arc<Message>, Vec<AgentId>)>>,
    /// Messages on their way, oldest first.
    under_way: Vec<(AgentId, Arc<Message>)>,
    /// How far each agent has got in its own lines, or all of them in the log.
    at: Vec<usize>,
}

/// What a search finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Found {
    Explained { ended: bool },
    Unexplained,
    TooLarge,
}

/// Agents who join: at any time up to the first line that names them.
pub(super) struct Joins {
    /// They are the last of the cast: how many agents are there from the beginning.
    pub(super) from: usize,
    /// By line: who has been named up to it.
    pub(super) named: Vec<usize>,
}

pub(super) struct Naive<'l, 'm, 'p> {
    joins: Option<&'l Joins>,
    arrivals: Arrivals,
    log: &'l [Line],
    /// Where arrivals are logged, by agent the indices of its lines; else one list for all.
    own: Vec<Vec<usize>>,
    moves: &'m mut Moves<'p>,
}

/// A search that finds more gives up: twice as many would decide one log in twenty more, and take twice as long.
const MAX_STATES: usize = 700;

impl<'l, 'm, 'p> Naive<'l, 'm, 'p> {
    pub(super) fn search(moves: &'m mut Moves<'p>, arrivals: Arrivals, log: &'l [Line]) -> Found {
        Self::search_joining(moves, None, arrivals, log)
    }

    pub(super) fn search_joining(
        moves: &'m mut Moves<'p>,
        joins: Option<&'l Joins>,
        arrivals: Arrivals,
        log: &'l [Line],
    ) -> Found {
        let owner = |line: &Line| match line {
            Line::Send(spoken) => spoken.from,
            Line::Receive(to, _) => *to,
        };
        let own = match arrivals {
            Arrivals::Logged => moves
                .program()
                .cast()
                .map(|agent| (0..log.len()).filter(|&it| owner(&log[it]) == agent).collect())
                .collect(),
            _ => vec![(0..log.len()).collect()],
        };
        let mut naive = Naive { joins, arrivals, log, own, moves };
        let mut todo = naive.first();
        let mut seen: HashSet<State> = todo.iter().cloned().collect();
        let mut explained = false;
        while let Some(state) = todo.pop() {
            if seen.len() > MAX_STATES {
                return Found::TooLarge;
            }
            if naive.is_through(&state) {
                explained = true;
                let has_ended = |it: &Number| naive.moves.state(*it).status != Status::Running;
                if state.agents.iter().all(has_ended) && state.copies.iter().all(Option::is_none) {
                    return Found::Explained { ended: true };
                }
            }
            for next in naive.next(&state) {
                // Most of them have been seen: these are not copied.
                if !seen.contains(&next) {
                    seen.insert(next.clone());
                    todo.push(next);
                }
            }
        }
        if explained { Found::Explained { ended: false } } else { Found::Unexplained }
    }

    fn first(&mut self) -> Vec<State> {
        let copies = vec![None; self.moves.program().agents.len()];
        let at = vec![0; self.own.len()];
        let state = |agents| State {
            there: 0,
            agents,
            copies: copies.clone(),
            under_way: Vec::new(),
            at: at.clone(),
        };
        self.moves.first().into_iter().map(state).collect()
    }

    fn is_through(&self, state: &State) -> bool {
        state.at.iter().zip(&self.own).all(|(at, own)| *at == own.len())
    }

    /// The list in which an agent's next line is.
    fn list(&self, agent: AgentId) -> usize {
        if self.arrivals == Arrivals::Logged { agent.index() } else { 0 }
    }

    fn next(&mut self, state: &State) -> Vec<State> {
        let mut found = Vec::new();
        self.arrive(state, &mut found);
        self.copy(state, &mut found);
        self.join(state, &mut found);
        for agent in self.moves.program().cast() {
            if !self.is_there(state, agent) {
                continue;
            }
            let nexts = self.moves.next(state.there, agent, state.agents[agent.index()]);
            for (after, action) in nexts.iter() {
                self.step(state, agent, *after, action.as_ref(), &mut found);
            }
        }
        found
    }

    fn is_there(&self, state: &State, agent: AgentId) -> bool {
        let joins = self.joins.and_then(|it| agent.index().checked_sub(it.from));
        joins.is_none_or(|bit| state.there & (1 << bit) != 0)
    }

    fn join(&self, state: &State, found: &mut Vec<State>) {
        for bit in 0..self.joins.map_or(0, |it| self.moves.program().agents.len() - it.from) {
            if state.there & (1 << bit) == 0 {
                found.push(State { there: state.there | 1 << bit, ..state.clone() });
            }
        }
    }

    fn arrive(&mut self, state: &State, found: &mut Vec<State>) {
        for (index, (to, message)) in state.under_way.iter().enumerate() {
            let mut next = state.clone();
            match self.arrivals {
                Arrivals::Logged => {
                    let line = self.own[to.index()].get(state.at[to.index()]);
                    let fits =
                        line.is_some_and(|&it| self.log[it] == Line::Receive(*to, Arc::clone(message)));
                    if !fits {
                        continue;
                    }
                    next.at[to.index()] += 1;
                }
                Arrivals::Late => {
                    let is_first = state.under_way[..index]
                        .iter()
                        .all(|(it, other)| it != to || other.sender != message.sender);
                    if !is_first {
                        continue;
                    }
                }
                Arrivals::Sent | Arrivals::Unordered => {}
            }
            next.under_way.remove(index);
            next.agents[to.index()] = self.moves.delivered(next.agents[to.index()], message);
            found.push(next);
        }
    }

    /// The line that is next for the agent, if it is a send of its own.
    fn line(&self, state: &State, agent: AgentId) -> Option<&'l LoggedMessage> {
        let list = self.list(agent);
        let line = *self.own[list].get(state.at[list])?;
        if self.joins.is_some_and(|it| it.named[line] & !state.there != 0) {
            return None;
        }
        match self.log.get(line) {
            Some(Line::Send(spoken)) if spoken.from == agent => Some(spoken),
            _ => None,
        }
    }

    fn copy(&mut self, state: &State, found: &mut Vec<State>) {
        for agent in self.moves.program().cast() {
            let (Some(spoken), Some((message, left))) =
                (self.line(state, agent), &state.copies[agent.index()])
            else {
                continue;
            };
            let are_left = !spoken.to.is_empty() && spoken.to.iter().all(|it| left.contains(it));
            if *message == spoken.message && are_left {
                let mut next = state.clone();
                self.log_copies(&mut next, agent, spoken, left.clone());
                found.push(next);
            }
        }
    }

    fn log_copies(
        &mut self,
        next: &mut State,
        agent: AgentId,
        spoken: &LoggedMessage,
        mut left: Vec<AgentId>,
    ) {
        left.retain(|it| !spoken.to.contains(it));
        next.at[self.list(agent)] += 1;
        next.copies[agent.index()] = (!left.is_empty()).then(|| (Arc::clone(&spoken.message), left));
        for to in &spoken.to {
            if self.arrivals == Arrivals::Sent {
                next.agents[to.index()] = self.moves.delivered(next.agents[to.index()], &spoken.message);
            } else {
                next.under_way.push((*to, Arc::clone(&spoken.message)));
            }
        }
    }

    fn step(
        &mut self,
        state: &State,
        agent: AgentId,
        after: Number,
        action: Option<&Action>,
        found: &mut Vec<State>,
    ) {
        let sent = match action {
            Some(Action::Send { message, to, .. }) => {
                let Some(spoken) = self.line(state, agent) else { return };
                let fits = **message == *spoken.message
                    && spoken.to.iter().all(|it| to.contains(it))
                    && state.copies[agent.index()].is_none();
                if !fits {
                    return;
                }
                Some((spoken, to))
            }
            _ => None,
        };
        let mut next = state.clone();
        next.agents[agent.index()] = after;
        match sent {
            // Nobody is named: it went to all whom the send addresses.
            Some((spoken, to)) if spoken.to.is_empty() => {
                let spoken = LoggedMessage { to: to.clone(), ..spoken.clone() };
                self.log_copies(&mut next, agent, &spoken, to.clone());
            }
            Some((spoken, to)) => self.log_copies(&mut next, agent, spoken, to.clone()),
            None => {}
        }
        found.push(next);
    }
}

/// A run that chance takes further, with its messages on their way.
pub(super) struct Simulated {
    arrivals: Arrivals,
    universe: Vec<Value>,
    agents: Vec<AgentState>,
    under_way: Vec<(AgentId, Arc<Message>)>,
}

impl Simulated {
    pub(super) fn start(program: &Program, arrivals: Arrivals, random: &mut Random) -> Option<Self> {
        let mut starts = starts(program);
        if starts.is_empty() || program.agents.is_empty() {
            return None;
        }
        let agents = starts.swap_remove(random.below(starts.len()));
        Some(Self { arrivals, universe: universe(program), agents, under_way: Vec::new() })
    }

    /// Lets a message arrive, or an agent do something, and logs it.
    pub(super) fn step(
        &mut self,
        program: &Program,
        agent: AgentId,
        random: &mut Random,
        log: &mut Vec<Line>,
    ) {
        let Self { agents, under_way, .. } = self;
        if !under_way.is_empty() && random.percent(40) {
            let index = random.below(under_way.len());
            let (to, message): (AgentId, Arc<Message>) = under_way[index].clone();
            let first = under_way.iter().position(|(it, other)| *it == to && other.sender == message.sender);
            let index = if self.arrivals == Arrivals::Late { first.unwrap_or(index) } else { index };
            let (to, message) = under_way.remove(index);
            deliver(&BOUNDS, &mut agents[to.index()], &message);
            if self.arrivals == Arrivals::Logged {
                log.push(Line::Receive(to, message));
            }
            return;
        }
        let mut all = outcomes(program, agent, &agents[agent.index()], &self.universe);
        all.retain(|it| matches!(it.ending, Ending::State(_)));
        if all.is_empty() {
            return;
        }
        let Outcome { ending: Ending::State(next), action, .. } = all.swap_remove(random.below(all.len()))
        else {
            return;
        };
        agents[agent.index()].go_on(&BOUNDS, next, action.as_ref().and_then(Action::taken));
        if let Some(Action::Send { message, to, .. }) = action {
            for &to in &to {
                if self.arrivals == Arrivals::Sent {
                    deliver(&BOUNDS, &mut agents[to.index()], &message);
                } else {
                    under_way.push((to, Arc::clone(&message)));
                }
            }
            let copies: Vec<Vec<AgentId>> =
                if random.percent(50) { vec![to] } else { to.into_iter().map(|it| vec![it]).collect() };
            log.extend(copies.into_iter().map(|to| {
                Line::Send(LoggedMessage { from: agent, to, message: Arc::clone(&message), id: None })
            }));
        }
    }
}

/// The log of a random run.
pub(super) fn random_log(program: &Program, arrivals: Arrivals, random: &mut Random) -> Vec<Line> {
    random_log_with(program, arrivals, &universe(program), random)
}

/// The log of a random run, in which procedures answer these values.
pub(super) fn random_log_with(
    program: &Program,
    arrivals: Arrivals,
    values: &[Value],
    random: &mut Random,
) -> Vec<Line> {
    let mut log = Vec::new();
    let Some(run) = Simulated::start(program, arrivals, random) else { return log };
    let mut run = Simulated { universe: values.to_vec(), ..run };
    for _ in 0..random.between(5, 40) {
        if log.len() > 8 {
            break;
        }
        run.step(program, AgentId::new(random.below(program.agents.len())), random, &mut log);
    }
    log
}
