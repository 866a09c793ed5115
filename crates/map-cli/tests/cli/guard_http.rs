//! `map guard --http`: agents over HTTP, and over the Model Context Protocol there.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::{command, map};

const TOKENS: &str = "desk = \"desk-0123456789abcdef\"\nflights = \"flights-0123456789abcdef\"\n\
                      hotels = \"hotels-0123456789abcdef\"\n[operators]\nops = \"ops-0123456789abcdef\"\n";

fn trips(file: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trips").join(file).display().to_string()
}

fn tokens(folder: &Path) -> String {
    let path = folder.join("tokens.toml");
    fs::write(&path, TOKENS).expect("it can be written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("it is ours");
    }
    path.display().to_string()
}

/// A guard that listens; it ends with the test.
pub(super) struct Web {
    child: Child,
    pub(super) at: String,
    folder: tempfile::TempDir,
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Web {
    /// In front of the agents of `examples/trips`, which have tokens.
    fn start(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let tokens = tokens(folder.path());
        let (file, config) = (trips("trips.map"), trips("trips.toml"));
        let known = ["guard", &file, "--config", &config, "--http", "127.0.0.1:0", "--tokens", &tokens];
        Self::listen(folder, &[&known[..], more].concat())
    }

    pub(super) fn listen(folder: tempfile::TempDir, arguments: &[&str]) -> Self {
        let mut command = command(arguments);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary runs");
        let mut first = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        output.read_line(&mut first).expect("it says where it listens");
        let at = first.trim().rsplit("http://").next().expect("there is an address").to_owned();
        Self { child, at, folder }
    }

    /// What is answered to bytes.
    pub(super) fn answer(&self, request: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.at).expect("it listens");
        // It may have enough before all is written.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }

    /// What is answered to a request with these headers.
    fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> (u16, Value) {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|it| it.starts_with("Host:")) {
            head += &format!("Host: {}\r\n", self.at);
        }
        for header in headers {
            head += &format!("{header}\r\n");
        }
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        let (status, body) = self.answer(request.as_bytes());
        (status, serde_json::from_str(&body).unwrap_or_default())
    }

    /// What an agent is answered.
    fn post(&self, name: &str, path: &str, body: &Value) -> (u16, Value) {
        let token = format!("Authorization: Bearer {name}-0123456789abcdef");
        self.ask("POST", path, &[&token, "Content-Type: application/json"], &body.to_string())
    }

    /// The same in the conversation `riga`, which goes well.
    fn does(&self, name: &str, operation: &str, body: &Value) -> Value {
        let (status, answer) = self.post(name, &format!("/v1/riga/{operation}"), body);
        assert_eq!(status, 200, "{name} {operation} {body}: {answer}");
        answer
    }
}

fn message(performative: &str, args: &[i64]) -> Value {
    json!({ "performative": performative, "args": args })
}

#[test]
fn a_dialogue_is_held_over_http() {
    let web = Web::start(&[]);
    assert_eq!(web.does("desk", "offer", &json!({}))["offer"]["owes"], json!(true));
    assert_eq!(web.does("desk", "may_i", &message("quote", &[8]))["accepted"]["seq"], Value::Null);
    web.does("desk", "send", &message("quote", &[8]));
    let received = web.does("flights", "receive", &json!({}));
    assert_eq!(received["received"]["items"][0]["args"], json!([8]), "{received}");
    let (status, refused) = web.post("flights", "/v1/riga/send", &message("offer", &[9]));
    assert_eq!((status, &refused["refused"]["kind"]), (409, &json!("wrong_content")), "{refused}");
    assert_eq!(refused["refused"]["may"][0]["args"], json!([{ "in": [1, 8] }]), "{refused}");
    web.does("flights", "send", &message("offer", &[3]));
    assert!(web.does("desk", "owe", &json!({}))["owed"].is_object());
    web.does("hotels", "receive", &json!({}));
    web.does("hotels", "send", &message("soldOut", &[]));
    let (status, owes) = web.post("desk", "/v1/riga/rest", &json!({}));
    assert_eq!((status, &owes["refused"]["kind"]), (409, &json!("owes")), "{owes}");
    let items = web.does("desk", "receive", &json!({ "wait_ms": 60_000 }));
    assert_eq!(items["received"]["items"].as_array().map(Vec::len), Some(2), "{items}");
    web.does("desk", "send", &message("cancel", &[]));
    for name in ["flights", "hotels"] {
        web.does(name, "receive", &json!({ "after": 1 }));
        web.does(name, "send", &message("cancelled", &[]));
    }
    let status = web.does("ops", "status", &json!({}));
    assert_eq!(status["status"]["state"], json!("ended"), "{status}");
}

