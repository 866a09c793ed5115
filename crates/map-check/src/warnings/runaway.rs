//! MAP302: a call that leads back to itself without any action or timeout in between.

mod cycles;

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Op, OpKind};

use super::{LintContext, words};
use crate::show;

pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) {
    for (index, clause) in cx.clauses().filter(|&(index, _)| cx.reached[index]) {
        let mut waits: Vec<&Op> = Vec::new();
        let mut recurring = None;
        cx.silent.reach(&cx.analysis, &clause.body, &mut |op| {
            if matches!(op.kind, OpKind::Wait { .. }) {
                waits.push(op);
            }
            // Every cycle contains a call of the same or an earlier clause; warn only at such calls.
            let mut back = cx.analysis.candidates(op).iter().map(|candidate| candidate.clause);
            if let Some(back) = back.find(|&it| it <= index && cx.silent.on_silent_cycle(index, it))
                && recurring
                    .get_or_insert_with(|| cycles::recurring_calls(cx, index))
                    .contains(&op.span.start)
            {
                let inside = |wait: &&&Op| wait.span.start <= op.span.start && op.span.end <= wait.span.end;
                found.push(match waits.iter().rev().find(inside) {
                    Some(wait) if back == index => redundant(op, wait),
                    _ => runaway(cx, op, back),
                });
            }
            true
        });
    }
}

fn redundant(call: &Op, wait: &Op) -> Diagnostic {
    let text =
        format!("{} comes back to the same `waitfor` without any action or timeout in between", shown(call));
    Diagnostic::new(Code::Runaway, call.span, text, "called whenever there is nothing else to do")
        .with_label(words::waitfor(wait), "this waits and tries again by itself")
        .with_help("Remove the call: what a `waitfor` cannot do yet it tries again until time runs out")
}

fn runaway(cx: &LintContext<'_>, call: &Op, callee: usize) -> Diagnostic {
    let text = format!("{} comes back to itself without any action or timeout in between", shown(call));
    let head = cx.clause(callee).head_span;
    Diagnostic::new(Code::Runaway, call.span, text, "nothing needs to happen before this call")
        .with_label(head, "it leads here, and from here to the call again")
        .with_help("Ask, send or receive something in between, or make the call the `timeout` of a `waitfor`")
}

fn shown(call: &Op) -> String {
    match &call.kind {
        OpKind::Call { arguments } => format!("`{}`", show::call(arguments)),
        _ => "the call".to_owned(),
    }
}
