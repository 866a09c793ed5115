//! What a step costs (language reference, "Costs").

use map_ir::{AgentId, Charge, ChargedEvent, Cost, Price, Program, Value};

use super::{answers, asks, fits};
use crate::Message;
use crate::outcome::{Action, Event, Outcome, StepKind};

/// What a step of `agent` with this outcome costs; at most [`i64::MAX`].
pub(super) fn charged(program: &Program, cost: &Cost, agent: AgentId, outcome: &Outcome) -> i64 {
    let charges = cost.charges.iter().filter(|charge| charge.bearer.has(agent));
    charges.fold(0, |sum: i64, charge| sum.saturating_add(of_charge(program, charge, outcome)))
}

fn of_charge(program: &Program, Charge { event, price, .. }: &Charge, outcome: &Outcome) -> i64 {
    match (event, &outcome.action) {
        (ChargedEvent::Asks(procedure), _) => {
            let is_refusal =
                |it: &&Event| matches!(it, Event::Refused(point) if asks(program, *point, *procedure));
            let refused = outcome.events.iter().filter(is_refusal).count() as i64;
            let times = refused + i64::from(answers(program, *procedure, outcome));
            times.saturating_mul(amount(*price, None))
        }
        (ChargedEvent::Steps, _) => match outcome.kind {
            StepKind::Crash | StepKind::Arrival => 0,
            _ => amount(*price, None),
        },
        (ChargedEvent::Calls, _) => {
            let calls = outcome.events.iter().filter(|it| matches!(it, Event::Called(..))).count() as i64;
            calls.saturating_mul(amount(*price, None))
        }
        (ChargedEvent::Sends(..) | ChargedEvent::Copies, Some(Action::Send { message, to, .. })) => {
            for_sending(event, *price, to, message)
        }
        (ChargedEvent::Receives(pattern, wanted), Some(Action::Receive { message, .. }))
            if fits(pattern, message) && wanted.has(message.sender) =>
        {
            amount(*price, Some(message))
        }
        _ => 0,
    }
}

/// What it costs an agent to send a message to these recipients; at most [`i64::MAX`].
#[must_use]
pub fn charged_for_sending(cost: &Cost, sender: AgentId, to: &[AgentId], message: &Message) -> i64 {
    let charges = cost.charges.iter().filter(|charge| charge.bearer.has(sender));
    let amounts = charges.map(|charge| for_sending(&charge.event, charge.price, to, message));
    amounts.fold(0, i64::saturating_add)
}

fn for_sending(event: &ChargedEvent, price: Price, to: &[AgentId], message: &Message) -> i64 {
    match event {
        ChargedEvent::Sends(pattern, wanted)
            if fits(pattern, message) && to.iter().any(|&it| wanted.has(it)) =>
        {
            amount(price, Some(message))
        }
        ChargedEvent::Copies => (to.len() as i64).saturating_mul(amount(price, None)),
        _ => 0,
    }
}

fn amount(price: Price, message: Option<&Message>) -> i64 {
    match price {
        Price::Amount(amount) => amount,
        Price::Argument(place) => match message.and_then(|message| message.arguments.get(place)) {
            Some(Value::Integer(amount)) => (*amount).max(0),
            _ => 0,
        },
    }
}
