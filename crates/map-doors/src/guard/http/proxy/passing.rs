//! Passes a request on to a server, and its answer back: each message is judged before.

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use serde_json::Value as Json;

use super::super::super::lines::MAX_REQUEST;
use super::super::answers::{Answer, error};
use super::exchange::Exchange;
use super::forward::passed_on;
use super::refusing::{INVALID, UNSUPPORTED, header_value, response, rpc_error};
use super::stream::judged_stream;

/// The header in which a server hears that an answer of it was refused.
const MAP_REFUSED: &str = "map-refused";

/// What may not be asked for: what would be answered beside the guard.
fn is_past_the_guard(method: &str) -> bool {
    let method = method.to_ascii_lowercase();
    method.contains("pushnotification") || method.contains("extended")
}

/// Judges the request, forwards it, and judges what is answered.
pub(super) async fn pass(mut exchange: Exchange, head: &Parts, sent: Bytes) -> Answer {
    let Ok(body @ Json::Object(_)) = serde_json::from_slice::<Json>(&sent) else {
        return response(&rpc_error(&Json::Null, INVALID, "the request is no object"));
    };
    let id = body["id"].clone();
    if is_past_the_guard(body["method"].as_str().unwrap_or_default()) {
        let text = "the guard does not pass this on: answers would go past it";
        return response(&rpc_error(&id, UNSUPPORTED, text));
    }
    let messages = match exchange.read(&body) {
        Ok(messages) => messages,
        Err(text) => return response(&rpc_error(&id, INVALID, &text)),
    };
    for message in messages {
        exchange.key.clone_from(&message.id);
        let key = message.id.clone();
        if let Some(error) = exchange.send(exchange.speaker.clone(), &id, message, key).await {
            return response(&error);
        }
    }
    let mut headers = passed_on(&head.headers);
    if let Some(told) = exchange.proxy.take_refusal(&exchange.server)
        && let Some(value) = header_value(&told)
    {
        headers.insert(MAP_REFUSED, value);
    }
    let answered = match exchange.proxy.upstreams.get(&exchange.server) {
        Some(upstream) => upstream.ask(Method::POST, "", headers, sent).await,
        None => Err("the server is not known".to_owned()),
    };
    match answered {
        Ok(answered) => judge(exchange, id, answered).await,
        Err(text) => error(StatusCode::BAD_GATEWAY, "upstream", text),
    }
}

/// Judges what a server answers.
async fn judge(mut exchange: Exchange, id: Json, answered: Response<Incoming>) -> Answer {
    let (mut head, body) = answered.into_parts();
    let named = head.headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let essence = named.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let unusable = |text: &str| error(StatusCode::BAD_GATEWAY, "upstream", text);
    if head.headers.contains_key(CONTENT_ENCODING) {
        return unusable("the answer is compressed, which nobody has asked for");
    }
    for name in ["connection", "keep-alive", "transfer-encoding", "trailer", "upgrade"] {
        head.headers.remove(name);
    }
    head.headers.remove(CONTENT_LENGTH);
    match (head.status, &*essence) {
        (StatusCode::OK, "text/event-stream") => {
            Response::from_parts(head, judged_stream(exchange, id, body))
        }
        (_, "application/json") => {
            let most = usize::try_from(MAX_REQUEST).unwrap_or(usize::MAX);
            let Ok(collected) = Limited::new(body, most).collect().await else {
                return unusable("the answer cannot be read, or is too long");
            };
            let bytes = collected.to_bytes();
            let Ok(value) = serde_json::from_slice::<Json>(&bytes) else {
                return unusable("the answer is no JSON");
            };
            let judged = match exchange.read(&value) {
                Ok(messages) => exchange.answer_with(&id, messages).await,
                Err(text) => Err(rpc_error(&id, INVALID, &format!("the answer is unusable: {text}"))),
            };
            if let Err(error) = judged {
                return response(&error);
            }
            head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            Response::from_parts(head, Full::new(bytes).boxed())
        }
        (status, _) => unusable(&format!("the server answers {status}, and no JSON")),
    }
}
