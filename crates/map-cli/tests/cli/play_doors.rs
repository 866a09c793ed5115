//! `map guard --play` without `--start`: agents that nobody speaks for are played for those who come.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::{command, map, map_with};

fn trips(file: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trips").join(file).display().to_string()
}

/// The arguments of a guard of trips.
fn with(more: &[&str]) -> Vec<String> {
    let known = ["guard".to_owned(), trips("trips.map"), "--config".to_owned(), trips("trips.toml")];
    known.into_iter().chain(more.iter().map(ToString::to_string)).collect()
}

/// A process that answers lines with lines; it ends with the test.
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(arguments: &[String]) -> Self {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = command(&arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary runs");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, input, output }
    }

    fn text(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it writes lines");
        line
    }

    fn line(&mut self) -> Value {
        let line = self.text();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The answer to a request; events are passed over.
    fn ask(&mut self, request: &Value) -> Value {
        writeln!(self.input, "{request}").expect("it reads");
        loop {
            let line = self.line();
            if line.get("event").is_none() {
                return line;
            }
        }
    }
}

/// A supplier that has nothing, in a conversation of its own: what it is told at the end.
fn sell_nothing(ask: &mut dyn FnMut(Value) -> Value, conversation: &str, name: &str) -> Value {
    let mut after = 0;
    let mut fetch = |ask: &mut dyn FnMut(Value) -> Value| {
        let request = json!({"do": "receive", "conversation": conversation, "as": name, "after": after,
                             "wait_ms": 60_000, "rest": true});
        let answer = ask(request);
        let last = answer["received"]["items"].as_array().and_then(|items| items.last()).cloned();
        let last = last.unwrap_or_else(|| panic!("nothing came: {answer}"));
        after = last["seq"].as_u64().expect("it is a number");
        last["performative"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(fetch(ask), "quote");
    let send =
        |what: &str| json!({"do": "send", "conversation": conversation, "as": name, "performative": what});
    let answer = ask(send("soldOut"));
    assert!(answer["accepted"].is_object(), "{answer}");
    assert_eq!(fetch(ask), "cancel");
    ask(send("cancelled"))
}

#[test]
fn those_who_do_not_speak_on_standard_input_are_played() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let journal = folder.path().join("log");
    let path = journal.display().to_string();
    let mut guard = Running::start(&with(&["--stdio", "--play", "all", "--journal", &path]));
    assert_eq!(guard.line()["played"], json!(["desk", "flights", "hotels"]));
    // Whoever speaks in a conversation is not played there; in another one it may be.
    for (conversation, name) in [("a", "flights"), ("b", "hotels"), ("c", "flights")] {
        let answer = sell_nothing(&mut |request| guard.ask(&request), conversation, name);
        assert!(answer["accepted"].is_object(), "{answer}");
    }
    drop(guard);
    let log = journal.join("000001.jsonl").display().to_string();
    let judged = map(&["conform", &trips("trips.map"), &log, "--from", "guard"]);
    assert!(!judged.out.contains("violated"), "{}", judged.out);
    assert!(judged.out.contains("conform"), "{}{}", judged.out, judged.err);
}

#[test]
fn who_is_played_is_spoken_for_by_nobody_else() {
    let offer = |name: &str| json!({"do": "offer", "conversation": "c", "as": name}).to_string();
    for (flags, played, free) in [
        (&["--play", "%desk"][..], "desk", "flights"),
        (&["--play", "!Desk,hotels"], "hotels", "flights"),
        (&["--play", "all", "--as", "flights"], "hotels", "flights"),
        (&["--play", "all", "--as", "flights", "--as", "!Supplier2"], "desk", "hotels"),
    ] {
        let arguments = with(&[flags, &["--stdio"]].concat());
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let input = format!("{}\n{}\n", offer(played), offer(free));
        let ran = map_with(input.as_bytes(), &arguments).exits(0);
        let lines: Vec<&str> = ran.out.lines().collect();
        assert!(lines[1].contains(&format!("\\\"{played}\\\" is played by the guard")), "{}", ran.out);
        assert!(lines[2].contains("\"offer\":{"), "{}", ran.out);
    }
}

#[test]
fn one_agent_needs_no_second_process() {
    let mut seat = Running::start(&with(&["--mcp", "--as", "flights", "--play", "all"]));
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let opening = seat.ask(&initialize);
    let instructions = opening["result"]["instructions"].as_str().unwrap_or_default();
    assert!(instructions.contains("You are `flights` in the dialogue trips"), "{opening}");
    writeln!(seat.input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .expect("it reads");
    let mut id = 1;
    let mut call = |name: &str, arguments: Value| {
        id += 1;
        let params = json!({"name": name, "arguments": arguments});
        let answer = seat.ask(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
        answer["result"].clone()
    };
    let quote = call("receive", json!({}));
    assert!(quote.to_string().contains("quote"), "{quote}");
    let wrong = call("send", json!({"performative": "booked"}));
    assert_eq!(wrong["isError"], json!(true), "{wrong}");
    let sold_out = call("send", json!({"performative": "soldOut"}));
    assert_ne!(sold_out["isError"], json!(true), "{sold_out}");
    let cancel = call("receive", json!({}));
    assert!(cancel.to_string().contains("cancel"), "{cancel}");
    let cancelled = call("send", json!({"performative": "cancelled"}));
    assert_ne!(cancelled["isError"], json!(true), "{cancelled}");
}

#[cfg(unix)]
#[test]
fn those_without_a_token_are_played() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let tokens = folder.path().join("tokens.toml");
    fs::write(&tokens, "hotels = \"hotels-0123456789abcdef\"\n").expect("it can be written");
    fs::set_permissions(&tokens, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let tokens = tokens.display().to_string();
    let mut guard = Running::start(&with(&["--listen", "127.0.0.1:0", "--tokens", &tokens, "--play", "all"]));
    let first = guard.text();
    let at = first.trim().rsplit(' ').next().expect("there is an address");
    assert_eq!(guard.text(), "played by the guard: desk, flights\n");
    let mut stream = BufReader::new(TcpStream::connect(at).expect("it listens"));
    let mut ask = |request: Value| -> Value {
        writeln!(stream.get_mut(), "{request}").expect("it reads");
        let mut line = String::new();
        stream.read_line(&mut line).expect("it writes lines");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    };
    ask(json!({"as": "hotels", "token": "hotels-0123456789abcdef"}));
    let answer = sell_nothing(&mut ask, "t", "hotels");
    assert!(answer["accepted"].is_object(), "{answer}");
}

#[test]
fn the_one_that_is_tested_can_be_named() {
    let script =
        "read -r opening; printf '%s\\n' '{\"do\": \"send\", \"performative\": \"hello\"}'; read -r answer";
    let start = format!("sh -c {}", shlex_quoted(script));
    let arguments = with(&["--play", "all", "--as", "flights", "--start", &start]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = map(&arguments).exits(1);
    assert!(ran.out.contains("flights tested alone"), "{}", ran.out);
    assert!(ran.out.contains("hello(): refused, not_its_word"), "{}", ran.out);
}

fn shlex_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (flags, why) in [
        (&["--play", "all"][..], "say how agents speak"),
        (&["--play", "all", "--start", "x"], "say with --as NAME who is tested"),
        (&["--play", "all", "--start", "x", "--as", "desk", "--as", "hotels"], "one is tested at a time"),
        (&["--play", "all", "--as", "nobody", "--stdio"], "the scene has no agent \"nobody\""),
        (&["--play", "%desk", "--as", "desk", "--stdio"], "!Desk is played"),
        (
            &["--play", "all", "--as", "desk", "--as", "flights", "--as", "hotels", "--stdio"],
            "nobody is left",
        ),
        (&["--as", "desk", "--stdio"], "--as is for --mcp and --play"),
        (&["--mcp", "--as", "desk"], "say with --at ADDRESS where the guard listens"),
        (&["--mcp", "--play", "all"], "--as"),
        (&["--mcp", "--as", "desk", "--as", "hotels", "--play", "all"], "say with --as NAME which"),
        (&["--mcp", "--as", "desk", "--play", "all", "--stdio"], "--stdio"),
        (&["--play", "all", "--stdio", "--dialogues", "3"], "--dialogues is for --start"),
        (&["--play", "all", "--stdio", "--cover", "3%"], "--cover is for --start"),
        (&["--seed", "3", "--stdio"], "--play"),
    ] {
        let arguments = with(flags);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = map(&arguments).exits(2);
        assert!(ran.err.contains(why), "{flags:?}: {}", ran.err);
    }
}
