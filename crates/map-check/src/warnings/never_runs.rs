//! MAP303: an alternative or a timeout that can never run, because what precedes it cannot fail.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Op, OpKind};

use super::{LintContext, words};
use crate::walk;

pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) {
    for (index, clause) in cx.clauses() {
        walk::operations(&clause.body, &mut |op| match &op.kind {
            OpKind::Or(alternatives) => {
                let stops = alternatives.iter().position(|it| !cx.analysis.can_fail(index, it));
                let Some(stops) = stops else { return };
                if let Some(next) = alternatives.get(stops + 1) {
                    found.push(alternative(&alternatives[stops], next, alternatives.len() - stops - 1));
                }
            }
            // If the agent moves on to another `waitfor` or a `par`, MAP309 or MAP310 is more precise.
            OpKind::Wait { body, timeout: Some(late) }
                if !cx.analysis.can_fail(index, body)
                    && !cx.silent.reaches_wait_or_par(&cx.analysis, body) =>
            {
                found.push(timeout(body, late));
            }
            _ => {}
        });
    }
}

fn alternative(unfailing: &Op, next: &Op, dead: usize) -> Diagnostic {
    let (which, before) = match dead {
        1 => ("this alternative".to_owned(), "before it"),
        2 => ("this alternative and the next".to_owned(), "before them"),
        _ => (format!("this alternative and the {} behind it", dead - 1), "before them"),
    };
    let text = format!("{which} can never run, as the one {before} cannot fail");
    let warning = Diagnostic::new(Code::NeverRuns, words::lead(next), text, "never comes to this")
        .with_label(words::lead(unfailing), "this alternative cannot fail");
    with_reason(warning, unfailing)
        .with_note("`or` is no free choice: it takes the first alternative that succeeds")
        .with_help("Ask a decision first, or remove what never runs")
}

fn timeout(body: &Op, late: &Op) -> Diagnostic {
    let text = "this timeout can never run, as its `waitfor` has nothing to wait for";
    let warning = Diagnostic::new(Code::NeverRuns, words::lead(late), text, "never comes to this")
        .with_label(words::lead(body), "this cannot fail");
    with_reason(warning, body).with_help("Remove the `waitfor` and its timeout, or wait for a message")
}

/// Adds a note on why the operation cannot fail, where this is not obvious.
fn with_reason(warning: Diagnostic, op: &Op) -> Diagnostic {
    let (mut sends, mut waits, mut asks) = (false, false, false);
    walk::operations(op, &mut |op| match &op.kind {
        OpKind::Send { .. } => sends = true,
        OpKind::Wait { timeout: None, .. } => waits = true,
        OpKind::Ask { .. } => asks = true,
        _ => {}
    });
    match (waits, sends, asks) {
        (true, ..) => warning.with_note("A `waitfor` without `timeout` waits until it succeeds"),
        (_, true, _) => warning.with_note("A send fails only if the cast has nobody to get the message"),
        (_, _, true) => warning.with_note("What is declared with `procedure` never says \"no\""),
        _ => warning,
    }
}
