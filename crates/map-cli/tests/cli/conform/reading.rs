//! What `map conform` reads: logs of any kind, each once, and what became of their lines.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::super::schema::fits;
use super::super::{Ran, map, map_with};
use super::{call, judge, line, of, refused};

const FILE: &str = "../contract-net/contract-net.map";

/// A log that is right, one that is wrong, and one with a bad line.
fn logs() -> [String; 3] {
    let wrong = of("b", &line("office", &["anna"], "cfp", &[]))
        + &of("b", &line("anna", &["office"], "propose", &[7]));
    [refused("a"), refused("a") + &wrong, refused("a") + "{\n" + &wrong]
}

/// The report without the name of the log.
fn report(ran: &Ran, name: &str) -> String {
    assert!(ran.out.contains("\"conversations\""), "{}", ran.err);
    ran.out.replace(&format!("\"log\": \"{name}\""), "\"log\": \"LOG\"")
}

#[test]
fn equal_bytes_give_equal_reports() {
    for log in logs() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log.jsonl");
        fs::write(&path, &log).expect("it can be written");
        let path = path.to_str().expect("the name is UTF-8");
        let expected = report(&map(&["conform", FILE, path, "--format", "json"]), path);
        let piped = map_with(log.as_bytes(), &["conform", FILE, "-", "--format", "json"]);
        assert_eq!(report(&piped, "<stdin>"), expected);
        if cfg!(unix) {
            let named = map_with(log.as_bytes(), &["conform", FILE, "/dev/stdin", "--format", "json"]);
            assert_eq!(report(&named, "/dev/stdin"), expected);
            // A FIFO ends with its last writer.
            let fifo = folder.path().join("fifo");
            let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs");
            assert!(made.success());
            let (to, bytes) = (fifo.clone(), log.clone());
            let writer = std::thread::spawn(move || fs::write(to, bytes));
            let name = fifo.to_str().expect("the name is UTF-8");
            assert_eq!(report(&map(&["conform", FILE, name, "--format", "json"]), name), expected);
            writer.join().expect("it has written").expect("it could");
        }
    }
}

#[test]
fn a_byte_order_mark_and_an_array_are_no_hindrance() {
    let log = &logs()[1];
    let expected = judge(log, &[]).exits(1).out.replace("line 4", "line 5");
    let array = format!("\u{feff}[\n{}\n]\n", log.trim_end().replace('\n', ",\n"));
    assert_eq!(judge(&array, &[]).exits(1).out, expected);
    judge(&format!("\u{feff}{log}"), &[]).exits(1);
    // An array that is not finished has a bad line at its end.
    judge(&array.replace("}\n]", ""), &[]).exits(3).err_has("MAP421").err_has("log.jsonl:5");
    judge("[]", &[]).exits(4).err_has("MAP429");
}

#[test]
fn what_is_no_text_is_named() {
    for (log, what, command) in [
        (&b"\x1f\x8b\x08\0"[..], "compressed by gzip", "gzip -dc"),
        (b"\x28\xb5\x2f\xfd.", "compressed by zstd", "zstd -dc"),
        (b"\xff\xfe{\0", "UTF-16", "iconv"),
    ] {
        map_with(log, &["conform", FILE, "-"]).exits(3).err_has("MAP421").err_has(what).err_has(command);
        map_with(log, &["conform", FILE, "-", "--follow"]).exits(3).err_has(what);
    }
}

#[test]
fn lines_and_pipes_have_bounds() {
    let long = call() + &line("anna", &["office"], &"x".repeat(300), &[]);
    judge(&long, &["--max-line", "200"]).exits(3).err_has("log.jsonl:2: the line is longer than 200 bytes");
    map_with(long.as_bytes(), &["conform", FILE, "-", "--follow", "--max-line", "200"])
        .exits(3)
        .err_has("<stdin>:2: the line is longer than 200 bytes");
    map_with(long.as_bytes(), &["conform", FILE, "-", "--spool", "100"]).exits(3).err_has("--spool");
}

