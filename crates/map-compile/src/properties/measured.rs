//! Measures in properties: `measure(m)` stands for what `m` is made of, as far as that can be judged.

use map_diagnostics::{Code, Diagnostic, Span};
use map_ir::{Proposition, Quantity, Value};
use map_syntax::ast::{
    self, ComparisonOperator, Expression, ExpressionKind, Name, QuantityKind, Term, TermKind,
};

use super::atoms::{self, Who};
use super::expansion::Expansion;
use super::variables::Bound;
use super::{MAX_SIZE, Refused};
use crate::operators;

/// Why a measure is not judged.
#[derive(Clone, Copy)]
pub(super) enum Unjudged {
    Computed,
    Moment,
    Sum,
}

impl Unjudged {
    pub(super) fn diagnostic(self, used: Span) -> Diagnostic {
        let (text, help) = match self {
            Self::Computed => (
                "this measure is computed, and a verification compares values only as they are",
                "Compare what it is computed from: cells, `count(..)`, `total(..)`, `cost(..)`",
            ),
            Self::Moment => (
                "this measure is the first or last value of an event, which a verification does not remember",
                "Speak of the event itself: `always (!Name sends m($p) to _ implies $p <= 3)`",
            ),
            Self::Sum => (
                "the sum over several agents is computed, and a verification compares values only as they are",
                "Count or add up what they all do: `total($p : _ sends m($p) to _)`",
            ),
        };
        unjudged(used, text).with_help(help)
    }
}

/// A measure that is used here and cannot be judged.
pub(super) fn unjudged(used: Span, text: &str) -> Diagnostic {
    Diagnostic::new(Code::MeasureInProperty, used, text, "cannot be judged in all runs")
        .with_note("`map run --runs 1000` collects every measure")
}

/// A value that a quantity may have, and when it does.
struct Case {
    when: Vec<Proposition>,
    value: Quantity,
}

impl Case {
    fn always(value: Quantity) -> Vec<Self> {
        vec![Self { when: Vec::new(), value }]
    }
}

impl Expansion<'_, '_> {
    /// A comparison of quantities, which may be measures.
    pub(super) fn compare(
        &mut self,
        left: &ast::Quantity,
        operator: ComparisonOperator,
        right: &ast::Quantity,
    ) -> Result<Proposition, Refused> {
        let (left, right) = (cases(self, left, left.span)?, cases(self, right, right.span)?);
        joined(self, &left, operator, &right)
    }
}

/// Some pair of cases is that of this moment, and compares so.
fn joined(
    at: &mut Expansion<'_, '_>,
    left: &[Case],
    operator: ComparisonOperator,
    right: &[Case],
) -> Result<Proposition, Refused> {
    let operator = operators::comparison(operator);
    let mut all = Vec::new();
    for (one, other) in left.iter().flat_map(|one| right.iter().map(move |other| (one, other))) {
        grow(at)?;
        let mut parts = [&*one.when, &*other.when].concat();
        parts.push(Proposition::Compare(one.value.clone(), operator, other.value.clone()));
        all.push(if parts.len() == 1 { parts.remove(0) } else { Proposition::And(parts) });
    }
    Ok(if all.len() == 1 { all.remove(0) } else { Proposition::Or(all) })
}

fn grow(at: &mut Expansion<'_, '_>) -> Result<(), Refused> {
    at.size += 1;
    if at.size > MAX_SIZE { Err(Refused::TooLarge) } else { Ok(()) }
}

/// The values that a quantity may have. `used` is where a property names the measure that it is part of.
fn cases(at: &mut Expansion<'_, '_>, quantity: &ast::Quantity, used: Span) -> Result<Vec<Case>, Refused> {
    grow(at)?;
    match &quantity.kind {
        QuantityKind::Measure(name, whose) => of_measure(at, name, whose.as_ref(), used),
        QuantityKind::Sum(name) => {
            let Some(measure) = at.compiler.checked.file.measures().find(|it| it.name.text == name.text)
            else {
                return Ok(Case::always(Quantity::Nothing));
            };
            match at.compiler.agents_with(measure).as_slice() {
                [] => Ok(Case::always(Quantity::Value(Value::Integer(0)))),
                [Some(only)] => {
                    let only = Value::Agent(*only);
                    inside(at, measure, Some(only), used)
                }
                _ => Err(Refused::Measure(used, Unjudged::Sum)),
            }
        }
        QuantityKind::Moment(..) => Err(Refused::Measure(used, Unjudged::Moment)),
        _ => atoms::quantity(at, quantity).map(Case::always),
    }
}

