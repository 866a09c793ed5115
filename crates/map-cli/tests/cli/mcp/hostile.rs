//! Requests that no well-meaning client sends: none reads what it must not, and after each the next is answered.

use std::fs;

use serde_json::{Value, json};

use super::{FINE, Session, folder};

/// Wrong parameters.
const INVALID: i64 = -32602;

#[test]
fn arguments_that_are_not_as_the_schema_says() {
    let mut session = Session::start(&[]);
    for (tool, arguments) in [
        ("check", json!({})),
        ("check", json!({ "text": 7 })),
        ("check", json!({ "text": null })),
        ("check", json!({ "text": [FINE] })),
        ("check", json!({ "text": FINE, "path": "a.map" })),
        ("check", json!({ "text": FINE, "more": 1 })),
        ("check", json!({ "text": FINE, "flags": ["--scene", "s"] })),
        ("check", json!({ "path": "deadlock.map" })),
        ("format", json!({ "text": FINE, "flags": "" })),
        ("explain", json!({ "code": "--help" })),
        ("explain", json!({ "code": "" })),
        ("verify", json!({ "text": FINE, "structured": "yes" })),
        ("verify", json!({ "text": FINE, "detail": "all" })),
        ("render", json!({ "text": FINE, "as": "png" })),
        ("conform", json!({ "text": FINE })),
        ("explain", json!({ "code": "MAP204 \u{1b}[2J" })),
        ("library", json!({})),
        ("library", json!({ "action": "write" })),
        ("library", json!({ "action": "read" })),
        ("library", json!({ "action": "read", "name": "x\0" })),
    ] {
        // They are said to the model, which can mend them.
        let (said, json, failed) = session.says(tool, &arguments);
        assert!(failed && !said.is_empty() && json.is_null(), "{tool} {arguments}: {said}");
        assert!(!said.contains('\u{1b}'), "{said}");
    }
    for tool in ["shell", ""] {
        assert_eq!(session.refused(tool, &json!({ "command": "true" })), INVALID, "{tool}");
    }
    for params in
        [json!({}), json!([]), json!(7), json!({ "name": 7 }), json!({ "name": "check", "arguments": [] })]
    {
        let answer = session.ask("tools/call", &params);
        assert_eq!(answer["error"]["code"], INVALID, "{params}: {answer}");
    }
    assert!(session.ask("no/such/method", &json!({}))["error"]["code"].is_i64());
    assert!(!session.says("check", &json!({ "text": FINE })).2);
    assert_eq!(session.close(), (Some(0), String::new()));
}

#[test]
fn whoever_can_be_answered_is() {
    let mut session = Session::start(&[]);
    for (line, id) in [
        (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, json!("a")),
        (r#"{"jsonrpc":"1.0","id":-3,"method":"ping"}"#, json!(-3)),
        (r#"{"id":5,"method":"ping"}"#, json!(5)),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, json!(null)),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, json!(null)),
    ] {
        session.write(line.as_bytes());
        let answer = session.heard.recv_timeout(super::PATIENCE).expect("there is an answer");
        assert!(answer["error"]["code"].is_i64() && answer["id"] == id, "{line}: {answer}");
    }
    // A text that was cut in the middle of a character.
    let call = r#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"check","arguments":{"text":"s[ agent(!A, %a) = skip ] // \ud83d"}}}"#;
    session.write(call.as_bytes());
    assert_eq!(session.answer(77)["result"]["isError"], false);
    // What is told and not asked gets no answer.
    session.write(br#"{"jsonrpc":"2.0","method":"notifications/progress","params":7}"#);
    assert!(session.ask("ping", &json!({}))["result"].is_object());
    assert_eq!(session.close(), (Some(0), String::new()));
}

#[test]
fn lines_that_are_no_messages_are_passed_over() {
    let mut session = Session::start(&[]);
    let deep = "[".repeat(100_000);
    for line in
        [&b"\xff\xfe"[..], b"", b"}", b"hello", b"{\"jsonrpc\": ", b"null", b"7", b"[]", deep.as_bytes()]
    {
        session.write(line);
    }
    // Longer than any line that is read.
    session.write(&vec![b'x'; 17 << 20]);
    assert!(!session.says("check", &json!({ "text": FINE })).2);
    assert_eq!(session.close(), (Some(0), String::new()));
}

#[test]
fn texts_that_are_too_long_or_too_deep() {
    let mut session = Session::start(&[]);
    let (said, _, failed) = session.says("check", &json!({ "text": "x".repeat((4 << 20) + 1) }));
    assert!(failed && said.contains("4 MiB"), "{said}");
    let deep = format!("s[ agent(!A, %a) = {} skip ]", "(".repeat(100_000));
    for text in ["\0\u{202e}\u{1b}[2J", &deep, "", "//@ verify --report x"] {
        let (said, _, _) = session.says("check", &json!({ "text": text }));
        assert!(!said.contains('\u{1b}') && !said.contains('\u{202e}'), "{said}");
        session.says("verify", &json!({ "text": text }));
    }
}

#[cfg(unix)]
#[test]
fn no_name_leads_out_of_the_root() {
    use std::os::unix::fs::symlink;

    let outer = folder();
    let root = outer.path().join("in");
    fs::write(outer.path().join("secret.map"), "hidden").expect("there is room");
    for (target, link) in [("../secret.map", "out.map"), ("..", "up"), ("../notes.txt", "notes.map")] {
        symlink(target, root.join(link)).expect("links can be made");
    }
    let mut session = Session::start(&["--root", root.to_str().expect("its name is UTF-8")]);
    let absolute = root.join("fine.map");
    for path in [
        "../secret.map",
        "./../secret.map",
        "up/secret.map",
        "out.map",
        "notes.map",
        "/etc/passwd",
        "-",
        "--help",
        "",
        "fine.map\0.map",
        absolute.to_str().expect("its name is UTF-8"),
    ] {
        for tool in ["check", "verify", "run", "format"] {
            let answer = session.call(tool, &json!({ "path": path }));
            assert!(answer["error"].is_object() || answer["result"]["isError"] == true, "{path}: {answer}");
            let text = answer.to_string();
            assert!(!text.contains("hidden") && !text.contains("a secret"), "{path}: {answer}");
        }
    }
    let (_, json, failed) = session.says("check", &json!({ "path": "fine.map", "structured": true }));
    assert_eq!((&json["files"][0]["errors"], failed), (&Value::from(0), false));
    drop(outer);
}
