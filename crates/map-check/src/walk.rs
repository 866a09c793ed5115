//! Visiting the operations and terms of a clause, and the parts of an expression.

use map_diagnostics::Span;
use map_syntax::ast::{Clause, Expression, ExpressionKind, Op, OpKind, Term, TermKind};

/// Visits an operation and all operations in it in pre-order, left to right.
pub(crate) fn operations<'a>(op: &'a Op, visit: &mut dyn FnMut(&'a Op)) {
    visit(op);
    op.parts().into_iter().for_each(|part| operations(part, visit));
}

/// Visits all terms of a clause except the agent and role of its head, in order.
pub(crate) fn terms<'a>(clause: &'a Clause, visit: &mut dyn FnMut(&'a Term)) {
    clause.parameters.iter().for_each(&mut *visit);
    operations(&clause.body, &mut |op| match &op.kind {
        OpKind::Call { arguments } | OpKind::Ask { arguments, .. } => arguments.iter().for_each(&mut *visit),
        OpKind::Send { message, to: address } | OpKind::Receive { message, from: address } => {
            message.arguments.iter().for_each(&mut *visit);
            visit(&address.agent);
            visit(&address.role);
        }
        OpKind::Then(_)
        | OpKind::Or(_)
        | OpKind::Par(_)
        | OpKind::Wait { .. }
        | OpKind::Skip
        | OpKind::Fail
        | OpKind::Hole => {}
    });
}

/// Visits the variables that a term reads where it gives a value, with their spans: itself, or those of its expression.
pub(crate) fn variables<'a>(term: &'a Term, visit: &mut dyn FnMut(&'a str, Span)) {
    match &term.kind {
        TermKind::Variable(name) => visit(name, term.span),
        TermKind::Expression(expression) => expressions(expression, &mut |part| {
            if let ExpressionKind::Parameter(name) = &part.kind {
                visit(name, part.span);
            }
        }),
        _ => {}
    }
}

/// Visits an expression and all expressions in it in pre-order, left to right.
pub(crate) fn expressions<'a>(expression: &'a Expression, visit: &mut dyn FnMut(&'a Expression)) {
    visit(expression);
    expression.parts().into_iter().for_each(|part| expressions(part, visit));
}
