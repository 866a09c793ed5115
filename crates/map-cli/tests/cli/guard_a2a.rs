//! `map guard --a2a`: a proxy in front of agents that speak A2A, with the SDK for Python on both sides.
//!
//! `tests/a2a/install` installs the SDK; what needs it is passed over if it is not there, unless `MAP_REQUIRE_A2A` is
//! set.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::guard_http::Web;
use super::map;

fn tests(file: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(file).display().to_string()
}

/// The Python that has the SDK.
fn python() -> Option<PathBuf> {
    let python = PathBuf::from(tests("a2a/.venv/bin/python"));
    if python.exists() {
        return Some(python);
    }
    assert!(std::env::var_os("MAP_REQUIRE_A2A").is_none(), "run tests/a2a/install first");
    eprintln!("skipped: the SDK of A2A is not installed (run tests/a2a/install)");
    None
}

/// A worker and a guard in front of it, with the guard's journal.
struct System {
    python: PathBuf,
    worker: Child,
    output: PathBuf,
    web: Web,
    journal: PathBuf,
}

impl Drop for System {
    fn drop(&mut self) {
        let _ = self.worker.kill();
        let _ = self.worker.wait();
    }
}

const TOKEN: &str = "planner-0123456789abcdef";

/// A guard in front of a worker.
fn guard(upstream: &str) -> (Web, PathBuf) {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let file = |name: &str| folder.path().join(name);
    fs::write(file("guard.toml"), "[cast]\nplanner = \"!Planner\"\nworker = \"!Worker\"\n")
        .expect("it can be written");
    fs::write(file("tokens.toml"), format!("planner = \"{TOKEN}\"\n")).expect("it can be written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(file("tokens.toml"), fs::Permissions::from_mode(0o600)).expect("it is ours");
    }
    let journal = file("log");
    let text = |name: &str| file(name).display().to_string();
    let arguments = [
        "guard",
        &tests("recorded/a2a/a2a.map"),
        "--config",
        &text("guard.toml"),
        "--tokens",
        &text("tokens.toml"),
        "--http",
        "127.0.0.1:0",
        "--journal",
        &text("log"),
        "--a2a",
        &format!("worker={upstream}"),
    ];
    (Web::listen(folder, &arguments), journal)
}

impl System {
    fn start(fault: &str) -> Option<Self> {
        let python = python()?;
        let mut worker = Command::new(&python)
            .args(["-B", &tests("a2a/system.py"), "worker", fault])
            .stdout(Stdio::piped())
            .spawn()
            .expect("python runs");
        let mut address = String::new();
        let mut said = BufReader::new(worker.stdout.take().expect("it is piped"));
        said.read_line(&mut address).expect("it says where it listens");
        let (web, journal) = guard(address.trim());
        let output = journal.with_file_name("worker.txt");
        let to = output.clone();
        // What it says later is kept; the thread ends with it.
        std::thread::spawn(move || {
            let mut file = fs::File::create(to).expect("it can be written");
            let _ = std::io::copy(&mut said, &mut file);
        });
        Some(Self { python, worker, output, web, journal })
    }

    /// What the planner says, line by line.
    fn plan(&self, mode: &str, fault: &str) -> Vec<String> {
        let address = format!("http://{}/a2a/worker", self.web.at);
        let output = Command::new(&self.python)
            .args(["-B", &tests("a2a/system.py"), "planner", &address, TOKEN, mode, fault])
            .stderr(Stdio::inherit())
            .output()
            .expect("python runs");
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    }

    /// The journal conforms.
    fn conforms(&self) {
        let log = self.journal.join("000001.jsonl").display().to_string();
        map(&["conform", &tests("recorded/a2a/a2a.map"), &log, "--from", "guard"]).exits(0);
    }
}

const CARD: &str = "card: ['ADDRESS']";
const BLOCKING: &str = "  task completed draft of report";
const STREAM: [&str; 5] = [
    "  task submitted",
    "  status_update working",
    "  artifact_update draft of ",
    "  artifact_update report",
    "  status_update completed",
];

#[test]
fn what_keeps_to_the_protocol_passes_as_it_is() {
    let Some(system) = System::start("none") else { return };
    let blocking = [CARD, "asks for m0", BLOCKING, "asks for m1", BLOCKING];
    assert_eq!(system.plan("blocking", "none"), blocking);
    system.conforms();
    let Some(system) = System::start("none") else { return };
    let streaming = [&[CARD, "asks for m0"], &STREAM[..], &["asks for m1"], &STREAM[..]].concat();
    assert_eq!(system.plan("streaming", "none"), streaming);
    system.conforms();
    let said = fs::read_to_string(&system.output).unwrap_or_default();
    assert!(!said.contains("token"), "{said}");
}

