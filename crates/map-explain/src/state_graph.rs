//! State graphs as pictures: what the agents do along the arrows, and who waits for what in the states, in words.

use std::collections::BTreeMap;

use map_render::graph::{Edge, EdgeKind, Graph, Mark, Node, Shape};
use map_semantics::StepKind;
use map_session::{AgentStanding, Arrow, ArrowStep, GraphState, StateGraph, StateMark, Target, Way, Wrong};

use crate::{Namer, counted};

/// The most lines in the label of an edge.
const MAX_LINES: usize = 3;

/// Of more states it is not said who waits for what: the picture would be too large.
const MAX_TOLD: usize = 120;

/// The most agents of whom something is said in a state.
const MAX_AGENTS: usize = 6;

/// The most messages that an agent is said to wait for.
const MAX_AWAITED: usize = 3;

/// The state graph of a scene as a picture. The states of small ones say who waits for what; who can act is seen from
/// the arrows. The path to a nearest violation is highlighted.
#[must_use]
pub fn state_graph(found: &StateGraph, namer: &Namer<'_>) -> Graph {
    let (states, transitions) = (found.states.len() as u64, found.transitions as u64);
    let scene = &namer.program.scene;
    let (drawn, between) = (counted(states, "state"), counted(transitions, "transition"));
    let title = match found.is_whole {
        true => format!("{scene}: {drawn}, {between}"),
        false => format!("{scene}: the nearest {drawn}"),
    };
    let mut graph = Graph { title, ..Graph::default() };
    graph.nodes.push(Node::new(Shape::Initial, Vec::new()));
    for (index, _) in found.states.iter().enumerate().filter(|(_, state)| matches!(state.way, Way::Start(_)))
    {
        graph.edges.push(Edge::new(0, index + 1, EdgeKind::Move, Vec::new()));
    }
    for (index, state) in found.states.iter().enumerate() {
        let shape = if state.mark == StateMark::Good { Shape::End } else { Shape::State };
        let detail = if found.states.len() <= MAX_TOLD { standings(state, namer) } else { Vec::new() };
        let node = Node::new(shape, vec![(index + 1).to_string()]);
        graph.nodes.push(Node { mark: mark(state.mark), detail, state: Some(index), ..node });
    }
    let mut wrongs: BTreeMap<Wrong, usize> = BTreeMap::new();
    for (&(from, target), arrow) in &found.arrows {
        let to = match target {
            Target::State(to) => to + 1,
            Target::Wrong(wrong) => *wrongs.entry(wrong).or_insert_with(|| {
                let label = vec![wrong.words().to_owned()];
                graph.nodes.push(Node { mark: Mark::Failed, ..Node::new(Shape::State, label) });
                graph.nodes.len() - 1
            }),
        };
        let kind = arrow.steps.first().map_or(EdgeKind::Move, |step| kind(step.kind));
        let highlighted = found.path.contains(&(from, target));
        graph.edges.push(Edge { highlighted, ..Edge::new(from + 1, to, kind, label(arrow, namer)) });
    }
    graph
}

/// Who waits for what, and who has ended, a line each.
fn standings(state: &GraphState, namer: &Namer<'_>) -> Vec<String> {
    let ended = |standing: &AgentStanding| *standing == AgentStanding::Done;
    // Where all have ended well the shape says so.
    if state.agents.iter().all(ended) {
        return Vec::new();
    }
    let agents = namer.program.cast().zip(&state.agents);
    let mut lines: Vec<String> = agents
        .filter_map(|(agent, standing)| {
            let agent = namer.agent(agent);
            match standing {
                AgentStanding::Acts => None,
                AgentStanding::Done => Some(format!("{agent} has ended")),
                AgentStanding::Failed => Some(format!("{agent} has failed")),
                AgentStanding::Crashed => Some(format!("{agent} has crashed")),
                AgentStanding::Waits { awaited, timeout } => {
                    let mut what: Vec<String> =
                        awaited.iter().take(MAX_AWAITED).map(|&it| namer.performative(it)).collect();
                    what.extend((awaited.len() > MAX_AWAITED).then(|| "others".to_owned()));
                    what.extend(timeout.then(|| "time".to_owned()));
                    Some(match what.is_empty() {
                        true => format!("{agent} waits"),
                        false => format!("{agent} waits for {}", what.join(" or ")),
                    })
                }
            }
        })
        .collect();
    let more = lines.len().saturating_sub(MAX_AGENTS);
    lines.truncate(MAX_AGENTS);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

/// What is done along an arrow, in a few lines.
fn label(arrow: &Arrow, namer: &Namer<'_>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for step in &arrow.steps {
        let line = format!("{} {}", namer.agent(step.agent), summary(namer, step));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let more = lines.len().saturating_sub(MAX_LINES);
    lines.truncate(MAX_LINES);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

const fn mark(mark: StateMark) -> Mark {
    match mark {
        StateMark::Plain => Mark::Plain,
        StateMark::Good => Mark::Good,
        StateMark::Failed => Mark::Failed,
        StateMark::Deadlock => Mark::Deadlock,
        StateMark::Doomed => Mark::Doomed,
        StateMark::Livelock => Mark::Livelock,
        StateMark::Cut => Mark::Cut,
        StateMark::Further => Mark::Further,
    }
}

const fn kind(kind: StepKind) -> EdgeKind {
    match kind {
        StepKind::Ask => EdgeKind::Ask,
        StepKind::Send => EdgeKind::Send,
        StepKind::Receive => EdgeKind::Receive,
        StepKind::Timeout => EdgeKind::Timeout,
        StepKind::Move | StepKind::Arrival => EdgeKind::Move,
        StepKind::Crash => EdgeKind::Crash,
    }
}

/// What an agent does in a step, in two or three words.
fn summary(namer: &Namer<'_>, step: &ArrowStep) -> String {
    match (step.kind, step.point) {
        (StepKind::Ask, Some(point)) => format!("asks {}", namer.procedure_of(point)),
        (StepKind::Send, Some(point)) => {
            let lost = if step.loses { " (lost)" } else { "" };
            format!("sends {}{lost}", namer.performative_of(point))
        }
        (StepKind::Receive, Some(point)) => format!("receives {}", namer.performative_of(point)),
        (StepKind::Timeout, _) => "times out".to_owned(),
        (StepKind::Crash, _) => "crashes".to_owned(),
        (StepKind::Arrival, _) => "a message arrives".to_owned(),
        (_, _) => "moves on".to_owned(),
    }
}
