//! Decides where formulas are parenthesised.

use crate::MAX_NESTING;
use crate::ast::{Atom, Formula, FormulaKind, Quantity};

/// The position of a formula in its context.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Delimited by tokens around it, or after the colon of a quantifier.
    Alone,
    /// After `always` or another prefix operator.
    Operand,
    /// In a chain of `and` or `or`.
    Link,
    /// Before `implies`.
    Premise,
    /// At the end of a chain of `implies`, where a prefix operator cannot extend too far.
    Last,
    /// Before `until` or another operator of its kind.
    Side,
    /// After `until` or another operator of its kind.
    LastSide,
    /// After `not` or `before`.
    Negated,
    /// In a `possible sequence`.
    Element,
}

/// Whether the grammar needs parentheses here, or a reader could misread the formula without them.
pub(super) fn wanted(formula: &Formula, place: Place) -> bool {
    use FormulaKind::{
        And, Atom as AtomKind, Before, Implies, LeadsTo, Not, Or, Possible, Precedes, Quantified, Sequence,
        Temporal, Unless, Until,
    };
    match &formula.kind {
        AtomKind(Atom::Comparison(..)) => place == Place::Negated,
        AtomKind(_) | Before(_) => false,
        Temporal(..) | Possible(_) | Quantified(..) => {
            !matches!(place, Place::Alone | Place::Operand | Place::Last | Place::LastSide)
        }
        Sequence(_) => !matches!(place, Place::Alone | Place::Operand | Place::Last | Place::LastSide),
        Until(..) | Unless(..) | Precedes(..) | LeadsTo(..) => {
            place != Place::Alone && place != Place::Element
        }
        Implies(_) => !matches!(place, Place::Alone | Place::Operand | Place::Element),
        And(_) | Or(_) => matches!(place, Place::Link | Place::Negated | Place::Side | Place::LastSide),
        Not(_) => place == Place::Negated,
    }
}

/// The subformula that a formula begins with, if any.
pub(super) fn first_part(formula: &Formula) -> Option<(&Formula, Place)> {
    match &formula.kind {
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.first().map(|part| (part, Place::Link)),
        FormulaKind::Implies(parts) => parts.first().map(|part| (part, Place::Premise)),
        FormulaKind::Until(left, _)
        | FormulaKind::Unless(left, _)
        | FormulaKind::Precedes(left, _)
        | FormulaKind::LeadsTo(left, _) => Some((left, Place::Side)),
        _ => None,
    }
}

/// Whether all wanted parentheses may be added to a formula: they count as levels of nesting, and formatting must
/// not push a correct text beyond the limit.
pub(super) fn may_be_added(formula: &Formula) -> bool {
    levels(formula, Place::Alone) <= MAX_NESTING
}

fn levels(formula: &Formula, place: Place) -> usize {
    let inside = match &formula.kind {
        FormulaKind::And(parts) | FormulaKind::Or(parts) => deepest(parts, Place::Link),
        FormulaKind::Implies(parts) => match parts.split_last() {
            Some((last, premises)) => levels(last, Place::Last).max(deepest(premises, Place::Premise)),
            None => 0,
        },
        FormulaKind::Until(left, right)
        | FormulaKind::Unless(left, right)
        | FormulaKind::Precedes(left, right)
        | FormulaKind::LeadsTo(left, right) => levels(left, Place::Side).max(levels(right, Place::LastSide)),
        FormulaKind::Not(operand) | FormulaKind::Before(operand) => 1 + levels(operand, Place::Negated),
        FormulaKind::Temporal(_, operand) | FormulaKind::Possible(operand) => {
            1 + levels(operand, Place::Operand)
        }
        FormulaKind::Sequence(events) => 2 + deepest(events, Place::Element),
        FormulaKind::Quantified(_, _, body) => 1 + levels(body, Place::Alone),
        FormulaKind::Atom(Atom::Comparison(left, _, right)) => {
            levels_of_quantity(left).max(levels_of_quantity(right))
        }
        FormulaKind::Atom(_) => 0,
    };
    inside + usize::from(wanted(formula, place))
}

/// The levels of nesting of a quantity with all wanted parentheses.
pub(super) fn levels_of_quantity(quantity: &Quantity) -> usize {
    quantity.counted().map_or(0, |formula| 1 + levels(formula, Place::Alone))
}

fn deepest(parts: &[Formula], place: Place) -> usize {
    parts.iter().map(|part| levels(part, place)).max().unwrap_or(0)
}
