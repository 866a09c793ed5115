//! Expressions: "values, parameters, `@cell`, `self`, `+ - * / mod` on integers (truncating; overflow, division by
//! zero, wrong kinds are *run errors* of the dialogue), `== !=` (any kinds), `< <= > >=`, `and or not`, `min(a,b)
//! max(a,b)`, `if a then b else c`".

use map_syntax::ast::{ArithmeticOperator, ComparisonOperator, Expression, ExpressionKind, Term, TermKind};

use super::run::{Run, Stop};
use super::state::{NEW, Value, Variables};
use super::unify::{Match, compare};

/// "A condition is not a value", nor is a value a condition.
#[derive(Clone, Copy, Debug)]
enum Evaluated<'a> {
    Value(Value<'a>),
    Condition(bool),
}

/// Two operands of an operator on integers.
enum Pair {
    /// One of them is abstract, and taken to be an integer.
    Abstract,
    Integers(i64, i64),
}

impl<'a> Run<'a, '_> {
    /// The value of an expression.
    pub(super) fn value_of(
        &mut self,
        expression: &'a Expression,
        parameters: &Variables<'a>,
    ) -> Result<Value<'a>, Stop> {
        match self.evaluate(expression, parameters)? {
            Evaluated::Value(value) => Ok(value),
            Evaluated::Condition(_) => Err(Stop::RunError),
        }
    }

    /// The values of terms, "computed from left to right when the act is made".
    pub(super) fn values_of_terms(
        &mut self,
        path: &[usize],
        terms: &'a [Term],
    ) -> Result<Vec<Value<'a>>, Stop> {
        let variables = self.activation(path).variables.clone();
        terms.iter().map(|term| self.value_of_term(term, &variables)).collect()
    }

    pub(super) fn value_of_term(
        &mut self,
        term: &'a Term,
        variables: &Variables<'a>,
    ) -> Result<Value<'a>, Stop> {
        match &term.kind {
            TermKind::Expression(expression) => self.value_of(expression, variables),
            kind => Ok(self.setting.value(kind, variables, self.agent)),
        }
    }

    /// Whether a condition holds; if that is open, both outcomes are explored.
    pub(super) fn holds(
        &mut self,
        expression: &'a Expression,
        parameters: &Variables<'a>,
    ) -> Result<bool, Stop> {
        match self.evaluate(expression, parameters)? {
            Evaluated::Condition(holds) => Ok(holds),
            Evaluated::Value(_) => Err(Stop::RunError),
        }
    }

    /// "All computed from the cells as they were."
    fn evaluate(
        &mut self,
        expression: &'a Expression,
        parameters: &Variables<'a>,
    ) -> Result<Evaluated<'a>, Stop> {
        Ok(match &expression.kind {
            ExpressionKind::Constant(term) => Evaluated::Value(self.setting.literal(term, self.agent)),
            ExpressionKind::Parameter(name) => {
                Evaluated::Value(*parameters.get(name.as_str()).expect("a parameter of the procedure"))
            }
            ExpressionKind::Cell(name) => {
                Evaluated::Value(*self.memory.get(name.as_str()).expect("a cell of the asking agent's role"))
            }
            ExpressionKind::Own => Evaluated::Value(Value::Agent(self.setting.name(self.agent))),
            ExpressionKind::Reading(_) | ExpressionKind::Holds(_) => unreachable!("in measures only"),
            ExpressionKind::Arithmetic { first, rest } => {
                let mut left = self.evaluate(first, parameters)?;
                for (operator, right) in rest {
                    let right = self.evaluate(right, parameters)?;
                    pair(left, right)?;
                    self.check_divisor(*operator, right)?;
                    left = self.combine(left, right, |a, b| calculate(*operator, a, b))?;
                }
                left
            }
            ExpressionKind::Comparison { left, operator, right } => {
                let left = self.evaluate(left, parameters)?;
                let right = self.evaluate(right, parameters)?;
                Evaluated::Condition(self.compared(left, *operator, right)?)
            }
            // "`and or if` evaluate no more than they need."
            ExpressionKind::And(operands) => {
                for operand in operands {
                    if !self.holds(operand, parameters)? {
                        return Ok(Evaluated::Condition(false));
                    }
                }
                Evaluated::Condition(true)
            }
            ExpressionKind::Or(operands) => {
                for operand in operands {
                    if self.holds(operand, parameters)? {
                        return Ok(Evaluated::Condition(true));
                    }
                }
                Evaluated::Condition(false)
            }
            ExpressionKind::Not(operand) => Evaluated::Condition(!self.holds(operand, parameters)?),
            ExpressionKind::Min(left, right) => {
                let left = self.evaluate(left, parameters)?;
                let right = self.evaluate(right, parameters)?;
                self.combine(left, right, |a, b| Some(a.min(b)))?
            }
            ExpressionKind::Max(left, right) => {
                let left = self.evaluate(left, parameters)?;
                let right = self.evaluate(right, parameters)?;
                self.combine(left, right, |a, b| Some(a.max(b)))?
            }
            ExpressionKind::If { condition, then, otherwise } => {
                let branch = if self.holds(condition, parameters)? { then } else { otherwise };
                self.evaluate(branch, parameters)?
            }
        })
    }

    /// "Whether an abstract divisor is 0 is open, unless a comparison or division before it in the same act rules it
    /// out."
    fn check_divisor(&mut self, operator: ArithmeticOperator, divisor: Evaluated<'a>) -> Result<(), Stop> {
        let divides = matches!(operator, ArithmeticOperator::Divide | ArithmeticOperator::Remainder);
        match divisor {
            // Whatever is divided.
            Evaluated::Value(Value::Integer(0)) if divides => Err(Stop::RunError),
            Evaluated::Value(value @ Value::Symbol(_)) if divides && !self.nonzero.contains(&value) => {
                if self.decide(Match::Open)? {
                    return Err(Stop::RunError);
                }
                self.nonzero.push(value);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Notes how an open comparison came out. Had one of the values been 0, would it have come out so?
    fn note(&mut self, left: Evaluated<'a>, operator: ComparisonOperator, right: Evaluated<'a>, holds: bool) {
        let (Evaluated::Value(left), Evaluated::Value(right)) = (left, right) else { return };
        if matches!(left, Value::Symbol(_)) && would_hold(Value::Integer(0), operator, right) == Some(!holds)
        {
            self.nonzero.push(left);
        }
        if matches!(right, Value::Symbol(_)) && would_hold(left, operator, Value::Integer(0)) == Some(!holds)
        {
            self.nonzero.push(right);
        }
    }

    /// "Expressions over abstract values are abstract": a new abstract value each time.
    fn combine(
        &mut self,
        left: Evaluated<'a>,
        right: Evaluated<'a>,
        calculate: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<Evaluated<'a>, Stop> {
        Ok(Evaluated::Value(match pair(left, right)? {
            Pair::Abstract => self.new_symbol(),
            Pair::Integers(left, right) => Value::Integer(calculate(left, right).ok_or(Stop::RunError)?),
        }))
    }

    /// "`== !=` (any kinds)"; the others are for integers. "Conditions over them open", but a symbol is "equal to
    /// itself".
    fn compared(
        &mut self,
        left: Evaluated<'a>,
        operator: ComparisonOperator,
        right: Evaluated<'a>,
    ) -> Result<bool, Stop> {
        if let ComparisonOperator::Equal | ComparisonOperator::NotEqual = operator {
            let found = match (left, right) {
                (Evaluated::Value(left), Evaluated::Value(right)) => compare(left, right),
                _ if is_abstract(left) || is_abstract(right) => Match::Open,
                _ => return Err(Stop::RunError),
            };
            let holds = self.decide(found)? == (operator == ComparisonOperator::Equal);
            if found == Match::Open {
                self.note(left, operator, right, holds);
            }
            return Ok(holds);
        }
        match pair(left, right)? {
            Pair::Abstract => {
                let holds = self.decide(Match::Open)?;
                self.note(left, operator, right, holds);
                Ok(holds)
            }
            Pair::Integers(left, right) => Ok(integers_hold(left, operator, right)),
        }
    }

    /// "A new symbol, equal to itself."
    pub(super) fn new_symbol(&mut self) -> Value<'a> {
        Value::Symbol(self.new_number())
    }

    /// "`fresh` answers differ from each other and from every value written in the file."
    pub(super) fn new_fresh(&mut self) -> Value<'a> {
        Value::Fresh(self.new_number())
    }

    fn new_number(&mut self) -> u32 {
        self.new_values += 1;
        NEW - (self.new_values - 1)
    }
}

