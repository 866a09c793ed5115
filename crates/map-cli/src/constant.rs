//! Resolves constants that a person, a program or a trace has written.

use map_explain::Teller;
use map_ir::Value;
use map_syntax::ast::TermKind;

/// The value of a constant, which need not occur in the source.
///
/// # Errors
/// If there is no such agent or role, or the term is a variable or a wildcard.
pub(crate) fn value_of(teller: &mut Teller<'_>, constant: TermKind) -> Result<Value, String> {
    match constant {
        TermKind::Integer(number) => Ok(Value::Integer(number)),
        TermKind::Name(name) => Ok(teller.names.foreign.name(teller.program, &name)),
        TermKind::Text(content) => Ok(teller.names.foreign.text(teller.program, &content)),
        TermKind::Agent(name) => teller.agent_named(&name),
        TermKind::Role(name) => teller.role_named(&name),
        TermKind::Variable(_) | TermKind::Wildcard | TermKind::Expression(_) => {
            Err("that is no value".to_owned())
        }
    }
}
