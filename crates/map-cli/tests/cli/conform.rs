//! `map conform`: verdicts about logs, written by hand and by `map run --log`.

mod answers;
mod deadlines;
mod following;
mod forged;
mod gaps;
mod joining;
mod live;
mod logged;
mod long;
mod outputs;
mod reading;
mod resumed;
mod saved;
mod skewed;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::schema::fits;
use super::{Ran, map, map_with, some_scenes_of_library, words};

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols")
}

/// Judges this log of the contract net.
fn judge(log: &str, flags: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.jsonl");
    fs::write(&path, log).expect("it can be written");
    let log = path.to_str().expect("the name is UTF-8");
    map(&[&["conform", "../contract-net/contract-net.map", log], flags].concat())
}

fn line(from: &str, to: &[&str], performative: &str, args: &[i64]) -> String {
    let record = serde_json::json!({"from": from, "to": to, "performative": performative, "args": args});
    format!("{record}\n")
}

fn call() -> String {
    line("office", &["anna", "bert"], "cfp", &[])
}

#[test]
fn every_kind_of_violation_has_its_culprit() {
    let offer = || line("anna", &["office"], "propose", &[2]);
    let accepted = || {
        call()
            + &offer()
            + &line("bert", &["office"], "refuse", &[])
            + &line("office", &["anna"], "accept", &[])
    };
    let done = || line("anna", &["office"], "done", &[]);
    let cases = [
        (
            call() + &line("anna", &["office"], "propose", &[7]),
            "at line 2 by !Participant1 (anna): wrong content",
        ),
        (
            call() + &offer() + &line("anna", &["office"], "refuse", &[]),
            "at line 3 by !Participant1 (anna): out of turn",
        ),
        (call() + &offer() + &offer(), "at line 3 by !Participant1 (anna): repeated"),
        (
            call() + &line("bert", &["anna"], "propose", &[1]),
            "at line 2 by !Participant2 (bert): wrong recipient",
        ),
        (call() + &line("bert", &["office"], "accept", &[]), "not its word"),
        (
            accepted() + &done() + &line("anna", &["office"], "propose", &[1]),
            "at line 6 by !Participant1 (anna): after its end",
        ),
        (
            call() + &line("anna", &["office"], "hello", &[]),
            "at line 2 by !Participant1 (anna): not its word",
        ),
    ];
    for (log, what) in cases {
        let log = log.replace("\n\n", "\n");
        // bert is known by what he says later.
        let evidence = line("bert", &["office"], "refuse", &[]);
        let log = if what == "not its word" { call() + &evidence + &log[call().len()..] } else { log };
        judge(&log, &[]).exits(1).out_has("violated").out_has(what);
    }
    judge(&(accepted() + &done()), &[]).exits(0).out_has("conforms  5 messages");
    judge(&accepted(), &[]).exits(0).out_has("conforms so far").out_has("!Participant1 (anna) owes done()");
    judge(&accepted(), &["--complete"])
        .exits(1)
        .out_has("by !Participant1 (anna): silent")
        .out_has("it had to send done()");
}

#[test]
fn what_nobody_says_is_shown() {
    let said = r#"{"from":"anna","to":["office","bert","zoe"],"performative":"hel\u001blo","args":[3,{"agent":"bert"},"x"]}"#;
    let log = call() + &line("bert", &["office"], "refuse", &[]) + said + "\n";
    judge(&log, &[])
        .exits(1)
        .out_has("at line 3 by !Participant1 (anna): not its word")
        .out_has("hel\\u{1b}lo(3, bert, \"x\") to !Initiator (office), !Participant2 (bert), zoe")
        .out_has("it could have sent refuse() to !Initiator (office)");
}

