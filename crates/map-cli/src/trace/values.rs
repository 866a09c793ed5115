//! Values from outside as they stand in a trace: as a file would write them, or `#7` and `fresh#7` for those that no
//! file can write.

use map_ir::{AgentId, RoleId, Symbol, Value};
use map_syntax::ast::TermKind;

use crate::story::Teller;

/// A value as text.
pub(crate) fn to_text(teller: &Teller<'_>, value: Value) -> String {
    match value {
        Value::Abstract(symbol) => format!("#{}", symbol.0),
        Value::Fresh(symbol) => format!("fresh#{}", symbol.0),
        _ => teller.value(value),
    }
}

/// The value that a text stands for.
///
/// # Errors
/// Why there is none.
pub(crate) fn from_text(teller: &mut Teller<'_>, text: &str) -> Result<Value, String> {
    let symbol = |digits: &str| digits.parse().map(Symbol).map_err(|_| format!("{text:?} is no value"));
    if let Some((kind, digits)) = text.split_once('#').filter(|(kind, _)| ["", "fresh"].contains(kind)) {
        let symbol = symbol(digits)?;
        return Ok(if kind.is_empty() { Value::Abstract(symbol) } else { Value::Fresh(symbol) });
    }
    let program = teller.program;
    let none = |what: &str, name: &str| format!("there is no {what} {name:?}");
    match map_syntax::parse_constant(text)? {
        TermKind::Integer(number) => Ok(Value::Integer(number)),
        TermKind::Name(name) => Ok(teller.foreign.name(program, &name)),
        TermKind::Text(content) => Ok(teller.foreign.text(program, &content)),
        TermKind::Agent(name) => {
            let found = program.agent_names.iter().position(|it| *it == name);
            found.map(|index| Value::Agent(AgentId::new(index))).ok_or_else(|| none("agent", &name))
        }
        TermKind::Role(name) => {
            let found = program.roles.iter().position(|it| *it == name);
            found.map(|index| Value::Role(RoleId::new(index))).ok_or_else(|| none("role", &name))
        }
        TermKind::Variable(_) | TermKind::Wildcard => Err(format!("{text:?} is no value")),
    }
}
