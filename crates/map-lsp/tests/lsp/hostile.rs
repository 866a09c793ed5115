//! Clients that do what they should not: the server answers each request once, and goes on.

use lsp_server::{Message, RequestId};
use map_lsp::ConnectionEnd;
use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///a.map";

/// Every request about a text, with what it needs besides the text.
fn requests(position: &Value) -> Vec<(&'static str, Value)> {
    let range = json!({"start": position, "end": position});
    vec![
        ("textDocument/hover", json!({"position": position})),
        ("textDocument/definition", json!({"position": position})),
        ("textDocument/references", json!({"position": position, "context": {"includeDeclaration": true}})),
        ("textDocument/documentHighlight", json!({"position": position})),
        ("textDocument/prepareRename", json!({"position": position})),
        ("textDocument/rename", json!({"position": position, "newName": "other"})),
        ("textDocument/completion", json!({"position": position})),
        ("textDocument/signatureHelp", json!({"position": position})),
        ("textDocument/documentSymbol", json!({})),
        ("textDocument/foldingRange", json!({})),
        ("textDocument/selectionRange", json!({"positions": [position]})),
        ("textDocument/inlayHint", json!({"range": range})),
        ("textDocument/semanticTokens/full", json!({})),
        ("textDocument/semanticTokens/range", json!({"range": range})),
        ("textDocument/formatting", json!({"options": {"tabSize": 4, "insertSpaces": true}})),
        (
            "textDocument/rangeFormatting",
            json!({"range": range, "options": {"tabSize": 4, "insertSpaces": true}}),
        ),
        ("textDocument/codeAction", json!({"range": range, "context": {"diagnostics": []}})),
        ("textDocument/codeLens", json!({})),
    ]
}

fn about(uri: &str, mut params: Value) -> Value {
    params["textDocument"] = json!({"uri": uri});
    params
}

fn change(client: &Client, version: i32, changes: &Value) {
    let document = json!({"uri": URI, "version": version});
    client.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
}

#[test]
fn positions_may_be_anything() {
    let mut client = Client::ready();
    client.open(URI, "// 𝄞é\r\ns[ agent(!A, %a) = \"𝄞\" => agent(_, %b) agent(!B, %b) = skip ]\r");
    let numbers = [json!(0), json!(1), json!(4), json!(-1), json!(4_294_967_295_u32), json!(1e300)];
    for line in &numbers {
        for character in &numbers {
            let position = json!({"line": line, "character": character});
            for (method, params) in requests(&position) {
                // Names that cannot be renamed are the only ones to be refused.
                let answer = client.answer(method, about(URI, params));
                assert!(answer.is_ok() || answer == Err(-32803), "{method} at {position}: {answer:?}");
            }
        }
    }
    assert_eq!(client.leave(), ConnectionEnd::Properly);
}

#[test]
fn changes_may_be_anywhere() {
    let mut client = Client::ready();
    client.open(URI, "s[ agent(!A, %a) = skip ]");
    let places = [
        json!({"start": {"line": -5, "character": -5}, "end": {"line": -1, "character": 2}}),
        json!({"start": {"line": 9, "character": 9}, "end": {"line": 7, "character": 0}}),
        json!({"start": {"line": 0, "character": 20}, "end": {"line": 0, "character": 4}}),
        json!({"start": {"line": 0, "character": 1e20}, "end": {"line": 3, "character": 1}}),
    ];
    let mut version = 1;
    for place in places {
        for with in ["", "\r", "𝄞\n", "s[ agent(!A, %a) = skip ]"] {
            version += 1;
            change(&client, version, &json!([{"range": place, "text": with}]));
        }
    }
    change(&client, version + 1, &json!([{"text": "s["}, {"text": "s[ agent(!A, %a) = skip ]\n"}]));
    let published = client.until_published(URI, Some(version + 1));
    let Some(Message::Notification(last)) = published.last() else { panic!("it is a notification") };
    assert_eq!(last.params["diagnostics"], json!([]), "the text is the one that was sent last");
    assert_eq!(client.leave(), ConnectionEnd::Properly);
}