/// Whether the second line is for those whom the first leaves out, or a second message for all, nobody knows.
#[test]
fn who_is_meant_by_a_line_behind_some_copies_is_open() {
    let copy = line("office", &["anna"], "cfp", &[]);
    let evidence = line("bert", &["office"], "refuse", &[]);
    let rest = line("office", &["*"], "cfp", &[]);
    judge(&(copy + &rest + &evidence), &[])
        .exits(3)
        .err_has("the log does not tell to whom the message is, and the file leaves it open");
}

#[test]
fn five_recipients_are_named_and_of_more_the_first() {
    let again = |names: &[&str]| line("office", names, "cfp", &[]) + &line("office", names, "cfp", &[]);
    let five = ["a", "b", "c", "d", "e"];
    let all = "!Participant1 (a), !Participant2 (b), !Participant3 (c), !Participant4 (d), !Participant5 (e)";
    judge(&again(&five), &[])
        .exits(1)
        .out_has(&format!("line 2: !Initiator (office) sent cfp() to {all}\n"))
        .out_has(&format!("its last message was cfp() to {all}, line 1\n"));
    let four = all.split(", !Participant5").next().expect("it has a beginning");
    judge(&again(&["a", "b", "c", "d", "e", "f"]), &[])
        .exits(1)
        .out_has(&format!("its last message was cfp() to {four} and 2 others, line 1\n"));
}

#[test]
fn who_owes_for_too_long_is_silent() {
    let at = |second: u32, line: String| {
        line.replacen('{', &format!("{{\"time\":\"2026-11-20T10:00:{second:02}Z\","), 1)
    };
    let log = at(0, call())
        + &at(5, line("anna", &["office"], "refuse", &[]))
        + &at(50, line("bert", &["office"], "refuse", &[]));
    judge(&log, &["--deadline", "60s", "--arrivals", "sent"]).exits(0);
    judge(&log, &["--deadline", "30s", "--arrivals", "sent"])
        .exits(1)
        .out_has("by !Participant2 (bert): silent");
}

