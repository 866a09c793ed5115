//! A naive search for a run of the whole scene that explains a log, and random runs with their logs. Answers are
//! concrete from the beginning; nothing is put off, shared or forgotten.

#![allow(
    clippy::mutable_key_type,
    reason = "the index of a mailbox is built on first use; equality and hashes do not depend on it"
)]

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use map_conform::{Arrivals, Spoken};
use map_ir::{AgentId, ExpressionKind, Initial, Program, Symbol, Value};
use map_semantics::{
    Action, AgentState, Bounds, Choice, Choices, Delivery, Ending, Message, Network, Outcome, Question,
    Reply, Status, Timeouts, act, deliver, is_waitfor, open_cells, start, time_out,
};
use map_testkit::scenes::Random;

use super::{Line, is_constant};

/// The bounds under which the monitors run.
const BOUNDS: Bounds = Bounds {
    depth: 1_000,
    rounds: None,
    rounds_of: Vec::new(),
    mailbox: 100_000,
    timeouts: Timeouts::Any,
    network: Network::INSTANT,
};

/// Values that procedures without a body answer.
pub(super) fn universe(program: &Program) -> Vec<Value> {
    let constants = program.expressions.iter().filter_map(|it| match it.kind {
        ExpressionKind::Constant(value) => Some(value),
        _ => None,
    });
    let cells = program.memories.iter().flat_map(|it| &it.cells).filter_map(|(_, it)| match it {
        Initial::Constant(value) => Some(*value),
        _ => None,
    });
    let names = (0..program.names.len()).map(|it| Value::Name(map_ir::NameId::new(it)));
    let mut all: Vec<Value> = constants.chain(cells).chain(names).filter(is_constant).take(4).collect();
    // Calls pass small numbers on, which answers are compared with.
    all.extend((0..=3).map(Value::Integer));
    all.extend(program.cast().take(2).map(Value::Agent));
    all.sort_unstable();
    all.dedup();
    all
}

/// Follows options, and takes the first one behind them.
struct Odometer<'u> {
    universe: &'u [Value],
    taken: Vec<(u32, u32)>,
    position: usize,
}

impl Odometer<'_> {
    fn pick(&mut self, options: u32) -> u32 {
        if self.position == self.taken.len() {
            self.taken.push((0, options));
        }
        self.position += 1;
        self.taken[self.position - 1].0
    }

    fn advance(&mut self) -> bool {
        self.position = 0;
        while let Some((option, options)) = self.taken.pop() {
            if option + 1 < options {
                self.taken.push((option + 1, options));
                return true;
            }
        }
        false
    }
}

impl Choices for Odometer<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        assert!(!choice.is_comparison(), "all values are concrete");
        self.pick(choice.options())
    }

    fn reply(&mut self, question: &Question<'_>) -> Reply {
        let no = u32::from(question.may_refuse);
        let option = self.pick(self.universe.len() as u32 + no);
        if option < no { Reply::No } else { Reply::Value(self.universe[(option - no) as usize]) }
    }
}

/// The state of a whole run.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// Which of those who join are there: a set, by bits.
    there: u32,
    agents: Vec<AgentState>,
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

/// A state of an agent, and what it did to get there.
type Next = (AgentState, Option<Action>);

/// Agents who join: at any time up to the first line that names them.
pub(super) struct Joins {
    /// They are the last of the cast: how many agents are there from the beginning.
    pub(super) from: usize,
    /// By set of those who are there, the program in which addresses mean them alone.
    pub(super) programs: Vec<Program>,
    /// By line: who has been named up to it.
    pub(super) named: Vec<u32>,
}

impl Joins {
    fn is_there(&self, state: &State, agent: AgentId) -> bool {
        agent.index() < self.from || state.there & (1 << (agent.index() - self.from)) != 0
    }
}

pub(super) struct Naive<'a> {
    program: &'a Program,
    joins: Option<&'a Joins>,
    arrivals: Arrivals,
    log: &'a [Line],
    /// Where arrivals are logged, by agent the indices of its lines; else one list for all.
    own: Vec<Vec<usize>>,
    universe: &'a [Value],
    /// What an agent can do: its next states. (Equal mailboxes number their messages differently.)
    memo: HashMap<(u32, AgentId, AgentState), Vec<Next>>,
}

const MAX_STATES: usize = 1_500;

