//! Which agents wait for what, and why it does not come.

use std::fmt::Write as _;
use std::sync::Arc;

use map_ir::{AgentId, PointKind, RegionKind};
use map_semantics::{AgentState, Message, Status, is_waitfor};
use map_session::{Mismatch, PendingReceive, SenderState, StuckAgent, StuckThread};

use crate::{Namer, Role, Text, grouped};

/// The maximum number of agents that are described one by one.
const MAX_AGENTS: usize = 8;

/// The maximum number of messages of which it is said why a thread does not take them.
const MAX_MISMATCHES: usize = 3;

/// The maximum number of messages of a mailbox that are shown.
const MAX_MESSAGES: usize = 6;

/// Describes every agent that has not ended in a state without steps: where it waits, for what, since when, and why the
/// message does not come. `last_step` is the number of every agent's last step, 0 if it took none.
#[must_use]
pub fn explain(namer: &Namer<'_>, stuck: &[StuckAgent], last_step: &[u64]) -> Text {
    describe(namer, stuck, &|agent, thread, awaited| match awaited {
        Some(awaited) => senders(namer, agent, awaited, last_step),
        None => timeout_text(namer, thread).into_iter().collect(),
    })
}

/// The same in short: a line for each thread with all that it waits for, and from whom; then who waits for whom in a
/// circle.
#[must_use]
pub fn in_short(namer: &Namer<'_>, stuck: &[StuckAgent], last_step: &[u64]) -> Text {
    let mut text = Text::default();
    for agent in stuck.iter().take(MAX_AGENTS) {
        for (index, thread) in agent.threads.iter().enumerate() {
            let number = thread_number(agent, index);
            text.push_str("  ");
            text.push(Role::Agent, format!("{}{number}", namer.agent(agent.agent)));
            let line = namer.line(namer.program.point(thread.place).span);
            let _ = write!(text, ", line {line}, waits {}", since(thread));
            let awaited = awaited_in_short(namer, thread, last_step);
            if !awaited.is_empty() {
                let _ = write!(text, " for {}", awaited.join("; or for "));
            }
            text.push_str("\n");
            let mut reasons: Vec<String> = Vec::new();
            for reason in thread.awaited.iter().flat_map(|awaited| mismatches(namer, awaited)) {
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
            for reason in reasons.iter().take(MAX_MISMATCHES) {
                let _ = writeln!(text, "    {reason}");
            }
        }
        if !agent.mailbox.is_empty() {
            let _ = writeln!(text, "    unread in its mailbox: {}", mailbox(namer, &agent.mailbox));
        }
    }
    more_agents(stuck, &mut text);
    text
}

/// Why messages in the mailbox are not taken: `second(2) is no second($x): 2 is not 1`.
fn mismatches<'t>(namer: &'t Namer<'_>, awaited: &'t PendingReceive) -> impl Iterator<Item = String> + 't {
    awaited.mismatches.iter().map(|Mismatch { message, is, wanted }| {
        let (is, wanted) = (namer.value(*is), namer.value(*wanted));
        let (message, receive) = (namer.message(message), namer.quote_of(awaited.receive));
        format!("{message} is there, but not taken by {receive}: {is} is not {wanted}")
    })
}

/// What a thread waits for, grouped by the agents that could send it and do not.
fn awaited_in_short(namer: &Namer<'_>, thread: &StuckThread, last_step: &[u64]) -> Vec<String> {
    let mut groups: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for awaited in &thread.awaited {
        let what = namer.performative(awaited.performative);
        let from = senders_in_short(namer, awaited, last_step);
        match groups.iter_mut().find(|(_, senders)| *senders == from) {
            Some((known, _)) if known.contains(&what) => {}
            Some((known, _)) => known.push(what),
            None => groups.push((vec![what], from)),
        }
    }
    let group = |(what, from): (Vec<String>, Vec<String>)| match from.is_empty() {
        true => format!("{}, which nobody here sends", what.join(" or ")),
        false => format!("{} from {}", what.join(" or "), from.join(", ")),
    };
    groups.into_iter().map(group).collect()
}

