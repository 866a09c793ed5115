//! `unless` and `precedes` by their definitions.

use std::collections::BTreeSet;

use map_syntax::ast::{Atom, Event, Formula, FormulaKind, FormulaPart, TemporalOperator, TermKind};

/// The formula without `unless` and `precedes`; `known` are the variables of the quantifiers around it.
pub(super) fn written_out(formula: &Formula, known: &[String]) -> Formula {
    let of = |it: &Formula| Box::new(written_out(it, known));
    let all = |parts: &[Formula]| parts.iter().map(|it| written_out(it, known)).collect::<Vec<_>>();
    let kind = match &formula.kind {
        FormulaKind::Unless(left, right) => return unless(*of(left), *of(right)),
        FormulaKind::Precedes(first, second) => {
            let (first, second) = (*of(first), *of(second));
            let shared: Vec<String> = variables(&first).intersection(&visible(&second)).cloned().collect();
            if shared.iter().all(|name| known.contains(name)) {
                return unless(not(second), first);
            }
            let before = as_formula(FormulaKind::Before(Box::new(first.clone())), formula);
            let seen = as_formula(FormulaKind::Or(vec![first, before]), formula);
            let implied = as_formula(FormulaKind::Implies(vec![second, seen]), formula);
            FormulaKind::Temporal(TemporalOperator::Always, Box::new(implied))
        }
        FormulaKind::Temporal(operator, inner) => FormulaKind::Temporal(*operator, of(inner)),
        FormulaKind::Possible(inner) => FormulaKind::Possible(of(inner)),
        FormulaKind::Sequence(parts) => FormulaKind::Sequence(all(parts)),
        FormulaKind::Until(left, right) => FormulaKind::Until(of(left), of(right)),
        FormulaKind::LeadsTo(left, right) => FormulaKind::LeadsTo(of(left), of(right)),
        FormulaKind::Implies(parts) => FormulaKind::Implies(all(parts)),
        FormulaKind::And(parts) => FormulaKind::And(all(parts)),
        FormulaKind::Or(parts) => FormulaKind::Or(all(parts)),
        FormulaKind::Not(inner) => FormulaKind::Not(of(inner)),
        FormulaKind::Quantified(quantifier, range, inner) => {
            let known = [known, std::slice::from_ref(&range.variable.text)].concat();
            let inner = written_out(inner, &known);
            FormulaKind::Quantified(*quantifier, range.clone(), Box::new(inner))
        }
        FormulaKind::Before(_) | FormulaKind::Atom(_) => formula.kind.clone(),
    };
    as_formula(kind, formula)
}

/// "`f unless g`: not (not g until (not f and not g))."
fn unless(left: Formula, right: Formula) -> Formula {
    let place = right.clone();
    let neither = as_formula(FormulaKind::And(vec![not(left), not(right.clone())]), &place);
    not(as_formula(FormulaKind::Until(Box::new(not(right)), Box::new(neither)), &place))
}

fn not(formula: Formula) -> Formula {
    let span = formula.span;
    Formula { kind: FormulaKind::Not(Box::new(formula)), span }
}

fn as_formula(kind: FormulaKind, place: &Formula) -> Formula {
    Formula { kind, span: place.span }
}

/// The variables that are visible behind a formula.
fn visible(formula: &Formula) -> BTreeSet<String> {
    match &formula.kind {
        FormulaKind::And(parts) => parts.iter().flat_map(visible).collect(),
        FormulaKind::Atom(Atom::Event(..)) => variables(formula),
        _ => BTreeSet::new(),
    }
}

/// The variables in messages.
fn variables(formula: &Formula) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    formula.visit(&mut |part, around| {
        let FormulaPart::Atom(Atom::Event(_, Event::Sends(message, _) | Event::Receives(message, _))) = part
        else {
            return;
        };
        for argument in &message.arguments {
            if let TermKind::Variable(name) = &argument.kind
                && around.iter().all(|range| range.variable.text != *name)
            {
                found.insert(name.clone());
            }
        }
    });
    found
}
