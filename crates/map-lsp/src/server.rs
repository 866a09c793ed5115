//! The loop that owns the state of the server.

mod commands;
#[cfg(test)]
mod tests;
mod texts;

use std::io;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use ls_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, LogMessage,
    Notification as _, ShowMessage, WorkDoneProgressCancel,
};
use ls_types::request::{ExecuteCommand, Request as _, WorkspaceSymbolRequest};
use ls_types::{
    DidChangeConfigurationParams, InitializeParams, LogMessageParams, MessageType, ShowMessageParams, Uri,
    WorkspaceSymbolParams,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::Value;

use crate::capabilities;
use crate::client::{Budget, Client};
use crate::dispatch::{Answer, Query, query, read, refusal};
use crate::documents::{Analysed, Documents};
use crate::jobs::Jobs;
use crate::pending::Pending;
use crate::pool::Pool;
use crate::positions::{Text, clamp};
use crate::snapshot::Snapshot;
use crate::symbols;
use crate::verifier::{self, Job, News};

/// How the connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionEnd {
    /// As the protocol wants it: `shutdown`, then `exit`.
    Properly,
    /// Without `shutdown`.
    Abruptly,
}

/// What reaches the loop from its own threads.
enum Event {
    Analysed(Uri, Arc<Text>, Result<Arc<Analysed>, String>),
    Answered(RequestId, Result<Value, ResponseError>),
    Verification(News),
}

/// Where the connection stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Running,
    ShutDown,
}

struct Server {
    sender: Sender<Message>,
    events: Sender<Event>,
    phase: Phase,
    pool: Pool,
    verifier: Sender<Job>,
    client: Arc<Client>,
    budget: Budget,
    documents: Documents,
    pending: Pending,
    jobs: Jobs,
    /// The number of the last request to the client.
    asked: i32,
}

/// Serves a client until it leaves.
///
/// # Errors
/// If the system allows no more threads.
pub fn serve(connection: Connection) -> io::Result<ConnectionEnd> {
    let Connection { sender, receiver } = connection;
    let (server, happened) = Server::new(sender)?;
    Ok(server.run(&receiver, &happened))
}

impl Server {
    /// A server to which nothing was said yet, and what it has to hear from its threads.
    fn new(sender: Sender<Message>) -> io::Result<(Self, Receiver<Event>)> {
        let (events, happened) = unbounded();
        let tell = {
            let events = events.clone();
            // Nobody listens once the loop has ended.
            move |news| _ = events.send(Event::Verification(news))
        };
        let server = Self {
            sender,
            events,
            phase: Phase::New,
            pool: Pool::start()?,
            verifier: verifier::start(tell)?,
            client: Arc::new(Client::new(&InitializeParams::default())),
            budget: Budget::default(),
            documents: Documents::default(),
            pending: Pending::default(),
            jobs: Jobs::default(),
            asked: 0,
        };
        Ok((server, happened))
    }

    fn run(mut self, receiver: &Receiver<Message>, happened: &Receiver<Event>) -> ConnectionEnd {
        loop {
            select! {
                recv(receiver) -> message => match message {
                    Ok(Message::Notification(it)) if it.method == "exit" => break,
                    Ok(message) => self.on_message(message),
                    Err(_) => break,
                },
                recv(happened) -> event => {
                    if let Ok(event) = event {
                        self.on_event(event);
                    }
                },
            }
        }
        if self.phase == Phase::ShutDown { ConnectionEnd::Properly } else { ConnectionEnd::Abruptly }
    }

    fn on_message(&mut self, message: Message) {
        match (message, self.phase) {
            (Message::Request(mut request), _) => {
                clamp(&mut request.params);
                self.on_request(request);
            }
            (Message::Notification(mut notification), Phase::Running) => {
                clamp(&mut notification.params);
                self.on_notification(notification);
            }
            (Message::Response(response), _) => self.on_response(&response),
            // Nothing is known of the client yet, or it has said goodbye.
            (Message::Notification(_), Phase::New | Phase::ShutDown) => {}
        }
    }

