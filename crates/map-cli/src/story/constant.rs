//! From what a person, a program or a trace calls a value to the value.

use map_ir::{AgentId, RoleId, Value};
use map_syntax::ast::TermKind;

use super::Teller;

impl Teller<'_> {
    /// The value of a constant, which the source need not contain.
    ///
    /// # Errors
    /// If there is no such agent or role, or if it is no constant.
    pub(crate) fn constant(&mut self, kind: TermKind) -> Result<Value, String> {
        match kind {
            TermKind::Integer(number) => Ok(Value::Integer(number)),
            TermKind::Name(name) => Ok(self.names.foreign.name(self.program, &name)),
            TermKind::Text(content) => Ok(self.names.foreign.text(self.program, &content)),
            TermKind::Agent(name) => self.agent_named(&name),
            TermKind::Role(name) => self.role_named(&name),
            TermKind::Variable(_) | TermKind::Wildcard => Err("that is no value".to_owned()),
        }
    }

    /// The agent of that name.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn agent_named(&self, name: &str) -> Result<Value, String> {
        let found = self.program.agent_names.iter().position(|it| it == name);
        let found = found.map(|index| Value::Agent(AgentId::new(index)));
        found.ok_or_else(|| format!("there is no agent {name:?}"))
    }

    /// The role of that name.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn role_named(&self, name: &str) -> Result<Value, String> {
        let found = self.program.roles.iter().position(|it| it == name);
        let found = found.map(|index| Value::Role(RoleId::new(index)));
        found.ok_or_else(|| format!("there is no role {name:?}"))
    }
}
