//! Values and messages in source syntax.

use crate::{PerformativeId, Program, Value};

/// A value in source syntax. `other` formats those that do not occur in the source: abstract and fresh values, and
/// constants and strings from outside.
pub fn show_value(program: &Program, value: Value, other: &dyn Fn(Value) -> String) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Name(id) => program.names.get(id.index()).cloned().unwrap_or_else(|| other(value)),
        Value::Text(id) => program.texts.get(id.index()).map_or_else(|| other(value), |text| quoted(text)),
        Value::Agent(id) => format!("!{}", program.agent_name(id)),
        Value::Role(id) => format!("%{}", program.role_name(id)),
        Value::Abstract(_) | Value::Fresh(_) => other(value),
    }
}

/// Values separated by commas.
pub fn show_arguments(program: &Program, values: &[Value], other: &dyn Fn(Value) -> String) -> String {
    values.iter().map(|&value| show_value(program, value, other)).collect::<Vec<_>>().join(", ")
}

/// `performative(arguments)`.
pub fn show_message(
    program: &Program,
    performative: PerformativeId,
    arguments: &[Value],
    other: &dyn Fn(Value) -> String,
) -> String {
    format!("{}({})", program.performative(performative).name, show_arguments(program, arguments, other))
}

/// A string constant, quoted and escaped.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