    fn on_request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let refused = |code, why: &str| Err(refusal(code, why.to_owned()));
        let result = match (method.as_str(), self.phase) {
            ("initialize", Phase::New) => self.initialize(params),
            (_, Phase::New) => refused(ErrorCode::ServerNotInitialized, "`initialize` has to come first"),
            (_, Phase::ShutDown) => refused(ErrorCode::InvalidRequest, "the server is shut down"),
            ("initialize", Phase::Running) => refused(ErrorCode::InvalidRequest, "initialized already"),
            ("shutdown", Phase::Running) => {
                self.phase = Phase::ShutDown;
                self.cancel_jobs(|_| true, "the server is shut down");
                Ok(Value::Null)
            }
            _ if self.pending.contains(&id) || self.jobs.find(|it| it.request == id).is_some() => {
                refused(ErrorCode::InvalidRequest, "there is an open request with this id")
            }
            _ => match self.start(&id, &method, params) {
                Ok(()) => return,
                Err(refusal) => Err(refusal),
            },
        };
        self.respond(id, result);
    }

    fn initialize(&mut self, params: Value) -> Result<Value, ResponseError> {
        let params: InitializeParams = read(params)?;
        self.client = Arc::new(Client::new(&params));
        self.configure(&params.initialization_options.unwrap_or_default());
        self.phase = Phase::Running;
        serde_json::to_value(capabilities::offered(&self.client))
            .map_err(|why| refusal(ErrorCode::InternalError, why.to_string()))
    }

    fn configure(&mut self, settings: &Value) {
        match Budget::read(settings) {
            Ok(Some(budget)) => self.budget = budget,
            // Nothing is said of it: some clients send their settings though they have none.
            Ok(None) => {}
            Err(why) => self.notify(
                ShowMessage::METHOD,
                ShowMessageParams { typ: MessageType::WARNING, message: format!("map: {why}") },
            ),
        }
    }

    /// Begins to answer a request.
    ///
    /// # Errors
    /// The answer, if it is refused.
    fn start(&mut self, id: &RequestId, method: &str, params: Value) -> Result<(), ResponseError> {
        match method {
            ExecuteCommand::METHOD => self.execute(id, read(params)?),
            WorkspaceSymbolRequest::METHOD => {
                let WorkspaceSymbolParams { query, .. } = read(params)?;
                let snapshots: Vec<Snapshot> = self.known_texts();
                self.pending.begin(id.clone(), None);
                self.answer(id.clone(), move || {
                    serde_json::to_value(symbols::workspace_symbols(&snapshots, &query))
                        .map_err(|why| refusal(ErrorCode::InternalError, why.to_string()))
                });
                Ok(())
            }
            _ => match query(method, params) {
                Some(query) => self.ask(id, query?),
                None => Err(refusal(ErrorCode::MethodNotFound, format!("there is no method {method}"))),
            },
        }
    }

    /// Answers a request about a text, once that is analysed.
    fn ask(&mut self, id: &RequestId, query: Query) -> Result<(), ResponseError> {
        let Query { uri, answer } = query;
        if self.documents.get(&uri).is_none() {
            let why = format!("{} is not open", uri.as_str());
            return Err(refusal(ErrorCode::InvalidParams, why));
        }
        match self.snapshot(&uri) {
            Some(snapshot) => {
                self.pending.begin(id.clone(), Some(uri));
                self.answer_from(id.clone(), snapshot, answer);
            }
            None => match self.documents.get(&uri).and_then(|it| it.defect.clone()) {
                Some(why) => return Err(refusal(ErrorCode::InternalError, why)),
                None => self.pending.wait(id.clone(), uri, answer),
            },
        }
        Ok(())
    }

    fn answer_from(&self, id: RequestId, snapshot: Snapshot, answer: Answer) {
        self.answer(id, move || answer(&snapshot));
    }

    /// Computes an answer on another thread.
    fn answer(&self, id: RequestId, answer: impl FnOnce() -> Result<Value, ResponseError> + Send + 'static) {
        let events = self.events.clone();
        self.pool.spawn(answer, move |result| {
            let result = result.unwrap_or_else(|panic| {
                let why = format!("a defect of map, not of your file; please report it: {panic}");
                Err(refusal(ErrorCode::InternalError, why))
            });
            _ = events.send(Event::Answered(id, result));
        });
    }

    fn on_notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let result = match method.as_str() {
            DidOpenTextDocument::METHOD => read(params).map(|it| self.open(it)),
            DidChangeTextDocument::METHOD => read(params).map(|it| self.change(&it)),
            DidCloseTextDocument::METHOD => read(params).map(|it| self.close(&it)),
            DidChangeConfiguration::METHOD => {
                read(params).map(|it: DidChangeConfigurationParams| self.configure(&it.settings))
            }
            WorkDoneProgressCancel::METHOD => read(params).map(|it| self.cancel_shown(&it)),
            "$/cancelRequest" => read(params).map(|it| self.cancel(it)),
            // Others are for servers that want to hear of them.
            _ => Ok(()),
        };
        if let Err(why) = result {
            self.log(&format!("{method}: {}", why.message));
        }
    }

    fn cancel(&mut self, params: ls_types::CancelParams) {
        let id = match params.id {
            ls_types::NumberOrString::Number(number) => RequestId::from(number),
            ls_types::NumberOrString::String(text) => RequestId::from(text),
        };
        if self.pending.close(&id) {
            self.respond(id.clone(), Err(cancelled()));
        }
        self.cancel_job(|job| job.request == id);
    }

    fn on_event(&mut self, event: Event) {
        match event {
            Event::Analysed(uri, text, result) => self.on_analysed(&uri, &text, result),
            // What was cancelled or overtaken is answered already.
            Event::Answered(id, result) => {
                if self.pending.close(&id) {
                    if let Err(error) = &result
                        && error.code == ErrorCode::InternalError as i32
                    {
                        self.log(&error.message);
                    }
                    self.respond(id, result);
                }
            }
            Event::Verification(news) => self.on_news(news),
        }
    }

    fn respond(&self, id: RequestId, result: Result<Value, ResponseError>) {
        self.send(Response { id, response_result: result });
    }

    fn notify(&self, method: &str, params: impl serde::Serialize) {
        self.send(Notification::new(method.to_owned(), params));
    }

    fn log(&self, message: &str) {
        let typ = MessageType::ERROR;
        self.notify(LogMessage::METHOD, LogMessageParams { typ, message: format!("map: {message}") });
    }

    /// Asks the client something; returns the id under which it will answer.
    fn request(&mut self, method: &str, params: impl serde::Serialize) -> RequestId {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        self.send(Request::new(id.clone(), method.to_owned(), params));
        id
    }

    fn send(&self, message: impl Into<Message>) {
        // If the client is gone, its input ends too, and that ends the loop.
        _ = self.sender.send(message.into());
    }
}

fn cancelled() -> ResponseError {
    refusal(ErrorCode::RequestCanceled, "cancelled".to_owned())
}
