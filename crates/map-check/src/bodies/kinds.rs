//! MAP117: expressions that are certainly of the wrong kind. Parameters and cells may hold any value, but never a
//! condition.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Answer, ComparisonOperator, Expression, ExpressionKind, Procedure, TermKind};

use super::visit;
use crate::show;

pub(super) fn check(procedure: &Procedure, errors: &mut Vec<Diagnostic>) {
    for alternative in visit::alternatives(procedure) {
        if let Some(guard) = &alternative.guard {
            condition(guard, "a guard", errors);
        }
        if let Answer::Value(answer) = &alternative.answer {
            value(answer, Expected::Any("an answer"), errors);
        }
        for update in &alternative.updates {
            value(&update.value, Expected::Any("the content of a cell"), errors);
        }
    }
}

/// Checks an expression among the values of an act or call.
pub(super) fn check_argument(expression: &Expression, errors: &mut Vec<Diagnostic>) {
    value(expression, Expected::Any("what is sent, asked or passed on"), errors);
}

/// Checks the expression of a measure. What is read off a run may be of any kind.
pub(crate) fn check_measured(expression: &Expression, errors: &mut Vec<Diagnostic>) {
    value(expression, Expected::Any("a measure"), errors);
}

/// The kind of value expected at some place.
#[derive(Clone, Copy)]
enum Expected {
    /// Any value; the text names the place.
    Any(&'static str),
    /// An integer, as an operand of this operator.
    Integer(&'static str),
}

fn condition(expression: &Expression, place: &'static str, errors: &mut Vec<Diagnostic>) {
    match &expression.kind {
        ExpressionKind::Comparison { left, operator, right } => {
            let expected = match operator {
                ComparisonOperator::Equal => Expected::Any("an operand of `==`"),
                ComparisonOperator::NotEqual => Expected::Any("an operand of `!=`"),
                ComparisonOperator::Less
                | ComparisonOperator::LessOrEqual
                | ComparisonOperator::Greater
                | ComparisonOperator::GreaterOrEqual => Expected::Integer(operator.sign()),
            };
            value(left, expected, errors);
            value(right, expected, errors);
        }
        ExpressionKind::And(all) => all.iter().for_each(|it| condition(it, "an operand of `and`", errors)),
        ExpressionKind::Or(all) => all.iter().for_each(|it| condition(it, "an operand of `or`", errors)),
        ExpressionKind::Not(denied) => condition(denied, "what `not` denies", errors),
        ExpressionKind::If { condition: asked, then, otherwise } => {
            condition(asked, "what `if` asks", errors);
            condition(then, place, errors);
            condition(otherwise, place, errors);
        }
        ExpressionKind::Holds(_) => {}
        ExpressionKind::Constant(_)
        | ExpressionKind::Parameter(_)
        | ExpressionKind::Cell(_)
        | ExpressionKind::Own
        | ExpressionKind::Reading(_)
        | ExpressionKind::Arithmetic { .. }
        | ExpressionKind::Min(..)
        | ExpressionKind::Max(..) => {
            errors.push(no_condition(expression, place));
            // Report mistakes inside the expression, too.
            value(expression, Expected::Any(""), errors);
        }
    }
}

fn value(expression: &Expression, expected: Expected, errors: &mut Vec<Diagnostic>) {
    match &expression.kind {
        ExpressionKind::Constant(constant) => {
            if let (Expected::Integer(operator), Some(kind)) = (expected, other_kind(constant)) {
                errors.push(no_integer(expression, operator, kind));
            }
        }
        ExpressionKind::Own => {
            if let Expected::Integer(operator) = expected {
                errors.push(no_integer(expression, operator, "the agent's own name"));
            }
        }
        ExpressionKind::Parameter(_) | ExpressionKind::Cell(_) | ExpressionKind::Reading(_) => {}
        ExpressionKind::Arithmetic { first, rest } => {
            let mut left = Some(&**first);
            for (operator, right) in rest {
                let expected = Expected::Integer(operator.sign());
                if let Some(first) = left.take() {
                    value(first, expected, errors);
                }
                value(right, expected, errors);
            }
        }
        ExpressionKind::Min(left, right) => {
            value(left, Expected::Integer("min"), errors);
            value(right, Expected::Integer("min"), errors);
        }
        ExpressionKind::Max(left, right) => {
            value(left, Expected::Integer("max"), errors);
            value(right, Expected::Integer("max"), errors);
        }
        ExpressionKind::If { condition: asked, then, otherwise } => {
            condition(asked, "what `if` asks", errors);
            value(then, expected, errors);
            value(otherwise, expected, errors);
        }
        ExpressionKind::Comparison { .. }
        | ExpressionKind::And(_)
        | ExpressionKind::Or(_)
        | ExpressionKind::Not(_)
        | ExpressionKind::Holds(_) => {
            errors.push(no_value(expression, expected));
            condition(expression, "", errors);
        }
    }
}

/// The kind of a constant, in words; `None` for an integer.
fn other_kind(constant: &TermKind) -> Option<&'static str> {
    match constant {
        TermKind::Integer(_) => None,
        TermKind::Name(_) => Some("a name"),
        TermKind::Text(_) => Some("a string"),
        TermKind::Agent(_) => Some("an agent"),
        TermKind::Role(_) => Some("a role"),
        TermKind::Variable(_) | TermKind::Wildcard | TermKind::Expression(_) => None,
    }
}

fn no_integer(expression: &Expression, operator: &str, kind: &str) -> Diagnostic {
    let text = format!("`{operator}` needs integers, but this is {kind}");
    let error = Diagnostic::new(Code::WrongKind, expression.span, text, "not an integer");
    match &expression.kind {
        ExpressionKind::Constant(TermKind::Name(name)) => {
            error.with_help(format!("A parameter is written `${name}`, a cell `@{name}`"))
        }
        ExpressionKind::Constant(TermKind::Text(text)) if text.parse::<i64>().is_ok() => {
            error.with_help(format!("Write `{text}`, without quotation marks")).replaced_by(text)
        }
        _ => error.with_help(
            "Values of all kinds can be compared with `==` and `!=`, but only integers have an order",
        ),
    }
}

fn no_condition(expression: &Expression, place: &str) -> Diagnostic {
    let text = format!("{place} must be a condition, but this is a value");
    let error = Diagnostic::new(Code::WrongKind, expression.span, text, "not a condition");
    let shown = match &expression.kind {
        ExpressionKind::Constant(TermKind::Name(name))
            if place == "a guard" && matches!(&**name, "true" | "otherwise" | "yes") =>
        {
            return error.with_help("Leave the guard out: an alternative without guard is always taken");
        }
        ExpressionKind::Parameter(name) => format!("${name}"),
        ExpressionKind::Cell(name) => format!("@{name}"),
        ExpressionKind::Own => "self".to_owned(),
        ExpressionKind::Constant(constant) => show::constant(constant),
        _ => {
            return error
                .with_help("Compare it with something, as in `.. == 0`; comparisons are written with `==`");
        }
    };
    error.with_help(format!(
        "Compare it with something, as in `{shown} == ..`; comparisons are written with `==`"
    ))
}

fn no_value(expression: &Expression, expected: Expected) -> Diagnostic {
    let (text, then) = match expected {
        Expected::Any(place) => (format!("{place} must be a value, but this is a condition"), "yes else no"),
        Expected::Integer(operator) => {
            (format!("`{operator}` needs integers, but this is a condition"), "1 else 0")
        }
    };
    Diagnostic::new(Code::WrongKind, expression.span, text, "a condition is not a value")
        .with_help(format!("Turn it into a value with `if .. then {then}`"))
}
