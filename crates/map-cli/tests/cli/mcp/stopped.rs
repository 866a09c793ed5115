//! Verifications that are ended from outside: by a cancelled request, by an input that is closed, by a signal.
#![cfg(target_os = "linux")]

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{FINE, PATIENCE, Session, UNBOUNDED};

/// So that the search has no end.
const ROOM: &str = "--mailbox 4000000000";

/// The processes that a process has started and that still run.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("there is /proc").flatten();
    let numbers = entries.filter_map(|it| it.file_name().to_str()?.parse().ok());
    let is_child = |number: &u32| {
        let Ok(about) = fs::read_to_string(format!("/proc/{number}/stat")) else { return false };
        // Behind the name, which stands in parentheses: the state, then the parent.
        let behind = about.rsplit_once(") ").map(|it| it.1).unwrap_or_default();
        let mut words = behind.split(' ');
        words.next() != Some("Z") && words.next() == Some(parent.to_string().as_str())
    };
    numbers.filter(is_child).collect()
}

pub(crate) fn is_running(process: u32) -> bool {
    let about = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    about.rsplit_once(") ").is_some_and(|(_, behind)| !behind.starts_with('Z'))
}

#[track_caller]
fn wait_until(what: impl Fn() -> bool) {
    let started = Instant::now();
    while !what() {
        assert!(started.elapsed() < PATIENCE, "it does not happen");
        sleep(Duration::from_millis(2));
    }
}

/// Whether a server is at work for a request.
fn is_answering(server: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{server}/task")).into_iter().flatten().flatten();
    let mut names = threads.filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok());
    names.any(|name| name.trim() == "answer")
}

/// A server that searches without end, and the number of the request.
fn searching() -> (Session, u64) {
    let mut session = Session::start(&["--time-limit", "1h"]);
    let arguments = json!({ "name": "verify", "arguments": { "text": UNBOUNDED, "flags": ROOM } });
    let number = session.send("tools/call", &arguments);
    wait_until(|| is_answering(session.child.id()));
    (session, number)
}

#[test]
fn quick_questions_are_answered_beside_a_search() {
    let (mut session, _) = searching();
    assert!(!session.says("check", &json!({ "text": FINE })).2);
    assert!(is_answering(session.child.id()));
    assert_eq!(session.close(), (Some(0), String::new()));
}

#[test]
fn a_cancelled_request_ends_its_search() {
    let (mut session, number) = searching();
    let which = json!({ "requestId": number, "reason": "enough" });
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": which });
    session.write(cancel.to_string().as_bytes());
    wait_until(|| !is_answering(session.child.id()));
    // Nothing is said of it, and the next search has its turn.
    let answer = session.call("verify", &json!({ "text": FINE, "structured": true }));
    assert_eq!(answer["result"]["structuredContent"]["verdict"], "terminates", "{answer}");
    assert_eq!(session.close(), (Some(0), String::new()));
}

#[test]
fn a_closed_input_ends_searches_and_the_server() {
    let (session, _) = searching();
    assert_eq!(session.close(), (Some(0), String::new()));
}

#[test]
fn a_signal_ends_both() {
    let (session, _) = searching();
    let server = rustix::process::Pid::from_raw(i32::try_from(session.child.id()).expect("it is one"));
    let server = server.expect("it is one");
    rustix::process::kill_process(server, rustix::process::Signal::TERM).expect("it runs");
    assert_eq!(session.close().0, Some(130));
}