#[test]
fn the_token_says_who_speaks_and_nothing_else() {
    let web = Web::start(&[]);
    let json = "Content-Type: application/json";
    for authorization in [
        "X-Nothing: 1",
        "Authorization: Bearer desk-0123456789abcdeX",
        "Authorization: Bearer ",
        "Authorization: desk-0123456789abcdef",
        "Authorization: Basic desk-0123456789abcdef",
        "Authorization: Bearer desk-0123456789abcdef\r\nAuthorization: Bearer desk-0123456789abcdef",
        "X-Forwarded-For: desk\r\nclient: desk",
    ] {
        let (status, answer) = web.ask("POST", "/v1/riga/offer", &[authorization, json], "{}");
        assert_eq!((status, &answer["error"]["kind"]), (401, &json!("not_admitted")), "{authorization}");
    }
    for (name, operation, body) in [
        ("desk", "send", json!({ "as": "flights", "performative": "offer", "args": [3] })),
        ("desk", "offer", json!({ "as": "hotels" })),
        ("desk", "status", json!({})),
        ("desk", "open", json!({})),
        ("ops", "send", json!({ "as": "desk", "performative": "quote", "args": [8] })),
        ("ops", "receive", json!({ "as": "desk" })),
    ] {
        let (status, answer) = web.post(name, &format!("/v1/riga/{operation}"), &body);
        assert_eq!((status, &answer["error"]["kind"]), (403, &json!("not_yours")), "{name} {body}");
    }
    assert_eq!(web.post("ops", "/v1/oslo/open", &json!({})).0, 200);
    // A header that names somebody else changes nothing.
    let headers =
        ["Authorization: Bearer desk-0123456789abcdef", json, "client: flights", "X-Forwarded-User: ops"];
    let (status, answer) = web.ask("POST", "/v1/riga/send", &headers, &message("quote", &[8]).to_string());
    assert_eq!(status, 200, "{answer}");
}

