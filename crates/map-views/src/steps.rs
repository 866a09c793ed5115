//! What an agent can do by itself in a view: the step relation, run once for each way to resolve what is open.

use std::sync::Arc;

use map_ir::{AgentId, PointId, PointKind, ProcedureId, Recipient, RoleId, Value};
use map_semantics::{
    Action, AgentState, Ending, Event, Mailbox, Message, Next, Outcome, Status, UnderWay, act, is_waitfor,
    time_out,
};

use crate::counting::{Constraint, Form, MOST};
use crate::frame::Frame;
use crate::local::{Count, Local, replace_dead, shown_control, shown_memory, shown_message};
use crate::prices::{Paid, paid};
use crate::values::{Known, Names, Open};

/// The most ways to resolve what an act leaves open.
const MAX_WAYS: usize = 1 << 14;

/// How far what comes from nobody may go in a cell that counts, if it only grows for ever.
const FARTHEST: i32 = 64;

/// What is wrong with a step, or may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// An agent fails.
    Failure,
    /// Runaway recursion.
    Runaway,
    /// A run error.
    RunError,
    /// An operation on integers that views do not tell apart.
    Integers,
    /// A cell counts farther than views tell apart.
    Counting,
    /// A cell that counts, by its role and its place in the memory, is not only compared.
    Told(RoleId, usize),
    /// A bound cuts the step, or it makes too many calls or has too many outcomes.
    Cut,
}

/// To whom a message goes, as far as views show it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sent {
    pub(crate) message: Message,
    /// The places of the recipients among the agents that are shown; a member that is the sender is not among them.
    pub(crate) to: Vec<usize>,
    /// Which of the members receive it that are not seen.
    pub(crate) others: Others,
}

/// Members that are not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Others {
    Nobody,
    /// One of them.
    One,
    All,
}

/// A step that the agent makes, or may make.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// The agent afterwards: two possibilities if it takes a message of which there are as many as are told apart, or
    /// more.
    pub(crate) next: Vec<Local>,
    pub(crate) taken: Option<u32>,
    pub(crate) sent: Option<Sent>,
    pub(crate) asked: Option<ProcedureId>,
    /// Whether it may be none: a timeout after which the agent looks as before.
    pub(crate) unsure: bool,
}

/// What an act or a timeout comes to.
#[derive(Clone, Debug)]
pub(crate) enum Result {
    /// A step.
    Step(Made),
    /// No step; or perhaps one that leads to the same view.
    Nothing { perhaps_step: bool },
    /// It goes wrong, or may.
    Wrong(Fault),
}

/// One way to resolve what is open.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The options taken, and whether each resolves a comparison.
    pub(crate) log: Vec<(u32, bool)>,
    /// What the sums of counting cells must be for it.
    pub(crate) constraints: Vec<Constraint>,
    /// The procedures that say "no".
    pub(crate) refused: Vec<ProcedureId>,
    /// By cost of the frame what the agent pays if it is a step.
    pub(crate) paid: Box<[Paid]>,
    pub(crate) result: Result,
}

/// What a thread can do.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) is_waitfor: bool,
    pub(crate) acts: Vec<Way>,
    pub(crate) timeouts: Vec<Way>,
}

/// The steps of an agent, thread by thread. `message` gives the message with a number.
pub(crate) fn steps(frame: &Frame<'_>, local: &Local, message: &dyn Fn(u32) -> Message) -> Vec<Thread> {
    if local.status != Status::Running {
        return Vec::new();
    }
    let mut names = Names::new();
    let state = named(frame, local, message, &mut names);
    let one = |thread: usize, timeout: bool| ways(frame, local, &state, &names, thread, timeout);
    let threads = state.control.threads().map(|node| {
        let place = state.control.place(node);
        Thread {
            is_waitfor: is_waitfor(frame.program, place),
            acts: one(node, false),
            timeouts: one(node, true),
        }
    });
    threads.collect()
}

