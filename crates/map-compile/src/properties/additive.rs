//! Measures that only add up what events bring, with factors from 0 on. What they come to at most is found as for
//! costs.

use map_ir::{
    Arithmetic, Charge, ChargedEvent, Cost, DeclaredCost, EventAtom, EventKind, ExpressionKind, Measure,
    Monitor, Price, Program, Proposition, Quantity, Reading, Value, Whom,
};

use super::PropertyCompiler;

/// Why a measure is not added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAdditive {
    /// It is the first or last value of an event.
    Moment,
    /// It is what something is at the end: the content of a cell, for example.
    AtTheEnd,
    /// It counts moments at which something holds that is no single send or receive.
    Moments,
    /// It adds up values that may be negative.
    Negative,
    /// It is computed otherwise than by `+`, and `*` with a number from 0 on.
    Computed,
}

/// A price in a message is charged so often for a factor, at most.
const MOST_TIMES: i64 = 16;

impl PropertyCompiler<'_> {
    /// What a measure adds up, as a cost. The numbers in it are about the tables of [`PropertyCompiler::finish`].
    ///
    /// # Errors
    /// If it is no sum of what events bring.
    pub fn additive(&mut self, measure: &Measure) -> Result<DeclaredCost, NotAdditive> {
        let charges = match self.sum(&measure.reading)? {
            Sum::Charges(charges) => charges,
            Sum::Number(_) => return Err(NotAdditive::Computed),
        };
        let total = self.costs.insert_full(Cost { charges }).0;
        Ok(DeclaredCost { name: measure.name.clone(), total, by_role: Vec::new() })
    }

    fn sum(&self, reading: &Reading) -> Result<Sum, NotAdditive> {
        match reading {
            Reading::Quantity(Quantity::Value(Value::Integer(number))) => Ok(Sum::Number(*number)),
            Reading::Quantity(Quantity::Monitor(monitor)) => {
                self.of_monitor(&self.monitors[*monitor]).map(Sum::Charges)
            }
            Reading::Quantity(_) => Err(NotAdditive::AtTheEnd),
            Reading::Moment(_) => Err(NotAdditive::Moment),
            Reading::Declared(index) => self.sum(&self.measures[*index]),
            Reading::Sum(all) => {
                let none = Sum::Charges(Vec::new());
                all.iter().try_fold(none, |sum, index| plus(sum, self.sum(&self.measures[*index])?))
            }
            Reading::Arithmetic(first, rest) => {
                rest.iter().try_fold(self.sum(first)?, |sum, (operator, operand)| {
                    let operand = self.sum(operand)?;
                    match operator {
                        Arithmetic::Add => plus(sum, operand),
                        Arithmetic::Multiply => times(sum, operand),
                        _ => Err(NotAdditive::Computed),
                    }
                })
            }
            Reading::Min(..) | Reading::Max(..) | Reading::If(..) => Err(NotAdditive::Computed),
        }
    }

    fn of_monitor(&self, monitor: &Monitor) -> Result<Vec<Charge>, NotAdditive> {
        match monitor {
            Monitor::Cost(cost) => Ok(self.costs[*cost].charges.clone()),
            Monitor::Times(when) => self.charge(when, Price::Amount(1)),
            Monitor::Total(when, Quantity::Value(Value::Integer(number))) => match number {
                0.. => self.charge(when, Price::Amount(*number)),
                _ => Err(NotAdditive::Negative),
            },
            Monitor::Total(when, Quantity::Argument(argument)) => {
                let argument = &self.arguments[*argument];
                if *when != Proposition::Event(argument.event) {
                    return Err(NotAdditive::Moments);
                }
                match may_be_negative(self.program) {
                    true => Err(NotAdditive::Negative),
                    false => self.charge(when, Price::Argument(argument.place)),
                }
            }
            Monitor::Total(..) | Monitor::Seen(..) => Err(NotAdditive::Moments),
        }
    }

    /// What is charged at each moment at which an event happens: such events happen once in a step, if at all.
    fn charge(&self, when: &Proposition, price: Price) -> Result<Vec<Charge>, NotAdditive> {
        let Proposition::Event(event) = when else { return Err(NotAdditive::Moments) };
        let EventAtom { agent, kind } = &self.events[*event];
        let whom = |agent: &Option<_>| agent.map_or(Whom::Anybody, |agent| Whom::These(vec![agent]));
        let event = match kind {
            EventKind::Sends(pattern, to) => ChargedEvent::Sends(pattern.clone(), whom(to)),
            EventKind::Receives(pattern, from) => ChargedEvent::Receives(pattern.clone(), whom(from)),
            // A charge for an ask counts each time that it is refused in a step.
            EventKind::Asks(_) | EventKind::Answers(..) | EventKind::TimesOut => {
                return Err(NotAdditive::Moments);
            }
        };
        Ok(vec![Charge { bearer: whom(agent), event, price }])
    }
}

/// What a part of a measure is.
enum Sum {
    Number(i64),
    Charges(Vec<Charge>),
}

fn plus(one: Sum, other: Sum) -> Result<Sum, NotAdditive> {
    Ok(match (one, other) {
        (Sum::Charges(mut all), Sum::Charges(more)) => {
            all.extend(more);
            Sum::Charges(all)
        }
        (Sum::Number(0), sum) | (sum, Sum::Number(0)) => sum,
        (Sum::Number(one), Sum::Number(other)) => {
            Sum::Number(one.checked_add(other).ok_or(NotAdditive::Computed)?)
        }
        (Sum::Number(_), Sum::Charges(_)) | (Sum::Charges(_), Sum::Number(_)) => {
            return Err(NotAdditive::Computed);
        }
    })
}

fn times(one: Sum, other: Sum) -> Result<Sum, NotAdditive> {
    let (factor, charges) = match (one, other) {
        (Sum::Number(one), Sum::Number(other)) => {
            return Ok(Sum::Number(one.checked_mul(other).ok_or(NotAdditive::Computed)?));
        }
        (Sum::Number(factor), Sum::Charges(charges)) | (Sum::Charges(charges), Sum::Number(factor)) => {
            (factor, charges)
        }
        (Sum::Charges(_), Sum::Charges(_)) => return Err(NotAdditive::Computed),
    };
    if factor < 0 {
        return Err(NotAdditive::Negative);
    }
    let mut all = Vec::new();
    for charge in charges {
        match charge.price {
            Price::Amount(amount) => {
                let amount = amount.checked_mul(factor).ok_or(NotAdditive::Computed)?;
                all.push(Charge { price: Price::Amount(amount), ..charge });
            }
            Price::Argument(_) if factor > MOST_TIMES => return Err(NotAdditive::Computed),
            Price::Argument(_) => all.extend((0..factor).map(|_| charge.clone())),
        }
    }
    Ok(Sum::Charges(all))
}

/// Whether some value of the dialogue may be a negative integer: one is written, or something is subtracted.
fn may_be_negative(program: &Program) -> bool {
    let is_negative = |value: &Value| matches!(value, Value::Integer(..0));
    let mut subtracts = program.expressions.iter().map(|it| match &it.kind {
        ExpressionKind::Arithmetic(_, rest) => {
            rest.iter().any(|(operator, _)| !matches!(operator, Arithmetic::Add | Arithmetic::Multiply))
        }
        _ => false,
    });
    program.constants().iter().any(|(value, _)| is_negative(value))
        || program.domains().iter().any(|(domain, _)| domain.iter().any(is_negative))
        || subtracts.any(|it| it)
}
