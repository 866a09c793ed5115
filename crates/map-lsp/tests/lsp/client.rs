//! A client in the same process.

use std::thread::{self, JoinHandle};
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use map_lsp::{ConnectionEnd, serve};
use serde_json::{Value, json};

/// After this long without a message the server hangs.
const HANGS: Duration = Duration::from_secs(300);

/// A client with its server, which runs on another thread.
pub(crate) struct Client {
    connection: Connection,
    server: JoinHandle<ConnectionEnd>,
    /// The id of the last request.
    last: i32,
}

impl Client {
    pub(crate) fn new() -> Self {
        let (connection, other) = Connection::memory();
        let server = thread::spawn(|| serve(other).unwrap());
        Self { connection, server, last: 0 }
    }

    /// Initialised, with nothing special.
    pub(crate) fn ready() -> Self {
        let mut client = Self::new();
        client.answer("initialize", json!({"capabilities": {}})).unwrap();
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn send(&self, message: impl Into<Message>) {
        self.connection.sender.send(message.into()).unwrap();
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params));
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> RequestId {
        self.last += 1;
        let id = RequestId::from(self.last);
        self.send(Request::new(id.clone(), method.to_owned(), params));
        id
    }

    /// The next message. What the server asks is answered with `null`.
    pub(crate) fn next(&self) -> Message {
        let message = self.connection.receiver.recv_timeout(HANGS).expect("the server says something");
        if let Message::Request(request) = &message {
            self.send(Response::new_ok(request.id.clone(), Value::Null));
        }
        message
    }

    /// The messages up to one, with it.
    pub(crate) fn until(&self, is_it: impl Fn(&Message) -> bool) -> Vec<Message> {
        let mut messages = Vec::new();
        loop {
            messages.push(self.next());
            if messages.last().is_some_and(&is_it) {
                return messages;
            }
        }
    }

    /// The messages up to the answer of a request, with it.
    pub(crate) fn until_answer(&self, id: &RequestId) -> Vec<Message> {
        self.until(|message| matches!(message, Message::Response(it) if it.id == *id))
    }

    /// Whatever has been sent in answer to all that was said.
    pub(crate) fn rest(&mut self) -> Vec<Message> {
        let id = self.ask("map/nothing", Value::Null);
        let mut messages = self.until_answer(&id);
        messages.pop();
        messages
    }

    /// Asks, and waits for the answer or the code of the error.
    pub(crate) fn answer(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        let id = self.ask(method, params);
        match self.until_answer(&id).pop() {
            Some(Message::Response(it)) => it.response_result.map_err(|error| error.code),
            _ => unreachable!("the last message is the answer"),
        }
    }

    /// Opens a text, and waits for its diagnostics.
    pub(crate) fn open(&mut self, uri: &str, text: &str) -> Vec<Message> {
        let document = json!({"uri": uri, "languageId": "map", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        self.until_published(uri, Some(1))
    }

    pub(crate) fn until_published(&self, uri: &str, version: Option<i32>) -> Vec<Message> {
        self.until(|message| match message {
            Message::Notification(it) => {
                it.method == "textDocument/publishDiagnostics"
                    && it.params["uri"] == uri
                    && it.params["version"].as_i64() == version.map(i64::from)
            }
            _ => false,
        })
    }

    /// Says goodbye.
    pub(crate) fn leave(mut self) -> ConnectionEnd {
        self.answer("shutdown", Value::Null).unwrap();
        self.notify("exit", Value::Null);
        self.server.join().unwrap()
    }

    /// Is gone without a word.
    pub(crate) fn vanish(self) -> ConnectionEnd {
        let Self { connection, server, .. } = self;
        drop(connection);
        server.join().unwrap()
    }
}
