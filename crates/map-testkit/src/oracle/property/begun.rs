//! The state to which the first steps of a run lead, found by what can be seen of them.

use std::collections::BTreeSet;

use super::super::act::Happening;
use super::super::cast::Setting;
use super::super::state::{State, Status};
use super::graph::{Edge, Graph};

/// What can be seen of a step, and of the state that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenStep {
    /// Who takes it, without sigil.
    pub agent: String,
    /// What it does.
    pub action: SeenAction,
    /// By agent, in the order of the cast.
    pub after: Vec<SeenAgent>,
}

/// What can be seen of what an agent does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeenAction {
    /// A procedure gives an answer other than "no".
    Asks(String),
    /// A message: its performative, and how many arguments it has.
    Sends(String, usize),
    /// The same.
    Receives(String, usize),
    /// None of these.
    Other,
}

/// What can be seen of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenAgent {
    /// It goes on, and so many messages are in its mailbox.
    Running(usize),
    /// It has ended with success.
    Done,
    /// It has failed.
    Failed,
    /// It has crashed.
    Crashed,
}

impl SeenAction {
    /// Whether it may be this that happens in a step.
    fn fits(&self, happened: &[Happening<'_>]) -> bool {
        match self {
            Self::Asks(procedure) => {
                happened.iter().any(|it| matches!(it, Happening::Answered(name) if *name == procedure))
            }
            Self::Sends(name, arity) => happened.iter().any(|it| {
                matches!(it, Happening::Sent { performative, arguments, .. }
                    if performative == name && arguments.len() == *arity)
            }),
            Self::Receives(name, arity) => happened.iter().any(|it| {
                matches!(it, Happening::Received(message)
                    if message.performative == *name && message.arguments.len() == *arity)
            }),
            Self::Other => happened.iter().all(|it| {
                !matches!(it, Happening::Answered(_) | Happening::Sent { .. } | Happening::Received(_))
            }),
        }
    }
}

impl SeenAgent {
    fn fits(self, state: &State<'_>, agent: usize) -> bool {
        let own = &state.agents[agent];
        match self {
            Self::Running(unread) => matches!(own.status, Status::Running(_)) && own.mailbox.len() == unread,
            Self::Done => own.status == Status::Done,
            Self::Failed => own.status == Status::Failed,
            Self::Crashed => own.status == Status::Crashed,
        }
    }
}

/// The only node to which such steps lead; `None` if there are several.
pub(super) fn node_after(setting: &Setting<'_>, graph: &Graph<'_>, steps: &[SeenStep]) -> Option<usize> {
    let mut nodes: BTreeSet<usize> = (0..graph.initial).collect();
    for step in steps {
        let agent = (0..setting.cast.agents.len()).find(|&it| setting.name(it) == step.agent)?;
        let is_it = |edge: &&Edge<'_>| {
            edge.agent == Some(agent)
                && edge.target < graph.states
                && step.action.fits(&edge.happened)
                && step.after.iter().enumerate().all(|(agent, seen)| seen.fits(&edge.state, agent))
        };
        let edges = nodes.iter().flat_map(|&node| &graph.nodes[node].edges);
        nodes = edges.filter(is_it).map(|edge| edge.target).collect();
    }
    match nodes.len() {
        0 => panic!("no steps of the oracle are like these: {steps:#?}"),
        1 => nodes.first().copied(),
        _ => None,
    }
}
