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
        b"[7]",
        b"7",
        b"\xff\xfd",
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
    judge("mcp", listed, &[]).exits(4).err_has("MAP429").err_has("is no message");
}

/// Judges the log of a system by this scene.
fn judge_scene(system: &str, scene: &str, lines: &[&str], flags: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let named = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("it can be written");
        path.to_str().expect("the name is UTF-8").to_owned()
    };
    let (scene, log) = (named("scene.map", scene), named("log", &lines.join("\n")));
    map(&[&["conform", &scene, &log, "--from", system, "--complete"], flags].concat())
}

/// A worker that is asked works for a while, and tells so, and is done.
const TASK: &str = "decision more()
    asking[
        agent(!Client, %client) = ask() => agent(!Worker, %worker) then agent(hear)
        agent(!Client, %client, hear) =
            waitfor (working() <= agent(!Worker, %worker) then agent(hear) or completed() <= agent(!Worker, %worker))
        agent(!Worker, %worker) = waitfor (ask() <= agent(!Client, %client) then agent(work))
        agent(!Worker, %worker, work) =
            more() then working() => agent(!Client, %client) then agent(work)
            or completed() => agent(!Client, %client)
    ]";

/// A line of a proxy of A2A.
fn a2a(body: &str) -> String {
    format!(r#"{{"client":"desk","server":"worker","body":{{"jsonrpc":"2.0",{body}}}}}"#)
}

fn ask(id: u32) -> String {
    a2a(&format!(
        r#""id":{id},"method":"SendMessage","params":{{"message":{{"messageId":"m{id}","parts":[]}}}}"#
    ))
}

fn begun(id: u32, state: &str) -> String {
    a2a(&format!(
        r#""id":{id},"result":{{"task":{{"id":"t","contextId":"c","status":{{"state":"TASK_STATE_{state}"}}}}}}"#
    ))
}

fn judge_a2a(lines: &[String]) -> Ran {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    judge_scene("a2a", TASK, &lines, &[])
}

#[test]
fn the_state_of_a_task_is_told_however_it_is_learnt() {
    let poll =
        |id: u32, method: &str| a2a(&format!(r#""id":{id},"method":"{method}","params":{{"id":"t"}}"#));
    let polled = |id: u32, state: &str| {
        a2a(&format!(
            r#""id":{id},"result":{{"id":"t","contextId":"c","status":{{"state":"TASK_STATE_{state}"}}}}"#
        ))
    };
    let event = |id: u32, state: &str, at: &str| {
        a2a(&format!(
            r#""id":{id},"result":{{"statusUpdate":{{"taskId":"t","contextId":"c","status":{{"state":"TASK_STATE_{state}","timestamp":"{at}"}}}}}}"#
        ))
    };
    let begin = [ask(1), begun(1, "WORKING")];
    let with = |more: &[String]| judge_a2a(&[&begin[..], more].concat());
    // A poll that tells nothing new says nothing.
    let again = [poll(2, "GetTask"), polled(2, "WORKING")];
    let done = [poll(3, "GetTask"), polled(3, "COMPLETED")];
    with(&[&again[..], &done].concat()).exits(0).out_has("conforms  3 messages");
    with(&[poll(2, "GetTask"), polled(2, "REJECTED")]).exits(1).out_has("sent rejected()");
    with(&[poll(2, "CancelTask"), polled(2, "CANCELED")]).exits(1).out_has("sent canceled()");
    // Two streams tell the same events.
    let streams = [poll(2, "SubscribeToTask"), poll(3, "SubscribeToTask")];
    let told = ["1", "2"].map(|at| event(2, "WORKING", at));
    let told_again = ["1", "2"].map(|at| event(3, "WORKING", at));
    let end = [event(2, "COMPLETED", "3"), event(3, "COMPLETED", "3")];
    let all = [&streams[..], &told, &told_again, &end].concat();
    with(&all).exits(0).out_has("conforms  5 messages");
    // After the end nothing may be told but the end.
    with(&[&done[..], &[poll(4, "GetTask"), polled(4, "WORKING")]].concat())
        .exits(1)
        .out_has("after its end");
    judge_a2a(&done).exits(3).err_has("which no earlier line began");
    // What cannot be polled is passed over.
    let no_task = a2a(r#""id":2,"error":{"code":-32001}"#);
    with(&[&[poll(2, "GetTask"), no_task][..], &done].concat()).exits(0);
}

#[test]
fn an_id_that_is_used_again_is_another_call() {
    let other = a2a(
        r#""id":1,"result":{"task":{"id":"u","contextId":"d","status":{"state":"TASK_STATE_COMPLETED"}}}"#,
    );
    let first = [ask(1), begun(1, "COMPLETED")];
    judge_a2a(&[&first[..], &[ask(1), other.clone()]].concat()).exits(0).out_has("2 conform");
    // An answer without a question is none of the second call.
    judge_a2a(&[&first[..], &[other]].concat()).exits(1).out_has("after its end");
    // Each client counts by itself.
    let others = ask(1).replace("desk", "till");
    let answer = begun(1, "COMPLETED").replace("desk", "till").replace("\"c\"", "\"d\"");
    judge_a2a(&[ask(1), others, answer, begun(1, "COMPLETED")]).exits(0).out_has("2 conform");
}

/// A call of a tool, which the client may give up.
const TOOL: &str = "decision wait()
    lookup[
        agent(!Client, %client) =
            weather(oslo) => agent(!Server, %server)
            then (
                wait() then (waitfor result(mild) <= agent(!Server, %server))
                or cancelled() => agent(!Server, %server)
            )
        agent(!Server, %server) =
            waitfor (
                weather(oslo) <= agent(!Client, %client)
                then agent(work)
            )
        agent(!Server, %server, work) =
            waitfor cancelled() <= agent(!Client, %client) timeout result(mild) => agent(!Client, %client)
    ]";

fn judge_mcp(bodies: &[&str]) -> Ran {
    let line = |body: &&str| format!(r#"{{"session":"s","client":"host","server":"tools",{body}}}"#);
    let lines: Vec<String> = bodies.iter().map(line).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    judge_scene("mcp", TOOL, &lines, &[])
}

const CALL: &str =
    r#""body":{"id":1,"method":"tools/call","params":{"name":"weather","arguments":{"city":"oslo"}}}"#;
const MILD: &str = r#""body":{"id":1,"result":{"content":[{"type":"text","text":"mild"}]}}"#;

#[test]
fn a_server_may_ask_with_the_id_of_an_open_call() {
    let asks = [
        (r#""elicitation/create""#, r#"{"action":"accept","content":{"country":"no"}}"#),
        (
            r#""sampling/createMessage""#,
            r#"{"role":"assistant","model":"m","content":[{"type":"text","text":"x"}]}"#,
        ),
        (r#""roots/list""#, r#"{"roots":[]}"#),
    ];
    for (method, result) in asks {
        let request = format!(r#""body":{{"id":1,"method":{method}}}"#);
        let answer = format!(r#""body":{{"id":1,"result":{result}}}"#);
        judge_mcp(&[CALL, &request, &answer, MILD]).exits(0).out_has("conforms  2 messages");
        let hot = MILD.replace("mild", "hot");
        judge_mcp(&[CALL, &request, &answer, &hot]).exits(1).out_has("sent result(\"hot\")");
    }
    // An answer that could be anybody's is refused, unless the proxy says whose it is.
    let ping = r#""body":{"id":1,"method":"ping"}"#;
    let pong = r#""body":{"id":1,"result":{}}"#;
    judge_mcp(&[CALL, ping, pong, MILD])
        .exits(3)
        .err_has("MAP425")
        .err_has("the proxy can say it with `from`");
    let from = |it: &str, who: &str| format!(r#""from":"{who}",{it}"#);
    let failed = r#""body":{"id":1,"error":{"code":-1,"message":"no"}}"#;
    judge_mcp(&[CALL, &from(ping, "tools"), &from(pong, "host"), MILD]).exits(0);
    judge_mcp(&[CALL, &from(ping, "tools"), &from(failed, "tools")]).exits(1).out_has("sent failed(");
    judge_mcp(&[CALL, &from(ping, "tools"), &from(failed, "host"), MILD]).exits(0);
    judge_mcp(&[&from(CALL, "nobody")]).exits(3).err_has("neither client nor server");
}

#[test]
fn all_parts_of_a_result_count() {
    let two = r#""body":{"id":1,"result":{"content":[{"type":"text","text":"mild"},{"type":"text","text":"but"}]}}"#;
    let other = r#""body":{"id":1,"result":{"content":[{"type":"image","data":"AA=="}]}}"#;
    judge_mcp(&[CALL, two]).exits(1).out_has("sent result(\"mild\", \"but\")");
    judge_mcp(&[CALL, other]).exits(1).out_has("sent result(\"image\")");
}

#[test]
fn a_call_that_is_cancelled_need_not_be_answered() {
    let cancelled = r#""body":{"method":"notifications/cancelled","params":{"requestId":1}}"#;
    judge_mcp(&[CALL, cancelled]).exits(0).out_has("conforms  2 messages");
    judge_mcp(&[CALL, cancelled, cancelled]).exits(1).out_has("by !Client (host): repeated");
    // That of another request is none of this call.
    let listed = r#""body":{"id":2,"method":"tools/list"}"#;
    judge_mcp(&[listed, CALL, &cancelled.replace('1', "2"), MILD]).exits(0).out_has("conforms  2 messages");
}

#[test]
fn two_platforms_may_have_agents_of_one_name() {
    let scene = "federate[
        agent(!First, %df) = query() => agent(!Second, %df) then (waitfor done() <= agent(!Second, %df))
        agent(!Second, %df) = waitfor query() <= agent(!First, %df) then done() => agent(!First, %df)
    ]";
    let folder = tempfile::tempdir().expect("a folder");
    let mapping = folder.path().join("it.toml");
    let path = mapping.to_str().expect("the name is UTF-8");
    let judge = |text: &str, log: &[&str]| {
        fs::write(path, text).expect("it can be written");
        judge_scene("fipa-acl", scene, log, &["--mapping", path])
    };
    let message = |performative: &str, from: &str, to: &str| {
        format!(
            "({performative} :sender (agent-identifier :name df@{from}) \
             :receiver (set (agent-identifier :name df@{to})) :conversation-id c)"
        )
    };
    let (query, inform) = (message("QUERY", "north", "south"), message("INFORM", "south", "north"));
    let cast = "[cast]\n\"df@north\" = \"!First\"\n\"df@south\" = \"!Second\"\n";
    judge(cast, &[&query, &inform]).exits(0).out_has("conforms  2 messages");
    let wrong = message("INFORM", "north", "south");
    judge(cast, &[&query, &wrong]).exits(1).out_has("!First (df@north) sent done()");
    judge("[cast]\n\"df\" = \"!First\"\n", &[&query]).exits(3).err_has("write the whole name");
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
        .out_has("line 5: !Participant (p1@h) sent propose(\"so\\n\\nmuch\")");
}

/// An event of AutoGen.
fn autogen(kind: &str, stage: &str, from: &str, to: &str, payload: &str) -> String {
    let payload = serde_json::Value::from(payload);
    format!(
        r#"{{"type":"Message","kind":"MessageKind.{kind}","delivery_stage":"DeliveryStage.{stage}","sender":{from},"receiver":{to},"payload":{payload}}}"#
    )
}

fn judge_autogen(scene: &str, lines: &[String], flags: &[&str]) -> Ran {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    judge_scene("autogen", scene, &lines, flags)
}

const ASKED_FROM_OUTSIDE: &str = "s[
    agent(!User, %user) = goal() => agent(!Planner, %planner) then (waitfor answer() <= agent(!Planner, %planner))
    agent(!Planner, %planner) = waitfor (goal() <= agent(!User, %user) then answer() => agent(!User, %user))
]";

#[test]
fn whoever_asks_autogen_from_outside_plays_the_role_that_is_left() {
    let goal = |stage| autogen("DIRECT", stage, "null", r#""planner/roof""#, r#"{"performative":"goal"}"#);
    let answer =
        |stage| autogen("RESPOND", stage, r#""planner/roof""#, "null", r#"{"performative":"answer"}"#);
    let right = [goal("SEND"), goal("DELIVER"), answer("SEND"), answer("DELIVER")];
    judge_autogen(ASKED_FROM_OUTSIDE, &right, &[]).exits(0).out_has("roof  conforms  2 messages");
    let silent = [goal("SEND"), goal("DELIVER")];
    judge_autogen(ASKED_FROM_OUTSIDE, &silent, &[]).exits(1).out_has("by !Planner (planner): silent");
    // Nothing is taken for a message that does not say what it is, but for the answer of who returns nothing.
    let nothing = autogen("RESPOND", "SEND", r#""planner/roof""#, "null", "Message could not be serialized");
    judge_autogen(ASKED_FROM_OUTSIDE, &[&silent[..], &[nothing]].concat(), &[]).exits(1).out_has(": silent");
    let unsaid = autogen("RESPOND", "SEND", r#""planner/roof""#, "null", r#"{"content":"x"}"#);
    judge_autogen(ASKED_FROM_OUTSIDE, &[&silent[..], &[unsaid]].concat(), &[])
        .exits(3)
        .err_has("the payload has neither `performative` nor `type`");
}

#[test]
fn what_autogen_publishes_is_for_whomever_the_file_addresses() {
    let scene = "cast %worker = 2
s[
    agent(!Planner, %planner) =
        work() => agent(_, %worker)
        then (waitfor result() <= agent(_, %worker))
        then (waitfor result() <= agent(_, %worker))
    agent($me, %worker) = waitfor (work() <= agent(!Planner, %planner) then result() => agent(!Planner, %planner))
]";
    let planner = r#""planner/roof""#;
    let work = |stage, to: &str| autogen("PUBLISH", stage, planner, to, r#"{"performative":"work"}"#);
    let result = |worker: &str| {
        let from = format!(r#""{worker}/roof""#);
        autogen("DIRECT", "SEND", &from, planner, r#"{"performative":"result"}"#)
    };
    let both = [
        work("SEND", r#""default/roof""#),
        work("DELIVER", "null"),
        work("DELIVER", "null"),
        result("w1"),
        result("w2"),
    ];
    judge_autogen(scene, &both, &[]).exits(0).out_has("roof  conforms  3 messages");
    judge_autogen(scene, &both[..4], &["--agents", "worker=2"]).exits(1).out_has("silent");
    judge_autogen(scene, &both[3..], &[]).exits(1).out_has("violated at line 1 by !Worker");
}

#[test]
fn a_tool_that_is_called_with_other_arguments_is_wrong_content() {
    let log = r#"{"from":"anna","to":["desk"],"performative":"bid","args":[1,2]}"#;
    let scene = "s[
    agent(!A, %a) = bid(1) => agent(!D, %d)
    agent(!D, %d) = waitfor bid(_) <= agent(!A, %a)
]";
    let folder = tempfile::tempdir().expect("a folder");
    let (file, path) = (folder.path().join("s.map"), folder.path().join("l.jsonl"));
    fs::write(&file, scene).and_then(|()| fs::write(&path, log)).expect("they can be written");
    map(&["conform", file.to_str().expect("UTF-8"), path.to_str().expect("UTF-8"), "--complete"])
        .exits(1)
        .out_has("by !A (anna): wrong content")
        .out_has("bid(1, 2) to desk; the file has bid/1");
}

#[test]
fn a_conversation_is_found_by_a_name_that_it_gets_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = folder.path().join("task.map");
    fs::write(&scene, TASK).expect("it can be written");
    let scene = scene.to_str().expect("the name is UTF-8");
    let other = |line: String| line.replace("desk", "till").replace("\"c\"", "\"d\"");
    let lines = [ask(1), other(ask(1)), begun(1, "COMPLETED"), other(begun(1, "COMPLETED"))];
    let log = lines.map(|line| line + "\n").concat();
    let judge = |flags: &[&str]| {
        let flags = [&["conform", scene, "-", "--from", "a2a", "--format", "json"], flags].concat();
        let ran = super::map_with(log.as_bytes(), &flags).exits(0);
        let output: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
        super::schema::fits("conform", &output);
        let its = output["conversations"].as_array().expect("a list").clone();
        assert_eq!(its.len(), 1, "{its:?}");
        assert_eq!((&its[0]["conversation"], &its[0]["messages"]), (&"c".into(), &2.into()));
        assert_eq!(its[0]["aliases"].as_array().map(Vec::len), Some(1));
        output["read"]["passed_over"][0]["count"].clone()
    };
    assert_eq!(judge(&["--conversation", "c"]), 2);
    assert_eq!(judge(&["--conversation", "c", "--follow"]), 2);
}
