//! A property being compiled: its variables, and the values that they range over.

use map_ir::{AgentId, Body, NameId, Premise, Proposition, Quantity, RoleId, Temporal, TextId, Value};
use map_syntax::ast::{DomainKind, Over, RangeOver, TermKind};

use super::variables::{Bound, Use, Variables};
use super::{PropertyCompiler, Refused};

/// Compiles one property.
pub(super) struct Expansion<'c, 'a> {
    pub(super) compiler: &'c mut PropertyCompiler<'a>,
    pub(super) variables: Variables,
    pub(super) premises: Vec<Premise>,
    pub(super) size: usize,
}

/// A compiled formula. One about a single moment stays a proposition as long as possible.
#[derive(Clone)]
pub(super) enum Compiled {
    Moment(Proposition),
    Run(Temporal),
}

impl<'c, 'a> Expansion<'c, 'a> {
    pub(super) fn new(compiler: &'c mut PropertyCompiler<'a>) -> Self {
        Self { compiler, variables: Variables::default(), premises: Vec::new(), size: 0 }
    }

    /// The results of `each` for every value of a quantified variable, which it gets.
    pub(super) fn instances<T>(
        &mut self,
        range: &RangeOver,
        mut each: impl FnMut(&mut Self, Value) -> Result<T, Refused>,
    ) -> Result<Vec<T>, Refused> {
        let mut instances = Vec::new();
        for value in self.values_of(range) {
            let outside = self.variables.len();
            self.variables.push(range.variable.text.clone(), Bound::Value(value));
            let instance = each(self, value);
            self.variables.truncate(outside);
            instances.push(instance?);
        }
        Ok(instances)
    }

    /// The values of a quantified variable.
    fn values_of(&mut self, range: &RangeOver) -> Vec<Value> {
        let program = &*self.compiler.program;
        match &range.over {
            Over::Domain(domain) => match &domain.kind {
                DomainKind::Role(role) => {
                    let is_of_role =
                        |agent: &AgentId| program.role_name(program.agent(*agent).role) == role.text;
                    program.cast().filter(is_of_role).map(Value::Agent).collect()
                }
                DomainKind::Range(first, last) => (*first..=*last).map(Value::Integer).collect(),
                DomainKind::Values(all) => {
                    let mut values = Vec::new();
                    for term in all {
                        let value = self.constant(&term.kind);
                        values.extend(value.filter(|it| !values.contains(it)));
                    }
                    values
                }
            },
            Over::Answers(name) => {
                let procedure = program.procedures.iter().find(|it| it.name == name.text);
                match procedure.map(|it| &it.body) {
                    Some(Body::In(values)) => values.to_vec(),
                    _ => Vec::new(),
                }
            }
        }
    }

    /// A constant or a variable.
    pub(super) fn term(&mut self, term: &TermKind) -> Quantity {
        match term {
            TermKind::Variable(name) => match self.variables.find(name) {
                Use::Value(value) => Quantity::Value(value),
                Use::Event(quantity) => quantity,
                Use::Unbound | Use::Captured(_) => Quantity::Nothing,
            },
            constant => self.constant(constant).map_or(Quantity::Nothing, Quantity::Value),
        }
    }

    /// The value of a constant, if it has one. Constants that only properties mention are added to the program.
    pub(super) fn constant(&mut self, term: &TermKind) -> Option<Value> {
        let program = &mut *self.compiler.program;
        Some(match term {
            TermKind::Variable(_) | TermKind::Wildcard | TermKind::Expression(_) => return None,
            TermKind::Agent(name) => Value::Agent(AgentId::new(index_of(&mut program.agent_names, name))),
            TermKind::Role(name) => Value::Role(RoleId::new(program.roles.iter().position(|it| it == name)?)),
            TermKind::Name(name) => Value::Name(NameId::new(index_of(&mut program.names, name))),
            TermKind::Integer(number) => Value::Integer(*number),
            TermKind::Text(text) => Value::Text(TextId::new(index_of(&mut program.texts, text))),
        })
    }
}

pub(super) fn negated(compiled: Compiled) -> Compiled {
    match compiled {
        Compiled::Moment(Proposition::Not(inner)) => Compiled::Moment(*inner),
        Compiled::Moment(Proposition::Constant(value)) => Compiled::Moment(Proposition::Constant(!value)),
        Compiled::Moment(proposition) => Compiled::Moment(Proposition::Not(Box::new(proposition))),
        Compiled::Run(Temporal::Not(inner)) => Compiled::Run(*inner),
        Compiled::Run(temporal) => Compiled::Run(Temporal::Not(Box::new(temporal))),
    }
}

fn index_of(table: &mut Vec<String>, text: &str) -> usize {
    table.iter().position(|it| it == text).unwrap_or_else(|| {
        table.push(text.to_owned());
        table.len() - 1
    })
}
