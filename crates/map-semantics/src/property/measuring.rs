//! Values that a run has when it ends.

use map_ir::{AgentId, Comparison, Measures, Program, ReadCondition, Reading, Value};

use super::{Happening, Moment, MonitorState, PlainView, state_of, values_compare};
use crate::expression::calculate;
use crate::outcome::Outcome;
use crate::{Bounds, SceneState};

/// Reads measures off a run, step by step.
#[derive(Clone, Debug)]
pub struct Measuring<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    measures: &'a Measures,
    /// What was noted before the last step, and with it.
    before: MonitorState,
    after: MonitorState,
    happening: Happening,
    /// By [`Measures::moments`]: whether there has been such a moment, and the value.
    moments: Vec<Option<Option<Value>>>,
}

impl<'a> Measuring<'a> {
    /// Before the first step.
    #[must_use]
    pub fn new(program: &'a Program, bounds: &'a Bounds, measures: &'a Measures) -> Self {
        let tables = &measures.tables;
        Self {
            program,
            bounds,
            measures,
            before: MonitorState::start(tables),
            after: MonitorState::start(tables),
            happening: Happening::nothing(tables),
            moments: vec![None; measures.moments.len()],
        }
    }

    /// A step is made.
    pub fn see(&mut self, agent: AgentId, outcome: &Outcome) {
        let Measures { tables, moments, list, .. } = self.measures;
        if list.is_empty() {
            return;
        }
        self.happening = Happening::of_step(self.program, tables, agent, outcome);
        if !tables.monitors.is_empty() {
            let no_ceilings = vec![i64::MAX; tables.monitors.len()];
            let after = self.after.after(tables, &self.happening, &no_ceilings);
            self.before = std::mem::replace(&mut self.after, after);
        }
        let moment = Moment::of_events(&self.happening);
        for (of, known) in moments.iter().zip(&mut self.moments) {
            if !(of.first && known.is_some()) && moment.holds(&of.when) {
                *known = Some(moment.quantity(&of.value));
            }
        }
    }

    /// The values, of a run that ends in this state; `None` for those that it does not have.
    #[must_use]
    pub fn read(&self, state: &SceneState) -> Vec<Option<Value>> {
        let Self { program, bounds, measures, before, after, happening, moments } = self;
        if measures.list.is_empty() {
            return Vec::new();
        }
        let (states, quantities) = state_of(program, &measures.tables, &PlainView { program, bounds, state });
        let moment = Moment {
            happening,
            before: Some(before),
            states: &states,
            quantities: &quantities,
            after: Some(after),
        };
        let mut reader = Reader { moment, moments, declared: Vec::with_capacity(measures.declared.len()) };
        for reading in &measures.declared {
            let value = reader.value(reading);
            reader.declared.push(value);
        }
        measures.list.iter().map(|measure| reader.value(&measure.reading)).collect()
    }
}

/// Evaluates readings at the last moment of a run. What a value is computed from may be missing or unknown; then it is
/// missing, too, and so is what depends on a comparison with an unknown value.
struct Reader<'a> {
    moment: Moment<'a>,
    moments: &'a [Option<Option<Value>>],
    /// The values of the declared measures so far.
    declared: Vec<Option<Value>>,
}

impl Reader<'_> {
    fn value(&self, reading: &Reading) -> Option<Value> {
        match reading {
            Reading::Quantity(quantity) => self.moment.quantity(quantity),
            Reading::Moment(index) => self.moments[*index].flatten(),
            Reading::Declared(index) => self.declared[*index],
            Reading::Sum(all) => {
                let mut integers = all.iter().map(|&index| integer(self.declared[index]));
                integers.try_fold(0_i64, |sum, next| sum.checked_add(next?)).map(Value::Integer)
            }
            Reading::Arithmetic(first, rest) => {
                let mut so_far = self.integer(first)?;
                for (operator, operand) in rest {
                    so_far = calculate(*operator, so_far, self.integer(operand)?).ok()?;
                }
                Some(Value::Integer(so_far))
            }
            Reading::Min(one, other) => Some(Value::Integer(self.integer(one)?.min(self.integer(other)?))),
            Reading::Max(one, other) => Some(Value::Integer(self.integer(one)?.max(self.integer(other)?))),
            Reading::If(condition, then, otherwise) => match self.condition(condition)? {
                true => self.value(then),
                false => self.value(otherwise),
            },
        }
    }

    fn integer(&self, reading: &Reading) -> Option<i64> {
        integer(self.value(reading))
    }

    /// `None` if it rests on an unknown value.
    fn condition(&self, condition: &ReadCondition) -> Option<bool> {
        match condition {
            ReadCondition::Holds(proposition) => Some(self.moment.holds(proposition)),
            ReadCondition::Compare(left, comparison, right) => {
                compare(self.value(left), *comparison, self.value(right))
            }
            ReadCondition::Not(denied) => self.condition(denied).map(|holds| !holds),
            ReadCondition::And(parts) => self.chain(parts, false),
            ReadCondition::Or(parts) => self.chain(parts, true),
            ReadCondition::If(condition, then, otherwise) => match self.condition(condition)? {
                true => self.condition(then),
                false => self.condition(otherwise),
            },
        }
    }

    /// `and` stops at the first condition that does not hold, `or` at the first that does.
    fn chain(&self, parts: &[ReadCondition], ends_at: bool) -> Option<bool> {
        for part in parts {
            if self.condition(part)? == ends_at {
                return Some(ends_at);
            }
        }
        Some(!ends_at)
    }
}

fn integer(value: Option<Value>) -> Option<i64> {
    match value {
        Some(Value::Integer(number)) => Some(number),
        _ => None,
    }
}

fn compare(left: Option<Value>, comparison: Comparison, right: Option<Value>) -> Option<bool> {
    let is_unknown = |value: Option<Value>| matches!(value, Some(Value::Abstract(_)));
    if let (Some(one), Some(other)) = (left, right)
        && (is_unknown(left) || is_unknown(right))
    {
        let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        one.equals(other).filter(|_| is_equality)?;
    }
    Some(values_compare(left, comparison, right))
}
