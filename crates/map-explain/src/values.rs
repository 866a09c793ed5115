//! Reconstructs the arguments of a call that was not made.

use map_ir::{AgentId, ClauseId, Operand, PointId, PointKind, Target, Value};
use map_semantics::{Action, Event};
use map_session::TakenStep;

use crate::Namer;

/// The arguments of a call that an agent was about to make, as far as its step determines them. `seen` is the step; on
/// the way to the first places there is none, only its `events`.
pub(crate) fn call_arguments(
    namer: &Namer<'_>,
    agent: AgentId,
    events: &[Event],
    seen: Option<&TakenStep<'_>>,
    call: PointId,
) -> Option<Vec<Value>> {
    let point = namer.program.point(call);
    let PointKind::Call { arguments, .. } = &point.kind else { return None };
    let mut variables = match called_with(namer, agent, events, point.clause) {
        Some(variables) => variables,
        None => before(seen?, point.clause)?,
    };
    if let Some(seen) = seen {
        bind(namer, seen, point.clause, &mut variables);
    }
    let value = |operand: &Operand| match *operand {
        Operand::Constant(value) => Some(value),
        Operand::Own => Some(Value::Agent(agent)),
        Operand::Expression(_) => None,
        Operand::Variable(slot) => variables.get(slot.index()).copied().flatten(),
    };
    arguments.iter().map(value).collect()
}

/// The variables of the clause's newest activation, as bound by its call.
fn called_with(
    namer: &Namer<'_>,
    agent: AgentId,
    events: &[Event],
    clause: ClauseId,
) -> Option<Vec<Option<Value>>> {
    let definition = namer.program.clause(clause);
    let arguments = events.iter().rev().find_map(|event| match event {
        Event::Called(_, it, arguments) if *it == clause => Some(arguments),
        _ => None,
    })?;
    let mut variables = vec![None; definition.variables.len()];
    if let Some(slot) = definition.own_name {
        variables[slot.index()] = Some(Value::Agent(agent));
    }
    for &(place, slot) in &definition.head.bindings {
        variables[slot.index()] = arguments.get(place as usize).copied();
    }
    Some(variables)
}

/// The variables of the clause's innermost activation before the step.
fn before(seen: &TakenStep<'_>, clause: ClauseId) -> Option<Vec<Option<Value>>> {
    let node = seen.before.control.threads().nth(seen.step.thread)?;
    let mut activations = seen.before.control.activations(node);
    Some(activations.find(|&(it, _)| it == clause)?.1.to_vec())
}

/// Adds the variables bound by the step's own action.
fn bind(namer: &Namer<'_>, seen: &TakenStep<'_>, clause: ClauseId, variables: &mut [Option<Value>]) {
    let program = namer.program;
    match &seen.observed.outcome.action {
        Some(Action::Ask { point, answer, .. }) if program.point(*point).clause == clause => {
            if let PointKind::Ask { target: Target::Binds(variable), .. } = program.point(*point).kind {
                variables[variable.index()] = Some(*answer);
            }
        }
        Some(Action::Receive { point, message, .. }) if program.point(*point).clause == clause => {
            if let PointKind::Receive { pattern, .. } = &program.point(*point).kind {
                for &(place, slot) in &pattern.bindings {
                    let place = place as usize;
                    let sender = message.sender;
                    let argument = message.arguments.get(place).copied();
                    let address = sender_value(namer, sender, place == message.arguments.len());
                    variables[slot.index()] = Some(argument.unwrap_or(address));
                }
            }
        }
        _ => {}
    }
}

fn sender_value(namer: &Namer<'_>, sender: AgentId, name: bool) -> Value {
    if name { Value::Agent(sender) } else { Value::Role(namer.program.agent(sender).role) }
}
