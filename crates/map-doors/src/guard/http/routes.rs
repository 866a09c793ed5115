//! What is asked for: paths, and the objects that are sent to them.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::ORIGIN;
use hyper::{Method, Request, StatusCode};
use map_json::guard::GuardRequest;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value as Json};

use super::super::asking::Asking;
use super::super::peer::Speaker;
use super::admission::Admission;
use super::answers::{Answer, error, gone, of_guard};
use super::body::{body, is_json};
use super::host::Hosts;
use super::proxy::Proxy;
#[cfg(feature = "mcp")]
use super::seats::Seats;

/// What can be asked for below a conversation: the word in the path, which is that of a request.
const OPERATIONS: [&str; 8] = ["open", "send", "may_i", "offer", "receive", "rest", "owe", "status"];

/// Where requests lead.
pub(super) struct Routes {
    pub(super) hosts: Hosts,
    pub(super) admission: Admission,
    pub(super) asking: Asking,
    pub(super) proxy: Option<Arc<Proxy>>,
    #[cfg(feature = "mcp")]
    pub(super) seats: Seats,
}

/// A part of a path.
fn decoded(part: &str) -> Option<String> {
    percent_decode_str(part).decode_utf8().ok().map(Into::into)
}

impl Routes {
    /// The answer to a request.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Answer {
        if !self.hosts.has(&request) {
            let text = "the host is not known by this name: see --host";
            return error(StatusCode::MISDIRECTED_REQUEST, "bad_request", text);
        }
        if request.headers().contains_key(ORIGIN) {
            let text = "pages of browsers are not answered";
            return error(StatusCode::FORBIDDEN, "bad_request", text);
        }
        let Some(speaker) = self.admission.admit(request.headers()) else {
            let text = "a token is needed: Authorization: Bearer TOKEN";
            return error(StatusCode::UNAUTHORIZED, "not_admitted", text);
        };
        let path = request.uri().path().to_owned();
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        match parts[..] {
            ["v1", conversation, operation] if OPERATIONS.contains(&operation) => {
                match decoded(conversation) {
                    Some(conversation) => self.operate(speaker, request, conversation, operation).await,
                    None => error(StatusCode::BAD_REQUEST, "bad_request", "the path is no text"),
                }
            }
            #[cfg(feature = "mcp")]
            ["mcp", name] => match decoded(name) {
                Some(name) => self.seats.answer(&speaker, &name, request).await,
                None => error(StatusCode::BAD_REQUEST, "bad_request", "the path is no text"),
            },
            ["a2a", server, ref rest @ ..] => match (&self.proxy, decoded(server)) {
                (Some(proxy), Some(server)) => {
                    let (client, rest) = match rest {
                        ["as", client, rest @ ..] => (decoded(client), rest),
                        _ => (None, rest),
                    };
                    proxy.answer(&speaker, (server.as_str(), client.as_deref(), rest), request).await
                }
                _ => error(StatusCode::NOT_FOUND, "bad_request", "there is nothing at this path: see --a2a"),
            },
            _ => error(StatusCode::NOT_FOUND, "bad_request", "there is nothing at this path"),
        }
    }

    async fn operate(
        &self,
        speaker: Speaker,
        request: Request<Incoming>,
        conversation: String,
        operation: &str,
    ) -> Answer {
        if request.method() != Method::POST {
            return error(StatusCode::METHOD_NOT_ALLOWED, "bad_request", "requests are sent by POST");
        }
        if !is_json(&request) {
            let text = "requests are objects: Content-Type: application/json";
            return error(StatusCode::UNSUPPORTED_MEDIA_TYPE, "bad_request", text);
        }
        let bytes = match body(request.into_body()).await {
            Ok(bytes) => bytes,
            Err(refusal) => return refusal,
        };
        let request = match read(&bytes, &speaker, conversation, operation) {
            Ok(request) => request,
            Err(text) => return error(StatusCode::BAD_REQUEST, "bad_request", text),
        };
        match self.asking.ask(speaker, request).await {
            Some(answer) => of_guard(&answer),
            None => gone(),
        }
    }
}

/// The request in a body: the path says what is asked for, and in which conversation, and the token who asks.
fn read(
    bytes: &[u8],
    speaker: &Speaker,
    conversation: String,
    operation: &str,
) -> Result<GuardRequest, String> {
    let is_blank = bytes.iter().all(u8::is_ascii_whitespace);
    let no_request = |failure: serde_json::Error| format!("it is no request: {failure}");
    let mut object: Map<String, Json> =
        if is_blank { Map::new() } else { serde_json::from_slice(bytes).map_err(no_request)? };
    for (field, value) in [("do", operation.to_owned()), ("conversation", conversation)] {
        let value = Json::from(value);
        if object.get(field).is_some_and(|given| *given != value) {
            return Err(format!("`{field}` is not what the path says"));
        }
        object.insert(field.to_owned(), value);
    }
    if let (Speaker::Agent(name), false) = (speaker, matches!(operation, "open" | "status")) {
        object.entry("as").or_insert_with(|| name.clone().into());
    }
    serde_json::from_value(Json::Object(object)).map_err(no_request)
}
