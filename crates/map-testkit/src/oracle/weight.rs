//! "A value whose weight is 0 is no value of the domain." Nothing else of weights matters to what can happen.

use map_syntax::ast::{
    ArithmeticOperator, Domain, DomainKind, Expression, ExpressionKind, TermKind, Weights,
};

/// Whether the value at this index of a domain, as it is written, is one of its values.
pub(super) fn occurs(domain: &Domain, at: usize) -> bool {
    match (&domain.weights, &domain.kind) {
        (Some(Weights::Each(weights)), _) => weights[at].is_none_or(|weight| weight.value > 0),
        (Some(Weights::By(weight)), DomainKind::Range(first, _)) => {
            computed(weight, first + i64::try_from(at).expect("a small domain")) > 0
        }
        // Random scenes have probabilities strictly between 0 and 1.
        _ => true,
    }
}

/// A weight in a random scene: of the kinds of expression it has these alone.
fn computed(weight: &Expression, value: i64) -> i64 {
    match &weight.kind {
        ExpressionKind::Constant(TermKind::Integer(number)) => *number,
        ExpressionKind::Constant(_) => value,
        ExpressionKind::Max(left, right) => computed(left, value).max(computed(right, value)),
        ExpressionKind::Arithmetic { first, rest } => {
            rest.iter().fold(computed(first, value), |left, (operator, right)| match operator {
                ArithmeticOperator::Add => left + computed(right, value),
                ArithmeticOperator::Subtract => left - computed(right, value),
                ArithmeticOperator::Multiply => left * computed(right, value),
                ArithmeticOperator::Divide => left / computed(right, value),
                ArithmeticOperator::Remainder => left % computed(right, value),
            })
        }
        other => unreachable!("random weights have no {other:?}"),
    }
}
