//! What memory the server has after 10,000 edits, each of which is answered with diagnostics, of the longest protocol
//! of the library. For Linux. `cargo run --profile dist -p map-lsp --example edits`
#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "it measures and prints")]

use std::error::Error;
use std::thread;

use lsp_server::{Message, Notification, Request};
use map_lsp::{Connection, serve};
use serde_json::{Value, json};

const EDITS: i32 = 10_000;
const URI: &str = "file:///edited.map";

fn main() -> Result<(), Box<dyn Error>> {
    let texts = map_library::PROTOCOLS.iter().map(|protocol| protocol.right.text);
    let text = texts.max_by_key(|text| text.len()).ok_or("the library is empty")?;
    let (client, other) = Connection::memory();
    let server = thread::spawn(|| serve(other));
    let tell =
        |method: &str, params: Value| client.sender.send(Notification::new(method.to_owned(), params).into());
    let params = json!({"capabilities": {}});
    client.sender.send(Request::new(1.into(), "initialize".to_owned(), params).into())?;
    let document = json!({"uri": URI, "languageId": "map", "version": 0, "text": text});
    tell("textDocument/didOpen", json!({"textDocument": document}))?;
    let published = |version: i32| -> Result<(), Box<dyn Error>> {
        loop {
            if let Message::Notification(it) = client.receiver.recv()?
                && it.params["version"] == version
            {
                return Ok(());
            }
        }
    };
    published(0)?;
    println!("{} lines, opened: {} MB", text.lines().count(), resident()?);
    for version in 1..=EDITS {
        // A word is written into a line, which breaks its syntax, and taken away again.
        let line = version / 2 * 7 % text.lines().count() as i32;
        let at = |character: i32| json!({"line": line, "character": character});
        let change = match version % 2 {
            1 => json!({"range": {"start": at(0), "end": at(0)}, "text": "then "}),
            _ => json!({"text": text}),
        };
        let document = json!({"uri": URI, "version": version});
        tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": [change]}))?;
        published(version)?;
        if version % (EDITS / 4) == 0 {
            println!("after {version} edits: {} MB", resident()?);
        }
    }
    drop(client);
    _ = server.join();
    Ok(())
}

/// The memory of this process that is in use, in megabytes.
fn resident() -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("there is no VmRSS")?;
    let kilobytes: u64 = line.split_whitespace().next().ok_or("VmRSS is empty")?.parse()?;
    Ok(kilobytes / 1000)
}