#[test]
fn nothing_judged_is_no_success() {
    let mapping = |text: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.toml");
        fs::write(&path, text).expect("it can be written");
        let flag = path.to_str().expect("the name is UTF-8").to_owned();
        (folder, flag)
    };
    judge("", &[]).exits(4).err_has("error[MAP429]").err_has("the log has no lines");
    judge("\n \n", &["--allow-empty"]).exits(0);
    judge(&refused("lot-7"), &["--conversation", "lot-8"])
        .exits(4)
        .err_has("2 lines passed over: it belongs to another conversation")
        .err_has("the log has \"lot-7\"");
    let fields = "[fields]\nfrom = \"/from\"\nto = \"/to\"\nperformative = \"/performative\"\n";
    let (_folder, only) = mapping(&format!("{fields}[only]\n\"/type\" = \"mesage\"\n"));
    judge(&refused("a"), &["--mapping", &only])
        .exits(4)
        .err_has("2 lines passed over: /type is not \"mesage\"")
        .err_has("log.jsonl:1)");
    judge(&refused("a"), &["--mapping", &only, "--allow-empty"])
        .exits(0)
        .out_has("2 lines, 0 messages judged");
    // In every format.
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("j.xml");
    let junit = junit.to_str().expect("the name is UTF-8");
    let ran = judge("", &["--format", "json", "--junit", junit]).exits(4);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("conform", &output);
    assert_eq!(output["nothing_judged"], true);
    assert!(fs::read_to_string(junit).expect("it is there").contains("errors=\"1\""));
    let ran = judge("", &["--format", "ndjson"]).exits(4);
    let end: Value = serde_json::from_str(ran.out.lines().last().expect("a line")).expect("it is JSON");
    fits("conform-line", &end);
    assert_eq!(end["summary"]["nothing_judged"], true);
}

#[test]
fn the_reading_is_accounted_for() {
    let doubled = |line: String| line.replacen('{', "{\"id\":\"m1\",", 1);
    let answer = doubled(of("a", &line("anna", &["office"], "refuse", &[])));
    let log = of("a", &line("office", &["anna"], "cfp", &[])) + &answer + &answer + "{\n\n[]\n";
    let ran = judge(&log, &["--format", "json", "--skip-bad", "2"]).exits(0);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("conform", &output);
    let read = &output["read"];
    assert_eq!((&read["lines"], &read["messages"]), (&5.into(), &2.into()), "{read:#}");
    assert_eq!(read["passed_over"][0]["reason"], "it repeats a message with the same id");
    let bad = &read["bad"][0];
    assert_eq!(
        (&bad["code"], &bad["count"], &bad["first"]["line"]),
        (&"MAP421".into(), &2.into(), &4.into())
    );
    judge(&log, &[]).exits(3).out_has("read: 5 lines, 2 messages judged").out_has("2 lines with MAP421");
}

#[test]
fn with_two_logs_places_have_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("it can be written");
        path.to_str().expect("the name is UTF-8").to_owned()
    };
    let wrong = of("b", &line("office", &["anna"], "cfp", &[]))
        + &of("b", &line("anna", &["office"], "propose", &[7]));
    let (one, two) = (write("one.jsonl", &refused("a")), write("two.jsonl", &wrong));
    let shown = |path: &str| Path::new(path).file_name().expect("a name").to_string_lossy().into_owned();
    map(&["conform", FILE, &one, &two])
        .exits(1)
        .out_has(&format!("{two}:2 by !Participant (anna): wrong content"))
        .out_has(&format!("{two}:2: !Participant (anna) sent propose(7)"));
    map(&["conform", FILE, &two]).exits(1).out_has("violated at line 2 by");
    let ran = map(&["conform", FILE, &one, &two, "--format", "json"]).exits(1);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let at = &output["conversations"][1]["violations"][0]["at"];
    assert!(at["log"].as_str().is_some_and(|log| log.ends_with(&shown(&two))), "{at}");
    assert_eq!(at["line"], 2);
}

#[test]
fn an_integer_names_a_conversation() {
    let numbered = |line: String| line.replacen('{', "{\"conversation\":7,", 1);
    judge(&numbered(call()), &["--conversation", "7"]).exits(0).out_has("7  conforms so far");
}
