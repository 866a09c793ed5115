//! `map conform --skew`: clocks that differ.

use std::fs;

use super::super::{Ran, map};
use super::{call, line};

/// A line with a time, in milliseconds.
fn at(millis: u64, line: &str) -> String {
    line.replacen('{', &format!("{{\"time\":{},", 1_000_000_000_000_000_000 + millis * 1_000_000), 1)
}

/// Judges logs of the contract net.
fn judge(logs: &[&[String]], flags: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let mut line = vec!["conform".to_owned(), "../contract-net/contract-net.map".to_owned()];
    for (number, log) in logs.iter().enumerate() {
        let path = folder.path().join(format!("{number}.jsonl"));
        fs::write(&path, log.concat()).expect("it can be written");
        line.push(path.to_str().expect("the name is UTF-8").to_owned());
    }
    let line: Vec<&str> = line.iter().map(String::as_str).chain(flags.iter().copied()).collect();
    map(&line)
}

/// The office, and two whose clocks are 30 ms behind.
fn tender() -> (Vec<String>, Vec<String>) {
    let office = vec![at(1_000, &call()), at(1_200, &line("office", &["anna"], "accept", &[]))];
    let others = vec![
        at(1_040, &line("bert", &["office"], "refuse", &[])),
        at(1_060, &line("anna", &["office"], "propose", &[2])),
        at(1_190, &line("anna", &["office"], "done", &[])),
    ];
    (office, others)
}

#[test]
fn what_clocks_put_into_the_wrong_order_may_conform() {
    let (office, others) = tender();
    judge(&[&office, &others], &[]).exits(1).out_has("by !Participant1 (anna): out of turn");
    for arrivals in ["late", "sent", "unordered"] {
        judge(&[&office, &others], &["--skew", "50ms", "--arrivals", arrivals])
            .exits(0)
            .out_has("possibly conforms  5 messages");
        judge(&[&office, &others], &["--skew", "5ms", "--arrivals", arrivals]).exits(1);
        judge(&[&office, &others], &["--skew", "0ms", "--arrivals", arrivals]).exits(1);
    }
    // By an even clock nothing is doubtful.
    let even: Vec<String> = others.iter().map(|it| it.replace("1190", "1210")).collect();
    judge(&[&office, &even], &["--skew", "50ms"]).exits(0).out_has("conversation  conforms  5 messages");
}

#[test]
fn a_run_behind_it_is_saved() {
    let (office, others) = tender();
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.json");
    let trace = trace.to_str().expect("the name is UTF-8");
    judge(&[&office, &others], &["--skew", "50ms", "--save-trace", trace]).exits(0);
    map(&["replay", trace]).exits(0).out_has("sends done()");
}

#[test]
fn messages_that_arrive_with_their_sends_are_there_after_the_skew() {
    // anna answers long after she was rejected; only by clocks that differ as much may she not have known.
    let log = [
        at(1_000, &call()),
        at(1_050, &line("anna", &["office"], "propose", &[2])),
        at(1_100, &line("bert", &["office"], "propose", &[1])),
        at(1_150, &line("office", &["anna"], "reject", &[])),
        at(1_400, &line("anna", &["office"], "propose", &[2])),
    ];
    for skew in ["1ms", "100ms"] {
        judge(&[&log], &["--skew", skew, "--arrivals", "sent"]).exits(1).out_has("violated at line 5");
    }
}

#[test]
fn violations_are_told_as_soon_as_no_clock_can_explain_them() {
    let log = [
        at(1_000, &call()),
        at(1_050, &line("anna", &["office"], "done", &[])),
        at(9_000, &line("bert", &["office"], "refuse", &[])),
    ];
    let ran = judge(&[&log], &["--skew", "50ms", "--format", "ndjson"]).exits(1);
    ran.out_has("\"line\":2");
}

#[test]
fn conversations_end_by_the_time_of_others() {
    let named = |name: &str, line: String| line.replacen('{', &format!("{{\"conversation\":\"{name}\","), 1);
    let short = |name: &str, from: u64| {
        [
            (0, call()),
            (100, line("anna", &["office"], "refuse", &[])),
            (200, line("bert", &["office"], "refuse", &[])),
        ]
        .map(|(after, line)| named(name, at(from + after, &line)))
        .concat()
    };
    let log = [short("a", 1_000), short("b", 9_000)];
    let ran = judge(&[&log], &["--skew", "50ms", "--format", "ndjson", "--max-conversations", "1"]).exits(0);
    ran.out_has("\"conversation\":\"a\",\"verdict\":\"conforms\"");
}

#[test]
fn lines_need_times_in_order() {
    judge(&[&[call()]], &["--skew", "50ms"]).exits(3).err_has("MAP421").err_has("no time");
    let log = [at(9_000, &call()), at(1_000, &line("anna", &["office"], "refuse", &[]))];
    judge(&[&log], &["--skew", "50ms"]).exits(3).err_has("MAP426").err_has("by more than --skew");
}

#[test]
fn lines_of_equal_times_in_two_logs_have_no_order() {
    let office = |accept: u64| vec![at(10, &call()), at(accept, &line("office", &["anna"], "accept", &[]))];
    let anna = |done: u64| {
        vec![
            at(20, &line("anna", &["office"], "propose", &[2])),
            at(done, &line("anna", &["office"], "done", &[])),
        ]
    };
    let bert = vec![at(20, &line("bert", &["office"], "refuse", &[]))];
    for arrivals in ["late", "sent", "unordered"] {
        let flags = ["--arrivals", arrivals];
        judge(&[&office(30), &anna(30), &bert], &flags)
            .exits(0)
            .out_has("conversation  conforms  5 messages");
        // The log that is named first comes first.
        judge(&[&anna(30), &office(30), &bert], &flags).exits(0).out_has("possibly conforms  5 messages");
        judge(&[&anna(29), &office(30), &bert], &flags)
            .exits(1)
            .out_has("by !Participant1 (anna): out of turn");
        // One log has an order.
        let mixed = vec![anna(30)[1].clone(), office(30)[1].clone()];
        let before = vec![office(30)[0].clone(), anna(30)[0].clone()];
        judge(&[&bert, &[before, mixed].concat()], &flags)
            .exits(1)
            .out_has("by !Participant1 (anna): out of turn");
    }
}
