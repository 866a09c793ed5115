//! What a dialogue can still do that never comes to its end.

use std::fmt::Write as _;

use map_semantics::{Action, Bounds, Resolved, SceneState, StepKind, agent_steps, may_time_out};

use crate::step::taking;
use crate::{Role, Teller, Text};

/// The steps that are left in a state.
#[must_use]
pub fn steps_left(teller: &Teller<'_>, bounds: &Bounds, state: &SceneState) -> Text {
    let program = teller.program;
    let agents = program.cast().zip(&state.agents);
    let all: Vec<_> =
        agents.map(|(agent, state)| (agent, agent_steps(program, bounds, agent, state))).collect();
    let quiescent = all.iter().all(|(_, steps)| steps.all_waiting());
    let mut text = Text::default();
    for (agent, steps) in &all {
        let mut can: Vec<String> = Vec::new();
        for thread in &steps.threads {
            let timeouts = may_time_out(bounds, thread.waiting, quiescent).then_some(&thread.timeouts);
            for told in
                thread.acts.iter().chain(timeouts.into_iter().flatten()).map(|it| describe(teller, it))
            {
                if !can.contains(&told) {
                    can.push(told);
                }
            }
        }
        if !can.is_empty() {
            text.push_str("    ");
            text.push(Role::Agent, teller.agent(*agent));
            let _ = writeln!(text, " can {}", can.join(", "));
        }
    }
    text
}

fn describe(teller: &Teller<'_>, step: &Resolved) -> String {
    let what = match (&step.outcome.action, step.outcome.kind) {
        // What it takes its answer to be equal to has no name yet.
        (Some(Action::Ask { point, .. }), _) => return format!("ask {}", teller.procedure_of(*point)),
        (Some(Action::Send { point, .. }), _) => format!("send {}", teller.performative_of(*point)),
        (Some(Action::Receive { point, .. }), _) => format!("receive {}", teller.performative_of(*point)),
        (None, StepKind::Timeout) => "time out".to_owned(),
        (None, _) => "move on".to_owned(),
    };
    what + &taking(teller, &step.outcome.assumptions)
}
