//! Normal forms of propositions. Propositions that differ only in the order of their parts have the same one.

use map_ir::{Comparison, Monitor, Proposition, Quantity};

/// The normal form: nested conjunctions and disjunctions are flattened, their parts sorted and deduplicated.
pub(super) fn normal(proposition: Proposition) -> Proposition {
    match proposition {
        Proposition::Not(denied) => match normal(*denied) {
            Proposition::Not(inner) => *inner,
            Proposition::Constant(value) => Proposition::Constant(!value),
            denied => Proposition::Not(Box::new(denied)),
        },
        Proposition::And(parts) => {
            let nested = |part| if let Proposition::And(inner) = part { Ok(inner) } else { Err(part) };
            joined(parts, nested, Proposition::And)
        }
        Proposition::Or(parts) => {
            let nested = |part| if let Proposition::Or(inner) = part { Ok(inner) } else { Err(part) };
            joined(parts, nested, Proposition::Or)
        }
        Proposition::Compare(left, comparison, right) => {
            let (left, right) = (quantity(left), quantity(right));
            match comparison {
                Comparison::Equal | Comparison::NotEqual if right < left => {
                    Proposition::Compare(right, comparison, left)
                }
                _ => Proposition::Compare(left, comparison, right),
            }
        }
        Proposition::Constant(_)
        | Proposition::Event(_)
        | Proposition::State(_)
        | Proposition::Before(..) => proposition,
    }
}

/// A monitor with its proposition in normal form.
pub(super) fn normal_monitor(monitor: &Monitor) -> Monitor {
    match monitor.clone() {
        Monitor::Seen(when, values) => Monitor::Seen(normal(when), values),
        Monitor::Times(when) => Monitor::Times(normal(when)),
        Monitor::Total(when, quantity) => Monitor::Total(normal(when), quantity),
        Monitor::Cost(cost) => Monitor::Cost(cost),
    }
}

fn joined(
    parts: Vec<Proposition>,
    nested: impl Fn(Proposition) -> Result<Vec<Proposition>, Proposition>,
    join: fn(Vec<Proposition>) -> Proposition,
) -> Proposition {
    let mut all = Vec::new();
    for part in parts {
        match nested(normal(part)) {
            Ok(inner) => all.extend(inner),
            Err(part) => all.push(part),
        }
    }
    all.sort_unstable();
    all.dedup();
    if all.len() == 1 { all.remove(0) } else { join(all) }
}

fn quantity(quantity: Quantity) -> Quantity {
    match quantity {
        Quantity::Count(all) => {
            // Not deduplicated: multiplicity matters.
            let mut all: Vec<Proposition> = all.into_iter().map(normal).collect();
            all.sort_unstable();
            Quantity::Count(all)
        }
        Quantity::Nothing
        | Quantity::Value(_)
        | Quantity::State(_)
        | Quantity::Argument(_)
        | Quantity::Monitor(_) => quantity,
    }
}
