//! Arrivals: a message that was under way gets into the mailbox of its recipient.

use map_ir::Symbol;

use crate::agent::{AgentState, Next, Status};
use crate::outcome::{Ending, Outcome, StepKind};

/// The outcome of the arrival of the first message of the `way`th sender that has some under way to the agent.
pub(crate) fn arrive(state: &AgentState, way: usize) -> Outcome {
    let ending = match state.under_way.ways().nth(way) {
        Some(way) if state.status == Status::Running => Ending::State(Next {
            status: Status::Running,
            control: state.control.clone(),
            memory: state.memory.clone(),
            calls: state.calls.clone(),
            arrives: Some(way.place),
            fresh: Symbol(0),
        }),
        _ => Ending::Nothing,
    };
    Outcome {
        kind: StepKind::Arrival,
        action: None,
        ending,
        cut_off: None,
        events: Vec::new(),
        ran: Vec::new(),
        assumptions: Vec::new(),
    }
}
