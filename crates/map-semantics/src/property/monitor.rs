//! What properties remember of the earlier steps of a run: a deterministic monitor beside the state.

use std::collections::BTreeSet;

use map_ir::{Monitor, Program, Properties, Proposition, Quantity, Value};

use super::{Happening, Moment};
use crate::Bounds;

/// What every monitor of some properties has noted so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MonitorState(Box<[Noted]>);

/// What a monitor has noted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Noted {
    Seen(BTreeSet<Box<[Value]>>),
    Number(i64),
}

impl MonitorState {
    /// Nothing noted: at the first moment no event has happened.
    #[must_use]
    pub fn start(properties: &Properties) -> Self {
        let noted = |monitor: &Monitor| match monitor {
            Monitor::Seen(..) => Noted::Seen(BTreeSet::new()),
            Monitor::Times(_) | Monitor::Total(..) | Monitor::Cost(_) => Noted::Number(0),
        };
        Self(properties.monitors.iter().map(noted).collect())
    }

    /// What is noted when a run begins: nothing, unless steps are behind it ([`Bounds::after`]), which are noted.
    #[must_use]
    pub fn first(program: &Program, bounds: &Bounds, properties: &Properties) -> Self {
        let start = Self::start(properties);
        let Some(prefix) = &bounds.after else { return start };
        let no_ceilings = vec![i64::MAX; properties.monitors.len()];
        prefix.made.iter().fold(start, |noted, (agent, outcome)| {
            let happening = Happening::of_step(program, properties, *agent, outcome);
            noted.after(properties, &happening, &no_ceilings)
        })
    }

    /// After a further step. Numbers stop at the greatest that `ceilings` has for them, which changes no comparison
    /// as long as none of them decreases ([`ceilings`]).
    #[must_use]
    pub fn after(&self, properties: &Properties, happening: &Happening, ceilings: &[i64]) -> Self {
        let moment = Moment::of_events(happening);
        let noted =
            self.0.iter().zip(&properties.monitors).zip(ceilings).map(|((noted, monitor), &ceiling)| {
                if monitor.when().is_some_and(|when| !moment.holds(when)) {
                    return noted.clone();
                }
                match (monitor, noted) {
                    (Monitor::Seen(_, values), Noted::Seen(seen)) => {
                        let mut seen = seen.clone();
                        seen.extend(moment.values(values));
                        Noted::Seen(seen)
                    }
                    (Monitor::Times(_), Noted::Number(number)) => {
                        Noted::Number(number.saturating_add(1).min(ceiling))
                    }
                    (Monitor::Total(_, quantity), Noted::Number(number)) => {
                        let more = amount(&moment, quantity);
                        Noted::Number(number.saturating_add(more).min(ceiling))
                    }
                    (Monitor::Cost(cost), Noted::Number(number)) => {
                        Noted::Number(number.saturating_add(happening.costs[*cost]).min(ceiling))
                    }
                    _ => unreachable!("a monitor notes what is of its kind"),
                }
            });
        Self(noted.collect())
    }

    /// The same with numbers that stop at their ceilings.
    #[must_use]
    pub fn capped(&self, ceilings: &[i64]) -> Self {
        let noted = self.0.iter().zip(ceilings).map(|(noted, &ceiling)| match noted {
            Noted::Seen(_) => noted.clone(),
            Noted::Number(number) => Noted::Number(*number.min(&ceiling)),
        });
        Self(noted.collect())
    }

    /// Whether the monitor has seen these values.
    #[must_use]
    pub fn has_seen(&self, monitor: usize, values: &[Value]) -> bool {
        matches!(&self.0[monitor], Noted::Seen(seen) if seen.contains(values))
    }

    /// The number that the monitor has come to; `None` if it takes note of values.
    #[must_use]
    pub fn number(&self, monitor: usize) -> Option<i64> {
        if let Noted::Number(number) = self.0[monitor] { Some(number) } else { None }
    }

    /// Estimated bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let noted = |noted: &Noted| match noted {
            Noted::Seen(seen) => seen.iter().map(|values| 48 + 16 * values.len()).sum(),
            Noted::Number(_) => 0,
        };
        self.0.len() * size_of::<Noted>() + self.0.iter().map(noted).sum::<usize>()
    }
}

/// What a total grows by. What is no integer adds nothing.
fn amount(moment: &Moment<'_>, quantity: &Quantity) -> i64 {
    if let Some(Value::Integer(amount)) = moment.quantity(quantity) { amount } else { 0 }
}

/// For each monitor a number just above all constants that it is compared with, so that all greater ones compare alike;
/// [`i64::MAX`] if it is compared with anything else.
#[must_use]
pub fn ceilings(properties: &Properties) -> Vec<i64> {
    let mut ceilings = vec![0; properties.monitors.len()];
    properties.propositions.iter().for_each(|it| raise(it, &mut ceilings));
    ceilings
}

/// The monitors whose numbers a step decreases: no ceiling is sound for them.
#[must_use]
pub fn decreased(properties: &Properties, happening: &Happening) -> Vec<usize> {
    let moment = Moment::of_events(happening);
    let decreases = |(index, monitor): (usize, &Monitor)| {
        let Monitor::Total(when, quantity) = monitor else { return None };
        (moment.holds(when) && amount(&moment, quantity) < 0).then_some(index)
    };
    properties.monitors.iter().enumerate().filter_map(decreases).collect()
}

fn raise(proposition: &Proposition, ceilings: &mut [i64]) {
    match proposition {
        Proposition::Not(denied) => raise(denied, ceilings),
        Proposition::And(parts) | Proposition::Or(parts) => parts.iter().for_each(|it| raise(it, ceilings)),
        Proposition::Compare(left, _, right) => {
            for (side, other) in [(left, right), (right, left)] {
                match (side, other) {
                    (Quantity::Monitor(index), Quantity::Value(Value::Integer(number))) => {
                        ceilings[*index] = ceilings[*index].max(number.saturating_add(1));
                    }
                    // Whatever is no integer is never equal to a number, and neither smaller nor larger.
                    (Quantity::Monitor(_), Quantity::Value(_) | Quantity::Nothing) => {}
                    (Quantity::Monitor(index), _) => ceilings[*index] = i64::MAX,
                    (Quantity::Count(counted), _) => counted.iter().for_each(|it| raise(it, ceilings)),
                    _ => {}
                }
            }
        }
        Proposition::Constant(_)
        | Proposition::Event(_)
        | Proposition::State(_)
        | Proposition::Before(..) => {}
    }
}
