//! Visiting the operations and terms of a clause.

use map_syntax::ast::{Clause, Op, OpKind, Term};

/// Visits an operation and all operations in it in pre-order, left to right.
pub(crate) fn operations<'a>(op: &'a Op, visit: &mut dyn FnMut(&'a Op)) {
    visit(op);
    match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => {
            for op in ops {
                operations(op, visit);
            }
        }
        OpKind::Wait { body, timeout } => {
            operations(body, visit);
            if let Some(timeout) = timeout {
                operations(timeout, visit);
            }
        }
        OpKind::Call { .. }
        | OpKind::Skip
        | OpKind::Fail
        | OpKind::Ask { .. }
        | OpKind::Send { .. }
        | OpKind::Receive { .. } => {}
    }
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
        | OpKind::Fail => {}
    });
}