fn integers_hold(left: i64, operator: ComparisonOperator, right: i64) -> bool {
    match operator {
        ComparisonOperator::Equal => left == right,
        ComparisonOperator::NotEqual => left != right,
        ComparisonOperator::Less => left < right,
        ComparisonOperator::LessOrEqual => left <= right,
        ComparisonOperator::Greater => left > right,
        ComparisonOperator::GreaterOrEqual => left >= right,
    }
}

/// How a comparison of two values comes out; `None` if that is open, or one is no integer where integers are ordered.
fn would_hold(left: Value<'_>, operator: ComparisonOperator, right: Value<'_>) -> Option<bool> {
    match (left, right) {
        (Value::Symbol(_), _) | (_, Value::Symbol(_)) => None,
        (Value::Integer(left), Value::Integer(right)) => Some(integers_hold(left, operator, right)),
        _ => match operator {
            ComparisonOperator::Equal => Some(false),
            ComparisonOperator::NotEqual => Some(true),
            _ => None,
        },
    }
}

fn is_abstract(operand: Evaluated<'_>) -> bool {
    matches!(operand, Evaluated::Value(Value::Symbol(_)))
}

/// The operands of an operator on integers. A wrong kind is a run error, unless the operand is abstract.
fn pair(left: Evaluated<'_>, right: Evaluated<'_>) -> Result<Pair, Stop> {
    match (left, right) {
        (Evaluated::Value(Value::Integer(left)), Evaluated::Value(Value::Integer(right))) => {
            Ok(Pair::Integers(left, right))
        }
        (left, right) if may_be_integer(left) && may_be_integer(right) => Ok(Pair::Abstract),
        _ => Err(Stop::RunError),
    }
}

fn may_be_integer(operand: Evaluated<'_>) -> bool {
    matches!(operand, Evaluated::Value(Value::Integer(_) | Value::Symbol(_)))
}

/// "Truncating; overflow, division by zero" have no result. The remainder of a division by -1 is 0, even where its
/// quotient would not fit.
fn calculate(operator: ArithmeticOperator, left: i64, right: i64) -> Option<i64> {
    match operator {
        ArithmeticOperator::Add => left.checked_add(right),
        ArithmeticOperator::Subtract => left.checked_sub(right),
        ArithmeticOperator::Multiply => left.checked_mul(right),
        ArithmeticOperator::Divide => left.checked_div(right),
        ArithmeticOperator::Remainder => {
            if right == -1 {
                Some(0)
            } else {
                left.checked_rem(right)
            }
        }
    }
}