#[test]
fn wrong_parameters_are_refused() {
    let mut client = Client::ready();
    client.open(URI, "s[ agent(!A, %a) = skip ]");
    for (method, _) in requests(&Value::Null) {
        for params in
            [json!(null), json!([]), json!({"textDocument": 3}), json!({"textDocument": {"uri": "a b"}})]
        {
            assert_eq!(client.answer(method, params), Err(-32602), "{method}");
        }
        let elsewhere = about("file:///elsewhere.map", json!({}));
        assert_eq!(client.answer(method, elsewhere), Err(-32602), "{method}");
    }
    for arguments in [json!([]), json!([3]), json!(["file:///elsewhere.map"]), json!([URI, {}]), json!(["%"])]
    {
        let params = json!({"command": "map.verify", "arguments": arguments});
        assert_eq!(client.answer("workspace/executeCommand", params), Err(-32602), "{arguments}");
    }
    let params = json!({"command": "map.erase", "arguments": [URI]});
    assert_eq!(client.answer("workspace/executeCommand", params), Err(-32602));
    for method in
        ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "$/cancelRequest"]
    {
        client.notify(method, json!({"id": [], "textDocument": [1]}));
    }
    assert_eq!(client.answer("no/such/method", json!({})), Err(-32601));
    assert_eq!(client.leave(), ConnectionEnd::Properly);
}

#[test]
fn nothing_is_answered_before_initialize_nor_after_shutdown() {
    let mut client = Client::new();
    client.notify("textDocument/didOpen", json!({}));
    assert_eq!(client.answer("textDocument/hover", json!({})), Err(-32002));
    assert_eq!(client.answer("shutdown", json!({})), Err(-32002));
    assert_eq!(client.answer("initialize", json!({"capabilities": 7})), Err(-32602));
    client.answer("initialize", json!({"capabilities": {}})).unwrap();
    assert_eq!(client.answer("initialize", json!({"capabilities": {}})), Err(-32600));
    client.answer("shutdown", Value::Null).unwrap();
    assert_eq!(client.answer("textDocument/hover", json!({})), Err(-32600));
    assert_eq!(client.answer("shutdown", Value::Null), Err(-32600));
    assert_eq!(client.vanish(), ConnectionEnd::Properly);
}

#[test]
fn a_client_that_vanishes_ends_the_server() {
    assert_eq!(Client::new().vanish(), ConnectionEnd::Abruptly);
    let mut client = Client::ready();
    client.open(URI, "s[ agent(!A, %a) = skip ]");
    client.ask("textDocument/hover", about(URI, json!({"position": {"line": 0, "character": 0}})));
    client.ask("workspace/executeCommand", json!({"command": "map.verify", "arguments": [URI]}));
    assert_eq!(client.vanish(), ConnectionEnd::Abruptly);
}

/// A scene with far more states than any machine can hold.
fn endless() -> String {
    let agents: String = (0..12)
        .map(|n| format!("agent(!A{n}, %a{n}) = $x = p(0) then agent(go, $x) agent(!A{n}, %a{n}, go, $x) = $y = p($x) then agent(go, $y)\n"))
        .collect();
    format!("procedure p($x) in 0..1000\ns[ {agents} ]")
}

#[test]
fn a_verification_without_end_can_be_cancelled() {
    let mut client = Client::ready();
    client.open(URI, &endless());
    let verify = json!({"command": "map.verify", "arguments": [URI], "workDoneToken": "here"});
    let id = client.ask("workspace/executeCommand", verify.clone());
    change(
        &client,
        2,
        &json!([{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "// a change\n"}]),
    );
    client.until_published(URI, Some(2));
    let position = json!({"position": {"line": 0, "character": 0}});
    client.answer("textDocument/hover", about(URI, position)).expect("others are answered meanwhile");
    client.notify("window/workDoneProgress/cancel", json!({"token": "here"}));
    assert_eq!(refusal(&client, &id), -32800);
    let id = client.ask("workspace/executeCommand", verify.clone());
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(refusal(&client, &id), -32800);
    let id = client.ask("workspace/executeCommand", verify.clone());
    let cancel = json!({"command": "map.cancel", "arguments": [URI]});
    client.ask("workspace/executeCommand", cancel);
    assert_eq!(refusal(&client, &id), -32800);
    // A newer one takes the place of an older one.
    let (one, other) = (
        client.ask("workspace/executeCommand", verify.clone()),
        client.ask("workspace/executeCommand", verify),
    );
    assert_eq!(refusal(&client, &one), -32803);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(refusal(&client, &other), -32803);
    assert_eq!(client.leave(), ConnectionEnd::Properly);
}

