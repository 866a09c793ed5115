//! Who waits for what, and why it does not come.

use std::fmt::Write as _;

use map_ir::{AgentId, PointKind, RegionKind};
use map_semantics::{AgentState, Message, Status, is_waitfor};
use map_verify::{Awaited, SenderState, StuckAgent, StuckThread};

use super::{Teller, style};
use crate::numbers::grouped;

/// How many agents are explained one by one.
const MAX_AGENTS: usize = 8;

/// How many messages of a mailbox are shown.
const MAX_MESSAGES: usize = 6;

/// Every agent that has not ended: where it waits, for what, since when, and who could have sent it. `last_step` is
/// the number of every agent's last step, 0 if it made none.
pub(crate) fn explain(teller: &Teller<'_>, stuck: &[StuckAgent], last_step: &[u64]) -> String {
    let mut text = String::new();
    for agent in stuck.iter().take(MAX_AGENTS) {
        for (index, thread) in agent.threads.iter().enumerate() {
            let number = if agent.threads.len() > 1 { format!(" [{}]", index + 1) } else { String::new() };
            explain_thread(teller, agent.agent, &number, thread, last_step, &mut text);
        }
        if !agent.mailbox.is_empty() {
            let _ = writeln!(text, "    unread in its mailbox: {}", mailbox(teller, &agent.mailbox));
        }
    }
    if stuck.len() > MAX_AGENTS {
        let _ = writeln!(text, "  {} more agents have not ended either", grouped((stuck.len() - MAX_AGENTS) as u64));
    }
    text
}

fn explain_thread(
    teller: &Teller<'_>,
    agent: AgentId,
    number: &str,
    thread: &StuckThread,
    last_step: &[u64],
    text: &mut String,
) {
    let waits = if is_waitfor(teller.program, thread.place) { "waits" } else { "rests" };
    let since = if thread.since == 0 { "from the start".to_owned() } else { format!("since step {}", thread.since) };
    let who = style::who(format!("{}{number}", teller.agent(agent)));
    let _ = writeln!(text, "  {who} {waits} at {}, {since}", teller.place_of(thread.place));
    for awaited in &thread.awaited {
        let line = teller.line(teller.program.point(awaited.receive).span);
        let quoted = teller.quote_of(awaited.receive);
        let _ = writeln!(text, "    for {} in line {line}: {quoted}", teller.performative(awaited.performative));
        for sender in senders(teller, agent, awaited, last_step) {
            let _ = writeln!(text, "      {sender}");
        }
    }
    if thread.idle_timeout
        && let Some(timeout) = timeout_text(teller, thread)
    {
        let _ = writeln!(text, "    {timeout} would only start the same wait again");
    }
}

fn timeout_text(teller: &Teller<'_>, thread: &StuckThread) -> Option<String> {
    let PointKind::Wait { timeout: Some(timeout), .. } = teller.program.point(thread.place).kind else { return None };
    let mut regions = teller.program.regions.iter();
    let region = regions.find(|it| it.kind == RegionKind::Timeout && it.points.start == timeout.index());
    let span = region.map_or(teller.program.point(timeout).span, |region| region.span);
    Some(format!("its timeout {} in line {}", teller.quote(span), teller.line(span)))
}

/// Who could have sent it, put together by why they do not.
fn senders(teller: &Teller<'_>, agent: AgentId, awaited: &Awaited, last_step: &[u64]) -> Vec<String> {
    if awaited.senders.is_empty() {
        return vec![format!("nobody in this scene sends that to {}", teller.agent(agent))];
    }
    let mut told = Vec::new();
    for state in [SenderState::Done, SenderState::Failed, SenderState::Waiting] {
        let of_state = awaited.senders.iter().filter(|&&(_, it)| it == state);
        let agents: Vec<AgentId> = of_state.map(|&(agent, _)| agent).collect();
        if agents.is_empty() {
            continue;
        }
        let names = teller.agents(&agents);
        let one = agents.len() == 1;
        let since = match last_step.get(agents[0].index()) {
            Some(&step) if one && step > 0 => format!(" since step {step}"),
            _ => String::new(),
        };
        let why = match (state, one) {
            (SenderState::Done, true) => format!("is done{since}"),
            (SenderState::Done, false) => "are done".to_owned(),
            (SenderState::Failed, true) => format!("has failed{since}"),
            (SenderState::Failed, false) => "have failed".to_owned(),
            (SenderState::Waiting, true) => "waits itself".to_owned(),
            (SenderState::Waiting, false) => "wait themselves".to_owned(),
        };
        told.push(format!("{names} could send it, but {why}"));
    }
    told
}

/// The messages of a mailbox, oldest first.
pub(crate) fn mailbox<M: AsRef<Message>>(teller: &Teller<'_>, messages: &[M]) -> String {
    let mut told: Vec<String> = Vec::new();
    for message in messages.iter().take(MAX_MESSAGES).map(AsRef::as_ref) {
        told.push(format!("{} from {}", teller.message(message), teller.agent(message.sender)));
    }
    if messages.len() > MAX_MESSAGES {
        told.push(format!("and {} more", messages.len() - MAX_MESSAGES));
    }
    told.join(", ")
}

/// Every agent that has ended, and when.
pub(crate) fn ended(teller: &Teller<'_>, states: &[AgentState], last_step: &[u64]) -> String {
    let mut text = String::new();
    let ended = teller.program.cast().zip(states).zip(last_step);
    let mut ended: Vec<_> = ended.filter(|((_, state), _)| state.status != Status::Running).collect();
    ended.sort_by_key(|&((_, state), _)| state.status == Status::Done);
    for ((agent, state), step) in ended.iter().take(MAX_AGENTS) {
        let how = if state.status == Status::Done { "is done" } else { "has failed" };
        let since = if **step == 0 { "from the start".to_owned() } else { format!("since step {step}") };
        let _ = writeln!(text, "  {} {how} {since}", style::who(teller.agent(*agent)));
    }
    if ended.len() > MAX_AGENTS {
        let _ = writeln!(text, "  {} more agents have ended", grouped((ended.len() - MAX_AGENTS) as u64));
    }
    text
}