#[test]
fn answers_that_do_not_are_kept_back() {
    for (fault, mode, kept) in [
        ("fails", "blocking", &[] as &[&str]),
        ("empty-handed", "blocking", &[]),
        ("fails", "streaming", &STREAM[..2]),
        ("empty-handed", "streaming", &STREAM[..2]),
        ("rejects-late", "streaming", &STREAM[..2]),
    ] {
        let Some(system) = System::start(fault) else { return };
        let said = system.plan(mode, "none");
        let second = said.iter().position(|line| line == "asks for m1").expect("it asks twice");
        let (error, passed) = said[second + 1..].split_last().expect("something is answered");
        assert_eq!(passed, kept, "{fault} {mode}: {said:?}");
        assert!(error.contains("the guard refuses the message of worker"), "{fault} {mode}: {said:?}");
        // The server hears of it with its next request.
        system.plan(mode, "none");
        let heard = (0..100).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            fs::read_to_string(&system.output)
                .is_ok_and(|said| said.contains("refused: {\"conversation\":\"m1\""))
        });
        assert!(heard, "{fault} {mode}");
        system.conforms();
    }
}

#[test]
fn requests_that_do_not_never_reach_the_server() {
    for mode in ["blocking", "streaming"] {
        let Some(system) = System::start("none") else { return };
        let said = system.plan(mode, "asks-again");
        let last = said.last().expect("something is answered");
        assert!(last.contains("the guard refuses the message of planner"), "{mode}: {said:?}");
        system.conforms();
    }
}

#[test]
fn a_request_that_is_repeated_is_forwarded_again_and_counts_once() {
    let Some(system) = System::start("none") else { return };
    let said = system.plan("blocking", "repeats");
    assert_eq!(said, [CARD, "asks for m0", BLOCKING, "asks for m0", BLOCKING, "asks for m1", BLOCKING]);
    let log = system.journal.join("000001.jsonl").display().to_string();
    let ran = map(&["conform", &tests("recorded/a2a/a2a.map"), &log, "--from", "guard"]).exits(0);
    ran.out_has("2 conversations");
}

/// What the guard answers to a request of the planner, by its server's answers, each to one request.
fn answers(answers: &'static [&'static str], bodies: &[Value]) -> Vec<(u16, String)> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let (web, _journal) = guard(&format!("http://{}/", listener.local_addr().expect("it has one")));
    std::thread::spawn(move || {
        for answer in answers {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let mut request = [0; 1 << 16];
            let _ = stream.read(&mut request);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    let ask = |body: &Value| {
        let body = body.to_string();
        let head = format!(
            "POST /a2a/worker HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            web.at,
            body.len()
        );
        web.answer(head.as_bytes())
    };
    bodies.iter().map(ask).collect()
}

fn asks(id: &str) -> Value {
    let message = json!({ "messageId": id, "role": "ROLE_USER", "parts": [{ "text": "write" }] });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": { "message": message } })
}

#[test]
fn servers_that_fail_are_told_from_servers_that_are_refused() {
    let hang_up = "";
    let page = "HTTP/1.1 500 Oh\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno";
    let no_json = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\nno";
    let done = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n\
                {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"task\":{\"id\":\"t\",\"contextId\":\"c\",\"status\":\
                {\"state\":\"TASK_STATE_REJECTED\"}}}}";
    // The same message is forwarded until it is answered.
    let served: &'static [&'static str] = Box::leak(Box::new([hang_up, page, no_json, done]));
    let found = answers(served, &[asks("m0"), asks("m0"), asks("m0"), asks("m0"), asks("m0")]);
    let statuses: Vec<u16> = found.iter().map(|(status, _)| *status).collect();
    assert_eq!(statuses, [502, 502, 502, 200, 502], "{found:?}");
    assert!(found[3].1.contains("TASK_STATE_REJECTED"), "{found:?}");
}

#[test]
fn what_would_go_past_the_guard_is_not_forwarded() {
    for (method, params, code) in [
        ("CreateTaskPushNotificationConfig", json!({}), -32_004),
        ("tasks/pushNotificationConfig/set", json!({}), -32_004),
        ("GetExtendedAgentCard", json!({}), -32_004),
        ("SendMessage", json!({ "message": { "messageId": 7, "parts": [] } }), -32_050),
    ] {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let found = answers(&[], &[body]);
        let answer: Value = serde_json::from_str(&found[0].1).expect("it is JSON");
        assert_eq!(answer["error"]["code"], json!(code), "{method}: {answer}");
    }
}