#[test]
fn strange_requests_are_refused_and_harm_nobody() {
    let web = Web::start(&[]);
    let token = "Authorization: Bearer desk-0123456789abcdef";
    let json = "Content-Type: application/json";
    let deep = "[".repeat(100_000);
    let nested = format!("{{\"performative\": \"quote\", \"args\": {}8{}}}", "[".repeat(90), "]".repeat(90));
    for (method, path, headers, body, expected) in [
        ("POST", "/v1/riga/offer", &[token, json, "Host: evil.example"] as &[&str], "{}", 421),
        ("POST", "/v1/riga/offer", &[token, json, "Origin: http://evil.example"], "{}", 403),
        ("OPTIONS", "/v1/riga/offer", &[token, json], "", 405),
        ("GET", "/v1/riga/offer", &[token], "", 405),
        ("POST", "/v1/riga/offer", &[token, "Content-Type: text/plain"], "{}", 415),
        ("POST", "/v1/riga/forget", &[token, json], "{}", 404),
        ("POST", "/v1/riga", &[token, json], "{}", 404),
        ("POST", "/", &[token, json], "{}", 404),
        ("POST", "/v1/%ff/offer", &[token, json], "{}", 400),
        ("POST", "/v1/riga/offer", &[token, json], "{\"conversation\": \"oslo\"}", 400),
        ("POST", "/v1/riga/offer", &[token, json], "{\"do\": \"send\"}", 400),
        ("POST", "/v1/riga/offer", &[token, json], "{", 400),
        ("POST", "/v1/riga/offer", &[token, json], "7", 400),
        ("POST", "/v1/riga/send", &[token, json], &deep, 400),
        ("POST", "/v1/riga/send", &[token, json], &nested, 409),
    ] {
        let (status, answer) = web.ask(method, path, headers, body);
        assert_eq!(status, expected, "{method} {path} {headers:?}: {answer}");
        let text = if status == 409 { &answer["refused"]["text"] } else { &answer["error"]["text"] };
        assert!(text.is_string(), "{method} {path} {headers:?}: {answer}");
    }
    // A body that never ends, with a length and without.
    let head = format!("POST /v1/riga/send HTTP/1.1\r\nHost: {}\r\n{token}\r\n{json}\r\n", web.at);
    let endless = format!("{head}Content-Length: 99999999999\r\n\r\n{}", " ".repeat(2 << 20));
    assert_eq!(web.answer(endless.as_bytes()).0, 413);
    let chunk = format!("{:x}\r\n{}\r\n", 64 << 10, " ".repeat(64 << 10));
    let endless = format!("{head}Transfer-Encoding: chunked\r\n\r\n{}", chunk.repeat(32));
    assert_eq!(web.answer(endless.as_bytes()).0, 413);
    let long = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", web.at, "x".repeat(1 << 20));
    assert_eq!(web.answer(long.as_bytes()).0, 431);
    assert_eq!(web.answer(b"\x16\x03\x01\x02\x00\x01\x00").0, 400);
    // Characters that a terminal would obey come back as escapes.
    let (_, text) = web.answer(
        format!("{head}Connection: close\r\nContent-Length: 45\r\n\r\n{{\"performative\":\"\\u001b]0;x\\u0007\",\"args\":[]}}")
            .as_bytes(),
    );
    assert!(!text.is_empty() && !text.contains(|it: char| it.is_control()), "{text:?}");
    // Many names of conversations in which nothing is said are not kept.
    for number in 0..200 {
        web.post("desk", &format!("/v1/c{number}/offer"), &json!({}));
    }
    web.does("desk", "send", &message("quote", &[8]));
}

#[test]
fn who_asks_too_much_is_told_so() {
    let web = Web::start(&["--max-requests", "1"]);
    let kinds: Vec<u16> = (0..5).map(|_| web.post("flights", "/v1/riga/offer", &json!({})).0).collect();
    assert!(kinds.contains(&429), "{kinds:?}");
    let web = Web::start(&[]);
    web.does("desk", "send", &message("quote", &[8]));
    let last = web.does("flights", "receive", &json!({}))["received"]["items"][0]["seq"].take();
    web.does("flights", "send", &message("offer", &[3]));
    let waits = json!({ "after": last, "wait_ms": 60_000 }).to_string();
    let token = "Authorization: Bearer flights-0123456789abcdef\r\nContent-Type: application/json";
    let request = format!(
        "POST /v1/riga/receive HTTP/1.1\r\nHost: {}\r\n{token}\r\nContent-Length: {}\r\n\r\n{waits}",
        web.at,
        waits.len()
    );
    let mut waiting: Vec<TcpStream> = Vec::new();
    let mut full = 0;
    for _ in 0..5 {
        let mut stream = TcpStream::connect(&web.at).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        waiting.push(stream);
    }
    for stream in &mut waiting {
        // One of them is answered at once, as four wait already.
        let _ = stream.set_read_timeout(Some(std::time::Duration::from_millis(200)));
        let mut answer = [0; 64];
        let length = stream.read(&mut answer).unwrap_or(0);
        full += usize::from(String::from_utf8_lossy(&answer[..length]).contains(" 429 "));
    }
    assert_eq!(full, 1);
    // Who has hung up waits no longer.
    drop(waiting);
    let is_free =
        |_| web.post("flights", "/v1/riga/receive", &json!({ "after": last, "wait_ms": 1 })).0 == 200;
    assert!((0..100).any(is_free));
}

