//! Requests that are not performed: what cannot be understood, and what an agent may not ask for.

use map_json::guard::{GuardAnswer, GuardError, GuardRequest, GuardResult};
use serde_json::Value as Json;

use super::peer::Speaker;

pub(crate) use map_json::guard_requests::{Outcome, Waiting, fetch, perform};

/// The JSON of a line that is to be a request.
///
/// # Errors
/// If it is none, in words.
pub(crate) fn object_of(line: &[u8]) -> Result<Json, String> {
    let json: Json = serde_json::from_slice(line).map_err(|error| format!("it is not JSON: {error}"))?;
    match &json {
        Json::Object(fields) if fields.contains_key("do") => Ok(json),
        Json::Object(_) => Err("it is no request: `do` says what is wanted, such as \"send\"".to_owned()),
        _ => Err("it is no request: an object was expected, such as {\"do\": \"offer\", ..}".to_owned()),
    }
}

/// What is asked for.
///
/// # Errors
/// If it is nothing that there is, in words.
pub(crate) fn request_of(request: Json) -> Result<GuardRequest, String> {
    if request.get("to").is_some_and(Json::is_string) {
        return Err("it is no request: `to` is a list of names, such as [\"Desk\"]".to_owned());
    }
    serde_json::from_value(request).map_err(|error| format!("it is no request: {error}"))
}

/// An answer to what cannot be understood.
pub(crate) fn bad_request(line: &[u8], text: String) -> GuardAnswer {
    let id = serde_json::from_slice::<Json>(line).ok().and_then(|mut request| {
        request.get_mut("id").map(Json::take).filter(|id| id.is_number() || id.is_string())
    });
    let error = GuardError { kind: "bad_request".to_owned(), text };
    GuardAnswer { id: id.unwrap_or_default(), result: GuardResult::Error(error) }
}

/// Why somebody may not ask for this: an agent speaks for itself, and conversations belong to all.
pub(super) fn foreign(request: &GuardRequest, speaker: &Speaker) -> Option<String> {
    let Some(meant) = request.agent() else {
        let text = "only whoever started the guard may do that, and operators";
        return matches!(speaker, Speaker::Agent(_)).then(|| text.to_owned());
    };
    match speaker {
        Speaker::Anybody => None,
        Speaker::Agent(agent) if agent == meant => None,
        Speaker::Agent(agent) => Some(format!("this connection speaks for {agent:?}, and for nobody else")),
        Speaker::Operator(_) => Some("operators speak for no agent".to_owned()),
    }
}
