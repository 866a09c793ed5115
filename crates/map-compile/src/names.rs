//! Interning of the names and constants of the source.

use indexmap::IndexSet;
use map_check::CheckedScene;
use map_ir::{AgentId, NameId, Operand, Performative, PerformativeId, RoleId, TextId, Value};
use map_syntax::ast;

/// Interners for everything that a program mentions by name.
pub(crate) struct Names<'a> {
    checked: &'a CheckedScene<'a>,
    /// The cast's names, then names of parts without agents.
    pub(crate) agents: IndexSet<String>,
    /// The scene's roles, then those that only procedures mention.
    pub(crate) roles: IndexSet<String>,
    pub(crate) performatives: IndexSet<Performative>,
    pub(crate) constants: IndexSet<String>,
    pub(crate) texts: IndexSet<String>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(checked: &'a CheckedScene<'a>) -> Self {
        Self {
            checked,
            agents: checked.agents.iter().map(|agent| agent.name.clone()).collect(),
            roles: checked.roles.clone(),
            performatives: IndexSet::new(),
            constants: IndexSet::new(),
            texts: IndexSet::new(),
        }
    }

    pub(crate) fn performative(&mut self, message: &ast::Message) -> PerformativeId {
        let performative =
            Performative { name: message.performative.text.clone(), arity: message.arguments.len() };
        PerformativeId::new(self.performatives.insert_full(performative).0)
    }

    /// The operand of a term that is neither a variable nor a wildcard; otherwise `None`. In the clauses of its own
    /// part, `part`, a literal agent name means the agent itself.
    pub(crate) fn constant(&mut self, term: &ast::TermKind, part: usize) -> Option<Operand> {
        match term {
            ast::TermKind::Agent(name) if self.checked.parts[part].literal.as_ref() == Some(name) => {
                Some(Operand::Own)
            }
            _ => self.value(term).map(Operand::Constant),
        }
    }

    /// The value of a term that is neither a variable nor a wildcard, outside any part; otherwise `None`.
    pub(crate) fn value(&mut self, term: &ast::TermKind) -> Option<Value> {
        let value = match term {
            ast::TermKind::Variable(_) | ast::TermKind::Wildcard | ast::TermKind::Expression(_) => {
                return None;
            }
            ast::TermKind::Agent(name) => Value::Agent(AgentId::new(self.agents.insert_full(name.clone()).0)),
            // A file's procedures may mention roles of its other scenes; no agent of this one has them.
            ast::TermKind::Role(name) => Value::Role(RoleId::new(self.roles.insert_full(name.clone()).0)),
            ast::TermKind::Name(name) => Value::Name(NameId::new(self.constants.insert_full(name.clone()).0)),
            ast::TermKind::Integer(number) => Value::Integer(*number),
            ast::TermKind::Text(text) => Value::Text(TextId::new(self.texts.insert_full(text.clone()).0)),
        };
        Some(value)
    }
}
