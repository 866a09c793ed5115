//! `map guard --listen`: agents over connections of their own, and over the Model Context Protocol.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::{command, map};

const TOKENS: &str = "desk = \"desk-0123456789abcdef\"\nflights = \"flights-0123456789abcdef\"\n\
                      hotels = \"hotels-0123456789abcdef\"\n";

fn trips(file: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trips").join(file).display().to_string()
}

/// A file of tokens that is its owner's alone.
fn tokens(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("tokens.toml");
    fs::write(&path, text).expect("it can be written");
    set_mode(&path, 0o600);
    path
}

fn set_mode(path: &Path, mode: u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
}

/// A guard that listens; it ends with the test.
struct Listening {
    child: Child,
    at: String,
    tokens: PathBuf,
    _folder: tempfile::TempDir,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Listening {
    fn start(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let tokens = tokens(folder.path(), TOKENS);
        let (child, at) = Self::listen("127.0.0.1:0", &tokens, more);
        Self { child, at, tokens, _folder: folder }
    }

    /// The process, and where it listens.
    fn listen(at: &str, tokens: &Path, more: &[&str]) -> (Child, String) {
        let (file, config) = (trips("trips.map"), trips("trips.toml"));
        let tokens = tokens.to_str().expect("it is UTF-8");
        let known = ["guard", &file, "--config", &config, "--listen", at, "--tokens", tokens];
        let mut command = command(&[&known[..], more].concat());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary runs");
        let mut first = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        output.read_line(&mut first).expect("it says where it listens");
        (child, first.trim().rsplit(' ').next().expect("there is an address").to_owned())
    }

    fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it was killed");
    }

    /// A connection, with the answer to its first line.
    fn connect(&self, hello: &str) -> (Talk, Value) {
        let stream = TcpStream::connect(&self.at).expect("it listens");
        let mut talk = Talk { stream: BufReader::new(stream) };
        talk.write(hello);
        let answer = talk.line();
        (talk, answer)
    }

    fn agent(&self, name: &str) -> Talk {
        let hello = json!({"as": name, "token": format!("{name}-0123456789abcdef")});
        let (talk, opening) = self.connect(&hello.to_string());
        assert_eq!(opening["scene"], json!("trips"), "{opening}");
        talk
    }
}

/// A connection of an agent.
struct Talk {
    stream: BufReader<TcpStream>,
}

impl Talk {
    fn write(&mut self, line: &str) {
        writeln!(self.stream.get_mut(), "{line}").expect("it reads");
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("it writes lines");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn ask(&mut self, request: &Value) -> Value {
        self.write(&request.to_string());
        self.line()
    }

    /// Nothing more comes.
    fn has_ended(mut self) -> bool {
        let mut rest = Vec::new();
        // Whether it is closed or reset is of no concern.
        self.stream.read_to_end(&mut rest).is_err() || rest.is_empty()
    }
}

fn send(agent: &str, performative: &str, args: &[i64]) -> Value {
    json!({"id": 1, "do": "send", "conversation": "riga", "as": agent, "performative": performative, "args": args})
}

fn receive(agent: &str, wait_ms: u64) -> Value {
    json!({"id": 2, "do": "receive", "conversation": "riga", "as": agent, "wait_ms": wait_ms})
}

#[test]
fn only_who_shows_the_token_of_an_agent_speaks_for_it() {
    let guard = Listening::start(&[]);
    for hello in [
        r#"{"as": "desk", "token": "desk-0123456789abcdeX"}"#,
        r#"{"as": "desk", "token": "flights-0123456789abcdef"}"#,
        r#"{"as": "nobody", "token": "desk-0123456789abcdef"}"#,
        r#"{"as": "desk", "token": ""}"#,
        r#"{"as": "desk"}"#,
        r#"{"id": 1, "do": "offer", "conversation": "riga", "as": "desk"}"#,
        "POST / HTTP/1.1",
    ] {
        let (talk, answer) = guard.connect(hello);
        assert_eq!(answer["error"]["kind"], json!("not_admitted"), "{hello}: {answer}");
        assert!(talk.has_ended(), "{hello}");
    }
    let mut desk = guard.agent("desk");
    for foreign in [
        send("flights", "offer", &[3]),
        json!({"do": "may_i", "conversation": "riga", "as": "flights", "performative": "soldOut"}),
        json!({"do": "offer", "conversation": "riga", "as": "flights"}),
        json!({"do": "owe", "conversation": "riga", "as": "hotels"}),
        json!({"do": "rest", "conversation": "riga", "as": "hotels"}),
        receive("flights", 0),
        json!({"do": "status", "conversation": "riga"}),
        json!({"do": "open", "conversation": "oslo", "cast": {"desk": "!Supplier1"}}),
    ] {
        let answer = desk.ask(&foreign);
        assert_eq!(answer["error"]["kind"], json!("not_yours"), "{foreign}: {answer}");
    }
    assert!(desk.ask(&send("desk", "quote", &[8]))["accepted"]["seq"].is_u64());
}

#[test]
fn tokens_are_kept_from_others_and_strangers_far_away() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let file = trips("trips.map");
    let refused = |text: &str, mode: u32, what: &str| {
        let path = tokens(folder.path(), text);
        set_mode(&path, mode);
        let path = path.display().to_string();
        let ran = map(&["guard", &file, "--listen", "127.0.0.1:0", "--tokens", &path]).exits(3);
        ran.err_has("MAP432").err_has(what);
    };
    refused("desk = \"short\"\n", 0o600, "less than 16 bytes");
    refused("desk = 7\n", 0o600, "no text");
    refused("desk\n", 0o600, "not TOML");
    refused("", 0o600, "no token");
    if cfg!(unix) {
        refused(TOKENS, 0o644, "others may read");
    }
    let path = tokens(folder.path(), TOKENS).display().to_string();
    map(&["guard", &file, "--listen", "0.0.0.0:0", "--tokens", &path]).exits(2).err_has("this machine");
    map(&["guard", &file, "--listen", "127.0.0.1:0"]).exits(2).err_has("--tokens");
    map(&["guard", &file]).exits(2).err_has("--listen");
}