impl<'a> Naive<'a> {
    pub(super) fn search(
        program: &'a Program,
        arrivals: Arrivals,
        log: &'a [Line],
        universe: &'a [Value],
    ) -> Found {
        Self::search_joining(program, None, arrivals, log, universe)
    }

    pub(super) fn search_joining(
        program: &'a Program,
        joins: Option<&'a Joins>,
        arrivals: Arrivals,
        log: &'a [Line],
        universe: &'a [Value],
    ) -> Found {
        let owner = |line: &Line| match line {
            Line::Send(spoken) => spoken.from,
            Line::Receive(to, _) => *to,
        };
        let own = match arrivals {
            Arrivals::Logged => program
                .cast()
                .map(|agent| (0..log.len()).filter(|&it| owner(&log[it]) == agent).collect())
                .collect(),
            _ => vec![(0..log.len()).collect()],
        };
        let mut naive = Naive { program, joins, arrivals, log, own, universe, memo: HashMap::new() };
        let mut todo = naive.first();
        let mut seen: HashSet<State> = todo.iter().cloned().collect();
        let mut explained = false;
        while let Some(state) = todo.pop() {
            if seen.len() > MAX_STATES {
                return Found::TooLarge;
            }
            if naive.is_through(&state) {
                explained = true;
                let has_ended = |it: &AgentState| it.status != Status::Running;
                if state.agents.iter().all(has_ended) && state.copies.iter().all(Option::is_none) {
                    return Found::Explained { ended: true };
                }
            }
            for next in naive.next(&state) {
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        if explained { Found::Explained { ended: false } } else { Found::Unexplained }
    }

    fn first(&self) -> Vec<State> {
        first(self.program, self.own.len())
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
        for agent in self.program.cast() {
            if self.joins.is_some_and(|it| !it.is_there(state, agent)) {
                continue;
            }
            let program = self.joins.map_or(self.program, |it| &it.programs[state.there as usize]);
            let universe = self.universe;
            let key = (state.there, agent, state.agents[agent.index()].clone());
            let nexts = self.memo.entry(key).or_insert_with(|| {
                let before = &state.agents[agent.index()];
                let all = outcomes(program, agent, before, universe).into_iter();
                all.filter_map(|it| made(before, it)).collect()
            });
            for (after, action) in nexts.clone() {
                self.step(state, agent, after, action, &mut found);
            }
        }
        found
    }

    fn join(&self, state: &State, found: &mut Vec<State>) {
        for bit in 0..self.joins.map_or(0, |it| self.program.agents.len() - it.from) {
            if state.there & (1 << bit) == 0 {
                found.push(State { there: state.there | 1 << bit, ..state.clone() });
            }
        }
    }

    fn arrive(&self, state: &State, found: &mut Vec<State>) {
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
            assert_ne!(deliver(&BOUNDS, &mut next.agents[to.index()], message), Delivery::Overflow);
            found.push(next);
        }
    }

    /// The line that is next for the agent, if it is a send of its own.
    fn line(&self, state: &State, agent: AgentId) -> Option<&'a Spoken> {
        let list = self.list(agent);
        let line = *self.own[list].get(state.at[list])?;
        if self.joins.is_some_and(|it| it.named[line] & !state.there != 0) {
            return None;
        }
        match Some(&self.log[line]) {
            Some(Line::Send(spoken)) if spoken.from == agent => Some(spoken),
            _ => None,
        }
    }

    fn copy(&self, state: &State, found: &mut Vec<State>) {
        for agent in self.program.cast() {
            let (Some(spoken), Some((message, left))) =
                (self.line(state, agent), &state.copies[agent.index()])
            else {
                continue;
            };
            if *message == spoken.message && spoken.to.iter().all(|it| left.contains(it)) {
                let mut next = state.clone();
                self.log_copies(&mut next, agent, spoken, left.clone());
                found.push(next);
            }
        }
    }

    fn log_copies(&self, next: &mut State, agent: AgentId, spoken: &Spoken, mut left: Vec<AgentId>) {
        left.retain(|it| !spoken.to.contains(it));
        next.at[self.list(agent)] += 1;
        next.copies[agent.index()] = (!left.is_empty()).then(|| (Arc::clone(&spoken.message), left));
        for to in &spoken.to {
            if self.arrivals == Arrivals::Sent {
                deliver(&BOUNDS, &mut next.agents[to.index()], &spoken.message);
            } else {
                next.under_way.push((*to, Arc::clone(&spoken.message)));
            }
        }
    }

