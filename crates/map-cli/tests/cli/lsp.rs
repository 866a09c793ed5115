//! `map lsp` on real streams: what is no message, and clients that are gone.

use std::io::{Read as _, Write as _};
use std::process::Stdio;

use super::{command, map, map_with};

fn framed(messages: &[&str]) -> Vec<u8> {
    let frame = |text: &&str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    messages.iter().map(frame).collect::<String>().into_bytes()
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
const SHUTDOWN: &str = r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#;
const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

#[test]
fn a_session_ends_with_0_if_the_client_says_goodbye() {
    let ran = map_with(&framed(&[INITIALIZE, SHUTDOWN, EXIT]), &["lsp", "--stdio"]).exits(0);
    assert!(ran.out.starts_with("Content-Length: "), "{}", ran.out);
    ran.out_has(r#""positionEncoding":"utf-16""#).out_has(r#"{"jsonrpc":"2.0","id":2,"result":null}"#);
}

#[test]
fn a_client_that_leaves_without_a_word_ends_it_with_1() {
    map(&["lsp"]).exits(1);
    map_with(&framed(&[INITIALIZE]), &["lsp"]).exits(1);
    map_with(&framed(&[INITIALIZE, EXIT]), &["lsp"]).exits(1);
    map_with(&framed(&[EXIT]), &["lsp"]).exits(1);
}

#[test]
fn what_is_not_json_is_refused_and_the_rest_is_answered() {
    let broken = framed(&["{\"jsonrpc\": ", "[]", "7", "\u{0}", INITIALIZE, "}", SHUTDOWN, EXIT]);
    let ran = map_with(&broken, &["lsp"]).exits(0);
    let refused = |code: &str| ran.out.matches(code).count();
    assert_eq!((refused("-32700"), refused("-32600")), (3, 2), "{}", ran.out);
    assert!(ran.out.contains(r#""id":2,"result":null"#), "{}", ran.out);
}

#[test]
fn what_has_no_header_ends_it() {
    for input in
        ["hello\n", "Content-Length: 99999999999999\r\n\r\n", "Content-Length: 20\r\n\r\n{}", "\r\n\r\n"]
    {
        map_with(input.as_bytes(), &["lsp"]).exits(1);
    }
    map_with(&[0xff; 10_000], &["lsp"]).exits(1);
}

#[test]
fn it_ends_when_its_output_is_not_read_and_its_input_ends() {
    let mut child = command(&["lsp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("it is piped");
    for _ in 0..50 {
        stdin.write_all(&framed(&[INITIALIZE])).expect("it still reads");
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    let mut said = String::new();
    child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("it is UTF-8");
    assert_eq!(said, "", "that is no defect");
}
