//! `map conform`: verdicts about logs, written by hand and by `map run --log`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::schema::fits;
use super::{Ran, map, map_with};

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
fn lines_that_cannot_be_used_are_errors() {
    let bad = [
        ("{\n".to_owned(), "MAP421"),
        ("[1]\n".to_owned(), "MAP421"),
        (r#"{"from":"office","to":["anna"],"performative":"cfp","args":[1.5]}"#.to_owned() + "\n", "MAP422"),
        (line("nobody", &["anna"], "hello", &[]), "MAP423"),
        (line("office", &["anna"], "cfp", &[]) + &line("other", &["anna"], "cfp", &[]), "MAP424"),
        (
            r#"{"time":2,"from":"office","to":["anna"],"performative":"cfp"}
{"time":1,"from":"office","to":["anna"],"performative":"cfp"}
"#
            .to_owned(),
            "MAP426",
        ),
    ];
    for (log, code) in bad {
        let log = if code == "MAP422" { log.replace("cfp", "propose") } else { log };
        judge(&log, &["--agents", "participant=2"]).exits(3).err_has(code);
    }
    judge(&(call() + "{\n"), &["--skip-bad", "1"]).exits(0).out_has("conforms so far");
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
        (Some("wrong content"), Some("anna")),
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
fn a_name_may_have_another_role_in_each_conversation() {
    let swapped =
        of("b", &line("anna", &["office"], "cfp", &[])) + &of("b", &line("office", &["anna"], "refuse", &[]));
    judge(&(refused("a") + &swapped), &[]).exits(0).out_has("2 conversations: 2 conform");
}

#[test]
fn many_conversations_are_printed_in_order() {
    let log: String = (0..1_200).map(|it| refused(&format!("c{it}"))).collect();
    let out = judge(&log, &[]).exits(0).out;
    let names: Vec<&str> = out.lines().filter_map(|it| it.split_whitespace().next()).collect();
    assert!(names.iter().zip(0..1_200).all(|(name, it)| **name == format!("c{it}")), "{out}");
    assert!(out.contains("1200 conversations: 1200 conform"), "{out}");
}

/// Protocols of the library: their files, except those of other kinds.
fn protocols() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in fs::read_dir(library()).expect("the library is there").flatten() {
        let Ok(files) = fs::read_dir(folder.path()) else { continue };
        found.extend(
            files.flatten().map(|it| it.path()).filter(|it| it.extension().is_some_and(|it| it == "map")),
        );
    }
    found.sort();
    found
}

/// `MAP_LOGS=N` sets how many runs of each protocol are judged.
#[test]
fn simulated_runs_of_the_library_conform() {
    let runs: u64 = std::env::var("MAP_LOGS").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    let log = log.to_str().expect("the name is UTF-8");
    let protocols = protocols();
    assert!(protocols.len() > 100, "{} protocols", protocols.len());
    for protocol in protocols {
        let protocol = protocol.to_str().expect("the name is UTF-8");
        for seed in 1..=runs {
            let _ = fs::remove_file(log);
            map(&["run", protocol, "--seed", &seed.to_string(), "--max-steps", "300", "--log", log]);
            let ran = map(&["conform", protocol, log]);
            assert_eq!(ran.code, Some(0), "{protocol}, seed {seed}\n{}{}", ran.out, ran.err);
        }
    }
}

/// A command that follows a log, with what it prints line by line.
struct Following {
    child: std::process::Child,
    lines: std::io::Lines<std::io::BufReader<std::process::ChildStdout>>,
    notes: std::io::Lines<std::io::BufReader<std::process::ChildStderr>>,
}

impl Following {
    fn start(log: &str) -> Self {
        use std::io::BufRead as _;
        let arguments =
            ["conform", "../contract-net/contract-net.map", log, "--follow", "--agents", "participant=1"];
        let mut child = super::command(&arguments)
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let out = child.stdout.take().expect("it is piped");
        let err = child.stderr.take().expect("it is piped");
        Self {
            child,
            lines: std::io::BufReader::new(out).lines(),
            notes: std::io::BufReader::new(err).lines(),
        }
    }

    /// Waits for a line with this.
    #[track_caller]
    fn says(&mut self, part: &str) {
        let found = self.lines.by_ref().map_while(Result::ok).any(|it| it.contains(part));
        assert!(found, "it ended without saying {part:?}");
    }

    #[track_caller]
    fn notes(&mut self, part: &str) {
        let found = self.notes.by_ref().map_while(Result::ok).any(|it| it.contains(part));
        assert!(found, "it ended without noting {part:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_growing_log_is_followed_until_the_user_stops() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.jsonl");
    let write = |text: &str| {
        use std::io::Write as _;
        let mut file =
            fs::OpenOptions::new().create(true).append(true).open(&path).expect("it can be opened");
        file.write_all(text.as_bytes()).expect("it can be written");
    };
    let first = refused("a");
    let (half, rest) = first.split_at(first.len() - 10);
    write(half);
    let mut following = Following::start(path.to_str().expect("the name is UTF-8"));
    write(rest);
    following.says("a  conforms  2 messages");
    let broken = of("b", &line("office", &["anna"], "cfp", &[]))
        + &of("b", &line("anna", &["office"], "propose", &[7]));
    write(&broken);
    following.says("b  violated at line 4 by !Participant (anna): wrong content");
    // It is truncated.
    fs::write(&path, "").expect("it can be written");
    following.notes("it has been truncated after line 4");
    write(&refused("c"));
    following.says("c  conforms  2 messages");
    // Another file takes its place.
    fs::rename(&path, folder.path().join("log.1")).expect("it can be renamed");
    write(&refused("d"));
    following.notes("another file has taken its place after line 2");
    following.says("d  conforms  2 messages");
    write(&of("e", &line("office", &["anna"], "cfp", &[])));
    write(&refused("f"));
    following.says("f  conforms");
    let pid = following.child.id().to_string();
    let stopped = std::process::Command::new("kill").args(["-INT", &pid]).status().expect("kill runs");
    assert!(stopped.success());
    following.says("e  conforms so far  1 message");
    following.says("6 conversations: 4 conform, 1 conforms so far, 1 violated");
    let status = following.child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
}

#[test]
fn a_followed_stream_ends_with_its_last_line_finished_or_not() {
    let log = refused("a");
    let flags = ["conform", "../contract-net/contract-net.map", "-", "--follow", "--agents", "participant=1"];
    map_with(log.trim_end().as_bytes(), &flags).exits(0).out_has("a  conforms  2 messages");
    let long = format!("{{\"from\":\"{}\"}}\n", "x".repeat(2 << 20));
    map_with((long + &log).as_bytes(), &[&flags[..], &["--skip-bad", "1"]].concat())
        .exits(0)
        .out_has("a  conforms  2 messages");
}