/// The agents that could send it; of those that have ended, when they did.
fn senders_in_short(namer: &Namer<'_>, awaited: &PendingReceive, last_step: &[u64]) -> Vec<String> {
    let told = |state: SenderState| {
        let of_state = awaited.senders.iter().filter(move |&&(_, it)| it == state);
        let agents: Vec<AgentId> = of_state.map(|&(agent, _)| agent).collect();
        let how = match state {
            SenderState::Done => "ended",
            SenderState::Failed => "failed",
            SenderState::Crashed => "crashed",
            SenderState::Waiting if agents.is_empty() => return None,
            SenderState::Waiting => return Some(namer.agents(&agents)),
        };
        match agents[..] {
            [] => None,
            [one] => {
                let step = last_step.get(one.index()).copied().unwrap_or(0);
                Some(format!("{} ({how}{})", namer.agent(one), in_step(step)))
            }
            _ => Some(format!("{} ({how})", namer.agents(&agents))),
        }
    };
    [SenderState::Done, SenderState::Failed, SenderState::Crashed, SenderState::Waiting]
        .into_iter()
        .filter_map(told)
        .collect()
}

/// Describes every agent that has not ended in a state where some may continue: where it waits, for what, and since
/// when.
#[must_use]
pub fn list(namer: &Namer<'_>, running: &[StuckAgent]) -> Text {
    describe(namer, running, &|_, _, _| Vec::new())
}

/// Gives the reasons why a message does not come, or, without one, why the timeout does not fire.
type Why<'w> = dyn Fn(AgentId, &StuckThread, Option<&PendingReceive>) -> Vec<String> + 'w;

fn describe(namer: &Namer<'_>, stuck: &[StuckAgent], why: &Why<'_>) -> Text {
    let mut text = Text::default();
    for agent in stuck.iter().take(MAX_AGENTS) {
        for (index, thread) in agent.threads.iter().enumerate() {
            let number = thread_number(agent, index);
            describe_thread(namer, agent.agent, &number, thread, why, &mut text);
        }
        if !agent.mailbox.is_empty() {
            let _ = writeln!(text, "    unread in its mailbox: {}", mailbox(namer, &agent.mailbox));
        }
    }
    more_agents(stuck, &mut text);
    text
}

/// The agents that are not described.
fn more_agents(stuck: &[StuckAgent], text: &mut Text) {
    if stuck.len() > MAX_AGENTS {
        let more = grouped((stuck.len() - MAX_AGENTS) as u64);
        let _ = writeln!(text, "  {more} more agents have not ended either");
    }
}

/// Which thread of the agent it is, if it has several.
fn thread_number(agent: &StuckAgent, index: usize) -> String {
    if agent.threads.len() > 1 { format!(" [{}]", index + 1) } else { String::new() }
}

fn since(thread: &StuckThread) -> String {
    if thread.since == 0 { "from the start".to_owned() } else { format!("since step {}", thread.since) }
}

fn describe_thread(
    namer: &Namer<'_>,
    agent: AgentId,
    number: &str,
    thread: &StuckThread,
    why: &Why<'_>,
    text: &mut Text,
) {
    let waits = if is_waitfor(namer.program, thread.place) { "waits" } else { "rests" };
    text.push_str("  ");
    text.push(Role::Agent, format!("{}{number}", namer.agent(agent)));
    let _ = writeln!(text, " {waits} at {}, {}", namer.place_of(thread.place), since(thread));
    let mut awaited: Vec<&PendingReceive> = thread.awaited.iter().collect();
    awaited.sort_by_key(|it| namer.program.point(it.receive).span);
    for awaited in awaited {
        let line = namer.line(namer.program.point(awaited.receive).span);
        let quoted = namer.quote_of(awaited.receive);
        let _ =
            writeln!(text, "    for {} in line {line}: {quoted}", namer.performative(awaited.performative));
        for reason in why(agent, thread, Some(awaited)) {
            let _ = writeln!(text, "      {reason}");
        }
        for reason in mismatches(namer, awaited).take(MAX_MISMATCHES) {
            let _ = writeln!(text, "      {reason}");
        }
    }
    for reason in why(agent, thread, None) {
        let _ = writeln!(text, "    {reason}");
    }
}

