//! What the grammar allows in properties and the engine does not judge yet.

use map_diagnostics::Span;
use map_syntax::ast::{
    Atom, Event, Formula, FormulaKind, FormulaPart, Message, Quantity, QuantityKind, RangeOver, TermKind,
};

/// The first part of a formula that cannot be judged.
pub(super) fn part(formula: &Formula) -> Option<Span> {
    let mut found = operator(formula);
    formula.visit(&mut |part, around| {
        let span = match part {
            FormulaPart::Range(range) => range.role().is_none().then_some(range.variable.span),
            FormulaPart::Atom(Atom::Comparison(left, _, right)) => {
                quantity(left, around).or_else(|| quantity(right, around))
            }
            FormulaPart::Atom(Atom::Event(_, Event::Sends(message, _) | Event::Receives(message, _))) => {
                message_binds(message, around)
            }
            FormulaPart::Atom(_) => None,
        };
        found = found.or(span);
    });
    found
}

fn operator(formula: &Formula) -> Option<Span> {
    match &formula.kind {
        FormulaKind::Unless(..) | FormulaKind::Precedes(..) | FormulaKind::Before(_) => Some(formula.span),
        FormulaKind::Temporal(_, operand)
        | FormulaKind::Possible(operand)
        | FormulaKind::Not(operand)
        | FormulaKind::Quantified(_, _, operand) => operator(operand),
        FormulaKind::Until(left, right) | FormulaKind::LeadsTo(left, right) => {
            operator(left).or_else(|| operator(right))
        }
        FormulaKind::Sequence(parts)
        | FormulaKind::Implies(parts)
        | FormulaKind::And(parts)
        | FormulaKind::Or(parts) => parts.iter().find_map(operator),
        FormulaKind::Atom(Atom::Comparison(left, _, right)) => {
            [left, right].into_iter().find_map(|quantity| match &quantity.kind {
                QuantityKind::Count(_, body) => operator(body),
                _ => None,
            })
        }
        FormulaKind::Atom(_) => None,
    }
}

fn quantity(quantity: &Quantity, around: &[&RangeOver]) -> Option<Span> {
    let free = match &quantity.kind {
        QuantityKind::Times(_) | QuantityKind::Total(..) => true,
        QuantityKind::Term(term) => is_free(term, around),
        QuantityKind::Cell(..) | QuantityKind::Mailbox(_) | QuantityKind::Count(..) => false,
    };
    free.then_some(quantity.span)
}

fn message_binds(message: &Message, around: &[&RangeOver]) -> Option<Span> {
    message.arguments.iter().find(|argument| is_free(&argument.kind, around)).map(|argument| argument.span)
}

fn is_free(term: &TermKind, around: &[&RangeOver]) -> bool {
    matches!(term, TermKind::Variable(name) if !around.iter().any(|range| range.variable.text == *name))
}
