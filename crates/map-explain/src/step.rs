//! The description of a step in one line.

use map_diagnostics::Span;
use map_ir::{AgentId, PointKind, SourceSpan, Value};
use map_semantics::{
    Action, Assumption, Ending, Event, ObservedStep, SceneStep, Status, StepError, StepKind, Turn, is_waitfor,
};
use map_session::TakenStep;

use crate::values::call_arguments;
use crate::{Namer, counted, wrong};

/// The description of a step.
pub struct StepText {
    /// The agent, with the number of the thread if there are several.
    pub agent: String,
    /// Its place in the source.
    pub span: SourceSpan,
    /// What happened, as a predicate of the agent.
    pub what: String,
}

/// Describes a step, and names the values that it introduces.
pub fn tell(namer: &mut Namer<'_>, seen: &TakenStep<'_>) -> StepText {
    namer.learn(&seen.observed.outcome);
    let threads = match seen.step.turn {
        Turn::Crash | Turn::Arrive => 0,
        Turn::Act | Turn::Timeout => seen.before.control.threads().count(),
    };
    let thread = if threads > 1 { format!(" [{}]", seen.step.thread + 1) } else { String::new() };
    let at = seen.observed.outcome.action.as_ref().map_or(seen.place, Action::point);
    StepText {
        agent: format!("{}{thread}", namer.agent(seen.step.agent)),
        span: namer.program.point(at).span,
        what: what(namer, seen),
    }
}

/// The message that arrives, and whose it is.
fn arrival(namer: &Namer<'_>, seen: &TakenStep<'_>) -> String {
    let place = match &seen.observed.outcome.ending {
        Ending::State(next) => next.arrives,
        _ => None,
    };
    let message = place.and_then(|place| seen.before.under_way.get(place));
    message.map_or_else(String::new, |message| {
        format!("gets {} from {}, which was under way", namer.message(message), namer.agent(message.sender))
    })
}

fn what(namer: &Namer<'_>, seen: &TakenStep<'_>) -> String {
    // By name: whatever else a step has is to be told. What nobody reads is told by `dropped`.
    let ObservedStep { outcome, result, unread: _, lost: lost_copies } = seen.observed;
    let mut text = match (&outcome.action, outcome.kind) {
        (Some(action), _) => {
            let lost = lost(namer, action, lost_copies);
            format!("{}{lost}{}", describe_action(namer, action), after_refusals(namer, &outcome.events))
        }
        (None, StepKind::Timeout) => "times out".to_owned(),
        (None, StepKind::Crash) => return "crashes".to_owned(),
        (None, StepKind::Arrival) => return arrival(namer, seen),
        (None, _) => reasons(namer, &outcome.events),
    };
    let went_on = match result {
        SceneStep::Wrong(error) => describe_error(namer, seen, *error),
        _ => went_on(namer, seen),
    };
    if text.is_empty() {
        text = went_on;
    } else if !went_on.is_empty() {
        text = format!("{text}{}{went_on}", if outcome.action.is_some() { ", " } else { "; " });
    }
    text + &dropped(namer, seen) + &taking(namer, &outcome.assumptions)
}

fn describe_action(namer: &Namer<'_>, action: &Action) -> String {
    match action {
        Action::Ask { point, arguments, answer, unified, updates } => {
            let asked = format!("asks {}({})", namer.procedure_of(*point), namer.values(arguments));
            let differs = if *unified { "" } else { ", which is not what it has to be" };
            let changes: Vec<String> = updates
                .iter()
                .map(|&(cell, value)| format!("@{} := {}", namer.program.cell_name(cell), namer.value(value)))
                .collect();
            let changes =
                if changes.is_empty() { String::new() } else { format!(", with {}", changes.join(", ")) };
            format!("{asked} -> {}{differs}{changes}", namer.value(*answer))
        }
        Action::Send { message, to, .. } => {
            format!("sends {} to {}", namer.message(message), namer.agents(to))
        }
        Action::Receive { message, .. } => {
            format!("receives {} from {}", namer.message(message), namer.agent(message.sender))
        }
    }
}

