//! Messages as they stand in recorded sessions: short enough to be read.

use lsp_server::Message;
use serde_json::Value;

/// The longest line; what is longer is broken.
const WIDTH: usize = 100;

pub(crate) fn message(message: &Message) -> String {
    match message {
        Message::Response(it) => match &it.response_result {
            Ok(result) => format!("answer {}", value(result)),
            Err(error) => format!("refused {} {}", error.code, error.message),
        },
        Message::Notification(it) => format!("{} {}", it.method, value(&it.params)),
        Message::Request(it) if it.params.is_null() => format!("asks {}", it.method),
        Message::Request(it) => format!("asks {} {}", it.method, value(&it.params)),
    }
}

fn value(value: &Value) -> String {
    let mut text = String::new();
    print(&shortened(value), 0, &mut text);
    text
}

/// Positions as `3:4`, and ranges as `3:4-3:9`.
fn shortened(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let entry = |name: &str| entries.get(name).map(shortened);
            let two = |one: &str, other: &str| entry(one).zip(entry(other)).filter(|_| entries.len() == 2);
            if let Some((line, column)) = two("line", "character") {
                return Value::from(format!("{line}:{column}"));
            }
            if let Some((Value::String(start), Value::String(end))) = two("start", "end") {
                return Value::from(format!("{start}-{end}"));
            }
            Value::Object(entries.iter().map(|(name, it)| (name.clone(), shortened(it))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(shortened).collect()),
        other => other.clone(),
    }
}

/// Prints a value in one line if it fits, else each of its parts on a line of its own.
fn print(value: &Value, indent: usize, text: &mut String) {
    let line = value.to_string();
    let numbers = |items: &[Value]| items.iter().all(Value::is_number);
    let mut parts = |open: char, parts: Vec<(String, &Value)>, close: char| {
        text.push(open);
        for (index, (name, part)) in parts.iter().enumerate() {
            text.push_str(if index == 0 { "\n" } else { ",\n" });
            text.push_str(&" ".repeat(indent + 2));
            text.push_str(name);
            print(part, indent + 2, text);
        }
        text.push_str(&format!("\n{}{close}", " ".repeat(indent)));
    };
    match value {
        _ if indent + line.len() <= WIDTH => text.push_str(&line),
        Value::Array(items) if !numbers(items) => {
            parts('[', items.iter().map(|it| (String::new(), it)).collect(), ']');
        }
        Value::Object(entries) => {
            let named = |(name, it)| (format!("{}: ", Value::from(String::clone(name))), it);
            parts('{', entries.iter().map(named).collect(), '}');
        }
        _ => text.push_str(&line),
    }
}
