//! Shows the agents in a state.

use std::fmt::Write as _;
use std::sync::Arc;

use map_explain::Namer;
use map_ir::{AgentId, Value};
use map_semantics::{AgentState, Message, NodeKind, SceneState, Status};

use super::command::View;
use crate::numbers::{counted, grouped};
use crate::style;

/// The most agents that are shown at once.
const MAX_AGENTS: usize = 20;

/// The most messages of one mailbox that are shown.
const MAX_MESSAGES: usize = 20;

/// A view of all agents, or of one.
pub(super) fn show(teller: &Namer<'_>, state: &SceneState, view: View, agent: Option<AgentId>) -> String {
    if let Some(agent) = agent {
        return one(teller, view, agent, &state.agents[agent.index()]);
    }
    let mut text = String::new();
    for (agent, state) in teller.program.cast().zip(&state.agents).take(MAX_AGENTS) {
        text.push_str(&one(teller, view, agent, state));
    }
    if state.agents.len() > MAX_AGENTS {
        let more = grouped((state.agents.len() - MAX_AGENTS) as u64);
        let _ = writeln!(text, "and {more} more agents; name one to see it");
    }
    text
}

fn one(teller: &Namer<'_>, view: View, agent: AgentId, state: &AgentState) -> String {
    let role = teller.program.role_name(teller.program.agent(agent).role);
    let status = match state.status {
        Status::Running => "",
        Status::Done => ": done",
        Status::Failed => ": failed",
        Status::Crashed => ": crashed",
    };
    let mut text = format!("{} (%{role}){status}\n", style::who(teller.agent(agent)));
    if matches!(view, View::All | View::Where) {
        threads(teller, state, &mut text);
    }
    if matches!(view, View::All | View::Variables) {
        variables(teller, state, &mut text);
    }
    if matches!(view, View::All | View::Memory) {
        let cells = &teller.program.memories[teller.program.agent(agent).role.index()].cells;
        for (&(cell, _), &value) in cells.iter().zip(&state.memory) {
            let _ = writeln!(text, "  @{} = {}", teller.program.cell_name(cell), teller.value(value));
        }
    }
    if matches!(view, View::All | View::Mailbox) && state.status == Status::Running {
        mailbox(teller, state, &mut text);
    }
    text
}

/// Where the threads are, with the line of the source.
fn threads(teller: &Namer<'_>, state: &AgentState, text: &mut String) {
    let several = state.control.threads().count() > 1;
    for (index, node) in state.control.threads().enumerate() {
        let span = teller.program.point(state.control.place(node)).span;
        let line = teller.line(span);
        let thread = if several { format!("thread {} ", index + 1) } else { String::new() };
        let _ = writeln!(text, "  {thread}at {}", teller.place(span));
        let written = teller.source.line(line).replace('\t', "    ");
        let _ = writeln!(text, "  {}", style::aside(format!("{line:>5} | {written}")).trim_end());
    }
}

/// The open activations, outermost first, with the values of their bound variables.
fn variables(teller: &Namer<'_>, state: &AgentState, text: &mut String) {
    for node in &state.control.nodes {
        let NodeKind::Activation { clause, variables, .. } = &node.kind else { continue };
        let names = &teller.program.clause(*clause).variables;
        let bound = names.iter().zip(variables).filter_map(|(name, value)| {
            let value: Value = (*value)?;
            Some(format!("${name} = {}", teller.value(value)))
        });
        let bound: Vec<String> = bound.collect();
        let bound = if bound.is_empty() { "nothing bound".to_owned() } else { bound.join(", ") };
        let _ = writeln!(text, "  in {}: {bound}", teller.head(*clause));
    }
}

fn mailbox(teller: &Namer<'_>, state: &AgentState, text: &mut String) {
    if !state.under_way.is_empty() {
        let _ = writeln!(text, "  under way: {}", counted(state.under_way.len() as u64, "message"));
        messages(teller, state.under_way.iter(), state.under_way.len(), text);
    }
    if state.mailbox.is_empty() {
        text.push_str("  mailbox: empty\n");
        return;
    }
    let _ = writeln!(text, "  mailbox: {}, oldest first", counted(state.mailbox.len() as u64, "message"));
    messages(teller, state.mailbox.iter(), state.mailbox.len(), text);
}

/// The first of some messages, and how many more there are.
fn messages<'m>(
    teller: &Namer<'_>,
    all: impl Iterator<Item = &'m Arc<Message>>,
    count: usize,
    text: &mut String,
) {
    for message in all.take(MAX_MESSAGES) {
        let _ = writeln!(text, "    {} from {}", teller.message(message), teller.agent(message.sender));
    }
    if count > MAX_MESSAGES {
        let _ = writeln!(text, "    and {} more", grouped((count - MAX_MESSAGES) as u64));
    }
}
