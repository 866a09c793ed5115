//! A proxy in front of agents that speak A2A: a request is a message of the client, an answer one of the server.

mod card;
mod exchange;
mod forward;
mod passing;
mod reading;
mod refusing;
mod stream;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode};
use map_conform::Form;
use map_ir::Program;

use super::super::asking::Asking;
use super::super::peer::Speaker;
use super::answers::{Answer, error};
use super::body::{body, is_json};
use exchange::Exchange;
use passing::pass;
use reading::Reading;

pub use forward::Upstream;

/// Where the cards of agents are.
const CARDS: [&str; 2] = ["agent-card.json", "agent.json"];

/// What a proxy is made of.
pub struct ProxySettings {
    /// The servers, by the names of their agents.
    pub upstreams: BTreeMap<String, Upstream>,
    /// How requests and answers are read.
    pub form: Form,
    /// What is guarded.
    pub program: Arc<Program>,
}

/// The proxy.
pub(super) struct Proxy {
    upstreams: BTreeMap<String, Upstream>,
    reading: Mutex<Reading>,
    asking: Asking,
    /// By server: what it is to be told of answers that were refused.
    refused: Mutex<BTreeMap<String, String>>,
}

impl Proxy {
    pub(super) fn new(settings: ProxySettings, asking: Asking) -> Arc<Self> {
        let ProxySettings { upstreams, form, program } = settings;
        let reading = Mutex::new(Reading::new(&form, program));
        Arc::new(Self { upstreams, reading, asking, refused: Mutex::default() })
    }

    /// Answers a request to a server; `client` is who asks by the path, where there are no tokens.
    pub(super) async fn answer(
        self: &Arc<Self>,
        speaker: &Speaker,
        (server, client, rest): (&str, Option<&str>, &[&str]),
        request: Request<Incoming>,
    ) -> Answer {
        let client = match (speaker, client) {
            (Speaker::Agent(name), None) => name.clone(),
            (Speaker::Agent(name), Some(client)) if name == client => name.clone(),
            (Speaker::Anybody, Some(client)) => client.to_owned(),
            (Speaker::Anybody, None) => {
                let text = "without tokens the path says who asks: /a2a/SERVER/as/CLIENT";
                return error(StatusCode::FORBIDDEN, "not_admitted", text);
            }
            (Speaker::Agent(_) | Speaker::Operator(_), _) => {
                let text = "this token is not that of the client";
                return error(StatusCode::FORBIDDEN, "not_yours", text);
            }
        };
        let Some(upstream) = self.upstreams.get(server) else {
            return error(StatusCode::NOT_FOUND, "bad_request", format!("there is no server {server:?}"));
        };
        match (request.method(), rest) {
            (&Method::GET, [".well-known", card]) if CARDS.contains(card) => {
                card::answer(upstream, request.headers(), request.uri().path(), card).await
            }
            (&Method::POST, [] | [""]) if is_json(&request) => {
                let (head, sent) = request.into_parts();
                match body(sent).await {
                    Ok(sent) => {
                        let (speaker, server, proxy) = (speaker.clone(), server.to_owned(), Arc::clone(self));
                        let exchange = Exchange { proxy, speaker, client, server, key: None, answers: 0 };
                        pass(exchange, &head, sent).await
                    }
                    Err(refusal) => refusal,
                }
            }
            (&Method::POST, [] | [""]) => {
                let text = "requests are objects: Content-Type: application/json";
                error(StatusCode::UNSUPPORTED_MEDIA_TYPE, "bad_request", text)
            }
            _ => error(StatusCode::NOT_FOUND, "bad_request", "there is nothing at this path"),
        }
    }

    /// Notes for a server that an answer of it was refused.
    fn note_refusal(&self, server: &str, told: String) {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).insert(server.to_owned(), told);
    }

    /// What a server is to be told; it is told once.
    fn take_refusal(&self, server: &str) -> Option<String> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).remove(server)
    }
}
