//! Integers that are too large for a model.

use map_ir::{Answer, Body, ExpressionKind, Initial, Operand, PointKind, Program, SourceSpan, Test, Value};

use crate::layout::INTEGERS;
use crate::refusal::{Reason, Refusal};

/// A refusal for every construct with an integer that is too large.
pub(crate) fn too_large(program: &Program) -> Vec<Refusal> {
    let large =
        |value: &Value| matches!(value, Value::Integer(number) if number.unsigned_abs() >= INTEGERS as u64);
    let operand = |it: &Operand| matches!(it, Operand::Constant(value) if large(value));
    let test = |it: &Test| matches!(it, Test::Operand(_, it) if operand(it));
    let mut spans: Vec<Option<SourceSpan>> = Vec::new();
    for point in &program.points {
        let found = match &point.kind {
            PointKind::Ask { arguments, .. } | PointKind::Call { arguments, .. } => {
                arguments.iter().any(operand)
            }
            PointKind::Send { arguments, .. } => arguments.iter().any(operand),
            PointKind::Receive { pattern, .. } => pattern.tests.iter().any(test),
            PointKind::Skip { .. }
            | PointKind::Fail { .. }
            | PointKind::Wait { .. }
            | PointKind::Par { .. } => false,
        };
        spans.extend(found.then_some(Some(point.span)));
    }
    for clause in &program.clauses {
        spans.extend(clause.head.tests.iter().any(test).then_some(Some(clause.head_span)));
    }
    for expression in &program.expressions {
        let found = matches!(&expression.kind, ExpressionKind::Constant(value) if large(value));
        spans.extend(found.then_some(Some(expression.span)));
    }
    for procedure in &program.procedures {
        match &procedure.body {
            Body::In(values) => spans.extend(values.iter().any(large).then_some(None)),
            Body::Alternatives(alternatives) => {
                for it in alternatives {
                    let found = matches!(&it.answer, Answer::In(values) if values.iter().any(large));
                    spans.extend(found.then_some(Some(it.span)));
                }
            }
            Body::Abstract | Body::Fresh => {}
        }
    }
    let cells = program.memories.iter().flat_map(|memory| &memory.cells);
    let in_cells = cells.into_iter().any(|(_, it)| match it {
        Initial::Constant(value) => large(value),
        Initial::In(values) => values.iter().any(large),
        Initial::Own => false,
    });
    spans.extend(in_cells.then_some(None));
    spans.into_iter().map(|span| Refusal { span, reason: Reason::LargeInteger }).collect()
}