    fn step(
        &self,
        state: &State,
        agent: AgentId,
        after: AgentState,
        action: Option<Action>,
        found: &mut Vec<State>,
    ) {
        let mut next = state.clone();
        next.agents[agent.index()] = after;
        if let Some(Action::Send { message, to, .. }) = action {
            let Some(spoken) = self.line(state, agent) else { return };
            let fits = *message == *spoken.message
                && spoken.to.iter().all(|it| to.contains(it))
                && state.copies[agent.index()].is_none();
            if !fits {
                return;
            }
            self.log_copies(&mut next, agent, spoken, to);
        }
        found.push(next);
    }
}

fn first(program: &Program, lists: usize) -> Vec<State> {
    let sizes: Vec<usize> = open_cells(program).map(|it| it.values.len()).collect();
    let mut options = vec![vec![]];
    for size in sizes {
        options =
            options.iter().flat_map(|it| (0..size as u32).map(move |o| [&it[..], &[o]].concat())).collect();
    }
    let mut found = Vec::new();
    for initial in options {
        let mut initial = &initial[..];
        let agents: Option<Vec<AgentState>> = program
            .cast()
            .map(|agent| match start(program, &BOUNDS, agent, &mut initial).ending {
                Ending::State(next) => Some(AgentState::new(next)),
                _ => None,
            })
            .collect();
        let copies = vec![None; program.agents.len()];
        found.extend(agents.map(|agents| State {
            there: 0,
            agents,
            copies,
            under_way: Vec::new(),
            at: vec![0; lists],
        }));
    }
    found
}

/// The state after an outcome that is a step, and what was done.
fn made(before: &AgentState, outcome: Outcome) -> Option<Next> {
    let Ending::State(next) = outcome.ending else { return None };
    let mut after = before.clone();
    after.go_on(next, outcome.action.as_ref().and_then(Action::taken));
    Some((after, outcome.action))
}

/// Everything an agent can do, with time running out wherever it waits.
fn outcomes(program: &Program, agent: AgentId, state: &AgentState, universe: &[Value]) -> Vec<Outcome> {
    let mut found = Vec::new();
    for thread in state.control.threads() {
        let place = state.control.place(thread);
        let mut waits = false;
        let all = |timeout: bool, found: &mut Vec<Outcome>, waits: &mut bool| {
            let mut odometer = Odometer { universe, taken: Vec::new(), position: 0 };
            loop {
                let run = if timeout { time_out } else { act };
                let outcome = run(program, &BOUNDS, agent, state, thread, Symbol(0), &mut odometer);
                *waits |= outcome.ending == Ending::Nothing;
                found.push(outcome);
                if !odometer.advance() {
                    break;
                }
            }
        };
        all(false, &mut found, &mut waits);
        if waits && is_waitfor(program, place) {
            all(true, &mut found, &mut waits);
        }
    }
    found
}

/// A run that chance takes further, with its messages on their way.
pub(super) struct Simulated {
    arrivals: Arrivals,
    universe: Vec<Value>,
    state: State,
}

impl Simulated {
    pub(super) fn start(program: &Program, arrivals: Arrivals, random: &mut Random) -> Option<Self> {
        let mut starts = first(program, 0);
        if starts.is_empty() || program.agents.is_empty() {
            return None;
        }
        let state = starts.swap_remove(random.below(starts.len()));
        Some(Self { arrivals, universe: universe(program), state })
    }

    /// Lets a message arrive, or an agent do something, and logs it.
    pub(super) fn step(
        &mut self,
        program: &Program,
        agent: AgentId,
        random: &mut Random,
        log: &mut Vec<Line>,
    ) {
        let State { agents, under_way, .. } = &mut self.state;
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
        agents[agent.index()].go_on(next, action.as_ref().and_then(Action::taken));
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
            log.extend(
                copies
                    .into_iter()
                    .map(|to| Line::Send(Spoken { from: agent, to, message: Arc::clone(&message) })),
            );
        }
    }
}

/// The log of a random run.
pub(super) fn random_log(program: &Program, arrivals: Arrivals, random: &mut Random) -> Vec<Line> {
    let mut log = Vec::new();
    let Some(mut run) = Simulated::start(program, arrivals, random) else { return log };
    for _ in 0..random.between(5, 40) {
        if log.len() > 8 {
            break;
        }
        run.step(program, AgentId::new(random.below(program.agents.len())), random, &mut log);
    }
    log
}
