//! Steps that go wrong: runaway recursion, run errors, missing answers and mailbox overflow.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use map_ir::{AgentId, PerformativeId, PointId, PointKind, Value};
use map_semantics::{AgentState, Event, RunError, RunErrorKind};
use map_session::TakenStep;

use crate::values::call_arguments;
use crate::{Namer, Role, Text, counted, grouped};

/// The maximum number of calls of a runaway recursion that are shown.
const MAX_CALLS: usize = 6;

/// The beginning of a line about an agent.
fn about(namer: &Namer<'_>, agent: AgentId) -> Text {
    let mut text = Text::plain("  ");
    text.push(Role::Agent, namer.agent(agent));
    text
}

/// Explains which call repeats, and that nothing happens in between. `seen` is the step; `None` on the agent's way to
/// its first places.
#[must_use]
pub fn explain_runaway(
    namer: &Namer<'_>,
    agent: AgentId,
    events: &[Event],
    point: PointId,
    seen: Option<&TakenStep<'_>>,
) -> Text {
    let mut text = about(namer, agent);
    let calls: Vec<(PointId, &[Value])> = events
        .iter()
        .filter_map(|event| match event {
            Event::Called(point, _, arguments) => Some((*point, arguments.as_slice())),
            _ => None,
        })
        .collect();
    let place = namer.place_of(point);
    if matches!(namer.program.point(point).kind, PointKind::Call { .. }) {
        let call = call_arguments(namer, agent, events, seen, point)
            .map_or_else(|| namer.quote_of(point), |arguments| namer.call(&arguments));
        let _ = writeln!(text, " calls {call} at {place}");
        let _ = writeln!(text, "    while the same call, made before in this very step, has not returned;");
        let _ = writeln!(
            text,
            "    nothing is asked, sent or received in between, so it would call itself for ever"
        );
    } else {
        let call = calls.last().map_or_else(String::new, |&(point, arguments)| {
            format!(" calls {} at {} and", namer.call(arguments), namer.place_of(point))
        });
        let _ = writeln!(text, "{call} comes back to the waitfor at {place} where it started,");
        let _ =
            writeln!(text, "    with the same variables, and nothing asked, sent or received in between;");
        let _ = writeln!(text, "    a waitfor tries again by itself, so there is no need for the call");
    }
    if calls.len() > 1 {
        let _ = writeln!(text, "    the calls of this step:");
        for (point, arguments) in calls.iter().take(MAX_CALLS) {
            let _ = writeln!(text, "      {} at {}", namer.call(arguments), namer.place_of(*point));
        }
        if calls.len() > MAX_CALLS {
            let _ = writeln!(text, "      and {} more", grouped((calls.len() - MAX_CALLS) as u64));
        }
    }
    text
}

/// A run error in a few words.
#[must_use]
pub fn run_error(namer: &Namer<'_>, error: &RunError) -> String {
    let text = namer.quote(error.span);
    match error.kind {
        RunErrorKind::Overflow => format!("{text} does not fit in 64 bits"),
        RunErrorKind::DivisionByZero => format!("{text} divides by zero"),
        RunErrorKind::NoInteger(value) => format!("{text} is {}, which is no integer", namer.value(value)),
        RunErrorKind::ConditionAsValue => format!("{text} is a condition, where a value is needed"),
        RunErrorKind::ValueAsCondition => format!("{text} is a value, where a condition is needed"),
        RunErrorKind::NoAnswer => "there is no answer".to_owned(),
        RunErrorKind::EmptyDomain => "the domain is empty, and a procedure always answers".to_owned(),
    }
}

/// Explains a run error: the agent, the procedure that it asks or the act whose values it computes, and the place.
#[must_use]
pub fn explain_run_error(namer: &Namer<'_>, agent: AgentId, error: &RunError) -> Text {
    let mut text = about(namer, agent);
    let (at, why) = (namer.place(error.span), run_error(namer, error));
    if is_in_act(namer, error) {
        let act = namer.quote_of(error.point);
        let _ = writeln!(text, " computes the values of {act}, and that goes wrong at {at}:\n    {why}");
        return text;
    }
    let (procedure, asked) = (namer.procedure_of(error.point), namer.place_of(error.point));
    let _ = writeln!(text, " asks {procedure} at {asked}, and its body goes wrong at {at}:\n    {why}");
    text
}

/// Whether an expression of an act or call goes wrong, rather than the body of a procedure.
#[must_use]
pub fn is_in_act(namer: &Namer<'_>, error: &RunError) -> bool {
    let act = namer.program.point(error.point).span;
    act.start <= error.span.start && error.span.end <= act.end
}

/// Explains a missing answer from outside. `instead` summarises what happened instead, `what` gives the details.
#[must_use]
pub fn explain_no_answer(
    namer: &Namer<'_>,
    agent: AgentId,
    point: PointId,
    instead: &str,
    what: Option<&str>,
) -> Text {
    let mut text = about(namer, agent);
    let (procedure, asked) = (namer.procedure_of(point), namer.place_of(point));
    let what = what.unwrap_or("there is none");
    let _ = writeln!(text, " asks {procedure} at {asked}, and {instead}:\n    {what}");
    text
}

/// Explains a mailbox overflow: whose mailbox is full, and of what.
#[must_use]
pub fn explain_overflow(namer: &Namer<'_>, recipient: AgentId, owner: &AgentState) -> Text {
    let (held, under_way) = (owner.mailbox.len() as u64, owner.under_way.len() as u64);
    let mut text = Text::plain("  the mailbox of ");
    text.push(Role::Agent, namer.agent(recipient));
    let _ = writeln!(
        text,
        " holds {}{}, as many as --mailbox {} allows; nobody takes them out:",
        counted(held, "message"),
        if under_way > 0 {
            format!(", and {} under way", counted(under_way, "message"))
        } else {
            String::new()
        },
        held + under_way
    );
    let mut kinds: BTreeMap<(PerformativeId, AgentId), u64> = BTreeMap::new();
    for message in owner.mailbox.iter().chain(owner.under_way.iter()) {
        *kinds.entry((message.performative, message.sender)).or_default() += 1;
    }
    for ((performative, sender), count) in kinds {
        let kind = namer.performative(performative);
        let _ = writeln!(text, "    {} x {kind} from {}", grouped(count), namer.agent(sender));
    }
    for place in owner.control.threads().map(|node| owner.control.place(node)) {
        text.push_str("    ");
        text.push(Role::Agent, namer.agent(recipient));
        let _ = writeln!(text, " rests at {}: {}", namer.place_of(place), namer.quote_of(place));
    }
    text
}
