//! One agent of a state: its activations and threads, each indented under its parent, then its memory and mailbox.

use map_ir::{AgentId, Slot};
use map_semantics::{AgentState, Node, NodeKind, SceneState, Side, Status};

use super::bound;
use crate::Namer;
use crate::dump::ir::{clause_name, point_name, variable};
use crate::dump::listed;
use crate::dump::tree::Tree;

/// The lines of an agent.
pub(super) fn agent_lines(tree: &mut Tree, namer: &Namer<'_>, scene: &SceneState, agent: AgentId) {
    let state = &scene.agents[agent.index()];
    let name = namer.agent(agent);
    let calls = match state.calls.as_slice() {
        [] => String::new(),
        calls => format!(", bounded calls: {}", listed(calls.iter().map(u32::to_string))),
    };
    match state.status {
        Status::Done => return tree.line(format_args!("[{}] {name}: done{calls}", agent.index())),
        Status::Failed => return tree.line(format_args!("[{}] {name}: failed{calls}", agent.index())),
        Status::Crashed => return tree.line(format_args!("[{}] {name}: crashed{calls}", agent.index())),
        Status::Running => tree.line(format_args!("[{}] {name}{calls}", agent.index())),
    }
    tree.deeper();
    control(tree, namer, state);
    let cells = &namer.program.memories[namer.program.agent(agent).role.index()].cells;
    for (&(cell, _), &value) in cells.iter().zip(&state.memory) {
        tree.line(format_args!("memory: @{} = {}", namer.program.cell_name(cell), namer.value(value)));
    }
    for message in state.under_way.iter() {
        tree.line(format_args!("under way: {} from {}", namer.message(message), namer.agent(message.sender)));
    }
    for message in state.mailbox.iter() {
        tree.line(format_args!("mailbox: {} from {}", namer.message(message), namer.agent(message.sender)));
    }
    tree.back();
}

fn control(tree: &mut Tree, namer: &Namer<'_>, state: &AgentState) {
    let mut depths: Vec<usize> = Vec::new();
    let mut threads = 0;
    for Node { below, kind } in &state.control.nodes {
        let depth = below.map_or(0, |below| depths[below as usize] + 1);
        depths.push(depth);
        let what = node(namer, kind, &mut threads);
        tree.line(format_args!("{:width$}{what}", "", width = 2 * depth));
    }
}

fn node(namer: &Namer<'_>, kind: &NodeKind, threads: &mut usize) -> String {
    match kind {
        NodeKind::Activation { clause: id, variables, call } => {
            let clause = namer.program.clause(*id);
            let values = variables.iter().enumerate().map(|(slot, value)| {
                format!("{} = {}", variable(clause, Slot::new(slot)), bound(namer, *value))
            });
            let values: Vec<String> = values.collect();
            let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
            let from = call.map_or_else(String::new, |call| format!(", called at {}", point_name(call)));
            format!("{} {}{from}{values}", clause_name(*id), namer.head(*id))
        }
        NodeKind::Fork { point, sides } => {
            let sides = sides.iter().map(|side| match side {
                Side::Running => "running".to_owned(),
                Side::Ended(true) => "succeeded".to_owned(),
                Side::Ended(false) => "failed".to_owned(),
            });
            format!("par at {}, sides: {}", point_name(*point), listed(sides))
        }
        NodeKind::SideOf(side) => format!("side {side}"),
        NodeKind::Thread(point) => {
            let number = *threads;
            *threads += 1;
            let place = namer.place_of(*point);
            format!("thread {number} at {}, {place}: {}", point_name(*point), namer.quote_of(*point))
        }
    }
}
