//! Requests that are not performed: what cannot be understood, and what an agent may not ask for.

use map_json::guard::{GuardAnswer, GuardError, GuardRequest, GuardResult};
use serde_json::Value as Json;

pub(crate) use map_json::guard_requests::{Outcome, Waiting, fetch, perform};

/// An answer to what cannot be understood.
pub(crate) fn bad_request(line: &[u8], text: String) -> GuardAnswer {
    let id = serde_json::from_slice::<Json>(line).ok().and_then(|mut request| {
        request.get_mut("id").map(Json::take).filter(|id| id.is_number() || id.is_string())
    });
    let error = GuardError { kind: "bad_request".to_owned(), text };
    GuardAnswer { id: id.unwrap_or_default(), result: GuardResult::Error(error) }
}

/// Why an agent may not ask for this: it speaks for itself, and conversations belong to all.
pub(super) fn foreign(request: &GuardRequest, agent: &str) -> Option<String> {
    let speaker = match request {
        GuardRequest::Open { .. } | GuardRequest::Status { .. } => {
            return Some("only whoever started the guard may do that".to_owned());
        }
        GuardRequest::Send(message) | GuardRequest::MayI(message) => &message.r#as,
        GuardRequest::Offer { r#as, .. }
        | GuardRequest::Receive { r#as, .. }
        | GuardRequest::Rest { r#as, .. }
        | GuardRequest::Owe { r#as, .. } => r#as,
    };
    (speaker != agent).then(|| format!("this connection speaks for {agent:?}, and for nobody else"))
}
