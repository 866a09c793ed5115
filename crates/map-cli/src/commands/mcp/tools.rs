//! The tools, as an agent sees them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// All tools; without a root none takes a path.
pub(super) fn all(has_root: bool) -> Vec<Tool> {
    let dialogue = |flags: Option<&str>| {
        let mut properties = JsonObject::new();
        properties.insert("text".to_owned(), string("The text of the dialogue"));
        if has_root {
            let path = "The .map file to be read instead of a text, as a path relative to the root";
            properties.insert("path".to_owned(), string(path));
        }
        if let Some(flags) = flags {
            properties.insert("flags".to_owned(), string(flags));
        }
        schema(&properties, if has_root { &[] } else { &["text"] })
    };
    vec![
        tool(
            "check",
            "Finds errors and warnings in a MAP dialogue, with places, reasons and advice. Quick: use it after each \
             change, before `verify`.",
            dialogue(Some("Flags of `map check`: --scene NAME, --agents NAME=COUNT")),
        ),
        tool(
            "verify",
            "Explores every run of a MAP dialogue: does each one end, and end well, and do its properties hold? Gives a \
             verdict, and a shortest counterexample where there is one.",
            dialogue(Some(
                "Flags of `map verify`, such as --agents bidder=2 --rounds bidloop=2 --mailbox 5 --network lossy:1 \
                 --property 'never failed(!A)' --only NAME --keep-going --max-states 100000 --time-limit 30s",
            )),
        ),
        tool(
            "run",
            "Plays a MAP dialogue once, choosing at random, and tells each step and how it ends.",
            dialogue(Some(
                "Flags of `map run`, such as --seed 7 --agents bidder=2 --yes 0.9 --network lossy:1 --max-steps 500",
            )),
        ),
        tool(
            "explain",
            "Explains a code such as MAP204: what is wrong, why, and how to mend it. Without a code, lists all.",
            schema(&object(json!({ "code": string("The code") })), &[]),
        ),
        tool("format", "Gives a MAP dialogue in its canonical layout. Changes no file.", dialogue(None)),
        tool(
            "library",
            "Protocols to start from or to learn from: `list` them, list the versions of one, or `read` one.",
            schema(
                &object(json!({
                    "action": { "type": "string", "enum": ["list", "read"] },
                    "name": string("A protocol such as ballot, or with a version, such as ballot/voting-twice"),
                })),
                &["action"],
            ),
        ),
    ]
}

fn tool(name: &'static str, about: &'static str, schema: JsonObject) -> Tool {
    let annotations = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
    Tool::new(name, about, Arc::new(schema)).with_annotations(annotations)
}

fn schema(properties: &JsonObject, required: &[&str]) -> JsonObject {
    object(json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }))
}

fn string(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
