//! Crashes: an agent stops for ever.

use map_ir::Symbol;

use crate::agent::{AgentState, Control, Next, Status};
use crate::outcome::{Ending, Outcome, StepKind};

/// The outcome of a crash: the agent loses its control, and keeps its memory and counters as when it ends.
pub(crate) fn crash(state: &AgentState) -> Outcome {
    let ending = if state.status == Status::Running {
        let (memory, calls) = (state.memory.clone(), state.calls.clone());
        Ending::State(Next {
            status: Status::Crashed,
            control: Control::default(),
            memory,
            calls,
            arrives: None,
            fresh: Symbol(0),
        })
    } else {
        Ending::Nothing
    };
    Outcome {
        kind: StepKind::Crash,
        action: None,
        ending,
        cut_off: None,
        events: Vec::new(),
        ran: Vec::new(),
        assumptions: Vec::new(),
    }
}