fn of_measure(
    at: &mut Expansion<'_, '_>,
    name: &Name,
    whose: Option<&Term>,
    used: Span,
) -> Result<Vec<Case>, Refused> {
    let agent = match whose.map(|agent| atoms::who(at, agent)) {
        None => None,
        Some(Who::One(agent)) => Some(Value::Agent(agent)),
        Some(Who::Anybody | Who::Absent) => return Ok(Case::always(Quantity::Nothing)),
    };
    match at.compiler.checked.file.measures().find(|it| it.name.text == name.text) {
        Some(measure) => inside(at, measure, agent, used),
        None => Ok(Case::always(Quantity::Nothing)),
    }
}

/// The values of a measure, in which no variable of the property is known.
fn inside(
    at: &mut Expansion<'_, '_>,
    measure: &ast::Measure,
    agent: Option<Value>,
    used: Span,
) -> Result<Vec<Case>, Refused> {
    let outside = std::mem::take(&mut at.variables);
    if let (Some(range), Some(agent)) = (&measure.of, agent) {
        at.variables.push(range.variable.text.clone(), Bound::Value(agent));
    }
    let found = values(at, &measure.value, used);
    at.variables = outside;
    found
}

fn values(at: &mut Expansion<'_, '_>, value: &Expression, used: Span) -> Result<Vec<Case>, Refused> {
    match &value.kind {
        ExpressionKind::Constant(constant) => Ok(Case::always(at.term(constant))),
        ExpressionKind::Parameter(name) => Ok(Case::always(at.term(&TermKind::Variable(name.clone())))),
        ExpressionKind::Reading(quantity) => cases(at, quantity, used),
        ExpressionKind::If { condition, then, otherwise } => {
            let holds = self::condition(at, condition, used)?;
            let fails = Proposition::Not(Box::new(holds.clone()));
            let mut all = values(at, then, used)?;
            all.iter_mut().for_each(|case| case.when.push(holds.clone()));
            let mut others = values(at, otherwise, used)?;
            others.iter_mut().for_each(|case| case.when.push(fails.clone()));
            all.append(&mut others);
            Ok(all)
        }
        _ => Err(Refused::Measure(used, Unjudged::Computed)),
    }
}

fn condition(at: &mut Expansion<'_, '_>, condition: &Expression, used: Span) -> Result<Proposition, Refused> {
    grow(at)?;
    Ok(match &condition.kind {
        ExpressionKind::Comparison { left, operator, right } => {
            let (left, right) = (values(at, left, used)?, values(at, right, used)?);
            joined(at, &left, *operator, &right)?
        }
        ExpressionKind::And(parts) => Proposition::And(conditions(at, parts, used)?),
        ExpressionKind::Or(parts) => Proposition::Or(conditions(at, parts, used)?),
        ExpressionKind::Not(denied) => Proposition::Not(Box::new(self::condition(at, denied, used)?)),
        ExpressionKind::If { condition, then, otherwise } => {
            let holds = self::condition(at, condition, used)?;
            let fails = Proposition::Not(Box::new(holds.clone()));
            let then = self::condition(at, then, used)?;
            let otherwise = self::condition(at, otherwise, used)?;
            Proposition::Or(vec![
                Proposition::And(vec![holds, then]),
                Proposition::And(vec![fails, otherwise]),
            ])
        }
        ExpressionKind::Holds(formula) => at.moment(formula)?,
        _ => unreachable!("checked: a condition"),
    })
}

fn conditions(
    at: &mut Expansion<'_, '_>,
    all: &[Expression],
    used: Span,
) -> Result<Vec<Proposition>, Refused> {
    all.iter().map(|it| condition(at, it, used)).collect()
}
