//! What a formula claims of a run, decomposed as the reference says: quantifiers are expanded over the agents of the
//! cast, claims about some run are replaced by true or false, "negations are pushed inwards", and redundant operators
//! are merged.

use map_syntax::ast::{Formula, FormulaKind, Quantifier, TemporalOperator};

use super::super::cast::Setting;
use super::moment::{Environment, instances};

/// A claim about a run.
#[derive(Clone, Debug)]
pub(super) enum Claim {
    Known(bool),
    /// A formula about one moment, the environment of its variables, and whether it must hold or must not.
    Moment(Box<Formula>, Environment, bool),
    Not(Box<Claim>),
    And(Vec<Claim>),
    Or(Vec<Claim>),
    Next(Box<Claim>),
    Always(Box<Claim>),
    Eventually(Box<Claim>),
    Until(Box<Claim>, Box<Claim>),
    LeadsTo(Box<Claim>, Box<Claim>),
}

/// Decides a `possible` or `possible sequence` formula in an environment; `None` if it cannot be decided.
pub(super) type Ask<'f> = &'f mut dyn FnMut(&Formula, &Environment) -> Option<bool>;

/// The claim of a formula, or its negation; `None` if some part of it cannot be decided.
pub(super) fn claim(
    setting: &Setting<'_>,
    formula: &Formula,
    environment: &Environment,
    positive: bool,
    ask: Ask<'_>,
) -> Option<Claim> {
    use FormulaKind::{And, Implies, LeadsTo, Not, Or, Possible, Quantified, Sequence, Until};
    if is_about_a_moment(formula) {
        return Some(Claim::Moment(Box::new(formula.clone()), environment.clone(), positive));
    }
    let mut of =
        |formula: &Formula, positive: bool| claim(setting, formula, environment, positive, &mut *ask);
    Some(match &formula.kind {
        Possible(_) | Sequence(_) => Claim::Known(ask(formula, environment)? == positive),
        Not(inner) => of(inner, !positive)?,
        And(parts) | Or(parts) => {
            let parts = parts.iter().map(|part| of(part, positive)).collect::<Option<_>>()?;
            if matches!(formula.kind, And(_)) == positive { all(parts) } else { any(parts) }
        }
        Implies(parts) => {
            // "f implies g implies h" is "not f or not g or h".
            let (last, premises) = parts.split_last()?;
            let mut parts: Vec<Claim> =
                premises.iter().map(|premise| of(premise, !positive)).collect::<Option<_>>()?;
            parts.push(of(last, positive)?);
            if positive { any(parts) } else { all(parts) }
        }
        Quantified(quantifier, range, body) => {
            let mut parts = Vec::new();
            for inner in instances(setting, range, environment) {
                parts.push(claim(setting, body, &inner, positive, &mut *ask)?);
            }
            if (*quantifier == Quantifier::Forall) == positive { all(parts) } else { any(parts) }
        }
        FormulaKind::Temporal(operator, inner) => match (operator, positive) {
            (TemporalOperator::Next, _) => match of(inner, positive)? {
                Claim::Known(value) => Claim::Known(value),
                inner => Claim::Next(Box::new(inner)),
            },
            (TemporalOperator::Always, true) => always(of(inner, true)?),
            (TemporalOperator::Never, true) => always(of(inner, false)?),
            (TemporalOperator::Eventually, false) => always(of(inner, false)?),
            (TemporalOperator::Eventually, true) => eventually(of(inner, true)?),
            (TemporalOperator::Always, false) => eventually(of(inner, false)?),
            (TemporalOperator::Never, false) => eventually(of(inner, true)?),
        },
        Until(left, right) => {
            signed(Claim::Until(Box::new(of(left, true)?), Box::new(of(right, true)?)), positive)
        }
        LeadsTo(left, right) => {
            signed(Claim::LeadsTo(Box::new(of(left, true)?), Box::new(of(right, true)?)), positive)
        }
        FormulaKind::Unless(..) | FormulaKind::Precedes(..) => unreachable!("they are written out"),
        FormulaKind::Before(_) => unreachable!("it is about a moment"),
        FormulaKind::Atom(_) => unreachable!("an atom is about a moment"),
    })
}

fn signed(claim: Claim, positive: bool) -> Claim {
    if positive { claim } else { Claim::Not(Box::new(claim)) }
}

fn all(parts: Vec<Claim>) -> Claim {
    if parts.iter().any(|part| matches!(part, Claim::Known(false))) {
        return Claim::Known(false);
    }
    let mut left: Vec<Claim> = parts.into_iter().filter(|it| !matches!(it, Claim::Known(true))).collect();
    match left.len() {
        0 => Claim::Known(true),
        1 => left.remove(0),
        _ => Claim::And(left),
    }
}

fn any(parts: Vec<Claim>) -> Claim {
    if parts.iter().any(|part| matches!(part, Claim::Known(true))) {
        return Claim::Known(true);
    }
    let mut left: Vec<Claim> = parts.into_iter().filter(|it| !matches!(it, Claim::Known(false))).collect();
    match left.len() {
        0 => Claim::Known(false),
        1 => left.remove(0),
        _ => Claim::Or(left),
    }
}

/// "`always always f` is `always f`, `always (f leadsto g)` is `f leadsto g`, and `always` of a conjunction is the
/// conjunction of what is always so."
fn always(inner: Claim) -> Claim {
    match inner {
        Claim::And(parts) => all(parts.into_iter().map(always).collect()),
        Claim::Known(_) | Claim::Always(_) | Claim::LeadsTo(..) => inner,
        inner => Claim::Always(Box::new(inner)),
    }
}

/// "`eventually eventually f` is `eventually f`."
fn eventually(inner: Claim) -> Claim {
    match inner {
        Claim::Known(_) | Claim::Eventually(_) => inner,
        inner => Claim::Eventually(Box::new(inner)),
    }
}

/// Whether a formula is about a single moment.
pub(super) fn is_about_a_moment(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Atom(_) | FormulaKind::Before(_) => true,
        FormulaKind::Not(inner) | FormulaKind::Quantified(_, _, inner) => is_about_a_moment(inner),
        FormulaKind::And(parts) | FormulaKind::Or(parts) | FormulaKind::Implies(parts) => {
            parts.iter().all(is_about_a_moment)
        }
        _ => false,
    }
}
