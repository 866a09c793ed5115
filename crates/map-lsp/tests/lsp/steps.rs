//! The steps of a recorded session: what the client says.
//!
//! - `> METHOD NAME L:C L:C-L:C {..}`: a request. A name stands for a text, `L:C` for a position in it and `L:C-L:C`
//!   for a range, both counted from 0; the entries of the object are parameters, too. A method without a slash begins
//!   with `textDocument/`.
//! - `~ METHOD ..`: a notification, in the same way.
//! - `start {..}`: `initialize` with these capabilities, whose answer is left out.
//! - `open NAME VERSION`, with the text on lines that begin with `|`; or `open NAME VERSION "..."`.
//! - `change NAME VERSION L:C-L:C "..."`: replaces a part of a text; without a range, all of it.
//! - `close NAME`.

use lsp_server::Message;
use serde_json::{Map, Value, json};

use crate::client::Client;

/// Takes a step, and returns what the server says.
pub(crate) fn take(client: &mut Client, step: &str, text: &str) -> Vec<Message> {
    let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
    let mut messages = match verb {
        ">" => {
            let (method, params) = message(rest);
            let id = client.ask(&method, params);
            client.until_answer(&id)
        }
        "~" => {
            let (method, params) = message(rest);
            client.notify(&method, params);
            Vec::new()
        }
        "start" => {
            let params = json!({"capabilities": json_of(rest)});
            client.answer("initialize", params).expect("the server can be initialised");
            Vec::new()
        }
        "open" => {
            let (name, rest) = rest.split_once(' ').unwrap_or((rest, "1"));
            let (version, text) = match rest.split_once(' ') {
                Some((version, text)) => (version, json_of(text)),
                None => (rest, text.into()),
            };
            let version: i32 = version.parse().expect("a version");
            let document = json!({"uri": uri(name), "languageId": "map", "version": version, "text": text});
            client.notify("textDocument/didOpen", json!({"textDocument": document}));
            client.until_published(&uri(name), Some(version))
        }
        "change" => {
            let mut words = rest.splitn(3, ' ');
            let mut word = || words.next().unwrap_or_default();
            let (name, version, change) = (word(), word().parse::<i32>().expect("a version"), word());
            let change = match change.split_once(' ') {
                Some((place, with)) if !change.starts_with('"') => {
                    json!({"range": range(place), "text": json_of(with)})
                }
                _ => json!({"text": json_of(change)}),
            };
            let document = json!({"uri": uri(name), "version": version});
            let params = json!({"textDocument": document, "contentChanges": [change]});
            client.notify("textDocument/didChange", params);
            client.until_published(&uri(name), Some(version))
        }
        "close" => {
            client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(rest)}}));
            client.until_published(&uri(rest), None)
        }
        _ => panic!("no such step: {step}"),
    };
    messages.extend(client.rest());
    messages
}

fn uri(name: &str) -> String {
    if name.contains(':') { name.to_owned() } else { format!("file:///{name}") }
}

fn message(words: &str) -> (String, Value) {
    let (method, mut rest) = words.split_once(' ').unwrap_or((words, ""));
    let method = match method.contains('/') || ["initialize", "shutdown", "initialized"].contains(&method) {
        true => method.to_owned(),
        false => format!("textDocument/{method}"),
    };
    let mut params = Map::new();
    while !rest.is_empty() {
        if rest.starts_with('{') {
            if let Value::Object(entries) = json_of(rest) {
                params.extend(entries);
            }
            break;
        }
        let (word, more) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        match word {
            _ if is_number && word.contains('-') => _ = params.insert("range".to_owned(), range(word)),
            _ if is_number => _ = params.insert("position".to_owned(), position(word)),
            _ => _ = params.insert("textDocument".to_owned(), json!({"uri": uri(word)})),
        }
        rest = more;
    }
    (method, Value::Object(params))
}

fn position(text: &str) -> Value {
    let (line, character) = text.split_once(':').expect("a position");
    json!({"line": json_of(line), "character": json_of(character)})
}

fn range(text: &str) -> Value {
    let (start, end) = text.split_once('-').expect("a range");
    json!({"start": position(start), "end": position(end)})
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|why| panic!("{text}: {why}"))
}
