//! Answers that the file computes with and that are no numbers: what answers is to blame, and not the agent that shows
//! it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::super::schema::fits;
use super::super::{Ran, map};

/// `!A` holds the price against 3 before it tells it, and computes with it afterwards.
const SELLER: &str = "\
procedure price()
decision dear($p) | $p > 3 = $p

sale[
    agent(!A, %a) =
        $p = price() then dear($p) then quote($p) => agent(!B, %b) then total($p + 1) => agent(!B, %b)
    agent(!B, %b) = waitfor quote(_) <= agent(!A, %a) then waitfor total(_) <= agent(!A, %a)
]
";

/// `!A` only tells the price; `!B` computes with it.
const BUYER: &str = "\
procedure price()
procedure better($p) = $p + 1

sale[
    agent(!A, %a) = $p = price() then quote($p) => agent(!B, %b) then waitfor offer(_) <= agent(!B, %b)
    agent(!B, %b) =
        waitfor quote($p) <= agent(!A, %a) then $q = better($p) then offer($q) => agent(!A, %a)
]
";

/// As [`SELLER`], but the price may be one of two answers.
const EITHER: &str = "\
procedure price()
procedure cost()
decision dear($p) | $p > 3 = $p

sale[
    agent(!A, %a) =
        ($p = price() then dear($p) then quote($p) => agent(!B, %b))
        or ($p = cost() then dear($p) then quote($p) => agent(!B, %b))
    agent(!B, %b) = waitfor quote(_) <= agent(!A, %a)
]
";

type Line<'a> = (&'a str, &'a str, &'a str, Value);

fn judge(scene: &str, said: &[Line<'_>], flags: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, log) = (folder.path().join("sale.map"), folder.path().join("log.jsonl"));
    let record = |(from, to, performative, value): &Line<'_>| {
        let record = json!({"from": from, "to": [to], "performative": performative, "args": [value]});
        format!("{record}\n")
    };
    fs::write(&file, scene).expect("it can be written");
    fs::write(&log, said.iter().map(record).collect::<String>()).expect("it can be written");
    let path = |it: &Path| it.to_str().expect("the name is UTF-8").to_owned();
    map(&[&["conform", &path(&file), &path(&log)], flags].concat())
}

#[test]
fn numbers_are_as_good_as_ever() {
    judge(SELLER, &[("A", "B", "quote", json!(5)), ("A", "B", "total", json!(6))], &[]).exits(0);
    judge(BUYER, &[("A", "B", "quote", json!(4)), ("B", "A", "offer", json!(5))], &["--complete"]).exits(0);
    judge(EITHER, &[("A", "B", "quote", json!(4))], &["--complete"]).exits(0);
}

#[test]
fn a_text_where_a_number_is_needed_is_put_down_to_what_answers() {
    judge(SELLER, &[("A", "B", "quote", json!("cheap"))], &[])
        .exits(1)
        .out_has("violated at line 1 by what answers price for !A: unfit answer")
        .out_has("!A computes with \"cheap\" or orders it, and it is no number")
        .out_has("so they have to be numbers, and small enough");
}

#[test]
fn who_is_told_an_unfit_answer_is_not_to_blame_either() {
    let told = ("A", "B", "quote", json!("cheap"));
    // The run has gone wrong, whatever is said later.
    let logs = [vec![told.clone()], vec![told, ("B", "A", "offer", json!("cheap1"))]];
    for log in logs {
        let line = format!("violated at line {} by what answers price for !A: unfit answer", log.len());
        judge(BUYER, &log, &[]).exits(1).out_has(&line).out_has("!B computes with \"cheap\"");
    }
}

#[test]
fn wrong_results_and_wrong_numbers_are_the_fault_of_the_agent() {
    let by = |who: &str, line: u64| format!("violated at line {line} by !{who}: wrong content");
    judge(SELLER, &[("A", "B", "quote", json!(2))], &[]).exits(1).out_has(&by("A", 1));
    let log = [("A", "B", "quote", json!(5)), ("A", "B", "total", json!("six"))];
    judge(SELLER, &log, &[]).exits(1).out_has(&by("A", 2));
    let log = [("A", "B", "quote", json!(5)), ("B", "A", "offer", json!("six"))];
    judge(BUYER, &log, &[]).exits(1).out_has(&by("B", 2));
}

#[test]
fn what_is_not_sure_is_possible() {
    judge(EITHER, &[("A", "B", "quote", json!("cheap"))], &[])
        .exits(1)
        .out_has("violated at line 1 possibly by what answers price for !A or cost for !A: unfit answer");
    // Too large: which of the operands is an answer is not known.
    let log = [("A", "B", "quote", json!(i64::MAX)), ("B", "A", "offer", json!(1))];
    judge(BUYER, &log, &[])
        .exits(1)
        .out_has("violated at line 2 possibly by what answers price for !A: unfit answer")
        .out_has("!B computes with numbers that are too large");
}

#[test]
fn programs_and_test_reports_are_told_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("junit.xml");
    let flags = ["--format", "json", "--junit", junit.to_str().expect("the name is UTF-8")];
    let log = [("A", "B", "quote", json!("cheap"))];
    let output: Value = serde_json::from_str(&judge(SELLER, &log, &flags).exits(1).out).expect("it is JSON");
    fits("conform", &output);
    let blame = &output["conversations"][0]["violations"][0];
    assert_eq!(blame["kind"], "unfit_answer");
    assert_eq!(blame["agent"], Value::Null, "no agent is to blame");
    let asked = json!([{"procedure": "price", "agent": "A", "name": "A"}]);
    let answers = json!({"asked": asked, "possibly": false, "value": "\"cheap\"", "agent": "A"});
    assert_eq!(blame["answers"], answers);
    assert_eq!(output["conversations"][0]["agents"][0]["state"], "violated");

    let text = fs::read_to_string(&junit).expect("it was written");
    assert!(text.contains("by what answers price for !A: unfit answer"), "{text}");

    let lines = judge(SELLER, &log, &["--format", "ndjson"]).exits(1).out;
    let first: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("it is JSON");
    fits("conform-line", &first);
    assert!(lines.contains("\"unfit_answer\""), "{lines}");
}
