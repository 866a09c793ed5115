//! What an agent is about in a state: it has ended, may act, or waits, and for what.

use map_ir::{AgentId, PerformativeId, PointKind, Program};
use map_semantics::{AgentState, Bounds, Status, agent_steps};

use crate::stuck::receives_of;

/// What an agent is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentStanding {
    /// It has ended with success.
    Done,
    /// It has failed.
    Failed,
    /// It has crashed.
    Crashed,
    /// It waits.
    Waits {
        /// For messages with these performatives, each once.
        awaited: Vec<PerformativeId>,
        /// Whether it goes on if time runs out.
        timeout: bool,
    },
    /// It can take a step.
    Acts,
}

/// What an agent in this state is about.
pub(crate) fn standing_of(
    program: &Program,
    bounds: &Bounds,
    agent: AgentId,
    state: &AgentState,
) -> AgentStanding {
    match state.status {
        Status::Done => return AgentStanding::Done,
        Status::Failed => return AgentStanding::Failed,
        Status::Crashed => return AgentStanding::Crashed,
        Status::Running => {}
    }
    let steps = agent_steps(program, bounds, agent, state);
    if !steps.all_waiting() {
        return AgentStanding::Acts;
    }
    let (mut awaited, mut may_time_out) = (Vec::new(), false);
    for place in state.control.threads().map(|node| state.control.place(node)) {
        let PointKind::Wait { timeout, .. } = program.point(place).kind else { continue };
        may_time_out |= timeout.is_some();
        for receive in receives_of(program, place) {
            if let PointKind::Receive { performative, .. } = program.point(receive).kind
                && !awaited.contains(&performative)
            {
                awaited.push(performative);
            }
        }
    }
    AgentStanding::Waits { awaited, timeout: may_time_out }
}
