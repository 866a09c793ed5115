//! Values as JSON, in both directions.
//!
//! An integer is a number, a string is a string. The other values name their kind: `{"constant": "nobody"}`,
//! `{"agent": "Bidder1"}`, `{"role": "bidder"}`, `{"abstract": "keepBidding#7"}`, `{"fresh": "ticket#1"}`.

use map_explain::Namer;
use map_ir::Value;
use serde_json::{Value as Json, json};

/// A value as JSON.
#[must_use]
pub fn value_to_json(namer: &Namer<'_>, value: Value) -> Json {
    let program = namer.program;
    let content = namer.names.foreign.content(program, value).unwrap_or_default();
    match value {
        Value::Integer(number) => json!(number),
        Value::Text(_) => json!(content),
        Value::Name(_) => json!({ "constant": content }),
        Value::Agent(agent) => json!({ "agent": program.agent_name(agent) }),
        Value::Role(role) => json!({ "role": program.role_name(role) }),
        Value::Abstract(symbol) => json!({ "abstract": namer.names.symbol(symbol) }),
        Value::Fresh(symbol) => json!({ "fresh": namer.names.symbol(symbol) }),
    }
}

/// The value that JSON stands for.
///
/// # Errors
/// Why it stands for none.
pub fn value_from_json(namer: &mut Namer<'_>, json: &Json) -> Result<Value, String> {
    match json {
        Json::Number(number) => {
            number.as_i64().map(Value::Integer).ok_or_else(|| format!("{number} is no integer of 64 bits"))
        }
        Json::String(text) => Ok(namer.names.foreign.text(namer.program, text)),
        Json::Object(fields) if fields.len() == 1 => {
            let (kind, name) = fields.iter().next().ok_or("an empty object is no value")?;
            let name = name.as_str().ok_or_else(|| format!("the {kind:?} of a value is no string"))?;
            named(namer, kind, name)
        }
        Json::Object(_) => Err("an object with one field was expected as value".to_owned()),
        Json::Bool(_) | Json::Null | Json::Array(_) => Err(format!("{json} is no value")),
    }
}

fn named(namer: &mut Namer<'_>, kind: &str, name: &str) -> Result<Value, String> {
    use map_syntax::ast::TermKind;

    let program = namer.program;
    match kind {
        "constant" => match map_syntax::parse_constant(name) {
            Ok(TermKind::Name(read)) if read == name => Ok(namer.names.foreign.name(program, name)),
            _ => Err(format!("{name:?} is not the name of a constant")),
        },
        "agent" => namer.agent_named(name),
        "role" => namer.role_named(name),
        "abstract" | "fresh" => {
            let value = namer.symbol_named(name);
            let fits = value.filter(|it| matches!(it, Value::Fresh(_)) == (kind == "fresh"));
            fits.ok_or_else(|| format!("there is no {kind} value {name:?}"))
        }
        _ => {
            Err(format!("{kind:?} is no kind of value: there are constant, agent, role, abstract and fresh"))
        }
    }
}