fn timeout_text(namer: &Namer<'_>, thread: &StuckThread) -> Option<String> {
    let PointKind::Wait { timeout: Some(timeout), .. } = namer.program.point(thread.place).kind else {
        return None;
    };
    if !thread.idle_timeout {
        return None;
    }
    let mut regions = namer.program.regions.iter();
    let region = regions.find(|it| it.kind == RegionKind::Timeout && it.points.start == timeout.index());
    let span = region.map_or(namer.program.point(timeout).span, |region| region.span);
    let (timeout, line) = (namer.quote(span), namer.line(span));
    Some(format!("its timeout {timeout} in line {line} would only start the same wait again"))
}

/// The agents that could have sent it, grouped by why they do not.
fn senders(namer: &Namer<'_>, agent: AgentId, awaited: &PendingReceive, last_step: &[u64]) -> Vec<String> {
    if awaited.senders.is_empty() {
        return vec![format!("nobody in this scene sends that to {}", namer.agent(agent))];
    }
    let mut told = Vec::new();
    for state in [SenderState::Done, SenderState::Failed, SenderState::Crashed, SenderState::Waiting] {
        let of_state = awaited.senders.iter().filter(|&&(_, it)| it == state);
        let agents: Vec<AgentId> = of_state.map(|&(agent, _)| agent).collect();
        if agents.is_empty() {
            continue;
        }
        let names = namer.agents(&agents);
        let one = agents.len() == 1;
        let step = last_step.get(agents[0].index()).copied().unwrap_or(0);
        let when = if one { in_step(step) } else { String::new() };
        let why = match (state, one) {
            (SenderState::Done, _) => format!("ended{when}"),
            (SenderState::Failed, _) => format!("failed{when}"),
            (SenderState::Crashed, _) => format!("crashed{when}"),
            (SenderState::Waiting, true) => "waits itself".to_owned(),
            (SenderState::Waiting, false) => "wait themselves".to_owned(),
        };
        told.push(format!("{names} could send it, but {why}"));
    }
    told
}

/// The messages of a mailbox, oldest first; equal neighbours are counted.
#[must_use]
pub fn mailbox<M: AsRef<Message>>(namer: &Namer<'_>, messages: &[M]) -> String {
    let mut told: Vec<(String, u64)> = Vec::new();
    for message in messages.iter().map(AsRef::as_ref) {
        let this = format!("{} from {}", namer.message(message), namer.agent(message.sender));
        match told.last_mut() {
            Some((last, times)) if *last == this => *times += 1,
            _ => told.push((this, 1)),
        }
    }
    let shown = told.iter().take(MAX_MESSAGES);
    let mut shown: Vec<String> = shown
        .map(
            |(message, times)| {
                if *times == 1 { message.clone() } else { format!("{} x {message}", grouped(*times)) }
            },
        )
        .collect();
    let rest: u64 = told.iter().skip(MAX_MESSAGES).map(|&(_, times)| times).sum();
    if rest > 0 {
        shown.push(format!("and {} more", grouped(rest)));
    }
    shown.join(", ")
}

/// Lists the agents that have ended, with when they did; failed and crashed ones first.
#[must_use]
pub fn ended(namer: &Namer<'_>, states: &[Arc<AgentState>], last_step: &[u64]) -> Text {
    let mut text = Text::default();
    let ended = namer.program.cast().zip(states).zip(last_step);
    let mut ended: Vec<_> = ended.filter(|((_, state), _)| state.status != Status::Running).collect();
    ended.sort_by_key(|&((_, state), _)| state.status == Status::Done);
    for ((agent, state), step) in ended.iter().take(MAX_AGENTS) {
        let how = match state.status {
            Status::Done | Status::Running => "ended well",
            Status::Failed => "failed",
            Status::Crashed => "crashed",
        };
        text.push_str("  ");
        text.push(Role::Agent, namer.agent(*agent));
        let _ = writeln!(text, " {how}{}", in_step(**step));
    }
    if ended.len() > MAX_AGENTS {
        let _ = writeln!(text, "  {} more agents have ended", grouped((ended.len() - MAX_AGENTS) as u64));
    }
    text
}

/// The time of an agent's last step.
fn in_step(step: u64) -> String {
    if step == 0 { " before the first step".to_owned() } else { format!(" in step {step}") }
}