#[test]
fn a_client_that_vanishes_comes_back_to_what_was_there() {
    let guard = Listening::start(&[]);
    let mut flights = guard.agent("flights");
    flights.write(&receive("flights", 60_000).to_string());
    drop(flights);
    let mut desk = guard.agent("desk");
    assert!(desk.ask(&send("desk", "quote", &[8]))["accepted"]["seq"].is_u64());
    for _ in 0..2 {
        // It vanishes again before it acknowledges anything.
        let mut flights = guard.agent("flights");
        let received = flights.ask(&receive("flights", 60_000));
        assert_eq!(received["received"]["items"][0]["performative"], json!("quote"), "{received}");
    }
    let mut flights = guard.agent("flights");
    assert!(flights.ask(&send("flights", "offer", &[3]))["accepted"]["seq"].is_u64());
}

#[test]
fn who_never_reads_and_who_asks_too_much_harms_nobody() {
    let guard = Listening::start(&["--max-requests", "100000"]);
    let deaf = guard.agent("hotels");
    // It asks until the guard cuts it off, and never reads an answer.
    let offer = json!({"do": "offer", "conversation": "riga", "as": "hotels"}).to_string() + "\n";
    let mut stream = deaf.stream.get_ref();
    let is_cut = (0..1_000_000).any(|_| stream.write_all(offer.as_bytes()).is_err());
    assert!(is_cut);
    let mut desk = guard.agent("desk");
    assert!(desk.ask(&send("desk", "quote", &[8]))["accepted"]["seq"].is_u64());
    let mut hotels = guard.agent("hotels");
    for _ in 0..5 {
        hotels.write(
            &json!({"id": 3, "do": "receive", "conversation": "oslo", "as": "hotels", "wait_ms": 60_000})
                .to_string(),
        );
    }
    assert_eq!(hotels.line()["error"]["kind"], json!("too_many_waiting"));

    let guard = Listening::start(&["--max-requests", "1"]);
    let mut hasty = guard.agent("flights");
    let kinds: Vec<Value> =
        (0..5).map(|_| hasty.ask(&receive("flights", 0))["error"]["kind"].clone()).collect();
    assert!(kinds.contains(&json!("too_many_requests")), "{kinds:?}");
}

#[test]
fn connections_of_an_agent_are_limited() {
    let guard = Listening::start(&[]);
    let mut kept: Vec<Talk> = (0..16).map(|_| guard.agent("desk")).collect();
    let hello = json!({"as": "desk", "token": "desk-0123456789abcdef"}).to_string();
    assert_eq!(guard.connect(&hello).1["error"]["kind"], json!("not_admitted"));
    let offer = json!({"do": "offer", "conversation": "riga", "as": "desk"});
    assert_eq!(kept[15].ask(&offer)["offer"]["owes"], json!(true));
    guard.agent("flights");
}

