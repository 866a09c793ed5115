//! The seat of an agent in a dialogue behind a guard: it sends, receives, and asks what it may do and who owes what.

mod answers;
#[cfg(feature = "http")]
mod http;
mod tools;
mod words;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value as Json, json};
use tokio::sync::Semaphore;

use self::answers::{MAX_TEXT, told};
use self::tools::{Call, SeatTool};
use self::words::in_words;
use crate::answer::Answer;
use crate::server::misfit;
use crate::work::on_thread;

#[cfg(feature = "http")]
pub use self::http::HttpSeat;

/// How many calls are answered at a time: as many as may wait for messages.
const CALLS: usize = 4;

/// The requests that are answered.
const KNOWN: [&str; 4] = ["initialize", "ping", "tools/list", "tools/call"];

/// Asks a guard something, and waits for its answer; it may give up as soon as the flag is set.
pub type Ask = Arc<dyn Fn(&Json, &AtomicBool) -> Result<Json, AskError> + Send + Sync>;

/// Why a guard has not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskError {
    /// It does not admit the agent.
    Refused(String),
    /// It cannot be reached, or is gone; what was asked may have been done.
    Lost(String),
}

/// What an agent is, and how its guard is asked.
#[derive(Clone)]
pub struct Seat {
    /// Its name.
    pub name: String,
    /// The conversation that is meant if the agent names none.
    pub conversation: String,
    /// The file of the dialogue.
    pub file: String,
    /// The scene.
    pub scene: String,
    /// What no other process has called itself: what it sends is known by it.
    pub session: String,
    /// Asks the guard.
    pub ask: Ask,
}

/// Answers requests of an agent.
pub(crate) struct SeatServer {
    seat: Arc<Seat>,
    instructions: String,
    calls: Semaphore,
    sends: AtomicU64,
    /// By conversation: up to where its messages have been handed on.
    received: Mutex<BTreeMap<String, u64>>,
}

impl SeatServer {
    /// # Errors
    /// If the guard cannot be asked what the agent may do.
    pub(crate) fn new(seat: Seat) -> Result<Self, String> {
        let request = json!({ "do": "offer", "conversation": seat.conversation, "as": seat.name });
        let answer = (seat.ask)(&request, &AtomicBool::new(false));
        let offer = match answer {
            Ok(answer) => answer,
            Err(AskError::Refused(text) | AskError::Lost(text)) => return Err(text),
        };
        if let Some(text) = offer["error"]["text"].as_str() {
            return Err(text.to_owned());
        }
        let instructions = words::instructions(&seat, &offer["offer"]);
        let (calls, sends, received) = (Semaphore::new(CALLS), AtomicU64::new(0), Mutex::default());
        Ok(Self { seat: Arc::new(seat), instructions, calls, sends, received })
    }

    /// Answers a call. If it is cancelled, nothing counts as handed on.
    async fn answer(&self, call: Call, cancelled: impl Future<Output = ()>) -> Result<Answer, String> {
        let conversation = call.conversation.clone().unwrap_or_else(|| self.seat.conversation.clone());
        let received = self.received(&conversation);
        let key = self.sends.fetch_add(1, Ordering::Relaxed);
        let key = format!("{}-{key}", self.seat.session);
        let request = call.request(&self.seat.name, &conversation, received, &key);
        let heard_in = conversation.clone();
        let _turn = self.calls.acquire().await.map_err(|error| error.to_string())?;
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let (seat, flag) = (Arc::clone(&self.seat), Arc::clone(&is_cancelled));
        let work = on_thread(move || {
            let answer = (seat.ask)(&request, &flag)?;
            // Who has waited in vain is told why.
            let is_empty = answer["received"]["items"].as_array().is_some_and(Vec::is_empty);
            if !is_empty || !answer["received"]["debt"].is_null() {
                return Ok(answer);
            }
            let offer = json!({ "do": "offer", "conversation": conversation, "as": seat.name });
            let offer = (seat.ask)(&offer, &flag)?;
            Ok(json!({ "received": answer["received"], "offer": offer["offer"] }))
        });
        let answer: Result<Json, AskError> = tokio::select! {
            answer = work => answer?,
            () = cancelled => {
                is_cancelled.store(true, Ordering::Relaxed);
                return Err("cancelled".to_owned());
            }
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(AskError::Refused(text) | AskError::Lost(text)) => return Err(text),
        };
        // A refusal may hand messages over, too.
        let items = [&answer["received"]["items"], &answer["refused"]["unread"]];
        let last = items.into_iter().find_map(|items| items.as_array()?.last());
        if let Some(last) = last.and_then(|item| item["seq"].as_u64()) {
            self.note_received(heard_in, last);
        }
        Ok(told(&in_words(&answer), &answer))
    }

    fn received(&self, conversation: &str) -> u64 {
        let received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        received.get(conversation).copied().unwrap_or(0)
    }

    fn note_received(&self, conversation: String, upto: u64) {
        let mut received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        let known = received.entry(conversation).or_insert(0);
        *known = upto.max(*known);
    }
}

impl ServerHandler for SeatServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("map-guard", env!("CARGO_PKG_VERSION")))
            .with_instructions(&*self.instructions)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = SeatTool::ALL.into_iter().find(|tool| tool.name() == request.name) else {
            let what = format!("there is no tool `{}`", map_diagnostics::escaped(&request.name));
            return Err(ErrorData::invalid_params(what, None));
        };
        let answer = match Call::read(tool, request.arguments.unwrap_or_default()) {
            Ok(call) => self.answer(call, context.ct.cancelled()).await,
            Err(why) => Err(why),
        };
        let answer = answer.unwrap_or_else(|why| Answer::failed(&why));
        Ok(answer.result(MAX_TEXT).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(misfit(&request, &KNOWN))
    }
}
