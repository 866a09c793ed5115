//! What depends on the order of events: here they happen one by one, when the test says so.

use crossbeam_channel::{Receiver, unbounded};
use lsp_server::{Message, Notification, Request, Response};
use serde_json::{Value, json};

use super::{Event, Server};

const URI: &str = "file:///a.map";
const TEXT: &str = "s[ agent(!A, %a) = skip ]";

/// A server whose events wait until they are asked for.
struct Stepped {
    server: Server,
    happened: Receiver<Event>,
    sent: Receiver<Message>,
}

impl Stepped {
    /// Initialised, with a text open that is not analysed yet.
    fn new() -> Self {
        Self::with(&json!({}))
    }

    /// With a client that has these capabilities.
    fn with(capabilities: &Value) -> Self {
        let (sender, sent) = unbounded();
        let (server, happened) = Server::new(sender).unwrap();
        let mut stepped = Self { server, happened, sent };
        stepped.ask(0, "initialize", json!({"capabilities": capabilities}));
        stepped.notify(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": URI, "languageId": "map", "version": 1, "text": TEXT}}),
        );
        stepped.sent.try_iter().for_each(drop);
        stepped
    }

    fn ask(&mut self, id: i32, method: &str, params: Value) {
        self.server.on_message(Request::new(id.into(), method.to_owned(), params).into());
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.server.on_message(Notification::new(method.to_owned(), params).into());
    }

    fn hover(&mut self, id: i32) {
        self.ask(
            id,
            "textDocument/hover",
            json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 9}}),
        );
    }

    fn change(&mut self, version: i32, text: &str) {
        let document = json!({"uri": URI, "version": version});
        let params = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        self.notify("textDocument/didChange", params);
    }

    /// Lets the next thing happen.
    fn next(&mut self) {
        let event = self.happened.recv().unwrap();
        self.server.on_event(event);
    }

    /// What was sent since the last time, in short.
    fn sent(&self) -> Vec<String> {
        self.sent.try_iter().map(|message| short(&message)).collect()
    }
}

fn short(message: &Message) -> String {
    match message {
        Message::Response(Response { id, response_result: Ok(_) }) => format!("{id}: ok"),
        Message::Response(Response { id, response_result: Err(error) }) => format!("{id}: {}", error.code),
        Message::Notification(it) => match it.params.get("version").or(it.params.pointer("/value/kind")) {
            Some(version) => format!("{} {version}", it.method),
            None => it.method.clone(),
        },
        Message::Request(it) => format!("? {}", it.method),
    }
}

const MODIFIED: i32 = -32801;
const CANCELLED: i32 = -32800;

#[test]
fn requests_wait_for_the_analysis() {
    let mut it = Stepped::new();
    it.hover(1);
    assert_eq!(it.sent(), [""; 0]);
    it.next();
    assert_eq!(it.sent(), ["textDocument/publishDiagnostics 1"]);
    it.next();
    assert_eq!(it.sent(), ["1: ok"]);
}

#[test]
fn a_change_overtakes_requests_and_the_newest_text_wins() {
    let mut it = Stepped::new();
    it.hover(1);
    it.change(2, "s[ agent(!A, %a) = ]");
    assert_eq!(it.sent(), [format!("1: {MODIFIED}")]);
    it.change(3, "t[ agent(!A, %a) = skip ]");
    it.hover(2);
    // The analysis of the first text: it is too late.
    it.next();
    assert_eq!(it.sent(), [""; 0]);
    it.next();
    assert_eq!(it.sent(), ["textDocument/publishDiagnostics 3"]);
    // The answer is on its way when the text changes again.
    it.change(4, TEXT);
    assert_eq!(it.sent(), [format!("2: {MODIFIED}")]);
    it.next();
    it.next();
    assert_eq!(it.sent(), ["textDocument/publishDiagnostics 4"]);
}

#[test]
fn a_cancelled_request_is_answered_once() {
    let mut it = Stepped::new();
    it.hover(1);
    it.notify("$/cancelRequest", json!({"id": 1}));
    assert_eq!(it.sent(), [format!("1: {CANCELLED}")]);
    it.next();
    it.hover(2);
    it.notify("$/cancelRequest", json!({"id": 2}));
    it.notify("$/cancelRequest", json!({"id": 2}));
    it.notify("$/cancelRequest", json!({"id": "never asked"}));
    it.next();
    assert_eq!(it.sent(), ["textDocument/publishDiagnostics 1".to_owned(), format!("2: {CANCELLED}")]);
}

#[test]
fn an_id_that_is_open_cannot_be_used_again() {
    let mut it = Stepped::new();
    it.hover(1);
    it.hover(1);
    assert_eq!(it.sent(), ["1: -32600"]);
    it.next();
    it.next();
    assert_eq!(it.sent(), ["textDocument/publishDiagnostics 1", "1: ok"]);
}

