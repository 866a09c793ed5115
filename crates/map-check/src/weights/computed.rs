//! Weights that are computed from the integers of a range, `0..3 by 4 - value`.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{
    ArithmeticOperator, ComparisonOperator, Distribution, Expression, ExpressionKind, TermKind,
};

use crate::show;

/// The name of the integer whose weight is computed.
const VALUE: &str = "value";

/// What an expression stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Condition,
}

/// Checks that a weight is computed from integers and `value` alone.
pub(super) fn check(weight: &Expression) -> Result<(), Diagnostic> {
    expect(weight, Kind::Integer)
}

fn expect(expression: &Expression, expected: Kind) -> Result<(), Diagnostic> {
    let is_expected = match &expression.kind {
        ExpressionKind::Constant(constant) => {
            if !matches!(constant, TermKind::Integer(_)) && !is_value(constant) {
                return Err(no_operand(expression, &show::constant(constant)));
            }
            expected == Kind::Integer
        }
        ExpressionKind::Parameter(name) => return Err(no_operand(expression, &format!("${name}"))),
        ExpressionKind::Cell(name) => return Err(no_operand(expression, &format!("@{name}"))),
        ExpressionKind::Own => return Err(no_operand(expression, "self")),
        ExpressionKind::Reading(_) | ExpressionKind::Holds(_) => unreachable!("in measures only"),
        ExpressionKind::Arithmetic { .. } | ExpressionKind::Min(..) | ExpressionKind::Max(..) => {
            expression.parts().into_iter().try_for_each(|it| expect(it, Kind::Integer))?;
            expected == Kind::Integer
        }
        ExpressionKind::Comparison { .. } => {
            expression.parts().into_iter().try_for_each(|it| expect(it, Kind::Integer))?;
            expected == Kind::Condition
        }
        ExpressionKind::And(_) | ExpressionKind::Or(_) | ExpressionKind::Not(_) => {
            expression.parts().into_iter().try_for_each(|it| expect(it, Kind::Condition))?;
            expected == Kind::Condition
        }
        ExpressionKind::If { condition, then, otherwise } => {
            expect(condition, Kind::Condition)?;
            expect(then, expected)?;
            expect(otherwise, expected)?;
            true
        }
    };
    if is_expected {
        return Ok(());
    }
    let (text, label) = match expected {
        Kind::Integer => ("a weight is an integer, not a condition", "this is true or false"),
        Kind::Condition => ("a condition is expected here, not an integer", "this is no condition"),
    };
    Err(Diagnostic::new(Code::Weight, expression.span, text, label)
        .with_help("To choose between two weights write `if value > 2 then 1 else 5`"))
}

fn is_value(constant: &TermKind) -> bool {
    matches!(constant, TermKind::Name(name) if name == VALUE)
}

fn no_operand(expression: &Expression, written: &str) -> Diagnostic {
    let text = format!("a weight is computed from integers and `{VALUE}`, found `{written}`");
    let error = Diagnostic::new(Code::Weight, expression.span, text, "not known when the text is read")
        .with_note(format!("`{VALUE}` stands for the integer of the range whose weight it is"));
    let distributions = [Distribution::Geometric, Distribution::Binomial];
    match distributions.iter().find(|it| it.word() == written) {
        Some(_) => error.with_help(format!("Write `{written}(0.5)`, with a probability")),
        None => error.with_help(format!("Write an expression such as `4 - {VALUE}`")),
    }
}

/// The weight of an integer; an error where its computation overflows or divides by zero.
pub(super) fn weight(weight: &Expression, value: i64) -> Result<i64, Diagnostic> {
    integer(weight, value)
}

/// The value of an expression that has been checked.
fn integer(expression: &Expression, value: i64) -> Result<i64, Diagnostic> {
    match &expression.kind {
        ExpressionKind::Constant(TermKind::Integer(number)) => Ok(*number),
        ExpressionKind::Constant(_) => Ok(value),
        ExpressionKind::Arithmetic { first, rest } => {
            rest.iter().try_fold(integer(first, value)?, |left, (operator, right)| {
                let right = integer(right, value)?;
                calculate(left, *operator, right).ok_or_else(|| no_result(expression, value, right))
            })
        }
        ExpressionKind::Min(left, right) => Ok(integer(left, value)?.min(integer(right, value)?)),
        ExpressionKind::Max(left, right) => Ok(integer(left, value)?.max(integer(right, value)?)),
        ExpressionKind::If { condition, then, otherwise } => {
            integer(if holds(condition, value)? { then } else { otherwise }, value)
        }
        ExpressionKind::Parameter(_)
        | ExpressionKind::Cell(_)
        | ExpressionKind::Own
        | ExpressionKind::Reading(_)
        | ExpressionKind::Holds(_)
        | ExpressionKind::Comparison { .. }
        | ExpressionKind::And(_)
        | ExpressionKind::Or(_)
        | ExpressionKind::Not(_) => unreachable!("checked: an integer from integers and `value`"),
    }
}

/// Whether a condition that has been checked holds.
fn holds(condition: &Expression, value: i64) -> Result<bool, Diagnostic> {
    match &condition.kind {
        ExpressionKind::Comparison { left, operator, right } => {
            let (left, right) = (integer(left, value)?, integer(right, value)?);
            Ok(match operator {
                ComparisonOperator::Equal => left == right,
                ComparisonOperator::NotEqual => left != right,
                ComparisonOperator::Less => left < right,
                ComparisonOperator::LessOrEqual => left <= right,
                ComparisonOperator::Greater => left > right,
                ComparisonOperator::GreaterOrEqual => left >= right,
            })
        }
        ExpressionKind::And(all) => all.iter().try_fold(true, |so_far, it| Ok(so_far && holds(it, value)?)),
        ExpressionKind::Or(all) => all.iter().try_fold(false, |so_far, it| Ok(so_far || holds(it, value)?)),
        ExpressionKind::Not(denied) => Ok(!holds(denied, value)?),
        ExpressionKind::If { condition, then, otherwise } => {
            holds(if holds(condition, value)? { then } else { otherwise }, value)
        }
        ExpressionKind::Constant(_)
        | ExpressionKind::Parameter(_)
        | ExpressionKind::Cell(_)
        | ExpressionKind::Own
        | ExpressionKind::Reading(_)
        | ExpressionKind::Holds(_)
        | ExpressionKind::Arithmetic { .. }
        | ExpressionKind::Min(..)
        | ExpressionKind::Max(..) => unreachable!("checked: a condition"),
    }
}

fn calculate(left: i64, operator: ArithmeticOperator, right: i64) -> Option<i64> {
    match operator {
        ArithmeticOperator::Add => left.checked_add(right),
        ArithmeticOperator::Subtract => left.checked_sub(right),
        ArithmeticOperator::Multiply => left.checked_mul(right),
        ArithmeticOperator::Divide => left.checked_div(right),
        ArithmeticOperator::Remainder => left.checked_rem(right),
    }
}

fn no_result(expression: &Expression, value: i64, right: i64) -> Diagnostic {
    let (what, label) = match right {
        0 => ("divides by zero", "no result"),
        _ => ("leaves the range of integers", "too large for 64 bits"),
    };
    let text = format!("the weight of `{value}` cannot be computed: it {what}");
    Diagnostic::new(Code::Weight, expression.span, text, label)
        .with_note(format!("Here `{VALUE}` is {value}"))
}
