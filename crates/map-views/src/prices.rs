//! What a step costs in a view: at most, for views leave some values open.

use map_ir::{Charge, ChargedEvent, Cost, MessagePattern, PointId, PointKind, Price, Recipient, Value};
use map_semantics::{Action, Event, Message, Outcome};

use crate::frame::Frame;
use crate::values::{Known, Open};

/// The most that something costs; `None` if that has no bound.
pub(crate) type Paid = Option<i64>;

/// By cost of the frame the most that an act of an agent costs that comes to this.
pub(crate) fn paid(
    frame: &Frame<'_>,
    agent: map_ir::AgentId,
    open: &Open<'_>,
    outcome: &Outcome,
) -> Box<[Paid]> {
    let of = |cost: &Cost| {
        let borne = cost.charges.iter().filter(|charge| charge.bearer.has(agent));
        borne
            .map(|charge| of_charge(frame, open, charge, outcome))
            .try_fold(0_i64, |sum, paid| sum.checked_add(paid?))
    };
    frame.costs.iter().map(of).collect()
}

fn of_charge(
    frame: &Frame<'_>,
    open: &Open<'_>,
    Charge { event, price, .. }: &Charge,
    outcome: &Outcome,
) -> Paid {
    let program = frame.program;
    let times = |number: usize| i64::try_from(number).ok()?.checked_mul(amount(frame, open, *price, None)?);
    let asks = |point: PointId, wanted| match program.point(point).kind {
        PointKind::Ask { procedure, .. } => procedure == wanted,
        _ => false,
    };
    match (event, &outcome.action) {
        (ChargedEvent::Asks(procedure), action) => {
            let is_refusal = |event: &&Event| matches!(event, Event::Refused(at) if asks(*at, *procedure));
            let answered = matches!(action, Some(Action::Ask { point, .. }) if asks(*point, *procedure));
            times(outcome.events.iter().filter(is_refusal).count() + usize::from(answered))
        }
        (ChargedEvent::Steps, _) => times(1),
        (ChargedEvent::Calls, _) => {
            times(outcome.events.iter().filter(|event| matches!(event, Event::Called(..))).count())
        }
        (ChargedEvent::Copies, Some(Action::Send { point, to, .. })) => match program.point(*point).kind {
            // There may be any number of members.
            PointKind::Send { agent: Recipient::Any, .. } if to.contains(&frame.other) => None,
            _ => times(to.len()),
        },
        (ChargedEvent::Sends(pattern, wanted), Some(Action::Send { message, to, .. }))
            if may_fit(frame, pattern, message) && to.iter().any(|&it| wanted.has(it)) =>
        {
            amount(frame, open, *price, Some(message))
        }
        (ChargedEvent::Receives(pattern, wanted), Some(Action::Receive { message, .. }))
            if may_fit(frame, pattern, message) && wanted.has(message.sender) =>
        {
            amount(frame, open, *price, Some(message))
        }
        _ => Some(0),
    }
}

/// Whether a message may be one of a pattern.
fn may_fit(frame: &Frame<'_>, pattern: &MessagePattern, message: &Message) -> bool {
    let may_be = |wanted: Value, value: Value| frame.is_nothing(value) || wanted.equals(value) != Some(false);
    pattern.performative == message.performative
        && pattern
            .arguments
            .iter()
            .zip(&message.arguments)
            .all(|(wanted, &value)| wanted.is_none_or(|wanted| may_be(wanted, value)))
}

/// The most that a price may be.
fn amount(frame: &Frame<'_>, open: &Open<'_>, price: Price, message: Option<&Message>) -> Paid {
    let place = match price {
        Price::Amount(amount) => return Some(amount),
        Price::Argument(place) => place,
    };
    match message.and_then(|message| message.arguments.get(place)).copied() {
        Some(Value::Integer(amount)) => Some(amount.max(0)),
        Some(Value::Abstract(symbol)) => match open.known.get(symbol.0 as usize) {
            Some(Known::Beyond(false)) => Some(0),
            _ => None,
        },
        Some(value) if frame.is_nothing(value) => None,
        // What is no integer costs nothing.
        _ => Some(0),
    }
}