#[test]
fn doors_that_everybody_may_use_are_on_this_machine_only() {
    let file = trips("trips.map");
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let tokens = tokens(folder.path());
    map(&["guard", &file, "--http", "127.0.0.1:0"]).exits(2).err_has("--tokens");
    map(&["guard", &file, "--http", "0.0.0.0:0", "--no-tokens"]).exits(2).err_has("this machine");
    map(&["guard", &file, "--http", "x", "--no-tokens"]).exits(2).err_has("an address and a port");
    map(&["guard", &file, "--no-tokens"]).exits(2);
    map(&["guard", &file, "--http", "127.0.0.1:0", "--no-tokens", "--tokens", &tokens]).exits(2);
    let web = Web::listen(folder, &["guard", &file, "--http", "127.0.0.1:0", "--no-tokens"]);
    let anybody = |body: &str| web.ask("POST", "/v1/riga/send", &["Content-Type: application/json"], body);
    let (status, answer) = anybody(r#"{"as": "!Desk", "performative": "quote", "args": [8]}"#);
    assert_eq!(status, 200, "{answer}");
    let (status, answer) = anybody(r#"{"performative": "quote", "args": [8]}"#);
    assert_eq!((status, &answer["error"]["kind"]), (400, &json!("bad_request")), "{answer}");
}

#[test]
fn an_agent_has_its_seat_over_http() {
    let web = Web::start(&[]);
    let call = |name: &str, seat: &str, method: &str, params: &Value| {
        let token = format!("Authorization: Bearer {name}-0123456789abcdef");
        let headers = [
            &*token,
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            "MCP-Protocol-Version: 2025-06-18",
        ];
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        web.ask("POST", &format!("/mcp/{seat}"), &headers, &body.to_string())
    };
    let me = json!({ "name": "test", "version": "1" });
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": me });
    let (status, opened) = call("desk", "desk", "initialize", &hello);
    assert_eq!(status, 200, "{opened}");
    assert!(opened["result"]["instructions"].as_str().is_some_and(|it| it.contains("quote")), "{opened}");
    assert_eq!(call("flights", "desk", "initialize", &hello).0, 403);
    assert_eq!(call("ops", "desk", "initialize", &hello).0, 403);
    let (_, tools) = call("desk", "desk", "tools/list", &json!({}));
    let names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names.len(), 4, "{names:?}");
    let tool = |name: &str, tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        call(name, name, "tools/call", &params).1["result"].take()
    };
    let sent = tool("desk", "send", json!({ "performative": "quote", "args": [8] }));
    assert_eq!(sent["isError"], json!(false), "{sent}");
    let received = tool("flights", "receive", json!({}));
    assert_eq!(received["content"][0]["text"], json!("- quote(8) from desk\n"), "{received}");
    let refused = tool("flights", "send", json!({ "performative": "offer", "args": [9] }));
    assert_eq!(refused["isError"], json!(true), "{refused}");
    // It has been handed over, and is not handed over again.
    let sent = tool("flights", "send", json!({ "performative": "offer", "args": [3] }));
    assert_eq!(sent["isError"], json!(false), "{sent}");
}

/// The reference client of the protocol, over streamable HTTP; passed over where it is not installed
/// (`tests/mcp/install`).
#[test]
fn the_reference_client_takes_part_over_http() {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mcp");
    if !tool.join("node_modules").is_dir() {
        assert!(std::env::var_os("MAP_REQUIRE_MCP").is_none(), "run tests/mcp/install first");
        eprintln!("skipped: the reference client of MCP is not installed (run tests/mcp/install)");
        return;
    }
    let web = Web::start(&[]);
    let mut node = Command::new("node");
    node.arg(tool.join("http.mjs"))
        .arg(format!("http://{}", web.at))
        .arg(web.folder.path().join("tokens.toml"));
    let output = node.output().expect("node runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}", String::from_utf8_lossy(&output.stdout));
}
