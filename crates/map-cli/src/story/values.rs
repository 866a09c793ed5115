//! What the arguments of a call were, where the step itself does not tell.

use map_ir::{AgentId, ClauseId, Operand, PointId, PointKind, Value};
use map_semantics::{Action, Event};

use super::{Seen, Teller};

/// The arguments of a call that was not made, as far as the step tells.
pub(crate) fn call_arguments(teller: &Teller<'_>, seen: &Seen<'_>, call: PointId) -> Option<Vec<Value>> {
    let program = teller.program;
    let point = program.point(call);
    let PointKind::Call { arguments, .. } = &point.kind else { return None };
    let variables = variables_of(teller, seen, point.clause)?;
    let value = |operand: &Operand| match *operand {
        Operand::Constant(value) => Some(value),
        Operand::Own => Some(Value::Agent(seen.step.agent)),
        Operand::Variable(slot) => variables.get(slot.index()).copied().flatten(),
    };
    arguments.iter().map(value).collect()
}

/// The variables of the clause's newest activation: as its call bound them, or as they were before the step; then
/// as the step's own action bound them.
fn variables_of(teller: &Teller<'_>, seen: &Seen<'_>, clause: ClauseId) -> Option<Vec<Option<Value>>> {
    let program = teller.program;
    let definition = program.clause(clause);
    let called = seen.observed.outcome.events.iter().rev().find_map(|event| match event {
        Event::Called(_, it, arguments) if *it == clause => Some(arguments),
        _ => None,
    });
    let mut variables = match called {
        Some(arguments) => {
            let mut variables = vec![None; definition.variables.len()];
            if let Some(slot) = definition.own_name {
                variables[slot.index()] = Some(Value::Agent(seen.step.agent));
            }
            for &(place, slot) in &definition.head.bindings {
                variables[slot.index()] = arguments.get(place as usize).copied();
            }
            variables
        }
        None => {
            let node = seen.before.control.threads().nth(seen.step.thread)?;
            let mut activations = seen.before.control.activations(node);
            activations.find(|&(it, _)| it == clause)?.1.to_vec()
        }
    };
    match &seen.observed.outcome.action {
        Some(Action::Ask { point, answer, .. }) if program.point(*point).clause == clause => {
            if let PointKind::Ask { variable, binds: true, .. } = program.point(*point).kind {
                variables[variable.index()] = Some(*answer);
            }
        }
        Some(Action::Receive { point, message, .. }) if program.point(*point).clause == clause => {
            if let PointKind::Receive { pattern, .. } = &program.point(*point).kind {
                for &(place, slot) in &pattern.bindings {
                    let place = place as usize;
                    let sender = message.sender;
                    let argument = message.arguments.get(place).copied();
                    let address = sender_value(teller, sender, place == message.arguments.len());
                    variables[slot.index()] = Some(argument.unwrap_or(address));
                }
            }
        }
        _ => {}
    }
    Some(variables)
}

fn sender_value(teller: &Teller<'_>, sender: AgentId, name: bool) -> Value {
    if name { Value::Agent(sender) } else { Value::Role(teller.program.agent(sender).role) }
}
