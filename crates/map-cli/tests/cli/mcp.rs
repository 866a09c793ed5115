//! `map mcp` as a client sees it: a session on real streams, what is right, what is wrong, and what is hostile.

mod hostile;
pub(crate) mod stopped;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::{DEADLOCK, FINE, UNBOUNDED, command, map, map_with};

/// After that long without an answer the server hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Two agents who wait for each other after a step.
const CROSSED: &str = "s[
    agent(!A, %a) = m() => agent(!B, %b) then waitfor n() <= agent(_, %b)
    agent(!B, %b) = waitfor o() <= agent(_, %a)
]";

/// A server, and its client.
struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    heard: Receiver<Value>,
    asked: u64,
}

impl Session {
    /// Starts a server and introduces the client.
    fn start(flags: &[&str]) -> Self {
        let mut session = Self::silent(flags);
        let me = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": me });
        let answer = session.ask("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "map", "{answer}");
        session.write(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        session
    }

    fn silent(flags: &[&str]) -> Self {
        let mut command = command(&["mcp"]);
        let mut child = command
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, heard) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.expect("the output is UTF-8");
                let value = serde_json::from_str(&line).expect("each line is JSON");
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        Self { child, stdin, heard, asked: 0 }
    }

    /// Writes a line.
    fn write(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(line).and_then(|()| stdin.write_all(b"\n")).expect("the server reads");
    }

    /// Sends a request; its number.
    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.asked += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        self.write(request.to_string().as_bytes());
        self.asked
    }

