//! The steps left in a dialogue that never reaches its end.

use std::fmt::Write as _;

use map_semantics::{Action, Bounds, Outcome, SceneState, StepKind, scene_steps};

use crate::step::taking;
use crate::{Namer, Role, Text};

/// The steps that each agent can take in a state, faults aside.
#[must_use]
pub fn steps_left(namer: &Namer<'_>, bounds: &Bounds, state: &SceneState) -> Text {
    let steps = scene_steps(namer.program, bounds, state);
    let mut text = Text::default();
    for agent in namer.program.cast() {
        let mut can: Vec<String> = Vec::new();
        for step in steps.fault_free(|it| it == agent) {
            let told = describe(namer, &step.observed.outcome);
            if !can.contains(&told) {
                can.push(told);
            }
        }
        if !can.is_empty() {
            text.push_str("    ");
            text.push(Role::Agent, namer.agent(agent));
            let _ = writeln!(text, " can {}", can.join(", "));
        }
    }
    text
}

fn describe(namer: &Namer<'_>, outcome: &Outcome) -> String {
    let what = match (&outcome.action, outcome.kind) {
        // Assumptions about the answer are left out, because it has no name yet.
        (Some(Action::Ask { point, .. }), _) => return format!("ask {}", namer.procedure_of(*point)),
        (Some(Action::Send { point, .. }), _) => format!("send {}", namer.performative_of(*point)),
        (Some(Action::Receive { point, .. }), _) => format!("receive {}", namer.performative_of(*point)),
        (None, StepKind::Timeout) => "time out".to_owned(),
        (None, _) => "move on".to_owned(),
    };
    what + &taking(namer, &outcome.assumptions)
}
