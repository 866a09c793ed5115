//! The words of a chart, kept short because they stand beside arrows.

use map_ir::{PointId, PointKind, Program};
use map_semantics::{Action, Assumption, Event, Names, ObservedStep, SceneStep, StepError};

use crate::measure::clean;

/// `price(3) → 7`.
pub(super) fn ask(program: &Program, names: &Names<'_>, action: &Action) -> String {
    let Action::Ask { point, arguments, answer, .. } = action else { return String::new() };
    let (asked, answer) = (names.values(arguments), names.value(*answer));
    clean(&format!("{}({asked}) → {answer}", procedure(program, *point)))
}

/// The notes on a step, besides its act.
pub(super) fn notes(program: &Program, names: &Names<'_>, observed: &ObservedStep) -> Vec<String> {
    let outcome = &observed.outcome;
    let has_acted = outcome.action.is_some();
    let mut notes: Vec<String> = Vec::new();
    let mut note = |text: String| {
        let text = clean(&text);
        if !notes.contains(&text) {
            notes.push(text);
        }
    };
    for event in &outcome.events {
        match event {
            Event::Refused(point) => note(format!("{}: no", procedure(program, *point))),
            Event::NotUnified(_) => note("not the value it has to be".to_owned()),
            Event::NothingThere(point) if !has_acted => note(format!("no {}", message(program, *point))),
            Event::NobodyThere(point) if !has_acted => {
                note(format!("nobody for {}", message(program, *point)));
            }
            Event::NoHead(_) if !has_acted => note("no clause for a call".to_owned()),
            Event::Failed(_) if !has_acted => note("gives up".to_owned()),
            _ => {}
        }
    }
    if let Some(Action::Ask { updates, .. }) = &outcome.action {
        for &(cell, value) in updates {
            note(format!("@{} := {}", program.cell_name(cell), names.value(value)));
        }
    }
    for assumption in &outcome.assumptions {
        note(taking(program, names, assumption));
    }
    notes
}

/// The words for an assumption about an open question.
fn taking(program: &Program, names: &Names<'_>, assumption: &Assumption) -> String {
    match assumption {
        Assumption::Equal { pairs, equal, .. } => {
            let sign = if *equal { "=" } else { "≠" };
            let pairs = pairs.iter().map(|&(a, b)| format!("{} {sign} {}", names.value(a), names.value(b)));
            format!("if {}", pairs.collect::<Vec<_>>().join(if *equal { " and " } else { " or " }))
        }
        Assumption::Condition { holds: true, .. } => "if a condition holds".to_owned(),
        Assumption::Condition { holds: false, .. } => "if a condition does not hold".to_owned(),
        Assumption::Recipients { to, .. } if to.is_empty() => "if the address means nobody".to_owned(),
        Assumption::Recipients { to, .. } => {
            let to: Vec<String> = to.iter().map(|&to| format!("!{}", program.agent_name(to))).collect();
            format!("if the address means {}", to.join(", "))
        }
    }
}

/// How a step goes wrong, if it does.
pub(super) fn wrong(program: &Program, result: &SceneStep) -> Option<String> {
    let SceneStep::Wrong(error) = result else { return None };
    Some(match error {
        StepError::Overflow(agent) => format!("the mailbox of !{} is full", program.agent_name(*agent)),
        StepError::Runaway(_) => "runaway recursion".to_owned(),
        StepError::RunError(error) => match &program.point(error.point).kind {
            PointKind::Ask { procedure, .. } => {
                format!("run error in {}", program.procedure(*procedure).name)
            }
            _ => "run error".to_owned(),
        },
    })
}

fn procedure(program: &Program, ask: PointId) -> &str {
    match program.point(ask).kind {
        PointKind::Ask { procedure, .. } => &program.procedure(procedure).name,
        _ => "a procedure",
    }
}

fn message(program: &Program, point: PointId) -> &str {
    match program.point(point).kind {
        PointKind::Send { performative, .. } | PointKind::Receive { performative, .. } => {
            &program.performative(performative).name
        }
        _ => "a message",
    }
}