fn refusal(client: &Client, id: &RequestId) -> i32 {
    match client.until_answer(id).pop() {
        Some(Message::Response(it)) => it.response_result.expect_err("it is refused").code,
        _ => unreachable!("the last message is the answer"),
    }
}

#[test]
fn limits_end_a_verification() {
    for limit in [json!({"states": 500}), json!({"memory": "4MiB"}), json!({"time": "1ms"})] {
        let mut client = Client::new();
        let options = json!({"verification": limit});
        client.answer("initialize", json!({"capabilities": {}, "initializationOptions": options})).unwrap();
        client.open(URI, &endless());
        let params = json!({"command": "map.verify", "arguments": [URI]});
        let answer = client.answer("workspace/executeCommand", params).expect("there is an answer");
        assert_eq!(answer[0]["verdict"], "inconclusive", "{limit}: {answer}");
        assert_eq!(client.leave(), ConnectionEnd::Properly);
    }
}

#[test]
fn a_line_limits_its_own_search_only() {
    let mut client = Client::new();
    let options = json!({"verification": {"time": "10h"}});
    client.answer("initialize", json!({"capabilities": {}, "initializationOptions": options})).unwrap();
    let lines = "//@ verify --time-limit 1ms\n//@ verify --max-states 500\n//@ verify --max-states many\n";
    client.open(URI, &format!("{lines}{}", endless()));
    let params = json!({"command": "map.verify", "arguments": [URI]});
    let answer = client.answer("workspace/executeCommand", params).expect("there is an answer");
    let verdicts: Vec<&Value> = answer.as_array().unwrap().iter().map(|it| &it["verdict"]).collect();
    assert_eq!(verdicts, ["inconclusive", "inconclusive", "not verified"]);
    assert!(answer[1]["states"].as_u64().unwrap() >= 500, "{answer}");
    assert_eq!(client.leave(), ConnectionEnd::Properly);
}

#[test]
fn twenty_thousand_lines_and_many_edits() {
    let mut client = Client::ready();
    let mut text = String::from("s[\n");
    for n in 0..10_000 {
        text.push_str(&format!("  agent($me, %a, c{n}, $x) =\n    agent(c{n}, $x)\n"));
    }
    text.push_str("  agent(!A, %a) = skip\n]\n");
    client.open(URI, &text);
    let mut version = 1;
    for n in 0..200 {
        version += 1;
        let at = json!({"line": n * 50 + 1, "character": 0});
        change(&client, version, &json!([{"range": {"start": at, "end": at}, "text": " "}]));
    }
    client.until_published(URI, Some(version));
    let position = json!({"line": 15_001, "character": 20});
    for (method, params) in requests(&position) {
        let answer = client.answer(method, about(URI, params));
        assert!(answer.is_ok() || answer == Err(-32803), "{method}: {answer:?}");
    }
    assert_eq!(client.leave(), ConnectionEnd::Properly);
}

#[test]
fn a_flood_of_requests_is_answered_one_by_one() {
    let mut client = Client::ready();
    client.open(URI, "s[ agent(!A, %a) = skip ]");
    let mut open: Vec<RequestId> = Vec::new();
    for round in 0..200 {
        let position = json!({"line": 0, "character": round % 30});
        for (method, params) in requests(&position) {
            open.push(client.ask(method, about(URI, params)));
        }
        if round % 3 == 0 {
            change(&client, round + 2, &json!([{"text": format!("s[ agent(!A, %a) = skip ] // {round}")}]));
        }
        if round % 5 == 0 {
            client.notify("$/cancelRequest", json!({"id": open[open.len() / 2]}));
        }
    }
    while !open.is_empty() {
        if let Message::Response(it) = client.next() {
            let index = open.iter().position(|id| *id == it.id);
            open.swap_remove(index.expect("each request is answered once"));
        }
    }
    assert!(client.rest().iter().all(|it| !matches!(it, Message::Response(_))));
    assert_eq!(client.leave(), ConnectionEnd::Properly);
}
