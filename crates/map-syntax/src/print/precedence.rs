//! Decides where expressions are parenthesised.

use super::formula_precedence::levels_of_quantity;
use crate::MAX_NESTING;
use crate::ast::{ArithmeticOperator, Expression, ExpressionKind};

/// The position of an expression in its context.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Delimited by tokens around it, or after `else`.
    Alone,
    /// An argument of an act, where a term would be possible, too.
    Argument {
        /// Whether it is the only one, so that the parentheses around the arguments are directly around it.
        only: bool,
    },
    /// After `if` or `then`.
    Branch,
    /// In a chain of `and` or `or`.
    Condition,
    /// After `not`.
    Negated,
    /// On a side of a comparison.
    Compared,
    /// In a chain of `+` and `-`.
    Summand,
    /// In a chain of `*`, `/` and `mod`.
    Factor,
}

/// Whether the grammar needs parentheses here, or a reader could misread the expression without them.
pub(super) fn wanted(expression: &Expression, place: Place) -> bool {
    use ExpressionKind::{
        And, Arithmetic, Cell, Comparison, Constant, Holds, If, Max, Min, Not, Or, Own, Parameter, Reading,
    };
    // As an argument, `self` alone is a name.
    let (argument, place) = match place {
        Place::Argument { .. } => (true, Place::Alone),
        _ => (false, place),
    };
    match &expression.kind {
        Own => argument,
        Constant(_) | Parameter(_) | Cell(_) | Reading(_) | Holds(_) | Min(..) | Max(..) => false,
        If { .. } => place != Place::Alone,
        And(_) | Or(_) => !matches!(place, Place::Alone | Place::Branch),
        Not(_) => !matches!(place, Place::Alone | Place::Branch | Place::Condition),
        Comparison { .. } => !matches!(place, Place::Alone | Place::Branch | Place::Condition),
        Arithmetic { rest, .. } => match place {
            Place::Negated | Place::Factor => true,
            Place::Summand => operand_place(rest) == Place::Summand,
            Place::Alone | Place::Argument { .. } | Place::Branch | Place::Condition | Place::Compared => {
                false
            }
        },
    }
}

/// The position of the operands in a chain of arithmetic operators.
pub(super) fn operand_place(rest: &[(ArithmeticOperator, Expression)]) -> Place {
    match rest.first() {
        Some((ArithmeticOperator::Add | ArithmeticOperator::Subtract, _)) => Place::Summand,
        Some((
            ArithmeticOperator::Multiply | ArithmeticOperator::Divide | ArithmeticOperator::Remainder,
            _,
        ))
        | None => Place::Factor,
    }
}

/// The subexpression that an expression begins with, if any.
pub(super) fn first_part(expression: &Expression) -> Option<(&Expression, Place)> {
    match &expression.kind {
        ExpressionKind::Arithmetic { first, rest } => Some((first, operand_place(rest))),
        ExpressionKind::Comparison { left, .. } => Some((left, Place::Compared)),
        ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
            parts.first().map(|part| (part, Place::Condition))
        }
        ExpressionKind::Constant(_)
        | ExpressionKind::Parameter(_)
        | ExpressionKind::Cell(_)
        | ExpressionKind::Own
        | ExpressionKind::Reading(_)
        | ExpressionKind::Holds(_)
        | ExpressionKind::Not(_)
        | ExpressionKind::Min(..)
        | ExpressionKind::Max(..)
        | ExpressionKind::If { .. } => None,
    }
}

/// Whether all wanted parentheses may be added to an expression: they count as levels of nesting, and formatting
/// must not push a correct text beyond the limit.
pub(super) fn may_be_added(expression: &Expression) -> bool {
    levels(expression, Place::Alone) <= MAX_NESTING
}

fn levels(expression: &Expression, place: Place) -> usize {
    use ExpressionKind::{
        And, Arithmetic, Cell, Comparison, Constant, Holds, If, Max, Min, Not, Or, Own, Parameter, Reading,
    };
    let inside = match &expression.kind {
        Arithmetic { first, rest } => {
            let place = operand_place(rest);
            rest.iter().map(|(_, operand)| levels(operand, place)).fold(levels(first, place), usize::max)
        }
        Comparison { left, right, .. } => levels(left, Place::Compared).max(levels(right, Place::Compared)),
        And(parts) | Or(parts) => parts.iter().map(|part| levels(part, Place::Condition)).max().unwrap_or(0),
        Not(condition) => 1 + levels(condition, Place::Negated),
        Min(left, right) | Max(left, right) => {
            1 + levels(left, Place::Alone).max(levels(right, Place::Alone))
        }
        If { condition, then, otherwise } => {
            let branches = levels(condition, Place::Branch).max(levels(then, Place::Branch));
            1 + branches.max(levels(otherwise, Place::Alone))
        }
        Reading(quantity) => levels_of_quantity(quantity),
        Constant(_) | Parameter(_) | Cell(_) | Own | Holds(_) => 0,
    };
    inside + usize::from(wanted(expression, place))
}
