//! What an agent wants to send.

use serde_json::Value as Json;

/// A message that an agent wants to send.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The performative.
    pub performative: String,
    /// The arguments.
    pub args: Vec<Json>,
    /// The names of all recipients; `None` for those to whom it can only go.
    pub to: Option<Vec<String>>,
    /// What the request is known by: a second one with the same key gets the same answer.
    pub key: Option<String>,
}
