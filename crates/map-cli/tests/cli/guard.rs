//! `map guard --stdio`: requests and answers, and what its journal is worth.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::{Ran, command, map};

/// The example of the live system.
fn trips(file: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trips").join(file).display().to_string()
}

fn arguments(journal: Option<&Path>) -> Vec<String> {
    let mut all = vec!["guard".to_owned(), trips("trips.map"), "--stdio".to_owned()];
    all.extend(["--config".to_owned(), trips("trips.toml")]);
    all.extend(journal.into_iter().flat_map(|it| ["--journal".to_owned(), it.display().to_string()]));
    all
}

/// A guard that runs.
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Running {
    /// Starts one, and passes over its first line.
    fn start(journal: Option<&Path>) -> Self {
        let arguments = arguments(journal);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = command(&arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut guard = Self { child, input, output };
        let first = guard.line();
        assert_eq!((&first["command"], &first["scene"]), (&json!("guard"), &json!("trips")), "{first}");
        guard
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it writes lines");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The answer to a request.
    fn ask(&mut self, request: &Value) -> Value {
        writeln!(self.input, "{request}").expect("it reads");
        self.line()
    }

    /// It is killed as the system kills it.
    fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it was killed");
    }

    /// Its input ends.
    fn end(self) -> Ran {
        let Self { child, input, output } = self;
        drop((input, output));
        Ran::of(&child.wait_with_output().expect("it ends"))
    }
}

fn send(agent: &str, performative: &str, args: &[i64]) -> Value {
    json!({"id": 1, "do": "send", "conversation": "riga", "as": agent, "performative": performative, "args": args})
}

/// A trip that is booked.
fn trip() -> Vec<Value> {
    vec![
        send("desk", "quote", &[8]),
        send("flights", "offer", &[3]),
        send("hotels", "offer", &[4]),
        send("desk", "book", &[]),
        send("flights", "booked", &[]),
        send("hotels", "booked", &[]),
    ]
}

#[test]
fn messages_are_delivered_or_refused() {
    let mut guard = Running::start(None);
    let quoted = guard.ask(&send("desk", "quote", &[8]));
    assert_eq!((&quoted["id"], &quoted["accepted"]["certain"]), (&json!(1), &json!(true)), "{quoted}");
    let fetched = guard.ask(&json!({"id": "r", "do": "receive", "conversation": "riga", "as": "flights"}));
    let item = &fetched["received"]["items"][0];
    assert_eq!((&item["performative"], &item["args"]), (&json!("quote"), &json!([8])), "{fetched}");
    let refused = guard.ask(&send("flights", "offer", &[9]));
    let refused = &refused["refused"];
    assert_eq!((&refused["kind"], &refused["owes"]), (&json!("wrong_content"), &json!(true)), "{refused}");
    let offer = &refused["may"][0];
    assert_eq!((&offer["args"], &offer["to"]), (&json!([{"in": [1, 8]}]), &json!(["desk"])), "{refused}");
    let debt = json!({"do": "receive", "conversation": "riga", "as": "flights", "after": item["seq"]});
    assert_eq!(guard.ask(&debt)["received"]["debt"]["owes"], json!(true));
    for (request, kind) in [
        (json!({"do": "status", "conversation": "oslo"}), "unknown_conversation"),
        (json!({"do": "offer", "conversation": "riga", "as": "trains"}), "unknown_agent"),
        (json!({"do": "fly"}), "bad_request"),
        (json!([]), "bad_request"),
    ] {
        assert_eq!(guard.ask(&request)["error"]["kind"], json!(kind), "{request}");
    }
    guard.end().exits(0);
}

#[test]
fn who_waits_is_answered_when_a_message_comes() {
    let mut guard = Running::start(None);
    writeln!(
        guard.input,
        "{}",
        json!({"id": 7, "do": "receive", "conversation": "riga", "as": "flights", "wait_ms": 60_000})
    )
    .expect("it reads");
    writeln!(guard.input, "{}", send("desk", "quote", &[8])).expect("it reads");
    let mut answers = [guard.line(), guard.line()];
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers[1]["received"]["items"][0]["performative"], json!("quote"), "{answers:?}");
    let at_once = guard.ask(&json!({"do": "receive", "conversation": "riga", "as": "desk", "wait_ms": 1}));
    assert_eq!(at_once["received"]["items"], json!([]));
    guard.end().exits(0);
}

#[test]
fn what_was_answered_survives_and_conforms() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let journal = folder.path().join("log");
    for request in trip() {
        // Each request is the last one of its guard.
        let mut guard = Running::start(Some(&journal));
        let mut request = request;
        request["key"] = json!(request["performative"]);
        let first = guard.ask(&request);
        assert!(first["accepted"]["seq"].is_u64(), "{first}");
        guard.kill();
        let mut guard = Running::start(Some(&journal));
        assert_eq!(guard.ask(&request), first);
        guard.kill();
    }
    let segment = journal.join("000001.jsonl").display().to_string();
    let conforms = map(&["conform", &trips("trips.map"), &segment, "--from", "guard"]).exits(0);
    conforms.out_line("riga  conforms", "6 messages");
    let guard = Running::start(Some(&journal));
    let arguments = arguments(Some(&journal));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    map(&arguments).exits(3).err_has("MAP431").err_has("another guard");
    guard.end().exits(0);
    let other = map(&["guard", "auction.map", "--stdio", "--journal", &journal.display().to_string()]);
    other.exits(3).err_has("MAP431").err_has("another file");
}

#[test]
fn damage_is_noticed_and_what_is_torn_is_cut_off() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let journal = folder.path().join("log");
    let mut guard = Running::start(Some(&journal));
    for request in trip().iter().take(3) {
        guard.ask(request);
    }
    guard.end().exits(0);
    let segment = journal.join("000001.jsonl");
    let whole = fs::read(&segment).expect("it was written");
    let arguments = arguments(Some(&journal));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let last = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').expect("there are lines");
    for at in (0..whole.len()).step_by(151).chain([whole.len() - 1]) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1;
        fs::write(&segment, &flipped).expect("it can be written");
        map(&arguments).exits(3).err_has("MAP431").err_has("000001.jsonl:");
    }
    for length in [last + 2, whole.len() - 10, whole.len() - 2] {
        fs::write(&segment, &whole[..length]).expect("it can be written");
        map(&arguments).exits(0).err_has("torn");
        map(&arguments).exits(0);
    }
}

#[test]
fn wrong_configurations_are_shown_in_their_text() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let config = folder.path().join("c.toml");
    fs::write(&config, "[answers]\n\"%suplier\" = \"30s\"\n").expect("it can be written");
    let config = config.display().to_string();
    let refused = map(&["guard", &trips("trips.map"), "--stdio", "--config", &config]).exits(3);
    refused.err_has("MAP432").err_has("%suplier").err_has("c.toml:2");
}
