//! Measures: what is read off a run that has ended.

use map_diagnostics::Diagnostic;
use map_ir::{AgentId, Measure, Measures, MomentValue, Quantity, ReadCondition, Reading, Value};
use map_syntax::ast::{
    self, Expression, ExpressionKind, MomentWord, Name, QuantityKind, RangeOver, Term, TermKind,
};

use super::atoms::{self, Who};
use super::expansion::Expansion;
use super::variables::Bound;
use super::{MAX_SIZE, PropertyCompiler, Refused};
use crate::operators::{arithmetic, comparison};

impl PropertyCompiler<'_> {
    /// Compiles a measure of the file that has passed `map-check` for this scene, so that later ones may use it.
    /// Returns what is collected of a run: one value, or one for each agent of its role.
    ///
    /// # Errors
    /// If it looks back in a way that is not judged, or becomes too large.
    pub fn measure(&mut self, measure: &ast::Measure) -> Result<Vec<Measure>, Vec<Diagnostic>> {
        let name = &measure.name.text;
        let mut found = Vec::new();
        for agent in self.agents_with(measure) {
            let mut expansion = Expansion::new(self);
            if let (Some(range), Some(agent)) = (&measure.of, agent) {
                expansion.variables.push(range.variable.text.clone(), Bound::Value(Value::Agent(agent)));
            }
            let reading = expansion.reading(&measure.value);
            let reading = reading.map_err(|refused| vec![refused.diagnostic(measure.value.span)])?;
            let index = self.measures.insert_full((name.clone(), agent), reading).0;
            let shown = match agent {
                Some(agent) => format!("{name}({})", self.program.agent_names[agent.index()]),
                None => name.clone(),
            };
            found.push(Measure { name: shown, reading: Reading::Declared(index) });
        }
        Ok(found)
    }

    /// Whose values a measure has: those of the agents of its role, or one that is nobody's.
    pub(super) fn agents_with(&self, measure: &ast::Measure) -> Vec<Option<AgentId>> {
        let Some(role) = measure.of.as_ref().and_then(RangeOver::role) else { return vec![None] };
        let of_role = |agent: &AgentId| self.program.role_name(self.program.agent(*agent).role) == role.text;
        self.program.cast().filter(of_role).map(Some).collect()
    }

    /// The compiled measures, of which these are collected.
    #[must_use]
    pub fn finish_measures(mut self, list: Vec<Measure>) -> Measures {
        let declared = std::mem::take(&mut self.measures).into_values().collect();
        let moments = std::mem::take(&mut self.moments).into_iter().collect();
        Measures { list, declared, moments, tables: self.finish() }
    }
}

impl Expansion<'_, '_> {
    /// Compiles the value of a measure.
    pub(super) fn reading(&mut self, value: &Expression) -> Result<Reading, Refused> {
        self.size += 1;
        if self.size > MAX_SIZE {
            return Err(Refused::TooLarge);
        }
        Ok(match &value.kind {
            ExpressionKind::Constant(constant) => Reading::Quantity(self.term(constant)),
            ExpressionKind::Parameter(name) => {
                Reading::Quantity(self.term(&TermKind::Variable(name.clone())))
            }
            ExpressionKind::Reading(quantity) => self.read(quantity)?,
            ExpressionKind::Arithmetic { first, rest } => {
                let first = Box::new(self.reading(first)?);
                let mut operands = Vec::new();
                for (operator, operand) in rest {
                    operands.push((arithmetic(*operator), self.reading(operand)?));
                }
                Reading::Arithmetic(first, operands)
            }
            ExpressionKind::Min(one, other) => {
                Reading::Min(Box::new(self.reading(one)?), Box::new(self.reading(other)?))
            }
            ExpressionKind::Max(one, other) => {
                Reading::Max(Box::new(self.reading(one)?), Box::new(self.reading(other)?))
            }
            ExpressionKind::If { condition, then, otherwise } => {
                let condition = Box::new(self.read_condition(condition)?);
                Reading::If(condition, Box::new(self.reading(then)?), Box::new(self.reading(otherwise)?))
            }
            ExpressionKind::Cell(_)
            | ExpressionKind::Own
            | ExpressionKind::Comparison { .. }
            | ExpressionKind::And(_)
            | ExpressionKind::Or(_)
            | ExpressionKind::Not(_)
            | ExpressionKind::Holds(_) => unreachable!("checked: a value that is read off a run"),
        })
    }

    fn read_condition(&mut self, condition: &Expression) -> Result<ReadCondition, Refused> {
        Ok(match &condition.kind {
            ExpressionKind::Comparison { left, operator, right } => {
                let left = self.reading(left)?;
                ReadCondition::Compare(left, comparison(*operator), self.reading(right)?)
            }
            ExpressionKind::And(parts) => ReadCondition::And(self.read_conditions(parts)?),
            ExpressionKind::Or(parts) => ReadCondition::Or(self.read_conditions(parts)?),
            ExpressionKind::Not(denied) => ReadCondition::Not(Box::new(self.read_condition(denied)?)),
            ExpressionKind::If { condition, then, otherwise } => {
                let condition = Box::new(self.read_condition(condition)?);
                let then = Box::new(self.read_condition(then)?);
                ReadCondition::If(condition, then, Box::new(self.read_condition(otherwise)?))
            }
            ExpressionKind::Holds(formula) => ReadCondition::Holds(self.moment(formula)?),
            _ => unreachable!("checked: a condition"),
        })
    }

    fn read_conditions(&mut self, all: &[Expression]) -> Result<Vec<ReadCondition>, Refused> {
        all.iter().map(|it| self.read_condition(it)).collect()
    }

    fn read(&mut self, quantity: &ast::Quantity) -> Result<Reading, Refused> {
        Ok(match &quantity.kind {
            QuantityKind::Moment(word, variable, formula) => {
                let (when, value) = self.value_when(variable, formula)?;
                let moment = MomentValue { when, value, first: *word == MomentWord::First };
                Reading::Moment(self.compiler.moments.insert_full(moment).0)
            }
            QuantityKind::Measure(name, whose) => self.declared(name, whose.as_ref()),
            QuantityKind::Sum(name) => {
                let measures = self.compiler.measures.keys().enumerate();
                Reading::Sum(
                    measures.filter(|(_, (it, _))| *it == name.text).map(|(index, _)| index).collect(),
                )
            }
            _ => Reading::Quantity(atoms::quantity(self, quantity)?),
        })
    }

    /// A measure, of an agent if each has one; nothing if that agent is not in the cast.
    fn declared(&self, name: &Name, whose: Option<&Term>) -> Reading {
        let agent = match whose.map(|agent| atoms::who(self, agent)) {
            None => None,
            Some(Who::One(agent)) => Some(agent),
            Some(Who::Anybody | Who::Absent) => return Reading::Quantity(Quantity::Nothing),
        };
        let index = self.compiler.measures.get_index_of(&(name.text.clone(), agent));
        index.map_or(Reading::Quantity(Quantity::Nothing), Reading::Declared)
    }
}
