//! Shows the agents in a state.

use std::fmt::Write as _;
use std::sync::Arc;

use map_ir::{AgentId, Value};
use map_semantics::{AgentState, Message, NodeKind, SceneState, Status};

use super::View;
use crate::{Namer, Role, Text, counted, grouped};

/// The most agents that are shown at once.
const MAX_AGENTS: usize = 20;

/// The most messages of one mailbox that are shown.
const MAX_MESSAGES: usize = 20;

/// A view of all agents, or of one.
pub(super) fn show(namer: &Namer<'_>, state: &SceneState, view: View, agent: Option<AgentId>) -> Text {
    let mut text = Text::default();
    if let Some(agent) = agent {
        one(namer, view, agent, &state.agents[agent.index()], &mut text);
        return text;
    }
    for (agent, state) in namer.program.cast().zip(&state.agents).take(MAX_AGENTS) {
        one(namer, view, agent, state, &mut text);
    }
    if state.agents.len() > MAX_AGENTS {
        let more = grouped((state.agents.len() - MAX_AGENTS) as u64);
        let _ = writeln!(text, "and {more} more agents; name one to see it");
    }
    text
}

fn one(namer: &Namer<'_>, view: View, agent: AgentId, state: &AgentState, text: &mut Text) {
    let role = namer.program.role_name(namer.program.agent(agent).role);
    let status = match state.status {
        Status::Running => "",
        Status::Done => ": done",
        Status::Failed => ": failed",
        Status::Crashed => ": crashed",
    };
    text.push(Role::Agent, namer.agent(agent));
    let _ = writeln!(text, " (%{role}){status}");
    if matches!(view, View::All | View::Where) {
        threads(namer, state, text);
    }
    if matches!(view, View::All | View::Variables) {
        variables(namer, state, text);
    }
    if matches!(view, View::All | View::Memory) {
        let cells = &namer.program.memories[namer.program.agent(agent).role.index()].cells;
        for (&(cell, _), &value) in cells.iter().zip(&state.memory) {
            let _ = writeln!(text, "  @{} = {}", namer.program.cell_name(cell), namer.value(value));
        }
    }
    if matches!(view, View::All | View::Mailbox) && state.status == Status::Running {
        mailbox(namer, state, text);
    }
}

/// Where the threads are, with the line of the source.
fn threads(namer: &Namer<'_>, state: &AgentState, text: &mut Text) {
    let several = state.control.threads().count() > 1;
    for (index, node) in state.control.threads().enumerate() {
        let span = namer.program.point(state.control.place(node)).span;
        let line = namer.line(span);
        let thread = if several { format!("thread {} ", index + 1) } else { String::new() };
        let _ = writeln!(text, "  {thread}at {}", namer.place(span));
        let written = namer.source.line(line).replace('\t', "    ");
        text.push_str("  ");
        text.push(Role::Aside, format!("{line:>5} | {written}").trim_end());
        text.push_str("\n");
    }
}

/// The open activations, outermost first, with the values of their bound variables.
fn variables(namer: &Namer<'_>, state: &AgentState, text: &mut Text) {
    for node in &state.control.nodes {
        let NodeKind::Activation { clause, variables, .. } = &node.kind else { continue };
        let names = &namer.program.clause(*clause).variables;
        let bound = names.iter().zip(variables).filter_map(|(name, value)| {
            let value: Value = (*value)?;
            Some(format!("${name} = {}", namer.value(value)))
        });
        let bound: Vec<String> = bound.collect();
        let bound = if bound.is_empty() { "nothing bound".to_owned() } else { bound.join(", ") };
        let _ = writeln!(text, "  in {}: {bound}", namer.head(*clause));
    }
}

fn mailbox(namer: &Namer<'_>, state: &AgentState, text: &mut Text) {
    if !state.under_way.is_empty() {
        let _ = writeln!(text, "  under way: {}", counted(state.under_way.len() as u64, "message"));
        messages(namer, state.under_way.iter(), state.under_way.len(), text);
    }
    if state.mailbox.is_empty() {
        text.push_str("  mailbox: empty\n");
        return;
    }
    let _ = writeln!(text, "  mailbox: {}, oldest first", counted(state.mailbox.len() as u64, "message"));
    messages(namer, state.mailbox.iter(), state.mailbox.len(), text);
}

/// The first of some messages, and how many more there are.
fn messages<'m>(
    namer: &Namer<'_>,
    all: impl Iterator<Item = &'m Arc<Message>>,
    count: usize,
    text: &mut Text,
) {
    for message in all.take(MAX_MESSAGES) {
        let _ = writeln!(text, "    {} from {}", namer.message(message), namer.agent(message.sender));
    }
    if count > MAX_MESSAGES {
        let _ = writeln!(text, "    and {} more", grouped((count - MAX_MESSAGES) as u64));
    }
}
