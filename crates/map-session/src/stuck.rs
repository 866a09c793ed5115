//! Facts about a state without steps: what each agent waits for, since when, and which agents could have sent it.

use std::sync::Arc;

use map_ir::{AgentId, Operand, PerformativeId, PointId, PointKind, Program, Recipient, RoleId, Test, Value};
use map_semantics::{AgentState, Message, Status};
use map_verify::ReplayedRun;

/// An agent that has not ended.
#[derive(Clone, Debug)]
pub struct StuckAgent {
    /// The agent.
    pub agent: AgentId,
    /// Its threads, if it is explained.
    pub threads: Vec<StuckThread>,
    /// The unread messages in its mailbox.
    pub mailbox: Vec<Arc<Message>>,
}

/// A thread that waits.
#[derive(Clone, Debug)]
pub struct StuckThread {
    /// The `waitfor` it rests at.
    pub place: PointId,
    /// The number of steps of the trace taken before it came to rest there for good; 0 means from the start.
    pub since: usize,
    /// The receives it would make.
    pub awaited: Vec<PendingReceive>,
    /// Whether its `waitfor` has a timeout, which in a deadlock can only start the same wait again.
    pub idle_timeout: bool,
}

/// A receive that a thread waits to make.
#[derive(Clone, Debug)]
pub struct PendingReceive {
    /// The receive.
    pub receive: PointId,
    /// The performative it receives.
    pub performative: PerformativeId,
    /// The agents whose part has a send of that performative to this agent's role, with their current state.
    pub senders: Vec<(AgentId, SenderState)>,
    /// The messages with that performative in the mailbox that it does not take.
    pub mismatches: Vec<Mismatch>,
}

/// A message that a receive does not take, as a value in it is not what the pattern demands.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The message.
    pub message: Arc<Message>,
    /// The first value that does not fit.
    pub is: Value,
    /// What it would have to be.
    pub wanted: Value,
}

/// Why an agent that could have sent a message does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderState {
    /// It has ended with success.
    Done,
    /// It has failed.
    Failed,
    /// It has crashed.
    Crashed,
    /// It is waiting itself.
    Waiting,
}

/// How many agents are explained. Every one of them may wait for every other: in a cast of a million nobody could read
/// that, or wait for it.
const MAX_EXPLAINED: usize = 64;

/// Why nothing moves in the last state of a trace: the agents that have not ended, in the order of the cast. Of large
/// casts only the first ones are explained; the others have no threads.
#[must_use]
pub fn stuck_agents(program: &Program, replayed: &ReplayedRun) -> Vec<StuckAgent> {
    let Some(last) = replayed.states.last() else { return Vec::new() };
    let running = program.cast().zip(&last.agents).filter(|(_, state)| state.status == Status::Running);
    let stuck = running.enumerate().map(|(index, (agent, state))| {
        let explained = state.control.threads().take(if index < MAX_EXPLAINED { usize::MAX } else { 0 });
        StuckAgent {
            agent,
            threads: explained.map(|node| stuck_thread(program, replayed, agent, state, node)).collect(),
            mailbox: state.mailbox.iter().cloned().collect(),
        }
    });
    stuck.collect()
}

fn stuck_thread(
    program: &Program,
    replayed: &ReplayedRun,
    agent: AgentId,
    state: &AgentState,
    node: usize,
) -> StuckThread {
    let place = state.control.place(node);
    let since = replayed
        .states
        .iter()
        .rposition(|earlier| earlier.agents[agent.index()].control != state.control)
        .map_or(0, |differs| differs + 1);
    let variables = state.control.activations(node).next().map_or(&[][..], |(_, variables)| variables);
    let mut awaited = Vec::new();
    let mut idle_timeout = false;
    if let PointKind::Wait { timeout, .. } = program.point(place).kind {
        idle_timeout = timeout.is_some();
        for receive in receives_of(program, place) {
            if let PointKind::Receive { performative, .. } = program.point(receive).kind {
                let senders = possible_senders(program, replayed, (agent, variables), receive, performative);
                let mismatches = mismatches(program, (agent, variables), receive, state);
                awaited.push(PendingReceive { receive, performative, senders, mismatches });
            }
        }
    }
    StuckThread { place, since, awaited, idle_timeout }
}

