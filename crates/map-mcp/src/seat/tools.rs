//! The four tools of an agent that takes part in a dialogue, and what its calls ask of the guard.

use std::sync::Arc;

use rmcp::model::{Tool as Listed, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::tools::{object, string};

/// How long `receive` waits, in seconds: clients give up after a minute.
const USUAL_WAIT: u64 = 20;
const MAX_WAIT: u64 = 50;

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeatTool {
    MayI,
    Send,
    Receive,
    Owe,
}

impl SeatTool {
    /// All of them; no agent needs more, and none speaks for another one.
    pub(crate) const ALL: [Self; 4] = [Self::MayI, Self::Send, Self::Receive, Self::Owe];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::MayI => "may_i",
            Self::Send => "send",
            Self::Receive => "receive",
            Self::Owe => "owe",
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Self::MayI => {
                "Tells what you may send now, whether you owe a message, and for what you wait. With a performative: \
                 whether that message would be delivered. Changes nothing."
            }
            Self::Send => {
                "Sends a message. It is delivered if the dialogue allows it now; else it is refused, nothing has \
                 happened, and the refusal says what you may send instead."
            }
            Self::Receive => {
                "Waits for messages to you, and fetches them. To call it says that you have nothing to send until \
                 something arrives: send first what you owe or want to send."
            }
            Self::Owe => "Tells whether you owe a message, who owes you one, and until when.",
        }
    }

    const fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::MayI | Self::Send => &["performative", "args", "to", "conversation"],
            Self::Receive => &["wait_seconds", "conversation"],
            Self::Owe => &["conversation"],
        }
    }
}

/// The tools, as an agent sees them.
pub(crate) fn all() -> Vec<Listed> {
    SeatTool::ALL.into_iter().map(listed).collect()
}

fn listed(tool: SeatTool) -> Listed {
    let properties: Map<String, Json> =
        tool.arguments().iter().map(|&name| (name.to_owned(), argument(name))).collect();
    let required: &[&str] = if tool == SeatTool::Send { &["performative"] } else { &[] };
    let schema = object(json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }));
    let reads = matches!(tool, SeatTool::MayI | SeatTool::Owe);
    let annotations =
        ToolAnnotations::new().read_only(reads).destructive(false).idempotent(reads).open_world(false);
    Listed::new(tool.name(), tool.about(), Arc::new(schema)).with_annotations(annotations)
}

fn argument(name: &str) -> Json {
    match name {
        "performative" => string("What the message is, such as offer"),
        "args" => json!({ "type": "array", "description": "Its arguments, such as [7]; none unless given" }),
        "to" => json!({
            "type": "array",
            "items": { "type": "string" },
            "description": "The names of all recipients; may be left out if there is one choice only",
        }),
        "wait_seconds" => json!({
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_WAIT,
            "description": "How long to wait if there is nothing; 20 unless given",
        }),
        _ => string("The conversation, if you take part in several"),
    }
}

/// A call, as an agent writes it; each tool takes some of the arguments.
#[derive(Debug, Deserialize)]
struct Arguments {
    performative: Option<String>,
    #[serde(default)]
    args: Vec<Json>,
    to: Option<Vec<String>>,
    wait_seconds: Option<u64>,
    conversation: Option<String>,
}

/// A call that can be understood.
pub(crate) struct Call {
    tool: SeatTool,
    arguments: Arguments,
    pub(crate) conversation: Option<String>,
}

impl Call {
    /// # Errors
    /// If the arguments are not those of the tool, in words.
    pub(crate) fn read(tool: SeatTool, given: Map<String, Json>) -> Result<Self, String> {
        let known = tool.arguments();
        if let Some(unknown) = given.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(format!("there is no argument `{unknown}` here; there are: {}", known.join(", ")));
        }
        let mut arguments: Arguments = serde_json::from_value(Json::Object(given))
            .map_err(|error| format!("wrong arguments: {error}"))?;
        if tool == SeatTool::Send && arguments.performative.is_none() {
            return Err("a performative is missing; `may_i` tells which ones are possible".to_owned());
        }
        let conversation = arguments.conversation.take();
        Ok(Self { tool, arguments, conversation })
    }

    /// What it asks of the guard.
    pub(crate) fn request(&self, name: &str, conversation: &str, received: u64, key: &str) -> Json {
        let Arguments { performative, args, to, wait_seconds, .. } = &self.arguments;
        let ask = |what: &str| json!({ "do": what, "conversation": conversation, "as": name });
        let message = |what: &str| {
            let mut request = ask(what);
            (request["performative"], request["args"], request["to"]) =
                (json!(performative), json!(args), json!(to));
            request
        };
        match self.tool {
            SeatTool::MayI if performative.is_none() => ask("offer"),
            SeatTool::MayI => message("may_i"),
            SeatTool::Send => {
                let mut request = message("send");
                request["key"] = json!(key);
                request
            }
            SeatTool::Receive => {
                let mut request = ask("receive");
                let wait = wait_seconds.unwrap_or(USUAL_WAIT).min(MAX_WAIT) * 1_000;
                (request["after"], request["wait_ms"], request["rest"]) =
                    (json!(received), json!(wait), json!(true));
                request
            }
            SeatTool::Owe => ask("owe"),
        }
    }
}
