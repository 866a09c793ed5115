//! MAP307: a message that is taken out of the mailbox and then lost because a later step fails and the agent
//! continues without it.

use std::collections::HashSet;

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Message, Op, OpKind};

use super::flow::{self, OnFailure};
use super::overlooked::OverlookedFailures;
use super::{LintContext, words};
use crate::show;

pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) {
    let overlooked = OverlookedFailures::new(cx);
    for (index, _) in cx.clauses() {
        // Inner sequences first, so that the first failure after the receive is reported as the cause.
        let mut sequences = Vec::new();
        flow::visit(&cx.analysis, index, &mut |op, standing| {
            if let OpKind::Then(steps) = &op.kind {
                sequences.push((steps, standing.on_failure));
            }
        });
        let mut reported = HashSet::new();
        for (steps, on_failure) in sequences.into_iter().rev() {
            let leads_to = match on_failure {
                OnFailure::Clause => cx.fates.of(index).caught,
                caught => Some(caught),
            };
            if let Some(leads_to) = leads_to {
                losses(cx, &overlooked, steps, leads_to, &mut reported, found);
            }
        }
    }
}

fn losses(
    cx: &LintContext<'_>,
    overlooked: &OverlookedFailures,
    steps: &[Op],
    leads_to: OnFailure<'_>,
    reported: &mut HashSet<u32>,
    found: &mut Vec<Diagnostic>,
) {
    let end = steps.iter().position(|step| matches!(step.kind, OpKind::Fail)).unwrap_or(steps.len());
    // Backwards, so that `culprit` is the next step that may fail.
    let mut culprit = None;
    for step in steps[..end].iter().rev() {
        if let Some(culprit) = culprit {
            unsettled(step, &mut |receive, message| {
                if reported.insert(receive.span.start) {
                    found.push(lost(cx, message, culprit, leads_to));
                }
            });
        }
        culprit = match overlooked.culprit(cx, step) {
            None if sends(step) => None,
            found => found.or(culprit),
        };
    }
}

/// Visits the receives of an operation that are not followed by a send. Once something has been sent, a received
/// message counts as dealt with, whatever happens later.
fn unsettled<'a>(op: &'a Op, visitor: &mut dyn FnMut(&'a Op, &'a Message)) {
    match &op.kind {
        OpKind::Then(steps) => {
            for step in steps.iter().rev() {
                unsettled(step, visitor);
                if sends(step) {
                    break;
                }
            }
        }
        OpKind::Or(parts) | OpKind::Par(parts) => parts.iter().for_each(|part| unsettled(part, visitor)),
        OpKind::Wait { body, timeout } => {
            unsettled(body, visitor);
            if let Some(timeout) = timeout {
                unsettled(timeout, visitor);
            }
        }
        OpKind::Receive { message, .. } => visitor(op, message),
        OpKind::Call { .. }
        | OpKind::Skip
        | OpKind::Fail
        | OpKind::Hole
        | OpKind::Ask { .. }
        | OpKind::Send { .. } => {}
    }
}

/// Whether an operation has certainly sent something if it succeeds.
fn sends(op: &Op) -> bool {
    match &op.kind {
        OpKind::Send { .. } => true,
        OpKind::Then(parts) | OpKind::Par(parts) => parts.iter().any(sends),
        OpKind::Or(parts) => parts.iter().all(sends),
        OpKind::Wait { body, timeout } => sends(body) && timeout.as_deref().is_none_or(sends),
        _ => false,
    }
}

fn lost(cx: &LintContext<'_>, message: &Message, culprit: &Op, leads_to: OnFailure<'_>) -> Diagnostic {
    let signature = words::signature(message);
    let text = format!("`{signature}` is lost if {}", if_clause(cx, culprit));
    let warning = Diagnostic::new(Code::MessageLost, message.span, text, "taken out of the mailbox here")
        .with_label(words::lead(culprit), label(cx, culprit));
    let (place, label) = match leads_to {
        OnFailure::Next(alternative) => (words::lead(alternative), "then this goes on without the message"),
        OnFailure::Retry(wait) => (words::waitfor(wait), "then this waits for another one"),
        OnFailure::Clause => return warning,
    };
    let warning = warning.with_label(place, label).with_note("A failure puts no message back");
    match &culprit.kind {
        OpKind::Receive { message: missing, .. } => warning.with_help(format!(
            "Wait for `{}` on its own: `then (waitfor ({}(..) <= ..))`",
            words::signature(missing),
            missing.performative.text
        )),
        OpKind::Call { arguments } => warning.with_help(format!(
            "Say after the receive what happens if the call fails: `then ({} or ..)`",
            show::call(arguments)
        )),
        OpKind::Ask { variable, procedure, arguments } => warning.with_help(format!(
            "Say after the receive what happens otherwise: `then ({} then .. or ..)`",
            show::ask(variable.as_ref(), procedure, arguments)
        )),
        _ => warning,
    }
}

fn compares(cx: &LintContext<'_>, op: &Op) -> bool {
    matches!(&op.kind, OpKind::Ask { procedure, .. } if !cx.analysis.may_say_no(&procedure.text))
}

fn if_clause(cx: &LintContext<'_>, culprit: &Op) -> String {
    match &culprit.kind {
        OpKind::Ask { variable: Some(variable), procedure, .. } if compares(cx, culprit) => {
            format!("the answer of `{}` is not `${}`", procedure.text, variable.text)
        }
        _ => words::failure(culprit),
    }
}

fn label(cx: &LintContext<'_>, culprit: &Op) -> &'static str {
    match &culprit.kind {
        OpKind::Ask { .. } if compares(cx, culprit) => "the answer may be another one",
        OpKind::Ask { .. } => "this may say \"no\"",
        OpKind::Receive { .. } => "this does not wait for its message",
        _ => "this may fail",
    }
}
