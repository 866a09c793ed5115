//! MAP318: a `waitfor` that never waits, because its operation cannot fail.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Op, OpKind};

use super::{Study, words};
use crate::walk;

/// Those with a timeout are left to MAP303, which tells that it can never run; so are those of which an alternative that
/// cannot fail has others behind it.
pub(super) fn find(study: &Study<'_>, found: &mut Vec<Diagnostic>) {
    for (index, clause) in study.clauses() {
        walk::operations(&clause.body, &mut |op| {
            let OpKind::Wait { body, timeout: None } = &op.kind else { return };
            let cannot_fail = |op: &Op| !study.analysis.can_fail(index, op);
            // Of a `waitfor` at which the agent does not stay MAP309 and MAP310 tell more.
            if !cannot_fail(body) || study.silent.comes_to_rest(&study.analysis, body) {
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