    /// The answer to the request of that number; others are passed over.
    fn answer(&self, number: u64) -> Value {
        loop {
            let message = self.heard.recv_timeout(PATIENCE).expect("there is an answer");
            if message["id"] == number {
                return message;
            }
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let number = self.send(method, params);
        self.answer(number)
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// What a tool says: its text, its JSON, and whether it could not do what it is for.
    #[track_caller]
    fn says(&mut self, tool: &str, arguments: &Value) -> (String, Value, bool) {
        let answer = self.call(tool, arguments);
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        (text.to_owned(), result["structuredContent"].clone(), result["isError"] == true)
    }

    /// The number of the protocol error that a call comes to.
    #[track_caller]
    fn refused(&mut self, tool: &str, arguments: &Value) -> i64 {
        let answer = self.call(tool, arguments);
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{arguments}: {answer}"))
    }

    /// Closes the input; the exit code and standard error.
    fn close(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        let output = self.child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// A folder to be served: a deadlock, and a file that is not laid out.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    fs::create_dir(folder.path().join("in")).expect("there is room");
    for (name, text) in [("deadlock.map", CROSSED), ("in/fine.map", FINE), ("notes.txt", "a secret")] {
        fs::write(folder.path().join(name), text).expect("there is room");
    }
    folder
}

fn name(folder: &tempfile::TempDir) -> &str {
    folder.path().to_str().expect("its name is UTF-8")
}

#[test]
fn it_lists_its_tools_and_their_arguments() {
    let mut session = Session::start(&[]);
    let tools = session.ask("tools/list", &json!({}))["result"]["tools"].clone();
    let tools = tools.as_array().expect("they are a list");
    let names: Vec<&str> = tools.iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(
        names,
        ["check", "verify", "run", "explain", "format", "library", "conform", "render", "cheatsheet"]
    );
    for tool in tools {
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert!(tool["inputSchema"]["properties"].get("path").is_none(), "there is no root: {tool}");
    }
    assert_eq!(session.close(), (Some(0), String::new()));
    let folder = folder();
    let mut session = Session::start(&["--root", name(&folder)]);
    let tools = session.ask("tools/list", &json!({}));
    assert!(tools["result"]["tools"][0]["inputSchema"]["properties"]["path"].is_object(), "{tools}");
}

#[test]
fn what_it_says_is_what_the_command_line_says() {
    let mut session = Session::start(&[]);
    let named = |text: &str| text.replace("<stdin>", "<text>");
    let structured = |arguments: Value| {
        let mut arguments = arguments;
        arguments["structured"] = true.into();
        arguments["max_bytes"] = 100_000.into();
        arguments
    };
    for (text, is_wrong) in [(FINE, false), ("s[ agent(!A, %a) = skp ]", true)] {
        let (said, json, failed) = session.says("check", &structured(json!({ "text": text })));
        let shell = map_with(text.as_bytes(), &["check", "-"]);
        assert!(said.ends_with(&named(&shell.err)), "{said}");
        assert!(said.starts_with(if is_wrong { "1 error\n" } else { "no errors\n" }), "{said}");
        let of_shell = map_with(text.as_bytes(), &["check", "-", "--format", "json"]).out;
        assert_eq!(json, serde_json::from_str::<Value>(&named(&of_shell)).expect("it is JSON"));
        // To have found errors is a success.
        assert!(!failed && (shell.code == Some(3)) == is_wrong);
    }
    let run = structured(json!({ "text": DEADLOCK, "flags": "--seed 7" }));
    let (said, json, failed) = session.says("run", &run);
    let shell = map_with(DEADLOCK.as_bytes(), &["run", "-", "--seed", "7", "--max-steps", "200"]).out;
    let without_repeat = |text: &str| text.rsplit_once("again:").map(|it| it.0.to_owned());
    assert_eq!((without_repeat(&said), failed), (without_repeat(&named(&shell)), false));
    assert!(said.ends_with("again: \"flags\": \"--seed 7\"\n"), "{said}");
    assert_eq!((&json["seed"], &json["verdict"]), (&json!(7), &json!("deadlock")));
    let code = structured_text(json!({ "code": "MAP204" }));
    let (said, json, failed) = session.says("explain", &code);
    assert_eq!((said, json, failed), (map(&["explain", "MAP204"]).out, Value::Null, false));
    // The command line lists the words of the reports besides.
    let codes = session.says("explain", &structured_text(json!({}))).0;
    assert!(map(&["explain"]).out.starts_with(&codes), "{codes}");
    let (said, _, failed) = session.says("format", &json!({ "text": FINE }));
    assert_eq!((said, failed), (map_with(FINE.as_bytes(), &["fmt", "-"]).out, false));
    // The command line says besides how to copy them.
    let list = session.says("library", &structured_text(json!({ "action": "list" }))).0;
    assert!(map(&["new"]).out.starts_with(&list), "{list}");
    let versions = session.says("library", &json!({ "action": "list", "name": "ballot" })).0;
    assert!(map(&["new", "--from", "ballot"]).out.starts_with(&versions), "{versions}");
    let text = map(&["new", "-", "--from", "ballot/voting-twice"]).out;
    let read = json!({ "action": "read", "name": "ballot/voting-twice" });
    assert_eq!(session.says("library", &read).0, text);
}

/// Arguments with room for the whole text.
fn structured_text(mut arguments: Value) -> Value {
    arguments["max_bytes"] = 1_000_000.into();
    arguments
}

#[test]
fn a_counterexample_comes_as_text_and_as_json() {
    let mut session = Session::start(&[]);
    let (said, json, failed) = session.says("verify", &json!({ "text": CROSSED, "structured": true }));
    let shell = map_with(CROSSED.as_bytes(), &["verify", "-"]).exits(1).out.replace("<stdin>", "<text>");
    // The line before the last says how to see more, and the last one ends with the time and the memory that it took.
    let common = |text: &str| text.split_once("next:").map(|it| it.0.to_owned());
    assert_eq!(common(&said), common(&shell));
    assert!(said.contains("\"what\": \"counterexample\""), "{said}");
    assert_eq!((&json["verdict"], failed), (&json!("deadlock"), false));
    assert!(json["trace"].as_array().is_some_and(|it| !it.is_empty()), "{json}");
    let flags = json!({ "text": FINE, "flags": "--property 'never failed(!A)'" });
    let (said, json, failed) = session.says("verify", &flags);
    assert!(said.contains("terminates") && !failed, "{said}");
    assert_eq!(json, Value::Null);
}

#[test]
fn answers_are_short_unless_more_is_asked_for() {
    let mut session = Session::start(&[]);
    let (said, json, _) = session.says("explain", &json!({}));
    assert!(said.len() <= 2_000 && json.is_null(), "{said}");
    let more = said.lines().last().expect("there are lines");
    assert!(more.starts_with(".. cut: \"max_bytes\": "), "{more}");
    let all: u64 = more.split(' ').nth(3).and_then(|it| it.parse().ok()).expect("it says how many");
    let (said, _, _) = session.says("explain", &json!({ "max_bytes": all }));
    assert_eq!(said.len() as u64, all);
    // No answer names what only the command line has.
    for arguments in [
        json!({ "text": CROSSED }),
        json!({ "text": CROSSED, "detail": "full" }),
        json!({ "text": UNBOUNDED, "flags": "--max-states 50" }),
        json!({ "text": FINE, "flags": "--agents a=1" }),
    ] {
        let (said, _, _) = session.says("verify", &arguments);
        for word in [" -v ", "--report", "--save-trace", "map replay", "--full-trace", "--format", "--deny"] {
            assert!(!said.contains(word), "{word}: {said}");
        }
    }
}

#[test]
fn pictures_and_logs() {
    let mut session = Session::start(&[]);
    for (language, begins) in [("mermaid", "sequenceDiagram"), ("svg", "<svg"), ("text", " ")] {
        let draw = json!({ "text": CROSSED, "what": "counterexample", "as": language });
        let (said, _, failed) = session.says("render", &draw);
        assert!(!failed && said.contains(begins), "{language}: {said}");
    }
    for what in ["roles", "states"] {
        let (said, _, failed) = session.says("render", &json!({ "text": CROSSED, "what": what }));
        assert!(!failed && said.len() > 20, "{what}: {said}");
    }
    assert!(session.says("render", &json!({ "text": FINE, "what": "counterexample" })).2);
    let log = r#"{"from": "!A", "to": ["!B"], "performative": "m", "args": []}"#;
    let conform = json!({ "text": CROSSED, "log": log, "structured": true });
    let (said, json, failed) = session.says("conform", &conform);
    assert!(!failed && said.contains("1 message"), "{said}");
    assert_eq!(json["conversations"].as_array().map(Vec::len), Some(1));
    let wrong = json!({ "text": CROSSED, "log": log.replace("\"m\"", "\"x\"") });
    let (said, _, failed) = session.says("conform", &wrong);
    assert!(!failed && said.contains("violated at line 1 by !A"), "{said}");
    let (said, _, failed) = session.says("conform", &json!({ "text": CROSSED, "log": "hello" }));
    assert!(failed && said.contains("log line 1"), "{said}");
    let gap = json!({ "text": CROSSED, "log": format!("hello\n{log}\n"), "structured": true });
    let (said, json, failed) = session.says("conform", &gap);
    assert!(!failed && said.contains("log line 1") && said.contains("1 message"), "{said}");
    assert_eq!(json["read"]["bad"][0]["count"], 1, "{json}");
    let (said, _, failed) = session.says("cheatsheet", &json!({}));
    assert!(!failed && said.len() <= 6 << 10 && said.starts_with("# MAP"), "{said}");
}

#[test]
fn what_cannot_be_done_is_said_to_the_agent() {
    let mut session = Session::start(&[]);
    let broken = json!({ "text": "s[ agent(!A, %a) = skp ]" });
    for tool in ["verify", "run", "format"] {
        let (said, _, failed) = session.says(tool, &broken);
        assert!(failed && said.contains("MAP"), "{tool}: {said}");
    }
    for (tool, flags) in [
        ("check", "--scene none"),
        ("check", "--format json"),
        ("run", "--procedures sh"),
        ("run", "--save-trace x"),
        ("verify", "--report x.html"),
        ("verify", "--agents nobody=2"),
        ("verify", "--property 'never"),
        ("verify", "--time-limit 2h"),
    ] {
        let (said, _, failed) = session.says(tool, &json!({ "text": FINE, "flags": flags }));
        assert!(!said.is_empty(), "{tool} {flags}");
        // A scene that is not there is an error in the text that was looked for.
        assert!(failed || flags == "--scene none", "{tool} {flags}: {said}");
    }
    assert!(session.says("explain", &json!({ "code": "MAP999" })).2);
    assert!(session.says("library", &json!({ "action": "read", "name": "no-such" })).2);
}

#[test]
fn limits_are_those_of_the_server() {
    let mut session = Session::start(&["--max-states", "50"]);
    let flags = "--mailbox 4000000000";
    let unbounded = json!({ "text": UNBOUNDED, "flags": flags, "structured": true });
    let (said, json, failed) = session.says("verify", &unbounded);
    assert!(said.contains("states") && !said.contains("raise --max-states"), "{said}");
    assert_eq!((&json["verdict"], failed), (&json!("inconclusive"), false));
    let more = json!({ "text": UNBOUNDED, "flags": "--max-states 51" });
    let (said, _, failed) = session.says("verify", &more);
    assert!(failed && said.contains("at most 50"), "{said}");
}

#[test]
fn the_reference_and_the_library_can_be_read() {
    let mut session = Session::start(&[]);
    let list = session.ask("resources/list", &json!({}));
    let uris: Vec<&str> = list["result"]["resources"]
        .as_array()
        .expect("they are a list")
        .iter()
        .filter_map(|it| it["uri"].as_str())
        .collect();
    assert!(
        uris.contains(&"map://reference")
            && uris.contains(&"map://cheatsheet")
            && uris.contains(&"map://library/ballot"),
        "{uris:?}"
    );
    let mut read = |uri: &str| session.ask("resources/read", &json!({ "uri": uri }));
    for uri in uris.into_iter().chain(["map://library/ballot/voting-twice"]) {
        let text = read(uri)["result"]["contents"][0]["text"].as_str().map(str::len);
        assert!(text.is_some_and(|length| length > 100), "{uri}");
    }
    for uri in ["map://library/", "map://library/none", "file:///etc/passwd", "map://library/ballot/../x", ""]
    {
        assert!(read(uri)["error"]["code"].is_i64(), "{uri}");
    }
}

#[test]
fn files_below_the_root_are_read_and_never_written() {
    let folder = folder();
    let mut session = Session::start(&["--root", name(&folder)]);
    let named = json!({ "path": "deadlock.map", "structured": true });
    let (said, json, _) = session.says("verify", &named);
    assert!(said.starts_with("deadlock.map  s  deadlock"), "{said}");
    assert_eq!(json["file"], "deadlock.map");
    assert!(!session.says("check", &json!({ "path": "./in/fine.map" })).2);
    let (said, _, failed) = session.says("format", &json!({ "path": "deadlock.map" }));
    assert_eq!((said, failed), (map_with(CROSSED.as_bytes(), &["fmt", "-"]).out, false));
    assert!(session.says("check", &json!({ "path": "none.map" })).2);
    assert_eq!(fs::read_to_string(folder.path().join("deadlock.map")).expect("it is there"), CROSSED);
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 3);
}

#[test]
fn a_root_has_to_be_a_folder() {
    for root in ["no-such-folder", "auction.map"] {
        map(&["mcp", "--root", root]).exits(2).err_has("--root");
    }
    map(&["mcp"]).exits(0);
}

/// The reference client of the protocol; passed over where it is not installed (`tests/mcp/install`).
#[test]
fn the_reference_client_is_served() {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mcp");
    if !tool.join("node_modules").is_dir() {
        assert!(std::env::var_os("MAP_REQUIRE_MCP").is_none(), "run tests/mcp/install first");
        eprintln!("skipped: the reference client of MCP is not installed (run tests/mcp/install)");
        return;
    }
    let folder = folder();
    let mut node = Command::new("node");
    node.arg(tool.join("session.mjs")).arg(env!("CARGO_BIN_EXE_map")).arg(folder.path());
    let output = node.output().expect("node runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}", String::from_utf8_lossy(&output.stdout));
}
