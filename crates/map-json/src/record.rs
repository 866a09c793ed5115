//! The lines of logs that `map conform` reads, for their schema.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

/// A line of a log for `map conform`: a message. Other fields are ignored.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LogRecord {
    /// Who sends it, by the name in the real system.
    from: String,
    /// To whom: names; `%role` is all who play it, and `*` whomever the send in the file addresses.
    to: OneOrMany,
    /// The performative.
    performative: String,
    /// The arguments; none if it is left out. Anything that JSON can say is a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<Json>>,
    /// The conversation: a name, or an integer, which is its text. The one without a name if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<NameOrNumber>,
    /// What happened; `send` if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<Happened>,
    /// What identifies the message: a second line with the same sender, recipients, id and content is a retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// When: a text such as `2026-11-20T10:00:00Z`, or a number, whose size tells its unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<TextOrNumber>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum NameOrNumber {
    Name(String),
    Number(i64),
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum TextOrNumber {
    Text(String),
    Number(f64),
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Happened {
    /// It was sent.
    Send,
    /// It got into the mailboxes of its recipients.
    Receive,
}
