//! `map conform --from`: lines of no known shape, and messages that are not finished. The worked logs are in the book.

use std::fs;

use super::{Ran, map};

/// Judges this log of the contract net, as written by this system.
fn judge(system: &str, log: &[u8], flags: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    fs::write(&path, log).expect("it can be written");
    let log = path.to_str().expect("the name is UTF-8");
    map(&[&["conform", "../contract-net/contract-net.map", log, "--from", system], flags].concat())
}

#[test]
fn hostile_lines_are_diagnostics() {
    let deep = "[".repeat(100_000);
    let parentheses = "(".repeat(100_000);
    let long = format!("\"{}\"", "a".repeat(2 << 20));
    let lines: [&[u8]; 8] = [
        b"garbage",
        b"[]",
        b"7",
        b"\xff\xfe",
        deep.as_bytes(),
        parentheses.as_bytes(),
        long.as_bytes(),
        b"\"\x1b[31m",
    ];
    for system in ["a2a", "mcp", "autogen", "fipa-acl", "otel"] {
        for line in lines {
            let ran = judge(system, line, &[]).exits(3).err_has("MAP425");
            assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
        }
    }
}

#[test]
fn a_message_that_is_not_finished_is_an_error_at_its_first_line() {
    judge("fipa-acl", b"\n(CFP\n :sender", &[]).exits(3).err_has("log:2: the last message is not finished");
}

#[test]
fn an_answer_to_nothing_blames_nobody() {
    let answer = br#"{"client":"a","server":"b","body":{"id":9,"error":{"code":-32000}}}"#;
    judge("a2a", answer, &[]).exits(3).err_has("MAP425").err_has("which no earlier line asked");
    // The answer to a request that is no message is none either.
    let listed = br#"{"session":"s","client":"a","server":"b","body":{"id":1,"method":"tools/list"}}
{"session":"s","client":"a","server":"b","body":{"id":1,"result":{"content":[]}}}"#;
    judge("mcp", listed, &[]).exits(0);
}

#[test]
fn what_does_not_go_together_is_said() {
    judge("otel", b"", &["--follow"]).exits(2).err_has("--from otel needs whole logs");
}

#[test]
fn blank_lines_in_a_text_belong_to_it() {
    let call =
        "(CFP :sender (agent-identifier :name desk@h)\n\n :receiver (set (agent-identifier :name p1@h)))\n\n";
    let offer = "(PROPOSE :sender (agent-identifier :name p1@h) :content \"so\n\nmuch\"\n\
                 :receiver (set (agent-identifier :name desk@h)))";
    judge("fipa-acl", [call, offer].concat().as_bytes(), &[])
        .exits(1)
        .out_has("line 5: !Participant (p1) sent propose(\"so\\n\\nmuch\")");
}
