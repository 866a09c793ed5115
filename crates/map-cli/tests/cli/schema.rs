//! Holds outputs against the JSON schemas that are checked in: as much of JSON Schema as these use.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Fails unless the output of the verb has the form its schema gives.
#[track_caller]
pub(crate) fn fits(verb: &str, output: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas").join(format!("{verb}.json"));
    let text = fs::read_to_string(path).expect("the schema is checked in");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    if let Err(why) = check(&schema, &schema, output) {
        panic!("{why} in {output:#}");
    }
}

fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return check(root, root.pointer(&reference[1..]).ok_or("dangling reference")?, value);
    }
    if let Some(options) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let tried: Vec<_> = options.iter().map(|option| check(root, option, value)).collect();
        if !tried.iter().any(Result::is_ok) {
            return Err(format!("no option fits: {tried:?}"));
        }
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|it| is_of_type(it, value)) {
        return Err(format!("{value} is not of type {types:?}"));
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        return Err(format!("{value} is none of {words:?}"));
    }
    for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(key).is_none() {
            return Err(format!("no key {key}"));
        }
    }
    if let (Some(properties), Some(object)) = (schema["properties"].as_object(), value.as_object()) {
        for (key, member) in object {
            let schema = properties.get(key).ok_or_else(|| format!("the key {key} is not in the schema"))?;
            check(root, schema, member).map_err(|why| format!("{key}: {why}"))?;
        }
    }
    for item in value.as_array().into_iter().flatten() {
        check(root, &schema["items"], item)?;
    }
    Ok(())
}

fn is_of_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        _ => false,
    }
}
