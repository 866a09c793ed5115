//! Expressions in clauses: those of acts and calls use cells of the agent's role (MAP114) and are of the right kind
//! (MAP117); those of patterns are errors (MAP211).

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Expression, ExpressionKind, OpKind, Scene, Term, TermKind};

use super::{Bodies, cells, kinds};
use crate::walk;

pub(super) fn check(bodies: &Bodies<'_>, scene: &Scene, errors: &mut Vec<Diagnostic>) {
    for clause in &scene.clauses {
        let role = &*clause.role.text;
        walk::operations(&clause.body, &mut |op| match &op.kind {
            OpKind::Call { arguments } | OpKind::Ask { arguments, .. } => {
                computed(arguments).for_each(|it| value(bodies, role, it, errors));
            }
            OpKind::Send { message, to } => {
                let terms = message.arguments.iter().chain([&to.agent, &to.role]);
                computed(terms).for_each(|it| value(bodies, role, it, errors));
            }
            OpKind::Receive { message, from } => {
                computed(&message.arguments).for_each(|it| errors.push(in_pattern(it, "what is received")));
                computed([&from.agent, &from.role]).for_each(|it| errors.push(in_pattern(it, "the sender")));
            }
            _ => {}
        });
    }
}

fn computed<'a>(terms: impl IntoIterator<Item = &'a Term>) -> impl Iterator<Item = &'a Expression> {
    terms.into_iter().filter_map(|term| match &term.kind {
        TermKind::Expression(expression) => Some(&**expression),
        _ => None,
    })
}

fn value(bodies: &Bodies<'_>, role: &str, expression: &Expression, errors: &mut Vec<Diagnostic>) {
    walk::expressions(expression, &mut |part| {
        if let ExpressionKind::Cell(name) = &part.kind {
            cells::check_own(&bodies.memories, role, name, part.span, errors);
        }
    });
    kinds::check_argument(expression, errors);
}

fn in_pattern(expression: &Expression, what: &str) -> Diagnostic {
    let text =
        format!("an expression cannot stand for {what}: a receive compares terms, and computes nothing");
    Diagnostic::new(Code::ComputedPattern, expression.span, text, "not a term").with_help(
        "bind a variable here, and let a decision compare it: `m($x) <= agent(..) then expected($x)`",
    )
}