#[test]
fn arrivals_are_judged_as_they_are_logged() {
    let arrives = |line: String| line.replacen('{', r#"{"event":"receive","#, 1);
    let offer = line("anna", &["office"], "propose", &[2]);
    let unread = call() + &offer;
    let log = format!("{unread}{}", arrives(line("office", &["bert"], "cfp", &[])));
    judge(&log, &[]).exits(1).out_has("at line 2 by !Participant1 (anna): out of turn");
    let log = call() + &arrives(line("office", &["anna"], "cfp", &[])) + &offer;
    judge(&log, &[]).exits(0).out_has("the message of line 1 has not arrived at !Participant2 (bert)");
    let log = log + &arrives(line("bert", &["office"], "propose", &[1]));
    judge(&log, &[]).exits(1).out_has("violated at line 4: never sent");
}

#[test]
fn an_id_with_another_content_is_no_duplicate() {
    let with_id = |line: String| line.replacen('{', r#"{"id":"m1","#, 1);
    let offer = |price| with_id(line("anna", &["office"], "propose", &[price]));
    judge(&(call() + &offer(2) + &offer(2)), &[]).exits(0);
    judge(&(call() + &offer(2) + &offer(3)), &[]).exits(1).out_has("at line 3 by !Participant1 (anna)");
}

#[test]
fn lines_that_cannot_be_used_are_errors() {
    let bad = [
        ("{\n".to_owned(), "MAP421"),
        ("[1]\n".to_owned(), "MAP421"),
        (r#"{"time":2,"from":"office","to":["anna"],"performative":"cfp"}"#.to_owned() + "\n", "MAP430"),
        (
            r#"{"from":"office","to":["anna"],"performative":"cfp","args":[{"constant":"1"}]}"#.to_owned()
                + "\n",
            "MAP422",
        ),
        (
            r#"{"time":"2026-02-30T10:00:00Z","from":"office","to":["anna"],"performative":"cfp"}"#
                .to_owned()
                + "\n",
            "MAP421",
        ),
        (line("nobody", &["anna"], "hello", &[]), "MAP423"),
        (line("office", &["anna"], "cfp", &[]) + &line("other", &["anna"], "cfp", &[]), "MAP424"),
        (
            r#"{"time":1795168810,"from":"office","to":["anna"],"performative":"cfp"}
{"time":1795168801,"from":"office","to":["anna"],"performative":"cfp"}
"#
            .to_owned(),
            "MAP426",
        ),
    ];
    for (log, code) in bad {
        let log = if code == "MAP422" { log.replace("cfp", "propose") } else { log };
        judge(&log, &["--agents", "participant=2"]).exits(3).err_has(code);
    }
    judge(&(call() + "{\n"), &["--skip-bad", "1"]).exits(0).out_has("possibly conforms so far");
    map(&["conform", "auction.map", "no-such-log.jsonl"]).exits(3).err_has("cannot be opened");
}

#[test]
fn a_stream_is_judged_and_json_fits_its_schema() {
    let flags =
        ["conform", "../contract-net/contract-net.map", "-", "--format", "json", "--agents", "participant=2"];
    let log = call() + &line("anna", &["office"], "propose", &[7]);
    let output: Value =
        serde_json::from_str(&map_with(log.as_bytes(), &flags).exits(1).out).expect("it is JSON");
    fits("conform", &output);
    let blame = &output["conversations"][0]["violations"][0];
    assert_eq!(
        (blame["kind"].as_str(), blame["name"].as_str()),
        (Some("wrong_content"), Some("anna")),
        "{blame:#}"
    );
}

/// The same line in another conversation.
fn of(conversation: &str, line: &str) -> String {
    line.replacen('{', &format!("{{\"conversation\":\"{conversation}\","), 1)
}

/// A conversation of the contract net that conforms and ends.
fn refused(name: &str) -> String {
    of(name, &line("office", &["anna"], "cfp", &[])) + &of(name, &line("anna", &["office"], "refuse", &[]))
}

#[test]
fn ndjson_tells_violations_at_once_and_conversations_as_they_end() {
    let log = of("b", &line("office", &["anna"], "cfp", &[]))
        + &refused("a")
        + &of("b", &line("anna", &["office"], "propose", &[7]));
    let ran = judge(&log, &["--format", "ndjson"]).exits(1);
    let lines: Vec<Value> = ran.out.lines().map(|it| serde_json::from_str(it).expect("it is JSON")).collect();
    lines.iter().for_each(|it| fits("conform-line", it));
    let told: Vec<_> = lines
        .iter()
        .map(|it| (it["event"].as_str().unwrap_or_default(), it["conversation"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(told, [("conversation", "a"), ("violation", "b"), ("conversation", "b"), ("end", "")]);
    let counts = ["conversations", "conforms", "violated"].map(|it| lines[3]["summary"][it].as_u64());
    assert_eq!(counts, [Some(2), Some(1), Some(1)]);
}

#[test]
fn junit_has_a_case_for_each_conversation() {
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("conform.xml");
    let junit = junit.to_str().expect("the name is UTF-8");
    let log = refused("a<b")
        + &of("c", &line("office", &["anna"], "cfp", &[]))
        + &of("c", &line("anna", &["office"], "propose", &[7]));
    judge(&log, &["--junit", junit]).exits(1);
    let text = fs::read_to_string(junit).expect("it is there");
    assert!(text.contains("tests=\"2\"") && text.contains("failures=\"1\""), "{text}");
    assert!(text.contains("a&lt;b") && text.contains("wrong content"), "{text}");
    judge(&log, &["--junit", "log.map"]).exits(2);
}

#[test]
fn what_comes_after_the_end_of_a_conversation_is_a_violation_of_it() {
    let retried = |line: String| line.replacen('{', "{\"id\":\"m1\",", 1);
    let answer = || retried(of("a", &line("anna", &["office"], "refuse", &[])));
    let ended = of("a", &line("office", &["anna"], "cfp", &[])) + &answer();
    // A retry is none, even after the end.
    judge(&(ended.clone() + &refused("b") + &answer()), &[]).exits(0).out_has("a  conforms  2 messages");
    let again = ended + &refused("b") + &of("a", &line("office", &["anna"], "cfp", &[]));
    judge(&again, &[])
        .exits(1)
        .out_has("a  violated at line 5 by !Initiator (office): after its end")
        .out_has("2 conversations: 1 conforms, 1 violated");
}

#[test]
fn what_has_been_given_up_is_never_blamed() {
    let start = |name: &str| of(name, &line("office", &["anna"], "cfp", &[]));
    let offer = |name: &str| of(name, &line("anna", &["office"], "refuse", &[]));
    let flags = ["--max-conversations", "1", "--agents", "participant=1"];
    let log = start("a") + &start("b") + &offer("a");
    judge(&log, &flags).exits(4).out_has("a  inconclusive  1 message").out_has("b  conforms so far");
    // Once forgotten, the rest of a conversation looks like a new one.
    let log = start("a") + &start("b") + &start("c") + &offer("a");
    let ran = judge(&log, &flags).exits(4).out_has("it may be the rest of one that was given up");
    assert!(!ran.out.contains("violated"), "{}", ran.out);
}

#[test]
fn a_conversation_of_texts_without_end_is_given_up() {
    // What is said changes with each line, and would have to be kept.
    let offer = |number: usize| {
        let text = format!("{number}{}", "x".repeat(900_000));
        let record = serde_json::json!({
            "conversation": "a", "from": "anna", "to": "office", "performative": "propose", "args": [text]
        });
        format!("{record}\n")
    };
    let start = of("a", &line("office", &["anna"], "cfp", &[]));
    let few: String = (0..3).map(offer).collect();
    let ran = judge(&format!("{start}{few}"), &[]).exits(1).out_has("wrong content");
    assert!(!ran.out.contains("given up"), "{}", ran.out.len());
    let many: String = (0..20).map(offer).collect();
    judge(&format!("{start}{many}"), &[])
        .exits(1)
        .out_has("given up, because the texts in the log take too much memory");
}

#[test]
fn a_name_may_have_another_role_in_each_conversation() {
    let swapped =
        of("b", &line("anna", &["office"], "cfp", &[])) + &of("b", &line("office", &["anna"], "refuse", &[]));
    judge(&(refused("a") + &swapped), &[]).exits(0).out_has("2 conversations: 2 conform");
}

#[test]
fn names_without_end_are_refused_soon() {
    let log: String = (0..40_000).map(|it| line(&format!("p{it}"), &["office"], "refuse", &[])).collect();
    judge(&log, &[]).exits(3).err_has("MAP424").err_has("more than 1000 agents of one role");
}

#[test]
fn many_conversations_are_printed_in_order() {
    let log: String = (0..1_200).map(|it| refused(&format!("c{it}"))).collect();
    let out = judge(&log, &[]).exits(0).out;
    let names: Vec<&str> = out.lines().filter_map(|it| it.split_whitespace().next()).collect();
    assert!(names.iter().zip(0..1_200).all(|(name, it)| **name == format!("c{it}")), "{out}");
    assert!(out.contains("1200 conversations: 1200 conform"), "{out}");
}

#[test]
fn a_condition_that_binds_an_answer_binds_it_in_the_message_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, log) = (folder.path().join("bind.map"), folder.path().join("log.jsonl"));
    let path = |it: &Path| it.to_str().expect("the name is UTF-8").to_owned();
    let judge = |sent: &str, number: i64| {
        let scene = format!(
            "s[ agent(!A, %a) = $v = d() then m({sent}) => agent(!B, %b) agent(!B, %b) = waitfor m(_) <= agent(!A, %a) ]"
        );
        fs::write(&file, scene).expect("it can be written");
        fs::write(&log, line("A", &["B"], "m", &[number])).expect("it can be written");
        map(&["conform", &path(&file), &path(&log)])
    };
    for sent in ["if $v == 1 then $v else -7", "if not ($v == 1) then -7 else $v"] {
        judge(sent, 7).exits(1).out_has("violated at line 1 by !A: wrong content");
        judge(sent, 1).exits(0);
        judge(sent, -7).exits(0);
    }
}

/// Protocols of the library: their files, except those of other kinds.
fn append(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    fs::OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes())
}

/// `MAP_LOGS=N` sets how many runs of each protocol are judged.
#[test]
fn simulated_runs_of_the_library_conform() {
    let runs: u64 = std::env::var("MAP_LOGS").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    let folder = tempfile::tempdir().expect("a folder");
    let (log, all) = (folder.path().join("log.jsonl"), folder.path().join("all.jsonl"));
    let log = log.to_str().expect("the name is UTF-8");
    for (index, scene) in some_scenes_of_library(4).iter().enumerate() {
        for seed in 1..=runs {
            let (seed_word, network) =
                (seed.to_string(), ["delayed", "instant"][(index + seed as usize) % 2]);
            let flags = ["--seed", &seed_word, "--max-steps", "300", "--network", network, "--log", log];
            map(&words(&["run"], scene, &flags));
            // Each run is a conversation of its own, and all of them are judged together.
            let text = fs::read_to_string(log).expect("it was written");
            if seed == 1 { fs::write(&all, text) } else { append(&all, &text) }.expect("it can be written");
        }
        let ran = map(&words(&["conform"], scene, &[all.to_str().expect("the name is UTF-8")]));
        assert_eq!(ran.code, Some(0), "{scene:?}\n{}{}", ran.out, ran.err);
    }
}

/// A desk that adds up what came in time, and announces the sum: with arrivals that nobody logged, whether a sum is
/// right is the problem of subset sums.
const COLLECTOR: &str = "\
cast %member = 40
memory %desk { @sum = 0 }
procedure pick()
procedure add($n) = $n with @sum := @sum + $n
procedure total() = @sum

collect[
    agent(!Desk, %desk) = agent(open)
    agent(!Desk, %desk, open) =
        waitfor (number($n) <= agent(_, %member) then $m = add($n) then agent(open))
        timeout ($sum = total() then sum($sum) => agent(_, %member))
    agent($me, %member) =
        $n = pick()
        then number($n) => agent(!Desk, %desk)
        then (waitfor sum(_) <= agent(!Desk, %desk))
]
";

#[test]
fn a_sum_of_what_came_in_time_is_inconclusive_unless_arrivals_are_logged() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, path) = (folder.path().join("collect.map"), folder.path().join("log.jsonl"));
    fs::write(&file, COLLECTOR).expect("it can be written");
    let members: Vec<String> = (1..=40).map(|it| format!("Member{it}")).collect();
    let all: Vec<&str> = members.iter().map(String::as_str).collect();
    let arrives = |line: String| line.replacen('{', r#"{"event":"receive","#, 1);
    let judge = |logged: bool, sum: i64| {
        let (mut log, mut total) = (String::new(), 0);
        for (member, number) in members.iter().zip(1_i64..) {
            // Even numbers: no part of them has an odd sum.
            let number = number * number * 38;
            total += number;
            let line = line(member, &["Desk"], "number", &[number]);
            log += &line;
            if logged {
                log += &arrives(line);
            }
        }
        log += &line("Desk", &all, "sum", &[if sum == 0 { total } else { sum }]);
        fs::write(&path, log).expect("it can be written");
        map(&[&["conform"], &[&file, &path].map(|it| it.to_str().expect("the name is UTF-8"))[..]].concat())
    };
    judge(false, 777_777)
        .exits(4)
        .out_has("inconclusive")
        .out_has("!Desk could be in too many states at line 41, ")
        .out_has("the log does not say when number(38) from !Member1 arrived, line 1")
        .out_has("nor when 36 others arrived");
    judge(true, 777_777).exits(1).out_has("violated at line 81 by !Desk: wrong content");
    judge(true, 0).exits(0);
}
