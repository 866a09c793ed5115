//! MAP318: a `waitfor` that never waits, because its operation cannot fail.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Op, OpKind};

use super::{LintContext, words};
use crate::walk;

/// Leaves to MAP303 a `waitfor` with a timeout, and one where further alternatives follow one that cannot fail: it
/// reports what can never run.
pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) {
    for (index, clause) in cx.clauses() {
        walk::operations(&clause.body, &mut |op| {
            let OpKind::Wait { body, timeout: None } = &op.kind else { return };
            let cannot_fail = |op: &Op| !cx.analysis.can_fail(index, op);
            // If the agent moves on to another `waitfor` or a `par`, MAP309 or MAP310 is more precise.
            if !cannot_fail(body) || cx.silent.reaches_wait_or_par(&cx.analysis, body) {
                return;
            }
            match &body.kind {
                OpKind::Or(alternatives) => {
                    let first = alternatives.iter().position(cannot_fail);
                    if first == Some(alternatives.len() - 1) {
                        found.push(warning(op, &alternatives[alternatives.len() - 1]));
                    }
                }
                _ => found.push(warning(op, body)),
            }
        });
    }
}

fn warning(wait: &Op, unfailing: &Op) -> Diagnostic {
    let text = "this `waitfor` never waits, as what it would wait for cannot fail";
    Diagnostic::new(Code::NeverWaits, words::waitfor(wait), text, "the agent goes on at once")
        .with_label(words::lead(unfailing), "this cannot fail")
        .with_help("Put what is to happen when nothing comes behind a `timeout`, or remove the `waitfor`")
}
