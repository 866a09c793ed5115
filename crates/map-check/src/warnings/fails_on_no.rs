//! MAP301 and MAP308: an agent that fails because a decision says "no", or because a message is not there yet.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Message, Name, Op, OpKind, Term, TermKind};

use super::flow::{self, OnFailure};
use super::{LintContext, words};

pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) {
    for (index, _) in cx.clauses().filter(|&(index, _)| cx.fates.of(index).ends_agent) {
        flow::visit(&cx.analysis, index, &mut |op, standing| {
            if !matches!(standing.on_failure, OnFailure::Clause) {
                return;
            }
            match &op.kind {
                OpKind::Ask { procedure, arguments, .. } if cx.analysis.may_say_no(&procedure.text) => {
                    let warning = refused(cx, index, op, procedure, arguments);
                    found.push(with_failure_path(cx, index, warning));
                }
                OpKind::Receive { message, .. } => {
                    found.push(with_failure_path(cx, index, not_there(cx, index, message)));
                }
                _ => {}
            }
        });
    }
}

fn refused(cx: &LintContext<'_>, clause: usize, op: &Op, procedure: &Name, arguments: &[Term]) -> Diagnostic {
    let agents = words::agents(cx.checked, cx.checked.clauses[clause].part);
    let name = &procedure.text;
    let text = format!("{agents} fails if `{name}` says \"no\"");
    let warning = Diagnostic::new(Code::FailsOnNo, op.span, text, "after a \"no\" nothing else is tried");
    let declared = cx.file.procedures().find(|declared| declared.name.text == *name);
    let warning = match declared {
        Some(declared) => warning.with_label(declared.name.span, "a decision may say \"no\""),
        None => warning.with_note("A procedure that nothing declares may say \"no\""),
    };
    let total = match declared {
        Some(_) => format!("declare `{name}` with `procedure` instead of `decision`"),
        None => format!("declare it: `procedure {name}({})`", parameters(arguments)),
    };
    warning
        .with_help("Say what happens after a \"no\": `.. or ..`")
        .with_help(format!("If it always has an answer, {total}"))
}

/// Parameters for a declaration, named after the arguments of an ask.
fn parameters(arguments: &[Term]) -> String {
    let mut names: Vec<String> = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let name = match &argument.kind {
            TermKind::Variable(name) if !names.contains(name) => name.clone(),
            _ => format!("a{}", index + 1),
        };
        names.push(name);
    }
    names.iter().map(|name| format!("${name}")).collect::<Vec<_>>().join(", ")
}

fn not_there(cx: &LintContext<'_>, clause: usize, message: &Message) -> Diagnostic {
    let agents = words::agents(cx.checked, cx.checked.clauses[clause].part);
    let signature = words::signature(message);
    let text = format!("{agents} does not wait for `{signature}` and fails if it is not there yet");
    Diagnostic::new(Code::NotWaitedFor, message.span, text, "a receive by itself does not wait")
        .with_help("Put it, with its alternatives if it has any, into a `waitfor (..)`")
}

/// Adds a label that shows how the failure becomes a failure of the agent.
fn with_failure_path(cx: &LintContext<'_>, clause: usize, warning: Diagnostic) -> Diagnostic {
    let part = cx.checked.clauses[clause].part;
    match cx.fates.of(clause).called_at {
        Some(call) => warning.with_label(call.span, "called here, where nothing catches the failure"),
        None => {
            let agents = words::agents(cx.checked, part);
            warning.with_label(cx.clause(clause).head_span, format!("if this clause fails, {agents} fails"))
        }
    }
}
