//! MAP309 and MAP310: a `waitfor` at which the agent does not wait, because its operation silently reaches another
//! `waitfor` or a `par`.

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Op, OpKind};

use super::{LintContext, words};
use crate::walk;

pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) {
    for (index, clause) in cx.clauses() {
        walk::operations(&clause.body, &mut |op| {
            let OpKind::Wait { body, timeout } = &op.kind else { return };
            // If its operation can fail, a `waitfor` without timeout still has an effect: it retries.
            let in_vain = timeout.is_some() || !cx.analysis.can_fail(index, body);
            let (wait, par) = rests(cx, index, body);
            if let Some(inner) = wait.filter(|_| in_vain) {
                found.push(wait_in_wait(op, timeout.is_some(), inner));
            }
            if let Some(par) = par {
                found.push(par_in_wait(op, par));
            }
        });
    }
}

/// Where the agent waits instead.
#[derive(Clone, Copy)]
struct Rest {
    place: Span,
    /// The call that leads there.
    call: Option<Span>,
}

fn rests(cx: &LintContext<'_>, clause: usize, body: &Op) -> (Option<Rest>, Option<Rest>) {
    let (mut wait, mut par) = (None, None);
    cx.silent.reach(&cx.analysis, body, &mut |op| {
        match &op.kind {
            OpKind::Wait { .. } => {
                wait.get_or_insert(Rest { place: words::waitfor(op), call: None });
            }
            OpKind::Par(_) => {
                par.get_or_insert(Rest { place: words::lead(op), call: None });
            }
            _ => {
                for candidate in cx.analysis.candidates(op) {
                    // A call that leads back here is a runaway, which is a separate warning.
                    if cx.silent.on_silent_cycle(clause, candidate.clause) {
                        continue;
                    }
                    let leads = cx.silent.leads(candidate.clause);
                    let rest = |place| Rest { place, call: Some(op.span) };
                    wait = wait.take().or(leads.wait.map(rest));
                    par = par.take().or(leads.par.map(rest));
                }
            }
        }
        false
    });
    (wait, par)
}

fn wait_in_wait(outer: &Op, has_timeout: bool, inner: Rest) -> Diagnostic {
    let (text, help) = match has_timeout {
        true => (
            "the timeout of this `waitfor` can never run: before anything is done the agent rests at another `waitfor`",
            "Keep one of the two: join what they wait for with `or`, and give it one timeout",
        ),
        false => (
            "this `waitfor` waits for nothing: before anything is done the agent rests at another `waitfor`",
            "Remove this `waitfor`",
        ),
    };
    let warning =
        Diagnostic::new(Code::WaitInWait, words::waitfor(outer), text, "the agent does not wait here");
    with_rest(warning, inner, "but here").with_help(help)
}

fn par_in_wait(outer: &Op, inner: Rest) -> Diagnostic {
    let text = "this `waitfor` enters a `par` before anything is done, so it does not wait";
    let warning =
        Diagnostic::new(Code::ParInWait, words::waitfor(outer), text, "the agent does not wait here");
    with_rest(warning, inner, "this and the other sides are begun at once").with_help(
        "Put a `waitfor` into each side of the `par` instead, or receive something before the `par`",
    )
}

fn with_rest(warning: Diagnostic, rest: Rest, label: &str) -> Diagnostic {
    match rest.call {
        Some(call) => warning.with_label(call, "this call leads on").with_label(rest.place, label),
        None => warning.with_label(rest.place, label),
    }
}
