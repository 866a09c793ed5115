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

/// Judges a log by a scene and a mapping of its own.
fn judge_scene(scene: &str, mapping: &str, log: &str, flags: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("it can be written");
        path.to_str().expect("the name is UTF-8").to_owned()
    };
    let (scene, log, mapping) = (write("s.map", scene), write("log.jsonl", log), write("m.toml", mapping));
    map(&[&["conform", &scene, &log, "--mapping", &mapping, "--complete"], flags].concat())
}

#[track_caller]
fn lacks(ran: &Ran, part: &str) {
    assert!(!ran.out.contains(part), "{part:?} is in stdout:\n{}", ran.out);
}

const SEARCH: &str = "procedure any()
s[
    agent(!Client, %client) =
        $query = any() then $limit = any() then search($query, $limit) => agent(!Server, %server)
        then (waitfor result($query, $limit) <= agent(!Server, %server))
    agent(!Server, %server) =
        waitfor (
            search($query, $limit) <= agent(!Client, %client)
            then result($query, $limit) => agent(!Client, %client)
        )
]";

#[test]
fn arguments_by_name_have_a_fixed_place_and_may_be_absent() {
    let mapping = r#"[args]
"search" = { names = ["query", "limit"], optional = ["limit"] }
"#;
    let log = |arguments: &str, result: &str| {
        format!(
            r#"{{"from":"a","to":"b","performative":"search","args":{arguments}}}
{{"from":"b","to":"a","performative":"result","args":{result}}}"#
        )
    };
    judge_scene(SEARCH, mapping, &log(r#"{"limit":3,"query":"x"}"#, r#"["x",3.0]"#), &[]).exits(0);
    judge_scene(SEARCH, mapping, &log(r#"{"query":"x"}"#, r#"["x",{"constant":"absent"}]"#), &[]).exits(0);
    judge_scene(SEARCH, mapping, &log(r#"{"query":"x"}"#, r#"["x",3]"#), &[])
        .exits(1)
        .out_has("by !Server (b): wrong content");
    judge_scene(SEARCH, mapping, &log(r#"{"limit":3}"#, "[1,2]"), &[])
        .exits(3)
        .err_has("MAP425")
        .err_has("query");
    judge_scene(SEARCH, mapping, &log(r#"{"query":1,"page":2}"#, "[1,2]"), &[]).exits(3).err_has("page");
    let drops = mapping.replace(" }", r#", others = "drop" }"#);
    judge_scene(SEARCH, &drops, &log(r#"{"query":1,"limit":2,"page":2}"#, "[1,2]"), &[]).exits(0);
}

#[test]
fn any_json_is_a_value_and_is_compared_as_json() {
    let log = |one: &str, other: &str| {
        format!(
            r#"{{"from":"a","to":"b","performative":"search","args":[{one},0]}}
{{"from":"b","to":"a","performative":"result","args":[{other},0]}}"#
        )
    };
    for (one, other) in [
        (r#"{"a":[1,null,{"b":true}],"c":0.5}"#, r#"{"c":5e-1,"a":[1.0,null,{"b":true}]}"#),
        ("null", "null"),
        ("2.0", "2"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("false", r#"{"constant":"false"}"#),
    ] {
        judge_scene(SEARCH, "", &log(one, other), &[]).exits(0).out_has("conforms");
    }
    for (one, other) in [
        (r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#),
        ("null", "false"),
        ("0.5", r#""0.5""#),
        ("123456789012345678901234567890", "123456789012345678901234567891"),
    ] {
        judge_scene(SEARCH, "", &log(one, other), &[]).exits(1).out_has("by !Server (b): wrong content");
    }
}

#[test]
fn times_are_in_the_unit_that_is_told_or_that_their_size_tells() {
    let log = |first: &str, second: &str| {
        format!(
            r#"{{"time":{first},"from":"a","to":"b","performative":"search","args":[0,0]}}
{{"time":{second},"from":"b","to":"a","performative":"result","args":[0,0]}}"#
        )
    };
    let late = ["--deadline", "1s"];
    judge_scene(SEARCH, "", &log("1795168800000", "1795168850000"), &late)
        .exits(1)
        .out_has("silent")
        .out_has("times: integers, taken for milliseconds since 1970; 2026-11-20 10:00:00 to 10:00:50 UTC");
    judge_scene(SEARCH, "", &log("1795168800.5", "1795168801.25"), &late)
        .exits(0)
        .out_has("numbers, taken for seconds");
    judge_scene(SEARCH, "", &log("1795168800", "1795168850000"), &late).exits(3).err_has("MAP430");
    judge_scene(SEARCH, "", &log("5", "7"), &late).exits(3).err_has("MAP430").err_has("--time-unit");
    judge_scene(SEARCH, "", &log("5", "70"), &["--deadline", "1s", "--time-unit", "s"])
        .exits(1)
        .out_has("silent");
    judge_scene(SEARCH, "time_unit = \"ms\"", &log("5", "70"), &late).exits(0);
    let naive = log("\"2026-11-20 10:00:00,5\"", "\"2026-11-20T10:00:01.25\"");
    judge_scene(SEARCH, "", &naive, &late).exits(0).out_has("without a zone, taken for UTC");
    lacks(&judge_scene(SEARCH, "time_zone = \"+02:00\"", &naive, &late).exits(0), "times:");
    let mixed = log("\"2026-11-20 10:00:00\"", "\"2026-11-20T10:00:01Z\"");
    judge_scene(SEARCH, "", &mixed, &late).exits(3).err_has("MAP430");
}

#[test]
fn an_order_that_the_times_contradict_blames_nobody() {
    let log = r#"{"time":"2026-11-20T10:00:01Z","from":"b","to":"a","performative":"result","args":[0,0]}
{"time":"2026-11-20T10:00:00Z","from":"a","to":"b","performative":"search","args":[0,0]}"#;
    judge_scene(SEARCH, "", log, &[])
        .exits(0)
        .out_has("possibly conforms")
        .out_has("line 2 is earlier than one before it");
    lacks(
        &judge_scene(SEARCH, "", log, &["--order", "time"]).exits(0).out_has("conforms  2 messages"),
        "possibly",
    );
    judge_scene(SEARCH, "", log, &["--order", "lines"]).exits(1).out_has("violated at line 1 by !Server");
    judge_scene(SEARCH, "", log, &["--reorder", "500ms"]).err_has("MAP426");
    // Both orders show this one.
    let wrong = log.replace("[0,0]}\n", "[0,1]}\n");
    judge_scene(SEARCH, "", &wrong, &[]).exits(1).out_has("violated at line 1 by !Server");
}

#[test]
fn a_pattern_may_keep_what_it_stands_for() {
    let scene = "s[
    agent(!Worker1, %worker) = one() => agent(!Worker2, %worker)
    agent(!Worker2, %worker) = waitfor one() <= agent(!Worker1, %worker)
]";
    let log = r#"{"from":"w1","to":"w2","performative":"one"}"#;
    let back = r#"{"from":"w2","to":"w1","performative":"one"}"#;
    for mapping in ["[cast]\n\"w*\" = \"!Worker*\"", "[cast]\n\"w*\" = \"%worker\""] {
        judge_scene(scene, mapping, log, &[]).exits(0);
        judge_scene(scene, mapping, back, &[]).exits(1).out_has("by !Worker2 (w2)");
    }
    judge_scene(scene, "[cast]\n\"w\" = \"!Worker*\"", log, &[]).exits(3).err_has("MAP427");
}

#[test]
fn roles_have_time_for_their_answers() {
    let at = |second: u32, text: &str| {
        text.replacen('{', &format!(r#"{{"time":"2026-11-20T10:00:{second:02}Z","#), 1) + "\n"
    };
    let cfp = r#"{"conversation":"a","from":"office","to":["anna"],"performative":"cfp"}"#;
    let log = at(0, cfp) + &at(9, &cfp.replace("\"a\"", "\"b\""));
    judge("[answers]\n\"%participant\" = \"1h\"\n", &log, &[]).exits(0);
    let short = "[answers]\n\"%participant\" = \"4s\"\n";
    judge(short, &log, &[]).exits(1).out_has("a  violated at line 2 by !Participant (anna): silent");
    // A flag goes before it.
    judge(short, &log, &["--deadline", "%participant=1h"]).exits(0);
    judge("[answers]\n\"%nobody\" = \"4s\"\n", &log, &[])
        .exits(3)
        .err_has("MAP427")
        .err_has("no role %nobody");
    judge("[answers]\n\"participant\" = \"4s\"\n", &log, &[]).exits(3).err_has("is no role");
    judge("[answers]\n\"%participant\" = \"4\"\n", &log, &[]).exits(3).err_has("is no duration");
}

#[test]
fn it_is_told_how_names_are_numbered() {
    let of = |worker: &str| {
        format!(
            "{{\"from\":\"office\",\"to\":[\"{worker}\",\"w1\"],\"performative\":\"cfp\"}}\n\
             {{\"from\":\"{worker}\",\"to\":\"office\",\"performative\":\"refuse\"}}\n"
        )
    };
    let mapping = "[cast]\n\"w*\" = \"%participant\"\n";
    let told = |worker: &str| judge(mapping, &of(worker), &["--verbose"]).exits(0);
    told("w2").out_has("  office is !Initiator, w1 is !Participant1, w2 is !Participant2");
    told("w77")
        .out_has("numbered as they come: office is !Initiator, w77 is !Participant1, w1 is !Participant2");
}
