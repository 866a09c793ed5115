//! Why an agent failed: which operation, for what reason, and why nothing caught the failure.

use std::fmt::Write as _;

use map_ir::{AgentId, Goto, PointId, RegionKind, SourceSpan};
use map_semantics::Event;

use crate::{Namer, Role, Text};

/// An earlier step of the agent: its number and its events.
pub type Earlier<'a> = (u64, &'a [Event]);

/// Explains the failure that ends a step with these events. `earlier` are the agent's previous steps, as far as they
/// are known: a side of a `par` may have failed long before the `par` did.
#[must_use]
pub fn explain(namer: &Namer<'_>, agent: AgentId, events: &[Event], earlier: &[Earlier<'_>]) -> Text {
    let mut text = Text::default();
    let links =
        events.iter().rev().take_while(|it| matches!(it, Event::CallFailed(_) | Event::ParFailed(_))).count();
    let (before, links) = events.split_at(events.len() - links);
    text.push_str("  ");
    text.push(Role::Agent, namer.agent(agent));
    text.push_str(" fails");
    let root = before.iter().rposition(|event| reason(namer, event).is_some() && is_uncaught(namer, event));
    match root {
        Some(root) => {
            describe_root(namer, &before[root], &mut text);
            describe_alternatives(namer, &before[..root], before[root].point(), &mut text);
        }
        None => match links.first().and_then(|link| failed_side(namer, link, earlier)) {
            Some((step, event)) => {
                let _ = write!(text, ", for in step {step} a side of a par failed");
                describe_root(namer, event, &mut text);
            }
            None => text.push_str("\n"),
        },
    }
    let mut clause = root.map(|root| namer.program.point(before[root].point()).clause);
    for link in links {
        let point = link.point();
        let place = namer.place_of(point);
        match link {
            Event::ParFailed(_) => {
                let _ = writeln!(text, "    with it the par fails ({place}), which nothing catches either");
            }
            _ => {
                let head = clause
                    .map_or_else(String::new, |clause| format!(" the clause {} and", namer.head(clause)));
                let call = namer.quote_of(point);
                let _ = writeln!(
                    text,
                    "    with it{head} its call {call} ({place}) fail, which nothing catches either"
                );
            }
        }
        clause = Some(namer.program.point(point).clause);
    }
    if let Some(clause) = clause {
        let entry = namer.program.part(namer.program.agent(agent).part).entry;
        let head = namer.head(clause);
        let line = namer.line(namer.program.clause(clause).head_span);
        let _ = if clause == entry {
            writeln!(text, "    so the entry clause {head} in line {line} fails, and with it the agent")
        } else {
            writeln!(
                text,
                "    so the clause {head} in line {line} fails; it was called in last place, so nobody is left to catch that"
            )
        };
    }
    text
}

fn describe_root(namer: &Namer<'_>, event: &Event, text: &mut Text) {
    let point = event.point();
    let reason = reason(namer, event).unwrap_or_default();
    let _ = writeln!(text, ": {reason}");
    let _ = writeln!(text, "    {}: {}", namer.place_of(point), namer.quote_of(point));
    let _ = writeln!(text, "    {}", why_uncaught(namer, point));
}

/// Describes the alternatives that had failed earlier, if the last one of an `or` fails.
fn describe_alternatives(namer: &Namer<'_>, before: &[Event], root: PointId, text: &mut Text) {
    let program = namer.program;
    let mut told: Vec<PointId> = Vec::new();
    for event in before {
        let Some(reason) = reason(namer, event) else { continue };
        let point = event.point();
        let Some(Goto::Point(next)) = program.point(point).kind.err().map(|edge| edge.to) else { continue };
        let led_there = program.regions.iter().any(|region| {
            region.kind == RegionKind::Alternative
                && region.points.contains(&next.index())
                && region.points.contains(&root.index())
                && !region.points.contains(&point.index())
        });
        if led_there && !told.contains(&point) {
            told.push(point);
            let _ = writeln!(
                text,
                "    the alternative before it had failed: {reason} ({})",
                namer.place_of(point)
            );
        }
    }
}

/// The step and the event in which a side of a `par` failed.
fn failed_side<'e>(namer: &Namer<'_>, link: &Event, earlier: &[Earlier<'e>]) -> Option<(u64, &'e Event)> {
    let clause = namer.program.point(link.point()).clause;
    earlier.iter().rev().find_map(|&(step, events)| {
        let event = events.last()?;
        let point = namer.program.point(event.point());
        let ends_side = point.kind.err().is_some_and(|edge| edge.to == Goto::SideEnd(false));
        (ends_side && point.clause == clause && reason(namer, event).is_some()).then_some((step, event))
    })
}

fn why_uncaught(namer: &Namer<'_>, point: PointId) -> String {
    let program = namer.program;
    let clause = program.point(point).clause;
    let inside = |kind: RegionKind| {
        let regions = program.regions.iter().rev();
        regions
            .clone()
            .find(|it| it.kind == kind && it.clause == clause && it.points.contains(&point.index()))
    };
    let line = |span: SourceSpan| namer.line(span);
    if let Some(timeout) = inside(RegionKind::Timeout) {
        let line = line(timeout.span);
        return format!(
            "nothing catches that: it stands in the timeout in line {line}, which its waitfor does not try again"
        );
    }
    match inside(RegionKind::Alternative) {
        Some(alternative) => {
            let line = line(alternative.span);
            format!(
                "nothing catches that: the alternative in line {line} is the last of its or, and no waitfor is around it"
            )
        }
        None => {
            "nothing catches that: it stands neither in an or with a further alternative nor in a waitfor"
                .to_owned()
        }
    }
}

fn is_uncaught(namer: &Namer<'_>, event: &Event) -> bool {
    let edge = namer.program.point(event.point()).kind.err();
    edge.is_some_and(|edge| matches!(edge.to, Goto::Return(false) | Goto::SideEnd(false)))
}

/// The reason for which an operation failed by itself; `None` for other events.
fn reason(namer: &Namer<'_>, event: &Event) -> Option<String> {
    Some(match event {
        Event::Refused(ask) => format!("{} says no", namer.procedure_of(*ask)),
        Event::NotUnified(ask) => {
            format!("the answer of {} is not the value its variable already has", namer.procedure_of(*ask))
        }
        Event::NothingThere(receive) => {
            format!("no {} is there that it could receive", namer.performative_of(*receive))
        }
        Event::NobodyThere(send) => {
            format!(
                "there is nobody to send {} to: no other agent matches the address",
                namer.performative_of(*send)
            )
        }
        Event::Failed(_) => "it comes to fail".to_owned(),
        Event::NoHead(_) => "no clause head takes this call".to_owned(),
        Event::Called(..) | Event::CallFailed(_) | Event::ParFailed(_) => return None,
    })
}
