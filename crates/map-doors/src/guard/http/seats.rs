//! The seats of agents over MCP: each agent has one, at a path of its own.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use http_body_util::Full;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use map_mcp::{HttpSeat, Seat};
use serde_json::Value as Json;

use super::super::asking::Asking;
use super::super::peer::Speaker;
use super::answers::{Answer, error};
use super::body::body;

/// The conversation that is meant if an agent names none.
const CONVERSATION: &str = "main";
/// The most seats.
const MAX_SEATS: usize = 1_024;

/// The seats so far.
pub(super) struct Seats {
    asking: Asking,
    file: String,
    scene: String,
    session: String,
    seats: Mutex<BTreeMap<String, Arc<HttpSeat>>>,
}

impl Seats {
    pub(super) fn new(asking: Asking, file: String, scene: String) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let session = format!("http-{}-{}", since.as_nanos(), std::process::id());
        Self { asking, file, scene, session, seats: Mutex::default() }
    }

    /// Answers a request at the seat of an agent.
    pub(super) async fn answer(&self, speaker: &Speaker, name: &str, request: Request<Incoming>) -> Answer {
        let is_its = match speaker {
            Speaker::Anybody => true,
            Speaker::Agent(agent) => agent == name,
            Speaker::Operator(_) => false,
        };
        if !is_its {
            let text = format!("this token is not that of {name:?}");
            return error(StatusCode::FORBIDDEN, "not_yours", text);
        }
        let Some(seat) = self.seat(name) else {
            return error(StatusCode::SERVICE_UNAVAILABLE, "limit", "there are too many seats");
        };
        let (head, sent) = request.into_parts();
        let sent = match body(sent).await {
            Ok(sent) => Full::new(sent),
            Err(refusal) => return refusal,
        };
        match seat.answer(Request::from_parts(head, sent)).await {
            Ok(answer) => answer,
            Err(text) => error(StatusCode::BAD_REQUEST, "bad_request", text),
        }
    }

    fn seat(&self, name: &str) -> Option<Arc<HttpSeat>> {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seat) = seats.get(name) {
            return Some(Arc::clone(seat));
        }
        if seats.len() >= MAX_SEATS {
            return None;
        }
        let (asking, speaker) = (self.asking.clone(), Speaker::Agent(name.to_owned()));
        let ask = move |request: &Json, is_cancelled: &AtomicBool| {
            asking.ask_for_seat(speaker.clone(), request, is_cancelled)
        };
        let seat = Arc::new(HttpSeat::new(Seat {
            name: name.to_owned(),
            conversation: CONVERSATION.to_owned(),
            file: self.file.clone(),
            scene: self.scene.clone(),
            session: format!("{}-{}", self.session, seats.len()),
            ask: Arc::new(ask),
        }));
        seats.insert(name.to_owned(), Arc::clone(&seat));
        Some(seat)
    }
}
