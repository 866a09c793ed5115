//! The steps that are behind a run when it begins: for questions about what can happen from a state on.

use std::sync::Arc;

use map_ir::{AgentId, Symbol};

use crate::agent::{AgentState, Next};
use crate::outcome::{Ending, Outcome, StepKind};
use crate::step::Step;

/// The first steps of a dialogue, and the state that they lead to. Runs that begin after them
/// ([`crate::Bounds::after`]) start in this state, and what properties remember of earlier steps they remember of
/// these.
#[derive(Clone, Debug)]
pub struct Prefix {
    /// The initial values, as options of [`crate::open_cells`].
    pub initial: Vec<u32>,
    /// The steps.
    pub steps: Vec<Step>,
    /// Who took each of them, and what happened.
    pub made: Vec<(AgentId, Outcome)>,
    /// The agents where they lead.
    pub(crate) agents: Vec<Arc<AgentState>>,
    /// The first symbol that is not in use there.
    pub(crate) fresh: Symbol,
    /// The number of message copies lost on the way.
    pub(crate) lost: u32,
}

/// The steps are all that matters: where they lead follows.
impl PartialEq for Prefix {
    fn eq(&self, other: &Self) -> bool {
        self.initial == other.initial && self.steps == other.steps
    }
}

impl Eq for Prefix {}

impl Prefix {
    /// How each agent gets to where a run begins: what it does on the way is behind it.
    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        let outcome = |agent: &AgentState| Outcome {
            kind: StepKind::Move,
            action: None,
            ending: Ending::State(Next {
                status: agent.status,
                control: agent.control.clone(),
                memory: agent.memory.clone(),
                calls: agent.calls.clone(),
                arrives: None,
                fresh: self.fresh,
            }),
            cut_off: None,
            events: Vec::new(),
            ran: Vec::new(),
            assumptions: Vec::new(),
        };
        self.agents.iter().map(|agent| outcome(agent)).collect()
    }
}
