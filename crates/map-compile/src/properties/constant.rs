//! Formulas that hold, or do not, whatever the dialogue does.

use indexmap::IndexSet;
use map_ir::{Comparison, Possibility, Proposition, Quantity, StateQuantity, Temporal, Value};

/// The least and the greatest integer that a quantity can be.
type Range = (i64, i64);

/// The truth of a formula if no dialogue changes it.
pub(super) fn truth(
    propositions: &IndexSet<Proposition>,
    quantities: &IndexSet<StateQuantity>,
    formula: &Temporal,
) -> Option<bool> {
    let holds = |id: usize| of_moment(quantities, &propositions[id]);
    let of = |formula: &Temporal| truth(propositions, quantities, formula);
    match formula {
        Temporal::Holds(id) | Temporal::Possible(Possibility::Reach(id)) => holds(*id),
        Temporal::Possible(Possibility::Sequence(all)) => {
            all.iter().any(|&it| holds(it) == Some(false)).then_some(false)
        }
        Temporal::Possible(Possibility::Satisfy(inner))
        | Temporal::Next(inner)
        | Temporal::Always(inner)
        | Temporal::Eventually(inner) => of(inner),
        Temporal::Not(inner) => of(inner).map(|truth| !truth),
        Temporal::And(parts) => all(parts.iter().map(of)),
        Temporal::Or(parts) => any(parts.iter().map(of)),
        Temporal::Until(left, right) => match (of(left), of(right)) {
            (_, Some(truth)) => Some(truth),
            _ => None,
        },
        Temporal::LeadsTo(left, right) => match (of(left), of(right)) {
            (Some(false), _) | (_, Some(true)) => Some(true),
            _ => None,
        },
    }
}

fn of_moment(quantities: &IndexSet<StateQuantity>, proposition: &Proposition) -> Option<bool> {
    let of = |it: &Proposition| of_moment(quantities, it);
    match proposition {
        Proposition::Constant(truth) => Some(*truth),
        Proposition::Event(_) | Proposition::State(_) | Proposition::Before(..) => None,
        Proposition::Not(denied) => of(denied).map(|truth| !truth),
        Proposition::And(parts) => all(parts.iter().map(of)),
        Proposition::Or(parts) => any(parts.iter().map(of)),
        Proposition::Compare(left, comparison, right) => {
            compared(range(quantities, left)?, *comparison, range(quantities, right)?)
        }
    }
}

fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    any(parts.map(|part| part.map(|truth| !truth))).map(|truth| !truth)
}

fn any(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(false);
    for part in parts {
        match part {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = None,
        }
    }
    known
}

fn range(quantities: &IndexSet<StateQuantity>, quantity: &Quantity) -> Option<Range> {
    match quantity {
        Quantity::Value(Value::Integer(number)) => Some((*number, *number)),
        Quantity::Count(counted) => Some((0, counted.len() as i64)),
        Quantity::State(index) => match quantities[*index] {
            StateQuantity::Mailbox(_) => Some((0, i64::MAX)),
            StateQuantity::Cell(..) => None,
        },
        Quantity::Monitor(_) | Quantity::Nothing | Quantity::Value(_) | Quantity::Argument(_) => None,
    }
}

fn compared((least, most): Range, comparison: Comparison, (its_least, its_most): Range) -> Option<bool> {
    let decided = |always: bool, never: bool| match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    match comparison {
        Comparison::Less => decided(most < its_least, least >= its_most),
        Comparison::LessOrEqual => decided(most <= its_least, least > its_most),
        Comparison::Greater => decided(least > its_most, most <= its_least),
        Comparison::GreaterOrEqual => decided(least >= its_most, most < its_least),
        Comparison::Equal | Comparison::NotEqual => {
            let apart = most < its_least || its_most < least;
            let one = least == most && its_least == its_most && least == its_least;
            decided(one, apart).map(|equal| equal == (comparison == Comparison::Equal))
        }
    }
}
