//! What a dialogue can still do that never comes to its end.

use std::fmt::Write as _;

use map_semantics::{Action, Bounds, Outcome, SceneState, StepKind, scene_steps};

use super::step::taking;
use super::{Teller, style};

/// The steps that are left in a state.
pub(crate) fn steps_left(teller: &Teller<'_>, bounds: &Bounds, state: &SceneState) -> String {
    let steps = scene_steps(teller.program, bounds, state);
    let mut text = String::new();
    for agent in teller.program.cast() {
        let mut can: Vec<String> = Vec::new();
        for step in steps.in_luck(|it| it == agent) {
            let told = describe(teller, &step.observed.outcome);
            if !can.contains(&told) {
                can.push(told);
            }
        }
        if !can.is_empty() {
            let _ = writeln!(text, "    {} can {}", style::who(teller.agent(agent)), can.join(", "));
        }
    }
    text
}

fn describe(teller: &Teller<'_>, outcome: &Outcome) -> String {
    let what = match (&outcome.action, outcome.kind) {
        // What it takes its answer to be equal to has no name yet.
        (Some(Action::Ask { point, .. }), _) => return format!("ask {}", teller.procedure_of(*point)),
        (Some(Action::Send { point, .. }), _) => format!("send {}", teller.performative_of(*point)),
        (Some(Action::Receive { point, .. }), _) => format!("receive {}", teller.performative_of(*point)),
        (None, StepKind::Timeout) => "time out".to_owned(),
        (None, _) => "move on".to_owned(),
    };
    what + &taking(teller, &outcome.assumptions)
}
