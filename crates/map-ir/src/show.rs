//! Values and messages as the source would write them.

use crate::{PerformativeId, Program, Value};

/// A value in source form; `symbol` says how an abstract or fresh value is written.
pub fn show_value(program: &Program, value: Value, symbol: &dyn Fn(u32) -> String) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Name(id) => program.name(id).to_owned(),
        Value::Text(id) => quoted(program.text(id)),
        Value::Agent(id) => format!("!{}", program.agent_name(id)),
        Value::Role(id) => format!("%{}", program.role_name(id)),
        Value::Abstract(it) | Value::Fresh(it) => symbol(it.0),
    }
}

/// Values separated by commas.
pub fn show_arguments(program: &Program, values: &[Value], symbol: &dyn Fn(u32) -> String) -> String {
    values.iter().map(|&value| show_value(program, value, symbol)).collect::<Vec<_>>().join(", ")
}

/// `performative(arguments)`.
pub fn show_message(
    program: &Program,
    performative: PerformativeId,
    arguments: &[Value],
    symbol: &dyn Fn(u32) -> String,
) -> String {
    format!("{}({})", program.performative(performative).name, show_arguments(program, arguments, symbol))
}

/// A string constant with quotes and escapes.
fn quoted(text: &str) -> String {
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