#[test]
fn a_bridge_says_why_it_cannot_begin() {
    let guard = Listening::start(&[]);
    let bridge = |at: &str, name: &str, tokens: &Path| {
        let tokens = tokens.display().to_string();
        map(&["guard", "--mcp", "--at", at, "--as", name, "--tokens", &tokens])
    };
    bridge(&guard.at, "trains", &guard.tokens).exits(3).err_has("no token of \"trains\"");
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let others = tokens(folder.path(), "desk = \"flights-0123456789abcdef\"\n");
    bridge(&guard.at, "desk", &others).exits(1).err_has("not the token of this agent");
    bridge(&guard.at, "desk", &guard.tokens).exits(0);
    // Nothing listens at port 1.
    bridge("127.0.0.1:1", "desk", &guard.tokens).exits(1).err_has("there is no guard at 127.0.0.1:1");
    map(&["guard", "--mcp"]).exits(2).err_has("--at");
    map(&["guard", "auction.map", "--mcp", "--at", "127.0.0.1:1", "--as", "x", "--tokens", "t"]).exits(2);
}

/// The seat of an agent, as a client of the Model Context Protocol has it.
struct Bridge {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Bridge {
    fn start(guard: &Listening, name: &str) -> Self {
        let tokens = guard.tokens.to_str().expect("it is UTF-8");
        let mut command = command(&["guard", "--mcp", "--at", &guard.at, "--as", name, "--tokens", tokens]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary runs");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut bridge = Self { child, output };
        let me = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": me });
        bridge.ask("initialize", &hello);
        bridge.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        bridge
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.child.stdin.as_mut().expect("it is piped"), "{message}").expect("it reads");
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.write(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it writes lines");
        let mut answer: Value = serde_json::from_str(&line).expect("each line is JSON");
        answer["result"].take()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

#[test]
fn a_bridge_finds_a_guard_that_was_started_again() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let journal = folder.path().join("log").display().to_string();
    let mut guard = Listening::start(&["--journal", &journal]);
    let mut desk = Bridge::start(&guard, "desk");
    let sent = desk.call("send", &json!({ "performative": "quote", "args": [8] }));
    assert_eq!(sent["isError"], json!(false), "{sent}");
    guard.kill();
    let lost = desk.call("may_i", &json!({}));
    assert_eq!(lost["isError"], json!(true), "{lost}");
    (guard.child, guard.at) = Listening::listen(&guard.at, &guard.tokens, &["--journal", &journal]);
    let owed = desk.call("owe", &json!({}));
    assert_eq!(owed["structuredContent"]["owed"]["to_me"].as_array().map(Vec::len), Some(2), "{owed}");
    let mut flights = Bridge::start(&guard, "flights");
    let received = flights.call("receive", &json!({}));
    assert_eq!(received["content"][0]["text"], json!("- quote(8) from desk\n"), "{received}");
    // What a refusal tells to be possible is accepted.
    let refused = flights.call("send", &json!({ "performative": "offer", "args": [9] }));
    assert_eq!(refused["isError"], json!(true), "{refused}");
    let may = &refused["structuredContent"]["refused"]["may"][0];
    let mended = json!({ "performative": may["performative"], "args": [may["args"][0]["in"][1]] });
    assert_eq!(flights.call("send", &mended)["isError"], json!(false), "{mended}");
    desk.end();
    flights.end();
}

/// The reference client of the protocol; passed over where it is not installed (`tests/mcp/install`).
#[test]
fn the_reference_client_takes_part_in_a_dialogue() {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mcp");
    if !tool.join("node_modules").is_dir() {
        assert!(std::env::var_os("MAP_REQUIRE_MCP").is_none(), "run tests/mcp/install first");
        eprintln!("skipped: the reference client of MCP is not installed (run tests/mcp/install)");
        return;
    }
    let guard = Listening::start(&[]);
    let mut node = Command::new("node");
    node.arg(tool.join("guard.mjs")).arg(env!("CARGO_BIN_EXE_map")).arg(&guard.at).arg(&guard.tokens);
    let output = node.output().expect("node runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}", String::from_utf8_lossy(&output.stdout));
}
