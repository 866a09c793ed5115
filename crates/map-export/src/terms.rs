//! Bodies of procedures that are too long: every alternative, and every term of a chain of conditions, is one more way
//! in which an ask may go on, under conditions on all those before it.

use map_ir::{Alternative, Answer, Body, ExpressionId, ExpressionKind, Program};

use crate::refusal::{Reason, Refusal};

/// The maximum number of alternatives and terms of one body: what is exported in about a second. Time and model grow
/// with the square.
const MAX_TERMS: usize = 1_000;

/// The bodies with too many, each by its first alternative.
pub(crate) fn too_many(program: &Program) -> Vec<Refusal> {
    let bodies = program.procedures.iter().filter_map(|procedure| match &procedure.body {
        Body::Alternatives(alternatives) => Some(alternatives),
        Body::Abstract | Body::In(_) | Body::Fresh => None,
    });
    let long =
        bodies.filter(|body| body.iter().map(|it| of_alternative(program, it)).sum::<usize>() > MAX_TERMS);
    let first = |body: &Vec<Alternative>| body.first().map(|alternative| alternative.span);
    long.map(|body| Refusal { span: first(body), reason: Reason::LongBody }).collect()
}

fn of_alternative(program: &Program, alternative: &Alternative) -> usize {
    let Alternative { guard, answer, updates, span: _ } = alternative;
    let answer = match answer {
        Answer::Value(value) => Some(value),
        Answer::In(_) => None,
    };
    let all = guard.iter().chain(answer).chain(updates.iter().map(|(_, value)| value));
    1 + all.map(|&id| of_expression(program, id)).sum::<usize>()
}

/// The number of terms of the chains in an expression.
fn of_expression(program: &Program, id: ExpressionId) -> usize {
    let kind = &program.expression(id).kind;
    let own = match kind {
        ExpressionKind::Arithmetic(_, rest) => rest.len(),
        ExpressionKind::And(parts) | ExpressionKind::Or(parts) => parts.len(),
        _ => 0,
    };
    own + kind.parts().into_iter().map(|part| of_expression(program, part)).sum::<usize>()
}
