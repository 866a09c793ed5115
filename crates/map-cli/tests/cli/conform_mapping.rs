//! `map conform --mapping`: logs of another form, answers that name neither sender nor recipient, and mappings that
//! cannot be used.

use std::fs;

use super::{Ran, map};

const FIELDS: &str = r#"
[fields]
from = "/peer/id"
to = "/target"
performative = "/kind"
conversation = "/thread"
remember = ["/thread", "/rpc"]
recall = ["/thread", "/rpc"]

[args]
"PROPOSE" = ["/price"]

[only]
"/type" = "message"

[cast]
"desk" = "!Initiator"
"worker-*" = "%participant"

[performatives]
"CFP" = "cfp"
"PROPOSE" = "propose"
"REFUSE" = "refuse"
"ACCEPT-PROPOSAL" = "accept"
"INFORM" = "done"
"#;

/// Judges this log of the contract net by this mapping.
fn judge(mapping: &str, log: &str, flags: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("it can be written");
        path.to_str().expect("the name is UTF-8").to_owned()
    };
    let (log, mapping) = (write("log.jsonl", log), write("m.toml", mapping));
    map(&[&["conform", "../contract-net/contract-net.map", &log, "--mapping", &mapping], flags].concat())
}

const CALL: &str = r#"{"type":"message","thread":"t","peer":{"id":"desk"},"target":["worker-1"],"kind":"CFP","rpc":1}
{"type":"health","ok":true}
"#;

#[test]
fn fields_cast_and_performatives_are_those_of_the_mapping() {
    let log = [
        CALL,
        r#"{"type":"message","thread":"t","peer":{"id":"worker-1"},"target":"desk","kind":"PROPOSE","price":2}"#,
        "\n",
        r#"{"type":"message","thread":"t","peer":{"id":"desk"},"target":["worker-1"],"kind":"ACCEPT-PROPOSAL"}"#,
        "\n",
        r#"{"type":"message","thread":"t","peer":{"id":"worker-1"},"target":["desk"],"kind":"INFORM"}"#,
    ]
    .concat();
    judge(FIELDS, &log, &["--complete"]).exits(0).out_has("conforms  4 messages");
    // The same with another price: line 3 is to blame, and who said it.
    judge(FIELDS, &log.replace(":2}", ":7}"), &[])
        .exits(1)
        .out_has("violated at line 3 by !Participant (worker-1): wrong content");
}

