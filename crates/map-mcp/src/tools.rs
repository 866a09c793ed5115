//! The tools, as an agent sees them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Listed, ToolAnnotations};
use serde_json::{Value, json};

use crate::call::Tool;

/// All tools; without a root none takes a path.
pub(crate) fn all(has_root: bool) -> Vec<Listed> {
    Tool::ALL.into_iter().map(|tool| listed(tool, has_root)).collect()
}

fn listed(tool: Tool, has_root: bool) -> Listed {
    let mut properties = JsonObject::new();
    for &name in tool.arguments() {
        if name != "path" || has_root {
            properties.insert(name.to_owned(), argument(tool, name));
        }
    }
    let mut required = Vec::new();
    if tool.arguments().contains(&"text") && !has_root {
        required.push("text");
    }
    match tool {
        Tool::Conform => required.push("log"),
        Tool::Library => required.push("action"),
        _ => {}
    }
    let schema = object(json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }));
    let annotations = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
    Listed::new(tool.name(), about(tool), Arc::new(schema)).with_annotations(annotations)
}

const fn about(tool: Tool) -> &'static str {
    match tool {
        Tool::Check => {
            "Finds errors and warnings in a MAP dialogue, with places, reasons and advice. Quick: use it after each \
             change, before `verify`."
        }
        Tool::Verify => {
            "Explores every run of a MAP dialogue: does each one end, and end well, and do its properties hold? Gives a \
             verdict, and a shortest counterexample where there is one."
        }
        Tool::Run => "Plays a MAP dialogue once, choosing at random, and tells each step and how it ends.",
        Tool::Explain => {
            "Explains a code such as MAP204 (what is wrong, why, and how to mend it) or a word of the reports such as \
             livelock. Without a code, lists all codes."
        }
        Tool::Format => "Gives a MAP dialogue in its canonical layout. Changes no file.",
        Tool::Library => {
            "Protocols to start from or to learn from: `list` them, list the versions of one, or `read` one."
        }
        Tool::Conform => {
            "Judges a log of real messages by a MAP dialogue: whether they keep to the protocol, and if not, who broke it \
             and what could have been sent instead."
        }
        Tool::Render => {
            "Draws a MAP dialogue: what each role does, all states of a small scene, or the run that shows what `verify` \
             finds wrong."
        }
        Tool::Cheatsheet => "The language MAP in short, with examples. Read it before you write a dialogue.",
    }
}

fn argument(tool: Tool, name: &str) -> Value {
    match name {
        "text" => string("The text of the dialogue"),
        "path" => string("The .map file to be read instead of a text, as a path relative to the root"),
        "flags" => string(match tool {
            Tool::Verify => {
                "Such as --agents bidder=2 --rounds bidloop=2 --mailbox 5 --network lossy:1 --property \
                 'never failed(!A)' --only NAME --keep-going --max-states 100000 --time-limit 30s"
            }
            Tool::Run => "Such as --seed 7 --agents bidder=2 --yes 0.9 --network lossy:1 --max-steps 500",
            Tool::Render => "As of `verify`",
            _ => "--scene NAME, --agents NAME=COUNT",
        }),
        "structured" => {
            json!({ "type": "boolean", "description": "Give the answer as JSON, too; it is long" })
        }
        "max_bytes" => json!({
            "type": "integer",
            "minimum": 100,
            "description": "The most bytes of text; 2000 unless given",
        }),
        "detail" => json!({
            "type": "string",
            "enum": ["short", "full"],
            "description": "full: every step, and all that the verdict depends on",
        }),
        "log" => string(
            "The messages, a line each: {\"from\": \"!A\", \"to\": [\"!B\"], \"performative\": \"bid\", \"args\": [40]}; \
             lines may also have a conversation, a time, an id and an event (send or receive)",
        ),
        "what" => json!({ "type": "string", "enum": ["roles", "states", "counterexample"] }),
        "as" => json!({ "type": "string", "enum": ["mermaid", "text", "svg"] }),
        "code" => string("The code, or the word"),
        "action" => json!({ "type": "string", "enum": ["list", "read"] }),
        _ => string("A protocol such as ballot, or with a version, such as ballot/voting-twice"),
    }
}

pub(crate) fn string(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

pub(crate) fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
