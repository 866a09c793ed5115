//! The live system in `examples/trips`: agents in Python that speak A2A over HTTP, and the log of the proxy between
//! them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::super::map;

/// The faults of the examples with the agent that is broken, how it breaks the protocol, and the first word in its log
/// that is wrong: whether that is an answer, who is at the other end, and which of those lines it is in a conversation.
const FAULTS: [(&str, &str, &str, Wrong); 8] = [
    ("too-expensive", "flights", "wrong_content", Wrong::Says("offer", "desk", 1)),
    ("too-eager", "flights", "out_of_turn", Wrong::Says("booked", "desk", 1)),
    ("vague", "flights", "not_its_word", Wrong::Says("maybe", "desk", 1)),
    ("talkative", "flights", "wrong_recipient", Wrong::Says("offer", "hotels", 1)),
    ("insistent", "flights", "after_its_end", Wrong::Says("offer", "desk", 2)),
    ("spendthrift", "desk", "out_of_turn", Wrong::Says("book", "", 1)),
    ("stuttering", "desk", "repeated", Wrong::Says("", "hotels", 3)),
    ("forgetful", "desk", "silent", Wrong::SaysNothing),
];

/// What in a conversation is wrong.
#[derive(Clone, Copy)]
enum Wrong {
    /// This word to this agent, the n-th time; an empty text stands for any.
    Says(&'static str, &'static str, usize),
    /// Nothing comes after the last line.
    SaysNothing,
}

/// A line of the log.
struct Said {
    line: u64,
    conversation: String,
    from: String,
    to: String,
    word: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trips")
}

/// Whether there is Python; the absence is told, or an error if there has to be.
fn python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|it| it.status.success());
    assert!(there || std::env::var_os("MAP_REQUIRE_PYTHON").is_none(), "there is no python3");
    if !there {
        println!("SKIPPED: there is no python3, so the live system is not tried");
    }
    there
}

/// Lets the system plan its trips; the log.
fn run(log: &Path, fault: Option<&str>) -> Vec<Said> {
    let mut command = Command::new("python3");
    command.arg("-B").arg(folder().join("run.py")).arg(log);
    if let Some(fault) = fault {
        command.args(["--fault", fault]);
    }
    let output = command.output().expect("python3 runs");
    assert!(output.status.success(), "{fault:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(log).expect("the proxy has written it");
    text.lines().zip(1..).map(|(text, line)| said(line, text)).collect()
}

fn said(line: u64, text: &str) -> Said {
    let record: Value = serde_json::from_str(text).expect("the line is JSON");
    let name = |it: &Value| it.as_str().expect("it is a text").to_owned();
    let (client, server, body) = (name(&record["client"]), name(&record["server"]), &record["body"]);
    let asked = &body["params"]["message"];
    let is_request = asked.is_object();
    let message = if is_request { asked } else { &body["result"]["task"]["status"]["message"] };
    let (from, to) = if is_request { (client, server) } else { (server, client) };
    Said {
        line,
        conversation: name(&message["contextId"]),
        from,
        to,
        word: name(&message["metadata"]["performative"]),
    }
}

fn judge(log: &Path) -> Value {
    let path = |name: &str| folder().join(name).display().to_string();
    let (protocol, mapping) = (path("trips.map"), path("trips.toml"));
    let log = log.display().to_string();
    let arguments = [
        "conform",
        &protocol,
        &log,
        "--from",
        "a2a",
        "--mapping",
        &mapping,
        "--complete",
        "--format",
        "json",
    ];
    let ran = map(&arguments);
    assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.err);
    serde_json::from_str(&ran.out).expect("it is JSON")
}

/// The line that breaks the protocol, if one of this conversation does.
fn wrong_line(log: &[Said], conversation: &str, agent: &str, wrong: Wrong) -> Option<u64> {
    let mut here = log.iter().filter(|it| it.conversation == conversation);
    match wrong {
        Wrong::SaysNothing => here.next_back().map(|it| it.line),
        Wrong::Says(word, to, nth) => {
            let is_it = |it: &&Said| {
                it.from == agent && (word.is_empty() || it.word == word) && (to.is_empty() || it.to == to)
            };
            here.filter(is_it).nth(nth - 1).map(|it| it.line)
        }
    }
}

#[test]
fn the_live_system_conforms() {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    assert_eq!(run(&log, None).len(), 4 * 8);
    let report = judge(&log);
    let conversations = report["conversations"].as_array().expect("it is a list");
    assert_eq!(conversations.len(), 4);
    assert!(conversations.iter().all(|it| it["verdict"] == "conforms"), "{report:#}");
}

#[test]
fn each_fault_of_the_live_system_has_its_culprit_and_its_line() {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    for (fault, agent, kind, wrong) in FAULTS {
        let said = run(&log, Some(fault));
        let report = judge(&log);
        let conversations = report["conversations"].as_array().expect("it is a list");
        assert_eq!(conversations.len(), 4);
        let mut violated = 0;
        for conversation in conversations {
            let name = conversation["conversation"].as_str().expect("it is a text");
            // The spendthrift books only what is there, and that is dear for one trip.
            let is_broken = fault != "spendthrift" || name == "lima";
            let violations = conversation["violations"].as_array().expect("it is a list");
            if !is_broken {
                assert_eq!(conversation["verdict"], "conforms", "{fault}: {conversation:#}");
                continue;
            }
            violated += 1;
            let [violation] = violations.as_slice() else { panic!("{fault}: {conversation:#}") };
            let found = (&violation["name"], &violation["kind"], &violation["at"]["line"]);
            let line = wrong_line(&said, name, agent, wrong);
            assert_eq!(found, (&agent.into(), &kind.into(), &line.into()), "{fault}: {conversation:#}");
        }
        assert!(violated > 0, "{fault} breaks nothing");
    }
}
