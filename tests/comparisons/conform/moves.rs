//! What single agents of a scene can do, with concrete answers of all procedures. No log changes it, so the searches
//! for all logs of a scene share it.

#![allow(
    clippy::mutable_key_type,
    reason = "the index of a mailbox is built on first use; equality and hashes do not depend on it"
)]

use std::collections::HashMap;
use std::sync::Arc;

use map_ir::{
    AgentId, ExpressionKind, Initial, NameId, Operand, Pattern, Point, PointKind, Program, RoleId, Symbol,
    Test, Value,
};
use map_semantics::{
    Action, AgentState, Bounds, Choice, Choices, Delivery, Ending, Message, Network, Outcome, Question,
    Reply, Timeouts, act, deliver, is_waitfor, open_cells, start, time_out,
};
use serde_json::{Value as Json, json};

use super::is_constant;

/// The bounds under which the monitors run.
pub(crate) const BOUNDS: Bounds = Bounds {
    depth: 1_000,
    rounds: None,
    rounds_of: Vec::new(),
    mailbox: 100_000,
    timeouts: Timeouts::Any,
    network: Network::INSTANT,
    after: None,
};

/// Values that procedures without a body answer: whatever an answer may be compared with, or sent to.
pub(crate) fn universe(program: &Program) -> Vec<Value> {
    let constants = program.expressions.iter().filter_map(|it| match it.kind {
        ExpressionKind::Constant(value) => Some(value),
        _ => None,
    });
    let cells = program.memories.iter().flat_map(|it| &it.cells).filter_map(|(_, it)| match it {
        Initial::Constant(value) => Some(*value),
        _ => None,
    });
    let operands = operands(program).into_iter().filter_map(|it| match it {
        Operand::Constant(value) => Some(value),
        Operand::Variable(_) | Operand::Own | Operand::Expression(_) => None,
    });
    let mut all: Vec<Value> = constants.chain(cells).chain(operands).filter(is_constant).collect();
    // What is computed is small.
    all.extend((0..=3).map(Value::Integer));
    // Comparisons tell what is less than all of these, and what is greater, from them.
    let integers =
        all.iter().filter_map(|value| if let Value::Integer(it) = value { Some(*it) } else { None });
    let (least, greatest) = integers.fold((0, 0), |(least, greatest), it| (it.min(least), it.max(greatest)));
    let beyond = [least.checked_sub(1), greatest.checked_add(1)];
    all.extend(beyond.into_iter().flatten().map(Value::Integer));
    // Domains have names that stand nowhere else.
    all.extend((0..program.names.len()).map(|it| Value::Name(NameId::new(it))));
    // A message may go to any of them.
    all.extend(program.cast().map(Value::Agent));
    all.extend((0..program.roles.len()).map(|it| Value::Role(RoleId::new(it))));
    all.sort_unstable();
    all.dedup();
    all
}

/// The terms of calls, sends and patterns.
fn operands(program: &Program) -> Vec<Operand> {
    let of_pattern = |pattern: &Pattern| {
        let operand = |test: &Test| if let Test::Operand(_, operand) = test { Some(*operand) } else { None };
        pattern.tests.iter().filter_map(operand).collect()
    };
    let of_point = |point: &Point| match &point.kind {
        PointKind::Ask { arguments, .. }
        | PointKind::Send { arguments, .. }
        | PointKind::Call { arguments, .. } => arguments.clone(),
        PointKind::Receive { pattern, .. } => of_pattern(pattern),
        _ => Vec::new(),
    };
    let heads = program.clauses.iter().flat_map(|it| of_pattern(&it.head));
    program.points.iter().flat_map(of_point).chain(heads).collect()
}

/// Follows options, and takes the first one behind them.
pub(crate) struct Odometer<'u> {
    universe: &'u [Value],
    taken: Vec<(u32, u32)>,
    position: usize,
}

impl<'u> Odometer<'u> {
    pub(crate) fn new(universe: &'u [Value]) -> Self {
        Self { universe, taken: Vec::new(), position: 0 }
    }

    fn pick(&mut self, options: u32) -> u32 {
        if self.position == self.taken.len() {
            self.taken.push((0, options));
        }
        self.position += 1;
        self.taken[self.position - 1].0
    }

