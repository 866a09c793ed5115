//! Expressions of procedure bodies, acts and calls (language reference, "Expressions").
//!
//! An operation with an abstract operand yields an abstract value or, if its result is a condition, an open question.
//! That such an operand is an integer, and that the result fits in 64 bits, is assumed
//! ([`map_ir::Program::assumed_numbers`]); whether an abstract divisor is 0 is open.

use map_ir::{Arithmetic, Comparison, Expression, ExpressionId, ExpressionKind, PointId, Symbol, Value};

use crate::outcome::{Assumption, RunError, RunErrorKind};
use crate::{Choice, Choices, ComputedValue, Operation};

/// The result of an expression.
#[derive(Clone, Copy)]
enum Evaluated {
    Value(Value),
    Condition(bool),
}

/// Evaluates the expressions of one answer, act or call.
pub(crate) struct Evaluation<'a> {
    pub(crate) expressions: &'a [Expression],
    /// The ask, send or call, for open questions.
    pub(crate) point: PointId,
    pub(crate) own: Value,
    /// The arguments of the procedure; empty outside of bodies.
    pub(crate) arguments: &'a [Value],
    /// The variables of the clause.
    pub(crate) variables: &'a [Option<Value>],
    /// The cells as they were, by cell id; `None` for cells of other roles.
    pub(crate) cells: &'a dyn Fn(map_ir::CellId) -> Option<Value>,
    pub(crate) choices: &'a mut dyn Choices,
    pub(crate) assumptions: &'a mut Vec<Assumption>,
    /// Abstract values that cannot be 0, by the comparisons and divisions of this act so far.
    pub(crate) nonzero: &'a mut Vec<Value>,
    /// The next unused symbol.
    pub(crate) fresh: &'a mut Symbol,
}

