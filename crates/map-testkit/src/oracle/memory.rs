//! Initial contents of memory.

use map_syntax::ast::{DomainKind, Expression, ExpressionKind, InitialValue};

use super::cast::{Setting, constant};
use super::state::{Memory, Value};
use super::weight::occurs;

impl<'a> Setting<'a> {
    /// Every memory that an agent may start with: "private to each agent of the role", and "each agent starts with any
    /// of the values, whatever the others start with".
    pub(super) fn memories(&self, agent: usize) -> Vec<Memory<'a>> {
        let role = self.role(agent);
        let cells = self.file.memories().filter(|it| it.role.text == role).flat_map(|it| &it.cells);
        let mut memories = vec![Memory::default()];
        for it in cells {
            let name = it.cell.text.as_str();
            let with = |value: Value<'a>| {
                let known = memories.iter().cloned();
                known
                    .map(|mut memory| {
                        memory.insert(name, value);
                        memory
                    })
                    .collect::<Vec<_>>()
            };
            let set = self.options.set.iter().find(|set| set.role == role && set.cell == name);
            let first = set.map_or_else(|| self.initial(&it.value, agent), |set| vec![constant(&set.value)]);
            memories = first.into_iter().flat_map(with).collect();
        }
        memories
    }

    /// "In initial values `self` is the agent's own name", and `count(%role)` "the number of agents that the cast has
    /// of the role".
    fn initial(&self, value: &'a InitialValue, agent: usize) -> Vec<Value<'a>> {
        let domain = match value {
            InitialValue::Value(Expression { kind: ExpressionKind::Own, .. }) => {
                return vec![Value::Agent(self.name(agent))];
            }
            InitialValue::Value(Expression { kind: ExpressionKind::Constant(term), .. }) => {
                return vec![constant(term)];
            }
            InitialValue::Value(_) => unreachable!("a constant or `self`"),
            InitialValue::Count(role) => {
                let of_role = |&other: &usize| self.role(other) == role.text;
                let number = (0..self.cast.agents.len()).filter(of_role).count();
                return vec![Value::Integer(i64::try_from(number).expect("a small cast"))];
            }
            InitialValue::Domain(domain) => domain,
        };
        match &domain.kind {
            DomainKind::Values(terms) => {
                let terms = terms.iter().enumerate().filter(|&(at, _)| occurs(domain, at));
                terms.map(|(_, term)| constant(&term.kind)).collect()
            }
            DomainKind::Range(first, last) => {
                let values = (*first..=*last).enumerate().filter(|&(at, _)| occurs(domain, at));
                values.map(|(_, value)| Value::Integer(value)).collect()
            }
            DomainKind::Role(role) => {
                let agents = (0..self.cast.agents.len()).filter(|&agent| self.role(agent) == role.text);
                agents.map(|agent| Value::Agent(self.name(agent))).collect()
            }
        }
    }
}
