//! Values from outside as they appear in a trace: in source form, or as `#7` and `fresh#7` for abstract and fresh
//! values, which have none.

use map_explain::Namer;
use map_ir::{Symbol, Value};
use map_syntax::ast::TermKind;

/// A value as text.
#[must_use]
pub fn to_text(namer: &Namer<'_>, value: Value) -> String {
    match value {
        Value::Abstract(symbol) => format!("#{}", symbol.0),
        Value::Fresh(symbol) => format!("fresh#{}", symbol.0),
        _ => namer.value(value),
    }
}

/// The value that a text stands for.
///
/// # Errors
/// Why it stands for none.
pub(crate) fn from_text(namer: &mut Namer<'_>, text: &str) -> Result<Value, String> {
    let symbol = |digits: &str| digits.parse().map(Symbol).map_err(|_| format!("{text:?} is no value"));
    if let Some((kind, digits)) = text.split_once('#').filter(|(kind, _)| ["", "fresh"].contains(kind)) {
        let symbol = symbol(digits)?;
        return Ok(if kind.is_empty() { Value::Abstract(symbol) } else { Value::Fresh(symbol) });
    }
    value_of(namer, map_syntax::parse_constant(text)?)
}

/// The value of a constant that a person, a program or a trace has written. It need not occur in the source.
///
/// # Errors
/// If there is no such agent or role, or the term is a variable or a wildcard.
pub fn value_of(namer: &mut Namer<'_>, constant: TermKind) -> Result<Value, String> {
    match constant {
        TermKind::Integer(number) => Ok(Value::Integer(number)),
        TermKind::Name(name) => Ok(namer.names.foreign.name(namer.program, &name)),
        TermKind::Text(content) => Ok(namer.names.foreign.text(namer.program, &content)),
        TermKind::Agent(name) => namer.agent_named(&name),
        TermKind::Role(name) => namer.role_named(&name),
        TermKind::Variable(_) | TermKind::Wildcard | TermKind::Expression(_) => {
            Err("that is no value".to_owned())
        }
    }
}