/// The state of the agent, with a name of its own for every value that stands for many.
fn named(
    frame: &Frame<'_>,
    local: &Local,
    message: &dyn Fn(u32) -> Message,
    names: &mut Names,
) -> AgentState {
    let mut control = local.control.clone();
    crate::values::variables(&mut control).for_each(|value| *value = names.name(frame, *value));
    let mut memory: Vec<Value> = local.memory.iter().map(|&value| names.name(frame, value)).collect();
    for (place, &(index, _)) in frame.counted_by(local.agent).iter().enumerate() {
        memory[index] = names.sum(Form::cell(place));
    }
    let mut mailbox = Mailbox::default();
    for &(number, _) in &local.mail {
        let mut message = message(number);
        message.arguments.iter_mut().for_each(|value| *value = names.name(frame, *value));
        mailbox.push(Arc::new(message));
    }
    AgentState {
        status: local.status,
        control,
        memory,
        mailbox,
        under_way: UnderWay::default(),
        calls: vec![0; frame.bounds.counters()],
    }
}

fn ways(
    frame: &Frame<'_>,
    local: &Local,
    state: &AgentState,
    names: &Names,
    thread: usize,
    timeout: bool,
) -> Vec<Way> {
    let mut open = Open::new(frame, names);
    let run = if timeout { time_out } else { act };
    let mut found = Vec::new();
    let place = state.control.place(thread);
    if timeout && !matches!(frame.program.point(place).kind, PointKind::Wait { timeout: Some(_), .. }) {
        return found;
    }
    loop {
        open.begin();
        let outcome = run(frame.program, &frame.bounds, local.agent, state, thread, names.fresh(), &mut open);
        let paid = paid(frame, local.agent, &open, &outcome);
        let result = match found.len() < MAX_WAYS {
            true => result(frame, local, state, &open, outcome, timeout),
            false => Result::Wrong(Fault::Cut),
        };
        let last = matches!(result, Result::Wrong(Fault::Cut));
        found.push(Way {
            log: open.log.clone(),
            constraints: open.constraints.clone(),
            refused: open.refused.clone(),
            paid,
            result,
        });
        if last || open.path.advance(false).is_err() {
            return found;
        }
    }
}

fn result(
    frame: &Frame<'_>,
    local: &Local,
    state: &AgentState,
    open: &Open<'_>,
    outcome: Outcome,
    timeout: bool,
) -> Result {
    let Outcome { action, ending, events, .. } = outcome;
    let next = match ending {
        Ending::Cut(_) | Ending::TooLong(_) => return Result::Wrong(Fault::Cut),
        Ending::Runaway(_) => return Result::Wrong(Fault::Runaway),
        Ending::RunError(_) => return Result::Wrong(Fault::RunError),
        // Views show some values as the same that are not.
        _ if open.may_go_wrong => return Result::Wrong(Fault::Integers),
        Ending::Nothing => {
            // A call may exchange members that views do not tell apart.
            let called = events.iter().any(|event| matches!(event, Event::Called(..)));
            return Result::Nothing { perhaps_step: called && local.others(frame) > 1 };
        }
        Ending::State(next) => next,
    };
    let status = next.status;
    let taken = match &action {
        Some(Action::Receive { arrival, .. }) => Some(*arrival as usize),
        _ => None,
    };
    let mut after = match after(frame, local, open, next) {
        Ok(after) => after,
        Err(fault) => return Result::Wrong(fault),
    };
    let unchanged = action.is_none() && status == local.status && after.control == local.control;
    if unchanged && !timeout {
        return Result::Nothing { perhaps_step: true };
    }
    let taken_message = taken.map(|place| local.mail[place].0);
    if timeout || frame.counted_by(local.agent).is_empty() || status != Status::Running {
        after.last = None;
    } else if let Some(Action::Receive { message, .. }) = &action {
        let sender = message.sender;
        after.last = frame.is_member(Value::Agent(sender)).then_some(sender);
    }
    let mut next = vec![after];
    if let (Some(place), Status::Running) = (taken, status) {
        let copies = local.mail[place].1;
        let told_apart = copies_of(frame, state, place);
        if copies == told_apart {
            next.push(next[0].clone());
        }
        if copies == 1 {
            next[0].mail.remove(place);
        } else {
            next[0].mail[place].1 -= 1;
        }
    }
    if status != Status::Running {
        for it in &mut next {
            it.mail.clear();
            it.counts.fill(Count::default());
        }
    }
    let asked = match &action {
        Some(Action::Ask { point, .. }) => match frame.program.point(*point).kind {
            PointKind::Ask { procedure, .. } => Some(procedure),
            _ => None,
        },
        _ => None,
    };
    let sent = match action {
        Some(Action::Send { point, message, to }) => {
            let places = 0..message.arguments.len();
            let told = places.filter(|&it| frame.slicing.argument(message.performative, it));
            let told = told.map(|it| message.arguments[it]);
            if let Some(fault) = told_sum(frame, local, open, told) {
                return Result::Wrong(fault);
            }
            Some(sent(frame, &open.known, point, &message, &to))
        }
        _ => None,
    };
    Result::Step(Made { next, taken: taken_message, sent, asked, unsure: unchanged })
}

