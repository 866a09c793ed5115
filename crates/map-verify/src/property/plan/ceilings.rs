//! Claims that a cost never comes to more than so much, as in `always cost(u) <= 3`. They are judged from what steps
//! cost, so that no state has to count.

use map_ir::{
    Comparison, Monitor, Program, Properties, Property, Proposition, PropositionId, Quantity, Value,
};
use map_semantics::{Bounds, Happening};

use crate::property::form::{Form, Literal};

/// A claim that a cost never comes to so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ceiling {
    /// What stands for it in the formulas of a group: `always` this.
    pub(crate) literal: Literal,
    /// Index into the costs of the group.
    pub(crate) cost: usize,
    /// The least that is too much, besides what was paid before the first moment. [`NEVER`] if nothing is.
    pub(crate) too_much: i128,
}

/// That a cost never comes to so much, as a property says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostCeiling {
    /// Index into [`Properties::costs`].
    pub cost: usize,
    /// The least that is too much; [`i128::MAX`] if nothing is.
    pub too_much: i128,
}

/// More than any sum, since sums stop at [`i64::MAX`].
const NEVER: i128 = i128::MAX;

/// Whether all that a property says of earlier steps is that costs never come to more than so much.
pub(super) fn is_about_costs_alone(properties: &Properties, property: &Property) -> bool {
    let Properties { monitors, propositions, .. } = properties;
    let needs_no_monitor = |it: &Literal| {
        !propositions[it.proposition].looks_back() || limit(monitors, propositions, *it).is_some()
    };
    literals(property).is_some_and(|literals| literals.iter().all(needs_no_monitor))
}

/// What a property says, if all of it is that costs never come to more than so much.
#[must_use]
pub fn cost_ceilings(properties: &Properties, property: &Property) -> Option<Vec<CostCeiling>> {
    let limits = literals(property)?.into_iter().map(|literal| {
        let (cost, too_much) = limit(&properties.monitors, &properties.propositions, literal)?;
        Some(CostCeiling { cost, too_much })
    });
    limits.collect()
}

/// Takes the claims about costs out of the properties of a group, which then need no monitors: whoever judges must not
/// look at the propositions that stood for them. If other properties of the group need monitors, all is left as it is.
pub(super) fn taken_out(
    (program, bounds): (&Program, &Bounds),
    mut properties: Properties,
) -> (Properties, Vec<Ceiling>) {
    if properties.monitors.is_empty() {
        return (properties, Vec::new());
    }
    let mut ceilings: Vec<Ceiling> = Vec::new();
    let mut counted: Vec<PropositionId> = Vec::new();
    for literal in properties.list.iter().filter_map(literals).flatten() {
        let Some((cost, too_much)) = limit(&properties.monitors, &properties.propositions, literal) else {
            continue;
        };
        let too_much = match too_much {
            NEVER => NEVER,
            _ => too_much - paid_before((program, bounds), &properties, cost),
        };
        ceilings.push(Ceiling { literal, cost, too_much });
        counted.push(literal.proposition);
    }
    let needs_monitors =
        |(id, proposition): (usize, &Proposition)| proposition.looks_back() && !counted.contains(&id);
    if properties.propositions.iter().enumerate().any(needs_monitors) {
        return (properties, Vec::new());
    }
    counted.iter().for_each(|&id| properties.propositions[id] = Proposition::Constant(true));
    properties.monitors.clear();
    (properties, ceilings)
}

/// What always holds, if that is all that a property says.
fn literals(property: &Property) -> Option<Vec<Literal>> {
    if !property.premises.is_empty() || property.constant.is_some() {
        return None;
    }
    let literal = |form: Form| match form {
        Form::Always(inner) => match *inner {
            Form::Literal(literal) => Some(literal),
            _ => None,
        },
        _ => None,
    };
    Form::new(&property.formula, &mut |_, _| None).conjuncts().into_iter().map(literal).collect()
}

/// The cost that stays below a number if a literal holds, and the number.
fn limit(monitors: &[Monitor], propositions: &[Proposition], literal: Literal) -> Option<(usize, i128)> {
    let Literal { proposition, mut positive } = literal;
    let mut proposition = &propositions[proposition];
    while let Proposition::Not(denied) = proposition {
        (proposition, positive) = (&**denied, !positive);
    }
    let (monitor, comparison, number) = match proposition {
        Proposition::Compare(Quantity::Monitor(it), comparison, Quantity::Value(Value::Integer(number))) => {
            (*it, *comparison, *number)
        }
        Proposition::Compare(Quantity::Value(Value::Integer(number)), comparison, Quantity::Monitor(it)) => {
            (*it, comparison.swapped(), *number)
        }
        _ => return None,
    };
    let Monitor::Cost(cost) = monitors[monitor] else { return None };
    let above = if number == i64::MAX { NEVER } else { i128::from(number) + 1 };
    match (comparison, positive) {
        (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => Some((cost, above)),
        (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => Some((cost, i128::from(number))),
        _ => None,
    }
}

/// What a cost has come to before the first moment.
fn paid_before((program, bounds): (&Program, &Bounds), properties: &Properties, cost: usize) -> i128 {
    let made = bounds.after.iter().flat_map(|prefix| &prefix.made);
    let paid = made.map(|(agent, outcome)| {
        i128::from(Happening::of_step(program, properties, *agent, outcome).costs[cost])
    });
    paid.sum()
}
