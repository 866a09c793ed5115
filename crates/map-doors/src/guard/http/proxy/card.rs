//! The cards of agents: they lead to the proxy, and nowhere else.

use http_body_util::{BodyExt as _, Limited};
use hyper::body::Bytes;
use hyper::header::{HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH};
use hyper::{HeaderMap, Method, StatusCode};
use serde_json::{Value as Json, json};

use super::super::answers::{Answer, error, object};
use super::forward::{Upstream, passed_on};

/// The largest card.
const MAX_CARD: usize = 1 << 20;

/// Answers with the card of a server.
pub(super) async fn answer(upstream: &Upstream, headers: &HeaderMap, path: &str, name: &str) -> Answer {
    let unusable = |text: String| error(StatusCode::BAD_GATEWAY, "upstream", text);
    let below = format!("/.well-known/{name}");
    let mut passed = passed_on(headers);
    passed.remove(IF_NONE_MATCH);
    passed.remove(IF_MODIFIED_SINCE);
    let answered = upstream.ask(Method::GET, &below, passed, Bytes::new()).await;
    let response = match answered {
        Ok(response) => response,
        Err(text) => return unusable(text),
    };
    if response.status() != StatusCode::OK {
        return unusable(format!("the server has no card: {}", response.status()));
    }
    let Ok(bytes) = Limited::new(response.into_body(), MAX_CARD).collect().await else {
        return unusable("the card cannot be read".to_owned());
    };
    let Ok(card @ Json::Object(_)) = serde_json::from_slice(&bytes.to_bytes()) else {
        return unusable("the card is no object".to_owned());
    };
    let host = headers.get(HOST).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let address = format!("http://{host}{}", path.strip_suffix(&below).unwrap_or(path));
    object(StatusCode::OK, &rewritten(card, &address))
}

/// The card of an agent whose address is another one. What would lead past the guard is left out: interfaces that are
/// not JSON-RPC, messages that servers push, and cards for those who are known. So no signature fits any more.
fn rewritten(mut card: Json, address: &str) -> Json {
    if card.get("url").is_some() {
        card["url"] = address.into();
        card["preferredTransport"] = "JSONRPC".into();
    }
    for (list, kind) in [("supportedInterfaces", "protocolBinding"), ("additionalInterfaces", "transport")] {
        let Some(interfaces) = card.get_mut(list).and_then(Json::as_array_mut) else { continue };
        interfaces.retain(|it| it[kind].as_str().is_none_or(|it| it.eq_ignore_ascii_case("JSONRPC")));
        for interface in interfaces {
            interface["url"] = address.into();
        }
    }
    if let Some(capabilities) = card.get_mut("capabilities").and_then(Json::as_object_mut) {
        capabilities.insert("pushNotifications".to_owned(), json!(false));
        capabilities.remove("extendedAgentCard");
    }
    if let Some(card) = card.as_object_mut() {
        card.remove("supportsAuthenticatedExtendedCard");
        card.remove("signatures");
    }
    card
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::rewritten;

    #[test]
    fn nothing_in_a_card_leads_past_the_guard() {
        let card = json!({
            "name": "worker",
            "url": "http://10.0.0.1/",
            "preferredTransport": "GRPC",
            "additionalInterfaces": [{ "transport": "GRPC", "url": "x" }, { "transport": "JSONRPC", "url": "y" }],
            "supportedInterfaces": [
                { "protocolBinding": "HTTP+JSON", "url": "z" },
                { "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "url": "w" },
            ],
            "capabilities": { "streaming": true, "pushNotifications": true, "extendedAgentCard": true },
            "signatures": [{}],
        });
        let expected = json!({
            "name": "worker",
            "url": "http://guard/a2a/worker",
            "preferredTransport": "JSONRPC",
            "additionalInterfaces": [{ "transport": "JSONRPC", "url": "http://guard/a2a/worker" }],
            "supportedInterfaces": [
                { "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "url": "http://guard/a2a/worker" },
            ],
            "capabilities": { "streaming": true, "pushNotifications": false },
        });
        assert_eq!(rewritten(card, "http://guard/a2a/worker"), expected);
        let small = json!({ "name": "x" });
        assert_eq!(rewritten(small.clone(), "http://guard/a2a/x"), small);
    }
}
