//! The steps left in a dialogue that never reaches its end.

use std::fmt::Write as _;

use map_semantics::{Action, Bounds, Outcome, SceneState, StepKind, scene_steps};

use crate::step::taking;
use crate::{Role, Namer, Text};

/// The steps that each agent can take in a state, faults aside.
#[must_use]
pub fn steps_left(teller: &Namer<'_>, bounds: &Bounds, state: &SceneState) -> Text {
    let steps = scene_steps(teller.program, bounds, state);
    let mut text = Text::default();
    for agent in teller.program.cast() {
        let mut can: Vec<String> = Vec::new();
        for step in steps.fault_free(|it| it == agent) {
            let told = describe(teller, &step.observed.outcome);
            if !can.contains(&told) {
                can.push(told);
            }
        }
        if !can.is_empty() {
            text.push_str("    ");
            text.push(Role::Agent, teller.agent(agent));
            let _ = writeln!(text, " can {}", can.join(", "));
        }
    }
    text
}

fn describe(teller: &Namer<'_>, outcome: &Outcome) -> String {
    let what = match (&outcome.action, outcome.kind) {
        // Assumptions about the answer are left out, because it has no name yet.
        (Some(Action::Ask { point, .. }), _) => return format!("ask {}", teller.procedure_of(*point)),
        (Some(Action::Send { point, .. }), _) => format!("send {}", teller.performative_of(*point)),
        (Some(Action::Receive { point, .. }), _) => format!("receive {}", teller.performative_of(*point)),
        (None, StepKind::Timeout) => "time out".to_owned(),
        (None, _) => "move on".to_owned(),
    };
    what + &taking(teller, &outcome.assumptions)
}