#[test]
fn a_closed_text_is_forgotten() {
    let mut it = Stepped::new();
    it.hover(1);
    it.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(it.sent(), [format!("1: {MODIFIED}"), "textDocument/publishDiagnostics".to_owned()]);
    it.next();
    it.hover(2);
    assert_eq!(it.sent(), ["2: -32602"]);
}

#[test]
fn a_verification_goes_on_when_the_text_changes_and_its_verdict_is_stale() {
    let mut it = Stepped::new();
    it.next();
    it.ask(1, "workspace/executeCommand", json!({"command": "map.verify", "arguments": [URI, "s"]}));
    it.change(2, "t[ agent(!A, %a) = skip ]");
    it.sent();
    let mut sent = Vec::new();
    while !sent.contains(&"1: ok".to_owned()) {
        it.next();
        sent.extend(it.sent());
    }
    let verdicts = &it.server.documents.get(&URI.parse().unwrap()).unwrap().verdicts;
    let (text, changed) = (it.server.documents.get(&URI.parse().unwrap()).unwrap().text.clone(), &verdicts);
    let titles: Vec<String> = changed.of_scene("s").iter().map(|it| it.title(&text)).collect();
    assert_eq!(titles, ["stale: ✓ terminates, 1 state"]);
    // When the change is undone, it is not stale any more.
    it.change(3, TEXT);
    let document = it.server.documents.get(&URI.parse().unwrap()).unwrap();
    let titles: Vec<String> =
        document.verdicts.of_scene("s").iter().map(|it| it.title(&document.text)).collect();
    assert_eq!(titles, ["✓ terminates, 1 state"]);
}

#[test]
fn a_cancelled_verification_leaves_no_verdict() {
    let mut it = Stepped::new();
    it.next();
    it.ask(1, "workspace/executeCommand", json!({"command": "map.verify", "arguments": [URI, "s"]}));
    it.notify("$/cancelRequest", json!({"id": 1}));
    assert_eq!(it.sent(), ["textDocument/publishDiagnostics 1".to_owned(), format!("1: {CANCELLED}")]);
    it.next();
    assert_eq!(it.sent(), [""; 0]);
    assert!(it.server.documents.get(&URI.parse().unwrap()).unwrap().verdicts.of_scene("s").is_empty());
}

#[test]
fn shutdown_ends_verifications_and_refuses_the_rest() {
    let mut it = Stepped::new();
    it.next();
    it.sent();
    it.ask(1, "workspace/executeCommand", json!({"command": "map.verify", "arguments": [URI, "s"]}));
    it.ask(2, "shutdown", Value::Null);
    it.hover(3);
    assert_eq!(it.sent(), ["1: -32803", "2: ok", "3: -32600"]);
}

#[test]
fn progress_is_shown_once_the_client_has_made_room_for_it() {
    let mut it = Stepped::with(&json!({"window": {"workDoneProgress": true}}));
    it.next();
    it.sent();
    let verify = json!({"command": "map.verify", "arguments": [URI, "s"]});
    it.ask(1, "workspace/executeCommand", verify.clone());
    assert_eq!(it.sent(), ["? window/workDoneProgress/create"]);
    it.server.on_message(Response::new_ok(1.into(), Value::Null).into());
    assert_eq!(it.sent(), ["$/progress \"begin\""]);
    it.next();
    assert_eq!(it.sent(), ["$/progress \"end\"", "textDocument/publishDiagnostics 1", "1: ok"]);
    // The client does not want it.
    it.ask(2, "workspace/executeCommand", verify.clone());
    it.server.on_message(Response::new_err(2.into(), -1, String::new()).into());
    it.next();
    let sent = it.sent();
    assert_eq!(sent, ["? window/workDoneProgress/create", "textDocument/publishDiagnostics 1", "2: ok"]);
    // It is cancelled where it is shown.
    it.ask(3, "workspace/executeCommand", verify);
    it.server.on_message(Response::new_ok(3.into(), Value::Null).into());
    it.sent();
    it.notify("window/workDoneProgress/cancel", json!({"token": "map/verify/3"}));
    it.notify("window/workDoneProgress/cancel", json!({"token": "map/verify/1"}));
    it.next();
    assert_eq!(it.sent(), ["$/progress \"end\"".to_owned(), format!("3: {CANCELLED}")]);
}

#[test]
fn an_analysis_that_panics_is_answered_and_the_next_one_helps() {
    let mut it = Stepped::new();
    it.hover(1);
    let Ok(Event::Analysed(uri, text, _)) = it.happened.recv() else { panic!("it is the analysis") };
    it.server.on_event(Event::Analysed(uri, text, Err("on purpose".to_owned())));
    it.hover(2);
    assert_eq!(it.sent(), ["1: -32603", "window/logMessage", "2: -32603"]);
    it.change(2, TEXT);
    it.hover(3);
    it.next();
    it.next();
    assert_eq!(it.sent(), ["textDocument/publishDiagnostics 2", "3: ok"]);
}