/// How many copies of the message at this place of the mailbox are told apart.
fn copies_of(frame: &Frame<'_>, state: &AgentState, place: usize) -> u8 {
    let sender = state.mailbox.iter().nth(place).map(|message| message.sender);
    frame.copies(sender.unwrap_or(frame.other))
}

/// The agent after a step, with its mailbox as it was.
///
/// # Errors
/// If a cell counts too far, or its content goes elsewhere.
fn after(frame: &Frame<'_>, local: &Local, open: &Open<'_>, next: Next) -> std::result::Result<Local, Fault> {
    let Next { status, mut control, memory, .. } = next;
    let counted = frame.counted_by(local.agent);
    let mut counts = local.counts.clone();
    for (place, &(index, _)) in counted.iter().enumerate() {
        let known = memory[index].symbol().and_then(|symbol| open.known.get(symbol.0 as usize));
        let Some(Known::Sum(Form { cells, constant })) = known else { return Err(Fault::Counting) };
        let change = i32::try_from(*constant).ok().filter(|_| cells.as_slice() == [(place, 1)]);
        let change = change.ok_or(Fault::Counting)?;
        let Count { nobody, seen } = &mut counts[place];
        match local.last.map(|last| frame.seen().iter().position(|&it| it == last)) {
            None => *nobody = nobody.checked_add(change).ok_or(Fault::Counting)?,
            Some(Some(last)) => seen[last] = seen[last].checked_add(change).ok_or(Fault::Counting)?,
            // Views in which that member is seen know what it contributes, and whether that is too much.
            Some(None) => {}
        }
        if seen.iter().any(|it| it.abs() > MOST) || change != 0 && nobody.abs() > FARTHEST {
            return Err(Fault::Counting);
        }
    }
    replace_dead(frame, &mut control);
    let role = frame.program.agent(local.agent).role;
    let cells = memory.iter().enumerate().filter(|&(index, _)| {
        frame.slicing.cell_at(role, index) && counted.iter().all(|&(it, _)| it != index)
    });
    let held: Vec<Value> = cells
        .map(|(_, &value)| value)
        .chain(crate::values::variables(&mut control).map(|value| *value))
        .collect();
    if let Some(fault) = told_sum(frame, local, open, held.into_iter()) {
        return Err(fault);
    }
    Ok(Local {
        agent: local.agent,
        status,
        control: shown_control(frame, &open.known, control),
        memory: shown_memory(frame, local.agent, &open.known, memory),
        mail: local.mail.clone(),
        counts,
        last: local.last,
    })
}

/// The fault that a sum of counting cells is among these values.
fn told_sum(
    frame: &Frame<'_>,
    local: &Local,
    open: &Open<'_>,
    mut values: impl Iterator<Item = Value>,
) -> Option<Fault> {
    let form = values.find_map(|value| open.sum(value))?;
    let role = frame.program.agent(local.agent).role;
    let counted = frame.counted_by(local.agent);
    Some(match form.cells.first() {
        Some(&(place, _)) => Fault::Told(role, counted[place].0),
        None => Fault::Integers,
    })
}

fn sent(frame: &Frame<'_>, known: &[Known], point: PointId, message: &Message, to: &[AgentId]) -> Sent {
    let is_sender = |agent| agent == message.sender && frame.seen().contains(&agent);
    let places = to.iter().filter(|&&it| !is_sender(it)).filter_map(|&it| frame.place_of(it)).collect();
    let is_general = match frame.program.point(point).kind {
        PointKind::Send { agent, .. } => agent == Recipient::Any,
        _ => false,
    };
    let others = match to.contains(&frame.other) {
        false => Others::Nobody,
        true if is_general => Others::All,
        true => Others::One,
    };
    Sent { message: shown_message(frame, known, message), to: places, others }
}
