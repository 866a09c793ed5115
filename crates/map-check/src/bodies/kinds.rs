//! MAP117: what is certainly of the wrong kind. Parameters and cells may hold any value, but never a condition.

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
            value(answer, Need::Any("an answer"), errors);
        }
        for update in &alternative.updates {
            value(&update.value, Need::Any("the content of a cell"), errors);
        }
    }
}

/// What a value is needed for.
#[derive(Clone, Copy)]
enum Need {
    /// Any value will do.
    Any(&'static str),
    /// An integer, for this operator.
    Integer(&'static str),
}

fn condition(expression: &Expression, place: &'static str, errors: &mut Vec<Diagnostic>) {
    match &expression.kind {
        ExpressionKind::Comparison { left, operator, right } => {
            let need = match operator {
                ComparisonOperator::Equal => Need::Any("an operand of `==`"),
                ComparisonOperator::NotEqual => Need::Any("an operand of `!=`"),
                ComparisonOperator::Less
                | ComparisonOperator::LessOrEqual
                | ComparisonOperator::Greater
                | ComparisonOperator::GreaterOrEqual => Need::Integer(operator.sign()),
            };
            value(left, need, errors);
            value(right, need, errors);
        }
        ExpressionKind::And(all) => all.iter().for_each(|it| condition(it, "an operand of `and`", errors)),
        ExpressionKind::Or(all) => all.iter().for_each(|it| condition(it, "an operand of `or`", errors)),
        ExpressionKind::Not(denied) => condition(denied, "what `not` denies", errors),
        ExpressionKind::If { condition: asked, then, otherwise } => {
            condition(asked, "what `if` asks", errors);
            condition(then, place, errors);
            condition(otherwise, place, errors);
        }
        ExpressionKind::Constant(_)
        | ExpressionKind::Parameter(_)
        | ExpressionKind::Cell(_)
        | ExpressionKind::Own
        | ExpressionKind::Arithmetic { .. }
        | ExpressionKind::Min(..)
        | ExpressionKind::Max(..) => {
            errors.push(no_condition(expression, place));
            // Mistakes inside are mistakes in any case.
            value(expression, Need::Any(""), errors);
        }
    }
}

fn value(expression: &Expression, need: Need, errors: &mut Vec<Diagnostic>) {
    match &expression.kind {
        ExpressionKind::Constant(constant) => {
            if let (Need::Integer(operator), Some(kind)) = (need, other_kind(constant)) {
                errors.push(no_integer(expression, operator, kind));
            }
        }
        ExpressionKind::Own => {
            if let Need::Integer(operator) = need {
                errors.push(no_integer(expression, operator, "the agent's own name"));
            }
        }
        ExpressionKind::Parameter(_) | ExpressionKind::Cell(_) => {}
        ExpressionKind::Arithmetic { first, rest } => {
            let mut left = Some(&**first);
            for (operator, right) in rest {
                let need = Need::Integer(operator.sign());
                if let Some(first) = left.take() {
                    value(first, need, errors);
                }
                value(right, need, errors);
            }
        }
        ExpressionKind::Min(left, right) => {
            value(left, Need::Integer("min"), errors);
            value(right, Need::Integer("min"), errors);
        }
        ExpressionKind::Max(left, right) => {
            value(left, Need::Integer("max"), errors);
            value(right, Need::Integer("max"), errors);
        }
        ExpressionKind::If { condition: asked, then, otherwise } => {
            condition(asked, "what `if` asks", errors);
            value(then, need, errors);
            value(otherwise, need, errors);
        }
        ExpressionKind::Comparison { .. }
        | ExpressionKind::And(_)
        | ExpressionKind::Or(_)
        | ExpressionKind::Not(_) => {
            errors.push(no_value(expression, need));
            condition(expression, "", errors);
        }
    }
}

/// What a constant is, unless it is an integer.
fn other_kind(constant: &TermKind) -> Option<&'static str> {
    match constant {
        TermKind::Integer(_) => None,
        TermKind::Name(_) => Some("a name"),
        TermKind::Text(_) => Some("a string"),
        TermKind::Agent(_) => Some("an agent"),
        TermKind::Role(_) => Some("a role"),
        TermKind::Variable(_) | TermKind::Wildcard => None,
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
            error.with_help(format!("Write `{text}`, without quotation marks"))
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
        "Compare it with something, as in `{shown} == yes`; comparisons are written with `==`"
    ))
}

fn no_value(expression: &Expression, need: Need) -> Diagnostic {
    let (text, then) = match need {
        Need::Any(place) => (format!("{place} must be a value, but this is a condition"), "yes else no"),
        Need::Integer(operator) => {
            (format!("`{operator}` needs integers, but this is a condition"), "1 else 0")
        }
    };
    Diagnostic::new(Code::WrongKind, expression.span, text, "a condition is not a value")
        .with_help(format!("Turn it into a value with `if .. then {then}`"))
}
