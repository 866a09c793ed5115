//! How clients and servers hear of refusals.

use hyper::StatusCode;
use hyper::header::HeaderValue;
use map_diagnostics::escaped_line;
use map_json::guard::{GuardAnswer, GuardResult};
use serde_json::{Value as Json, json};

use super::super::answers::{Answer, object};

/// The error of JSON-RPC that stands for a refusal: one of those that servers may define, and A2A does not.
const REFUSED: i64 = -32_050;
/// The errors of JSON-RPC and A2A for what cannot be read, and what is not done.
pub(super) const INVALID: i64 = -32_600;
pub(super) const UNSUPPORTED: i64 = -32_004;
/// The longest text in a header.
const MAX_HEADER: usize = 2_000;

/// An error as JSON-RPC has it.
pub(super) fn rpc_error(id: &Json, code: i64, text: &str) -> Json {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } })
}

/// A message that the guard has not accepted, as an error; `None` if it has.
pub(super) fn refusal(id: &Json, answer: Option<&GuardAnswer>, who: &str) -> Option<Json> {
    let (text, data) = match answer.map(|answer| &answer.result) {
        Some(GuardResult::Refused(refusal)) => (refusal.text.clone(), serde_json::to_value(refusal)),
        Some(GuardResult::Error(error)) => (error.text.clone(), serde_json::to_value(error)),
        Some(_) => return None,
        None => ("the guard has ended".to_owned(), Ok(Json::Null)),
    };
    let mut error = rpc_error(id, REFUSED, &format!("the guard refuses the message of {who}: {text}"));
    error["error"]["data"] = data.unwrap_or_default();
    Some(error)
}

/// An error as a response.
pub(super) fn response(error: &Json) -> Answer {
    object(StatusCode::OK, error)
}

/// What a server is told in a header of its next request.
pub(super) fn header(conversation: &str, error: &Json) -> String {
    let (data, text) = (&error["error"]["data"]["kind"], &error["error"]["message"]);
    json!({ "conversation": conversation, "kind": data, "text": text }).to_string()
}

/// The text as a header, which is of ASCII alone.
pub(super) fn header_value(text: &str) -> Option<HeaderValue> {
    let mut ascii = String::new();
    for character in escaped_line(text).chars() {
        match character {
            ' '..='~' => ascii.push(character),
            _ => ascii.extend(character.escape_unicode()),
        }
        if ascii.len() > MAX_HEADER {
            break;
        }
    }
    HeaderValue::from_str(&ascii).ok()
}