impl Evaluation<'_> {
    /// The value of an expression.
    pub(crate) fn value(&mut self, id: ExpressionId) -> Result<Value, RunError> {
        match self.evaluate(id)? {
            Evaluated::Value(value) => Ok(value),
            Evaluated::Condition(_) => Err(self.error(id, RunErrorKind::ConditionAsValue)),
        }
    }

    /// Whether a condition holds.
    pub(crate) fn condition(&mut self, id: ExpressionId) -> Result<bool, RunError> {
        match self.evaluate(id)? {
            Evaluated::Condition(holds) => Ok(holds),
            Evaluated::Value(_) => Err(self.error(id, RunErrorKind::ValueAsCondition)),
        }
    }

    fn evaluate(&mut self, id: ExpressionId) -> Result<Evaluated, RunError> {
        let expressions = self.expressions;
        let value = match &expressions[id.index()].kind {
            ExpressionKind::Constant(value) => *value,
            ExpressionKind::Argument(index) => self.arguments[*index],
            ExpressionKind::Variable(slot) => {
                self.variables[slot.index()].expect("checked: bound on every path to a use")
            }
            ExpressionKind::Cell(cell) => {
                (self.cells)(*cell).expect("checked: the role of the asking agent has the cell")
            }
            ExpressionKind::Own => self.own,
            ExpressionKind::Arithmetic(first, rest) => self.arithmetic(id, *first, rest)?,
            ExpressionKind::Min(left, right) => self.extreme(*left, *right, Operation::Min, i64::min)?,
            ExpressionKind::Max(left, right) => self.extreme(*left, *right, Operation::Max, i64::max)?,
            ExpressionKind::If(condition, then, otherwise) => {
                let chosen = if self.condition(*condition)? { then } else { otherwise };
                return self.evaluate(*chosen);
            }
            ExpressionKind::Comparison(left, operator, right) => {
                return self.comparison(id, *left, *operator, *right).map(Evaluated::Condition);
            }
            ExpressionKind::And(parts) => return self.chain(parts, false),
            ExpressionKind::Or(parts) => return self.chain(parts, true),
            ExpressionKind::Not(part) => return Ok(Evaluated::Condition(!self.condition(*part)?)),
        };
        Ok(Evaluated::Value(value))
    }

    /// Short-circuit evaluation: `and` stops at the first condition that does not hold, `or` at the first that does.
    fn chain(&mut self, parts: &[ExpressionId], ends_at: bool) -> Result<Evaluated, RunError> {
        for &part in parts {
            if self.condition(part)? == ends_at {
                return Ok(Evaluated::Condition(ends_at));
            }
        }
        Ok(Evaluated::Condition(!ends_at))
    }

    fn arithmetic(
        &mut self,
        id: ExpressionId,
        first: ExpressionId,
        rest: &[(Arithmetic, ExpressionId)],
    ) -> Result<Value, RunError> {
        let mut so_far = self.value(first)?;
        let mut left = first;
        for &(operator, operand) in rest {
            let value = self.value(operand)?;
            so_far = match (self.integer(left, so_far)?, self.integer(operand, value)?) {
                (Some(first), Some(second)) => {
                    let result = calculate(operator, first, second);
                    Value::Integer(result.map_err(|kind| self.error(id, kind))?)
                }
                (_, divisor) if divides(operator) && self.settle_zero(divisor, value) => {
                    return Err(self.error(id, RunErrorKind::DivisionByZero));
                }
                _ => self.abstract_value(Operation::Arithmetic(operator), (so_far, value)),
            };
            // An error in the left operand is reported at the first operand; after that the left operand is an
            // intermediate result.
            left = id;
        }
        Ok(so_far)
    }

    fn extreme(
        &mut self,
        left: ExpressionId,
        right: ExpressionId,
        operation: Operation,
        pick: fn(i64, i64) -> i64,
    ) -> Result<Value, RunError> {
        let (first, second) = (self.value(left)?, self.value(right)?);
        Ok(match (self.integer(left, first)?, self.integer(right, second)?) {
            (Some(first), Some(second)) => Value::Integer(pick(first, second)),
            _ => self.abstract_value(operation, (first, second)),
        })
    }

    fn comparison(
        &mut self,
        id: ExpressionId,
        left: ExpressionId,
        operator: Comparison,
        right: ExpressionId,
    ) -> Result<bool, RunError> {
        let (first, second) = (self.value(left)?, self.value(right)?);
        if matches!(operator, Comparison::Equal | Comparison::NotEqual) {
            let equal = match self.choices.equals(first, second) {
                Some(equal) => equal,
                None => self.open_equality(first, second),
            };
            return Ok(equal == (operator == Comparison::Equal));
        }
        Ok(match (self.integer(left, first)?, self.integer(right, second)?) {
            (Some(first), Some(second)) => integers_compare(first, operator, second),
            _ => self.open_condition(id, (first, operator, second)),
        })
    }

    /// Whether a divisor is 0; if it is abstract, that is settled unless this act excludes it.
    fn settle_zero(&mut self, known: Option<i64>, divisor: Value) -> bool {
        match known {
            Some(number) => number == 0,
            None => !self.nonzero.contains(&divisor) && self.open_equality(divisor, Value::Integer(0)),
        }
    }

    /// Records that the comparison of a value with this one came out so. If 0 would not have, the value is not 0.
    fn note_outcome(&mut self, value: Value, comparison: Comparison, with: Value, holds: bool) {
        let of_zero = match (comparison, with) {
            (_, Value::Abstract(_)) => return,
            (_, Value::Integer(number)) => integers_compare(0, comparison, number),
            (Comparison::Equal, _) => false,
            (Comparison::NotEqual, _) => true,
            _ => return,
        };
        if of_zero != holds {
            self.nonzero.push(value);
        }
    }

    fn open_equality(&mut self, left: Value, right: Value) -> bool {
        let pairs = vec![(left, right)];
        let equal = self.choices.choose(&Choice::Equal { point: self.point, pairs: &pairs }) == 1;
        self.assumptions.push(Assumption::Equal { point: self.point, pairs, equal });
        self.note_outcome(left, Comparison::Equal, right, equal);
        self.note_outcome(right, Comparison::Equal, left, equal);
        equal
    }

    fn open_condition(&mut self, condition: ExpressionId, compared: (Value, Comparison, Value)) -> bool {
        let choice = Choice::Condition { point: self.point, condition, compared };
        let holds = self.choices.choose(&choice) == 1;
        self.assumptions.push(Assumption::Condition { condition, holds });
        let (left, comparison, right) = compared;
        self.note_outcome(left, comparison, right, holds);
        self.note_outcome(right, comparison.swapped(), left, holds);
        holds
    }

    fn abstract_value(&mut self, operation: Operation, operands: (Value, Value)) -> Value {
        let result = Value::Abstract(*self.fresh);
        self.fresh.0 += 1;
        self.choices.derive(ComputedValue { result, operation, operands });
        result
    }

    /// The integer that an operand is; `None` if it is abstract, and taken to be one.
    fn integer(&self, id: ExpressionId, value: Value) -> Result<Option<i64>, RunError> {
        match value {
            Value::Integer(number) => Ok(Some(number)),
            Value::Abstract(_) => Ok(None),
            _ => Err(self.error(id, RunErrorKind::NoInteger(value))),
        }
    }

    fn error(&self, id: ExpressionId, kind: RunErrorKind) -> RunError {
        let Expression { span, .. } = self.expressions[id.index()];
        RunError { point: self.point, span, kind }
    }
}

const fn divides(operator: Arithmetic) -> bool {
    matches!(operator, Arithmetic::Divide | Arithmetic::Remainder)
}

/// Whether `left comparison right` holds.
#[must_use]
pub fn integers_compare(left: i64, comparison: Comparison, right: i64) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => left < right,
        Comparison::LessOrEqual => left <= right,
        Comparison::Greater => left > right,
        Comparison::GreaterOrEqual => left >= right,
    }
}

/// The result of `left operator right`.
///
/// # Errors
/// A division by zero, or a result beyond 64 bits.
pub fn calculate(operator: Arithmetic, left: i64, right: i64) -> Result<i64, RunErrorKind> {
    if divides(operator) && right == 0 {
        return Err(RunErrorKind::DivisionByZero);
    }
    let result = match operator {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Subtract => left.checked_sub(right),
        Arithmetic::Multiply => left.checked_mul(right),
        Arithmetic::Divide => left.checked_div(right),
        // Of the smallest integer and -1, too, where the quotient would not fit.
        Arithmetic::Remainder => Some(left.wrapping_rem(right)),
    };
    result.ok_or(RunErrorKind::Overflow)
}