#[test]
fn an_answer_has_its_sender_from_its_request() {
    let answer = |kind: &str| format!(r#"{{"type":"message","thread":"t","rpc":1,"kind":"{kind}"}}"#);
    judge(FIELDS, &(CALL.to_owned() + &answer("REFUSE")), &["--complete"])
        .exits(0)
        .out_has("conforms  2 messages");
    judge(FIELDS, &(CALL.to_owned() + &answer("ACCEPT-PROPOSAL")), &[])
        .exits(1)
        .out_has("violated at line 3 by !Participant (worker-1)");
    // It answers nothing: an error, and no verdict about anybody.
    let stray = answer("REFUSE").replace(":1,", ":2,");
    judge(FIELDS, &(CALL.to_owned() + &stray), &[])
        .exits(3)
        .err_has("MAP425")
        .err_has("which no earlier line asked");
}

#[test]
fn two_ids_are_one_conversation() {
    let mapping = FIELDS.replace("remember = [\"/thread\", \"/rpc\"]", "same_as = \"/task\"");
    let line = |thread: &str, task: &str, from: &str, to: &str, kind: &str| {
        format!(
            "{{\"type\":\"message\",{thread}{task}\"peer\":{{\"id\":\"{from}\"}},\"target\":\"{to}\",\"kind\":\"{kind}\"}}\n"
        )
    };
    let call = line("\"thread\":\"t\",", "\"task\":\"x\",", "desk", "worker-1", "CFP");
    let refusal = line("", "\"task\":\"x\",", "worker-1", "desk", "REFUSE");
    judge(&mapping, &(call.clone() + &refusal), &["--complete"]).exits(0).out_has("t  conforms  2 messages");
    // Two that both have messages cannot be joined any more.
    let other = line("\"thread\":\"u\",", "", "desk", "worker-1", "CFP");
    let join = line("\"thread\":\"u\",", "\"task\":\"x\",", "worker-1", "desk", "REFUSE");
    judge(&mapping, &(call + &other + &join), &[]).exits(3).err_has("MAP425").err_has("both have messages");
}

#[test]
fn what_is_wrong_with_a_mapping_is_shown_in_it() {
    let cases = [
        ("[fields]\nfrom = \"peer\"", "\"peer\" is no JSON pointer", ":2:8"),
        ("[fields]\nfrom = \"/a\"", "does not say where `to` stands", ":1:2"),
        ("[fields]\nform = \"/a\"", "a record has no field \"form\"", ":2:1"),
        ("[casts]", "no table \"casts\"", ":1:2"),
        ("[cast]\n\"a\" = \"%nobody\"", "no agent of the scene plays %nobody", ":2:7"),
        ("[cast]\n\"a\" = \"!Nobody\"", "the scene has no agent !Nobody", ":2:7"),
        ("[cast]\n\"a*\" = \"!Initiator\"", "several names would be the one agent", ":2:8"),
        ("[cast]\n\"a\" = 7", "a text was expected", ":2:7"),
        ("[events]\n\"a\" = \"sent\"", "\"sent\" is no event", ":2:7"),
        ("[fields", "is not TOML", ":1:"),
        ("fields = \"\\u0000\u{1b}[31m\"", "MAP427", ":1:"),
        ("only = 1979-05-27", "has to be a table", ":1:8"),
    ];
    for (mapping, what, place) in cases {
        judge(mapping, CALL, &[]).exits(3).err_has("MAP427").err_has(what).err_has(&format!("m.toml{place}"));
    }
    let deep = format!("[fields]\nfrom = {}", "[".repeat(100_000));
    judge(&deep, CALL, &[]).exits(3).err_has("MAP427");
}

#[test]
fn hostile_lines_are_diagnostics() {
    let deep = format!("{{\"type\":{}", "[".repeat(100_000));
    let lines = [
        "garbage",
        "{\"type\":\"message\"}",
        "{\"type\":\"message\",\"kind\":{},\"peer\":{\"id\":1},\"target\":\"a\"}",
        "{\"type\":\"message\",\"kind\":\"CFP\",\"peer\":{\"id\":\"\"},\"target\":\"a\"}",
        "{\"type\":\"message\",\"kind\":\"CFP\",\"peer\":{\"id\":\"a\"},\"target\":[[]]}",
        &deep,
    ];
    for line in lines {
        judge(FIELDS, line, &[]).exits(3).err_has("MAP425");
        judge(FIELDS, &(CALL.to_owned() + line), &["--skip-bad", "1"]).exits(0);
    }
    let control = "{\"type\":\"message\",\"kind\":\"\\u001b[31m\",\"peer\":{\"id\":\"worker-\\u001b[2J\"},\"target\":\"desk\"}";
    let ran = judge(FIELDS, control, &[]);
    assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{}{}", ran.out, ran.err);
}

#[test]
fn a_line_without_an_argument_is_an_error() {
    let offer = r#"{"type":"message","thread":"t","peer":{"id":"worker-1"},"target":"desk","kind":"PROPOSE","prize":2}"#;
    judge(FIELDS, &[CALL, offer].concat(), &[])
        .exits(3)
        .err_has("MAP425")
        .err_has(r#"the line has no argument at "/price""#);
    // A list of all arguments may be missing, and then there are none.
    let together = FIELDS.replace(r#"["/price"]"#, r#""/price""#);
    let offer = offer.replace(r#""prize":2"#, r#""price":[2]"#);
    judge(&together, &[CALL, &offer].concat(), &[]).exits(0);
    let refusal = offer.replace("PROPOSE", "REFUSE").replace(r#","price":[2]"#, "");
    judge(&together, &[CALL, &refusal].concat(), &["--complete"]).exits(0);
}

#[test]
fn agents_that_the_mapping_names_are_left_to_their_names() {
    let mapping = FIELDS.replace("[cast]", "[cast]\n\"worker-2\" = \"!Participant1\"");
    let call = CALL.replace(r#"["worker-1"]"#, r#"["worker-1","worker-2"]"#);
    let refusal = |name: &str| {
        format!(
            r#"{{"type":"message","thread":"t","peer":{{"id":"{name}"}},"target":"desk","kind":"REFUSE"}}"#
        ) + "\n"
    };
    judge(&mapping, &[call, refusal("worker-1"), refusal("worker-2")].concat(), &["--complete"])
        .exits(0)
        .out_has("conforms  3 messages");
}