fn after_refusals(namer: &Namer<'_>, events: &[Event]) -> String {
    let refused = refused(namer, events);
    if refused.is_empty() { String::new() } else { format!(" (after {} said no)", refused.join(", ")) }
}

/// The procedures that said "no" in the course of a step, in order.
#[must_use]
pub fn refused<'t>(namer: &'t Namer<'_>, events: &[Event]) -> Vec<&'t str> {
    let refused =
        events.iter().filter_map(|event| if let Event::Refused(ask) = event { Some(*ask) } else { None });
    refused.map(|ask| namer.procedure_of(ask)).collect()
}

/// Why a step without an action left its place.
fn reasons(namer: &Namer<'_>, events: &[Event]) -> String {
    let mut reasons: Vec<String> = Vec::new();
    for event in events {
        let reason = match event {
            Event::Refused(ask) => format!("{} says no", namer.procedure_of(*ask)),
            Event::NothingThere(receive) => format!("finds no {}", namer.performative_of(*receive)),
            Event::NobodyThere(send) => format!("finds nobody to send {} to", namer.performative_of(*send)),
            Event::Failed(_) => "gives up (fail)".to_owned(),
            Event::NoHead(call) => format!("finds no clause for {}", namer.quote_of(*call)),
            Event::NotUnified(_) | Event::Called(..) | Event::CallFailed(_) | Event::ParFailed(_) => continue,
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let declines = matches!(events.first(), Some(Event::Refused(_)));
    format!("{}{}", if declines { "declines: " } else { "" }, reasons.join(", "))
}

/// Where a step leads, if that is worth mentioning.
fn went_on(namer: &Namer<'_>, seen: &TakenStep<'_>) -> String {
    let outcome = &seen.observed.outcome;
    let Ending::State(next) = &outcome.ending else { return String::new() };
    match next.status {
        Status::Running => {}
        ended => return has_ended(seen, ended),
    }
    if outcome.action.is_some() {
        return String::new();
    }
    let before = seen.before.control.threads().count();
    let after = next.control.threads().count();
    if after > before {
        return format!("goes on in {} threads", after + 1 - before);
    }
    if after < before {
        return "ends this side of the par".to_owned();
    }
    if let Some(arguments) = last_call(seen) {
        return format!("goes on with {}", namer.call(arguments));
    }
    let Some(node) = next.control.threads().nth(seen.step.thread) else { return String::new() };
    let place = next.control.place(node);
    if is_waitfor(namer.program, place) {
        let wait = namer.program.point(place).span;
        let was_inside = contains(wait, namer.program.point(seen.place).span);
        return if was_inside {
            "goes back to waiting".to_owned()
        } else {
            format!("waits, line {}", namer.line(wait))
        };
    }
    match outcome.kind {
        StepKind::Timeout => String::new(),
        _ => format!("goes on in line {}", namer.line(namer.program.point(place).span)),
    }
}

/// The arguments of the last call in the step.
fn last_call<'s>(seen: &TakenStep<'s>) -> Option<&'s [Value]> {
    seen.observed.outcome.events.iter().rev().find_map(|event| match event {
        Event::Called(_, _, arguments) => Some(arguments.as_slice()),
        _ => None,
    })
}

fn has_ended(seen: &TakenStep<'_>, status: Status) -> String {
    let how = if status == Status::Done { "is done" } else { "fails" };
    let left = seen.observed.unread.iter().filter(|&&(_, agent)| agent == seen.step.agent).count();
    let unread = match left {
        0 => String::new(),
        _ => format!(", leaving {} unread", counted(left as u64, "message")),
    };
    match seen.observed.outcome.action {
        Some(_) => format!("and {how}{unread}"),
        None => format!("{how}{unread}"),
    }
}

