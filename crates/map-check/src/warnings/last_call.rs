//! MAP313: a recursive call that is not a last call, so that every round keeps one more activation open.

use std::collections::HashSet;

use map_diagnostics::{Code, Diagnostic, Span};
use map_graph::strong_component_numbers;
use map_syntax::ast::{Op, OpKind};

use super::flow::{self, After, OnFailure, Standing};
use super::{LintContext, words};
use crate::show;

/// Skips calls that were reported as runaways.
pub(super) fn find(cx: &LintContext<'_>, runaways: &HashSet<Span>, found: &mut Vec<Diagnostic>) {
    let analysis = &cx.analysis;
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); cx.checked.clauses.len()];
    for call in analysis.calls() {
        edges[call.caller].extend(call.candidates.iter().map(|candidate| candidate.clause));
    }
    let component = strong_component_numbers(&edges);
    for (index, _) in cx.clauses().filter(|&(index, _)| cx.reached[index]) {
        flow::visit(analysis, index, &mut |op, standing| {
            let OpKind::Call { .. } = &op.kind else { return };
            if runaways.contains(&op.span) {
                return;
            }
            let mut recursive = analysis
                .candidates(op)
                .iter()
                .map(|candidate| candidate.clause)
                .filter(|&callee| component[callee] == component[index])
                .peekable();
            let warning = match standing.after {
                After::Nothing => recursive.find_map(|callee| caught(cx, op, callee, standing)),
                After::Step(next) => recursive.peek().map(|_| followed(op, next)),
                After::Join => recursive.peek().map(|_| joined(op)),
            };
            found.extend(warning.map(|warning| {
                warning.with_note(
                    "Every round keeps one more activation open; a search gives up at `--depth` of them",
                )
            }));
        });
    }
}

fn new(call: &Op, label: &str) -> Diagnostic {
    let shown = match &call.kind {
        OpKind::Call { arguments } => show::call(arguments),
        _ => "agent(..)".to_owned(),
    };
    let text = format!("the recursion by `{shown}` is not a last call");
    Diagnostic::new(Code::NotLastCall, call.span, text, label)
}

fn followed(call: &Op, next: &Op) -> Diagnostic {
    new(call, "when this returns, the clause goes on")
        .with_label(words::lead(next), "here")
        .with_help("Put what follows in front of the call, or into the clause that ends the recursion")
}

fn joined(call: &Op) -> Diagnostic {
    new(call, "when this returns, the `par` still has to be left").with_help("Call it behind the `par`")
}

/// A call in tail position is a last call unless its clause catches its failure.
fn caught(cx: &LintContext<'_>, call: &Op, callee: usize, standing: Standing<'_>) -> Option<Diagnostic> {
    let (place, label) = match standing.on_failure {
        OnFailure::Retry(wait) => (words::waitfor(wait), "this would try again"),
        OnFailure::Next(alternative) => (words::lead(alternative), "this would be next"),
        OnFailure::Clause => return None,
    };
    let body = &cx.clause(callee).body;
    let culprit = culprit(cx, callee, body)?;
    Some(
        new(call, "if the called clause fails, this one goes on")
            .with_label(place, label)
            .with_label(words::lead(culprit), format!("it fails if {}", words::failure(culprit)))
            .with_help("See to it that the called clause cannot fail, or move the call out of what catches its failure"),
    )
}

/// The action through which an operation can fail.
fn culprit<'a>(cx: &LintContext<'_>, clause: usize, op: &'a Op) -> Option<&'a Op> {
    if !cx.analysis.can_fail(clause, op) {
        return None;
    }
    match &op.kind {
        OpKind::Then(parts) | OpKind::Par(parts) => parts.iter().find_map(|part| culprit(cx, clause, part)),
        OpKind::Or(parts) => culprit(cx, clause, parts.last()?),
        OpKind::Wait { timeout, .. } => culprit(cx, clause, timeout.as_deref()?),
        _ => Some(op),
    }
}
