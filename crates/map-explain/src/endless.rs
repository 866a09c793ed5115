//! What keeps a run going for ever.

use map_semantics::{Action, Event, StepKind};
use map_verify::ReplayedStep;

use crate::Namer;
use crate::step::describe_assumption;

/// The choices in steps that are repeated for ever and without which the run might end, each with those who make it:
/// `can_do says no (!Worker1, !Worker2)`. Decisions if there are any, or else open comparisons, or else timeouts; none
/// if it is only the order of the steps.
#[must_use]
pub fn kept_alive_by(namer: &Namer<'_>, repeated: &[ReplayedStep]) -> Vec<String> {
    [decisions, comparisons, timeouts]
        .into_iter()
        .map(|kind| with_agents(namer, repeated, kind))
        .find(|choices| !choices.is_empty())
        .unwrap_or_default()
}

/// Each choice of a kind once, in the order of the steps, with the agents that make it.
fn with_agents(
    namer: &Namer<'_>,
    repeated: &[ReplayedStep],
    kind: fn(&Namer<'_>, &ReplayedStep) -> Vec<String>,
) -> Vec<String> {
    let mut choices: Vec<(String, Vec<String>)> = Vec::new();
    for step in repeated {
        let agent = namer.agent(step.step.agent);
        for choice in kind(namer, step) {
            match choices.iter_mut().find(|(known, _)| *known == choice) {
                Some((_, agents)) if agents.contains(&agent) => {}
                Some((_, agents)) => agents.push(agent.clone()),
                None => choices.push((choice, vec![agent.clone()])),
            }
        }
    }
    choices.into_iter().map(|(choice, agents)| format!("{choice} ({})", agents.join(", "))).collect()
}

/// The answers of procedures that may say "no".
fn decisions(namer: &Namer<'_>, step: &ReplayedStep) -> Vec<String> {
    let outcome = &step.observed.outcome;
    let refused = outcome.events.iter().filter_map(|event| match event {
        Event::Refused(ask) => Some(format!("{} says no", namer.procedure_of(*ask))),
        _ => None,
    });
    let answered = match &outcome.action {
        Some(Action::Ask { point, .. }) if namer.may_refuse(*point) => {
            Some(format!("{} says yes", namer.procedure_of(*point)))
        }
        _ => None,
    };
    refused.chain(answered).collect()
}

fn comparisons(namer: &Namer<'_>, step: &ReplayedStep) -> Vec<String> {
    let assumptions = step.observed.outcome.assumptions.iter();
    assumptions.map(|assumption| describe_assumption(namer, assumption)).collect()
}

fn timeouts(_: &Namer<'_>, step: &ReplayedStep) -> Vec<String> {
    let times_out = step.observed.outcome.kind == StepKind::Timeout;
    times_out.then(|| "time runs out".to_owned()).into_iter().collect()
}
