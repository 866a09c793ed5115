//! `--deadline`: who owes something for too long by the clock of all logs.

use serde_json::Value;

use super::super::schema::fits;
use super::{judge, line, of, refused};

/// A line at a second.
fn at(second: u32, line: &str) -> String {
    line.replacen('{', &format!("{{\"time\":\"2026-11-20T10:00:{second:02}Z\","), 1)
}

fn cfp(name: &str) -> String {
    of(name, &line("office", &["anna"], "cfp", &[]))
}

#[test]
fn the_dead_are_found_by_lines_of_other_conversations() {
    let log = at(0, &cfp("a")) + &at(9, &cfp("b"));
    judge(&log, &["--deadline", "10s"]).exits(0);
    judge(&log, &["--deadline", "9s"]).exits(0);
    judge(&log, &["--deadline", "4s"])
        .exits(1)
        .out_has("a  violated at line 2 by !Participant (anna): silent")
        .out_has(
            "it owes something since 10:00:00 (line 1), due 10:00:04; the log has come to 10:00:09 (line 2)",
        )
        .out_has("it had to send refuse()")
        .out_has("b  conforms so far");
    let ran = judge(&log, &["--deadline", "4s", "--format", "json"]).exits(1);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("conform", &output);
    let debt = &output["conversations"][0]["violations"][0]["debt"];
    assert_eq!(
        (&debt["due"], &debt["since"]["line"]),
        (&"2026-11-20T10:00:04Z".into(), &1.into()),
        "{debt:#}"
    );
}

#[test]
fn an_answer_in_time_counts_wherever_it_stands() {
    // The line of another conversation is earlier in the log, and later by its time.
    let log = at(0, &cfp("a"))
        + &at(9, &refused("b").lines().next().map(|it| format!("{it}\n")).expect("a line"))
        + &at(3, &of("a", &line("anna", &["office"], "refuse", &[])));
    judge(&log, &["--deadline", "4s"]).exits(0).out_has("a  conforms  2 messages");
}

#[test]
fn an_answer_that_comes_too_late_does_not_count() {
    let late = at(2, &of("a", &line("anna", &["office"], "refuse", &[])));
    let log = at(0, &cfp("a")) + &late;
    judge(&log, &["--deadline", "2s"]).exits(0);
    for arrivals in ["late", "sent", "unordered"] {
        judge(&log, &["--deadline", "1s", "--arrivals", arrivals])
            .exits(1)
            .out_has("a  violated at line 2 by !Participant (anna): silent")
            .out_has("it owes something since 10:00:00 (line 1), due 10:00:01");
    }
    // The same if arrivals are in the log.
    let arrives =
        at(0, &of("a", &line("office", &["anna"], "cfp", &[])).replacen('{', "{\"event\":\"receive\",", 1));
    let log = at(0, &cfp("a")) + &arrives + &late;
    judge(&log, &["--deadline", "1s"])
        .exits(1)
        .out_has("a  violated at line 3 by !Participant (anna): silent");
}

#[test]
fn a_role_may_have_a_deadline_of_its_own() {
    let log = at(0, &cfp("a")) + &at(9, &cfp("b"));
    judge(&log, &["--deadline", "4s", "--deadline", "%participant=1h"]).exits(0);
    judge(&log, &["--deadline", "participant=4s"]).exits(1).out_has("by !Participant (anna): silent");
    judge(&log, &["--deadline", "%nobody=4s"]).exits(2).err_has("no role %nobody");
}

#[test]
fn who_has_to_begin_owes_from_the_first_line_on() {
    let file = "s[ agent(!A, %a) = m() => agent(!C, %c)  agent(!B, %b) = n() => agent(!C, %c)
        agent(!C, %c) = (waitfor m() <= agent(!A, %a)) then (waitfor n() <= agent(!B, %b)) ]";
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path.to_str().expect("the name is UTF-8").to_owned()
    };
    let file = write("s.map", file);
    let log = at(0, &of("a", &line("A", &["C"], "m", &[]))) + &at(9, &of("b", &line("A", &["C"], "m", &[])));
    let log = write("log.jsonl", &log);
    super::super::map(&["conform", &file, &log, "--deadline", "4s"])
        .exits(1)
        .out_has("a  violated at line 2 by !B: silent")
        .out_has("b  conforms so far");
}

#[test]
fn skew_is_added() {
    let log = at(0, &cfp("a")) + &at(9, &cfp("b"));
    judge(&log, &["--deadline", "7s", "--skew", "1s"]).exits(1);
    judge(&log, &["--deadline", "7s", "--skew", "2s"]).exits(0);
}

#[cfg(unix)]
#[test]
fn followed_logs_have_a_clock_that_runs_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.jsonl");
    std::fs::write(&path, at(0, &cfp("a"))).expect("it can be written");
    let path = path.to_str().expect("the name is UTF-8");
    let mut following = super::following::Following::start_with(path, &["--deadline", "300ms"]);
    following.says("violated at line 1 by !Participant (anna): silent");
    following.stop(1);
}