/// The receives that an act from a `waitfor` may try first: those reached from its body over failures and `skip`s.
/// Calls are not followed, because that would yield too many.
pub(crate) fn receives_of(program: &Program, wait: PointId) -> Vec<PointId> {
    let PointKind::Wait { body, .. } = program.point(wait).kind else { return Vec::new() };
    let mut found = Vec::new();
    let mut seen = vec![wait];
    let mut todo = vec![body];
    while let Some(point) = todo.pop() {
        if seen.contains(&point) {
            continue;
        }
        seen.push(point);
        let kind = &program.point(point).kind;
        let next = match kind {
            PointKind::Skip { ok } => Some(*ok),
            PointKind::Wait { .. } => None,
            _ => kind.err().map(|edge| edge.to),
        };
        if matches!(kind, PointKind::Receive { .. }) {
            found.push(point);
        }
        if let Some(map_ir::Goto::Point(next)) = next {
            todo.push(next);
        }
    }
    found.sort_unstable();
    found
}

/// The agents that have a send matching the receive.
fn possible_senders(
    program: &Program,
    replayed: &ReplayedRun,
    (me, variables): (AgentId, &[Option<Value>]),
    receive: PointId,
    performative: PerformativeId,
) -> Vec<(AgentId, SenderState)> {
    let Some(last) = replayed.states.last() else { return Vec::new() };
    let sends: Vec<bool> = program
        .parts
        .iter()
        .map(|part| {
            let mut points = part.clauses.iter().flat_map(|&clause| program.clause(clause).points.clone());
            points.any(|point| sends_to(program, &program.points[point].kind, performative, me))
        })
        .collect();
    program
        .cast()
        .filter(|&agent| agent != me && sends[program.agent(agent).part.index()])
        .filter(|&agent| may_be_sender(program, variables, receive, agent))
        .map(|agent| {
            let state = match last.agents[agent.index()].status {
                Status::Done => SenderState::Done,
                Status::Failed => SenderState::Failed,
                Status::Crashed => SenderState::Crashed,
                Status::Running => SenderState::Waiting,
            };
            (agent, state)
        })
        .collect()
}

/// Why a receive takes none of the messages in the mailbox, judging by the constants of its pattern and the values of
/// its variables.
fn mismatches(
    program: &Program,
    (me, variables): (AgentId, &[Option<Value>]),
    receive: PointId,
    state: &AgentState,
) -> Vec<Mismatch> {
    let PointKind::Receive { performative, pattern, .. } = &program.point(receive).kind else {
        return Vec::new();
    };
    let arity = program.performative(*performative).arity as u32;
    let differs = |message: &Arc<Message>| {
        pattern.tests.iter().find_map(|test| {
            let Test::Operand(place, operand) = *test else { return None };
            let wanted = match operand {
                Operand::Own => Value::Agent(me),
                _ => known(variables, operand)?,
            };
            let is = match place.checked_sub(arity) {
                Some(0) => Value::Agent(message.sender),
                Some(_) => Value::Role(program.agent(message.sender).role),
                None => *message.arguments.get(place as usize)?,
            };
            let mismatch = || Mismatch { message: Arc::clone(message), is, wanted };
            (wanted.equals(is) == Some(false)).then(mismatch)
        })
    };
    state.mailbox.iter().filter(|message| message.performative == *performative).filter_map(differs).collect()
}

/// The value of an operand, if it is a constant or a variable that has one.
fn known(variables: &[Option<Value>], operand: Operand) -> Option<Value> {
    match operand {
        Operand::Constant(value) => Some(value),
        Operand::Variable(slot) => variables.get(slot.index()).copied().flatten(),
        Operand::Own | Operand::Expression(_) => None,
    }
}

/// Whether the receive's pattern admits this agent as the sender, judging by its constants and the values of its
/// variables.
fn may_be_sender(program: &Program, variables: &[Option<Value>], receive: PointId, agent: AgentId) -> bool {
    let PointKind::Receive { performative, pattern, .. } = &program.point(receive).kind else { return false };
    let arity = program.performative(*performative).arity as u32;
    pattern.tests.iter().all(|test| {
        let Test::Operand(place, operand) = *test else { return true };
        let wanted = known(variables, operand);
        let it = match place.checked_sub(arity) {
            Some(0) => Value::Agent(agent),
            Some(1) => Value::Role(program.agent(agent).role),
            _ => return true,
        };
        wanted.is_none_or(|wanted| wanted.equals(it) != Some(false))
    })
}

fn sends_to(program: &Program, kind: &PointKind, wanted: PerformativeId, to: AgentId) -> bool {
    let PointKind::Send { performative, agent, role, .. } = kind else { return false };
    let my_role: RoleId = program.agent(to).role;
    let fits = |it: &Recipient, value: Value| match it {
        Recipient::Is(Operand::Constant(constant)) => *constant == value,
        Recipient::Is(Operand::Own) => false,
        Recipient::Any | Recipient::Is(Operand::Variable(_) | Operand::Expression(_)) => true,
    };
    *performative == wanted && fits(agent, Value::Agent(to)) && fits(role, Value::Role(my_role))
}