fn describe_error(namer: &Namer<'_>, seen: &TakenStep<'_>, error: StepError) -> String {
    match error {
        StepError::Overflow(recipient) => format!("but the mailbox of {} is full", namer.agent(recipient)),
        StepError::Runaway(point) if matches!(namer.program.point(point).kind, PointKind::Call { .. }) => {
            let events = &seen.observed.outcome.events;
            let call = call_arguments(namer, seen.step.agent, events, Some(seen), point)
                .map_or_else(|| namer.quote_of(point), |arguments| namer.call(&arguments));
            format!("calls {call} again: runaway recursion")
        }
        StepError::Runaway(point) => {
            let line = namer.line(namer.program.point(point).span);
            let call = last_call(seen)
                .map_or_else(String::new, |arguments| format!("calls {}, ", namer.call(arguments)));
            format!("{call}comes back to the waitfor in line {line}: runaway recursion")
        }
        StepError::RunError(error) if wrong::is_in_act(namer, &error) => {
            format!("run error, {}", wrong::run_error(namer, &error))
        }
        StepError::RunError(error) => {
            format!(
                "asks {}: run error, {}",
                namer.procedure_of(error.point),
                wrong::run_error(namer, &error)
            )
        }
    }
}

/// The recipients whose copies of the message are lost.
fn lost(namer: &Namer<'_>, action: &Action, lost: &[AgentId]) -> String {
    let alone = matches!(action, Action::Send { to, .. } if to.len() == 1);
    match lost.len() {
        0 => String::new(),
        1 if alone => ", which is lost".to_owned(),
        1 => format!(" (the copy for {} is lost)", namer.agents(lost)),
        _ => format!(" (the copies for {} are lost)", namer.agents(lost)),
    }
}

/// The recipients that have ended and will not read the message.
fn dropped(namer: &Namer<'_>, seen: &TakenStep<'_>) -> String {
    let others: Vec<_> = seen
        .observed
        .unread
        .iter()
        .map(|&(_, agent)| agent)
        .filter(|&agent| agent != seen.step.agent)
        .collect();
    match others.len() {
        0 => String::new(),
        1 => format!(" ({} has ended and will not read it)", namer.agents(&others)),
        _ => format!(" ({} have ended and will not read it)", namer.agents(&others)),
    }
}

/// The assumptions of a step about open questions.
pub(crate) fn taking(namer: &Namer<'_>, assumptions: &[Assumption]) -> String {
    let mut told: Vec<String> = Vec::new();
    for assumption in assumptions.iter().map(|it| describe_assumption(namer, it)) {
        if !told.contains(&assumption) {
            told.push(assumption);
        }
    }
    if told.is_empty() { String::new() } else { format!(" (taking {})", told.join(", ")) }
}

/// The assumption made about an open question: `getValue#1 = keepBidding#3`.
#[must_use]
pub fn describe_assumption(namer: &Namer<'_>, assumption: &Assumption) -> String {
    match assumption {
        Assumption::Equal { pairs, equal, .. } => {
            let sign = if *equal || pairs.len() > 1 { "=" } else { "!=" };
            let pairs: Vec<String> = pairs
                .iter()
                .map(|&(left, right)| format!("{} {sign} {}", namer.value(left), namer.value(right)))
                .collect();
            let not = if !*equal && pairs.len() > 1 { "not all of " } else { "" };
            format!("{not}{}", pairs.join(", "))
        }
        Assumption::Condition { condition, holds } => {
            let condition = namer.quote(namer.program.expression(*condition).span);
            format!("{condition} to {}", if *holds { "hold" } else { "fail" })
        }
        Assumption::Recipients { to, .. } if to.is_empty() => "the address to mean nobody".to_owned(),
        Assumption::Recipients { to, .. } => format!("the address to mean {}", namer.agents(to)),
    }
}

fn contains(outer: SourceSpan, inner: SourceSpan) -> bool {
    let (outer, inner) = (Span::new(outer.start, outer.end), Span::new(inner.start, inner.end));
    outer.to(inner) == outer
}
