//! Formulas that a prefix of a run can violate, and how they are written for automata.

use std::collections::BTreeSet;

use map_ir::{PropositionId, Temporal};
use map_ltl::{FormulaId, Formulas};

/// Whether whatever violates the formula, or its negation if it is not `positive`, shows it by its beginning: as its
/// form tells, without a promise that something happens.
pub(super) fn is_safety(formula: &Temporal, positive: bool) -> bool {
    match formula {
        Temporal::Holds(_) => true,
        Temporal::Not(inner) => is_safety(inner, !positive),
        Temporal::Or(parts) if positive && unless(parts).is_some() => {
            unless(parts).is_some_and(|(left, goal)| is_safety(left, true) && is_safety(goal, true))
        }
        Temporal::And(parts) | Temporal::Or(parts) => parts.iter().all(|part| is_safety(part, positive)),
        Temporal::Next(inner) => is_safety(inner, positive),
        Temporal::Always(inner) => positive && is_safety(inner, true),
        Temporal::Eventually(inner) => !positive && is_safety(inner, false),
        Temporal::Until(left, goal) => !positive && is_safety(left, false) && is_safety(goal, false),
        Temporal::LeadsTo(..) | Temporal::Possible(_) => false,
    }
}

/// The sides of `left unless goal`, which is written `(left until goal) or always left`.
fn unless(parts: &[Temporal]) -> Option<(&Temporal, &Temporal)> {
    match parts {
        [Temporal::Always(always), Temporal::Until(left, goal)]
        | [Temporal::Until(left, goal), Temporal::Always(always)]
            if always == left =>
        {
            Some((left, goal))
        }
        _ => None,
    }
}

/// The formula in the arena. It has no parts about all runs.
pub(super) fn formula_of(formulas: &mut Formulas, formula: &Temporal) -> FormulaId {
    match formula {
        Temporal::Holds(proposition) => formulas.atom(*proposition as u32),
        Temporal::Possible(_) => unreachable!("what is about all runs is not enforced"),
        Temporal::Not(inner) => {
            let inner = formula_of(formulas, inner);
            formulas.not(inner)
        }
        Temporal::And(parts) => {
            let truth = formulas.truth();
            joined(formulas, parts, truth, Formulas::and)
        }
        Temporal::Or(parts) => match unless(parts) {
            Some((left, goal)) => {
                let (left, goal) = (formula_of(formulas, left), formula_of(formulas, goal));
                let either = formulas.or(left, goal);
                formulas.release(goal, either)
            }
            None => {
                let falsity = formulas.falsity();
                joined(formulas, parts, falsity, Formulas::or)
            }
        },
        Temporal::Next(inner) => {
            let inner = formula_of(formulas, inner);
            formulas.next(inner)
        }
        Temporal::Always(inner) => {
            let inner = formula_of(formulas, inner);
            formulas.always(inner)
        }
        Temporal::Eventually(inner) => {
            let inner = formula_of(formulas, inner);
            formulas.eventually(inner)
        }
        Temporal::Until(left, goal) => {
            let (left, goal) = (formula_of(formulas, left), formula_of(formulas, goal));
            formulas.until(left, goal)
        }
        Temporal::LeadsTo(left, goal) => {
            let (left, goal) = (formula_of(formulas, left), formula_of(formulas, goal));
            let answered = formulas.eventually(goal);
            let each = formulas.implies(left, answered);
            formulas.always(each)
        }
    }
}

/// Joins parts as a balanced tree.
fn joined(
    formulas: &mut Formulas,
    parts: &[Temporal],
    none: FormulaId,
    join: fn(&mut Formulas, FormulaId, FormulaId) -> FormulaId,
) -> FormulaId {
    match parts {
        [] => none,
        [only] => formula_of(formulas, only),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            let left = joined(formulas, left, none, join);
            let right = joined(formulas, right, none, join);
            join(formulas, left, right)
        }
    }
}

/// The propositions of a formula.
pub(super) fn propositions_of(formula: &Temporal) -> BTreeSet<PropositionId> {
    let mut all = BTreeSet::new();
    collect(formula, &mut all);
    all
}

fn collect(formula: &Temporal, all: &mut BTreeSet<PropositionId>) {
    match formula {
        Temporal::Holds(proposition) => _ = all.insert(*proposition),
        Temporal::Possible(_) => {}
        Temporal::Not(inner)
        | Temporal::Next(inner)
        | Temporal::Always(inner)
        | Temporal::Eventually(inner) => collect(inner, all),
        Temporal::And(parts) | Temporal::Or(parts) => parts.iter().for_each(|part| collect(part, all)),
        Temporal::Until(left, right) | Temporal::LeadsTo(left, right) => {
            collect(left, all);
            collect(right, all);
        }
    }
}