    pub(crate) fn advance(&mut self) -> bool {
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

/// The number of a state of an agent.
pub(super) type Number = usize;

/// The number of the state that an agent gets into, and what it did to get there.
type Next = (Number, Option<Action>);

/// What the agents of a scene can do.
pub(super) struct Moves<'a> {
    /// By the set of agents who join, the program in which addresses mean those who are there; the last has all of
    /// them.
    programs: &'a [Program],
    /// What procedures answer.
    universe: &'a [Value],
    states: Vec<AgentState>,
    /// By state: its number. (Equal mailboxes number their messages differently, so the first of them stands for all.)
    numbers: HashMap<AgentState, Number>,
    next: HashMap<(usize, AgentId, Number), Arc<[Next]>>,
}

impl<'a> Moves<'a> {
    /// Nothing is known yet.
    pub(super) fn new(programs: &'a [Program], universe: &'a [Value]) -> Self {
        Self { programs, universe, states: Vec::new(), numbers: HashMap::new(), next: HashMap::new() }
    }

    /// With all agents.
    pub(super) fn program(&self) -> &'a Program {
        self.programs.last().expect("there is one for all of them")
    }

    pub(super) fn state(&self, number: Number) -> &AgentState {
        &self.states[number]
    }

    fn number(&mut self, state: AgentState) -> Number {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        self.states.push(state.clone());
        self.numbers.insert(state, self.states.len() - 1);
        self.states.len() - 1
    }

    /// The states of all agents at the beginning, for each choice of what is open in the file.
    pub(super) fn first(&mut self) -> Vec<Vec<Number>> {
        let starts = starts(self.program());
        starts.into_iter().map(|agents| agents.into_iter().map(|it| self.number(it)).collect()).collect()
    }

    /// Everything that an agent can do in a state if these are there of those who join.
    pub(super) fn next(&mut self, there: usize, agent: AgentId, number: Number) -> Arc<[Next]> {
        if let Some(known) = self.next.get(&(there, agent, number)) {
            return Arc::clone(known);
        }
        let before = self.states[number].clone();
        let all = outcomes(&self.programs[there], agent, &before, self.universe).into_iter();
        let made: Vec<(AgentState, Option<Action>)> = all.filter_map(|it| made(&before, it)).collect();
        let next: Arc<[Next]> =
            made.into_iter().map(|(after, action)| (self.number(after), action)).collect();
        self.next.insert((there, agent, number), Arc::clone(&next));
        next
    }

    /// The state after a message has arrived.
    pub(super) fn delivered(&mut self, number: Number, message: &Arc<Message>) -> Number {
        let mut state = self.states[number].clone();
        assert_ne!(deliver(&BOUNDS, &mut state, message), Delivery::Overflow);
        self.number(state)
    }
}

/// The states of all agents at the beginning, for each choice of what is open in the file.
pub(crate) fn starts(program: &Program) -> Vec<Vec<AgentState>> {
    let mut options = vec![vec![]];
    for size in open_cells(program).map(|it| it.values.len()) {
        options =
            options.iter().flat_map(|it| (0..size as u32).map(move |o| [&it[..], &[o]].concat())).collect();
    }
    let states = |initial: &Vec<u32>| {
        let mut initial = &initial[..];
        let state = |agent| match start(program, &BOUNDS, agent, &mut initial).ending {
            Ending::State(next) => Some(AgentState::new(next)),
            _ => None,
        };
        program.cast().map(state).collect()
    };
    options.iter().filter_map(states).collect()
}

/// The state after an outcome that is a step, and what was done.
fn made(before: &AgentState, outcome: Outcome) -> Option<(AgentState, Option<Action>)> {
    let Ending::State(next) = outcome.ending else { return None };
    let mut after = before.clone();
    after.go_on(&BOUNDS, next, outcome.action.as_ref().and_then(Action::taken));
    Some((after, outcome.action))
}

/// Everything an agent can do, with time running out wherever it waits.
pub(super) fn outcomes(
    program: &Program,
    agent: AgentId,
    state: &AgentState,
    universe: &[Value],
) -> Vec<Outcome> {
    let mut found = Vec::new();
    for thread in state.control.threads() {
        let place = state.control.place(thread);
        let mut waits = false;
        let all = |timeout: bool, found: &mut Vec<Outcome>, waits: &mut bool| {
            let mut odometer = Odometer::new(universe);
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

/// A value as records have it.
pub(crate) fn json_of(program: &Program, value: Value) -> Json {
    match value {
        Value::Integer(number) => json!(number),
        Value::Name(id) => json!({ "constant": program.names[id.index()] }),
        Value::Text(id) => json!({ "text": program.texts[id.index()] }),
        Value::Agent(agent) => json!({ "agent": program.agent_name(agent) }),
        Value::Role(role) => json!({ "role": program.role_name(role) }),
        Value::Fresh(_) | Value::Abstract(_) => panic!("the search has concrete values"),
    }
}
