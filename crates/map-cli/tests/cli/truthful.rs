//! `map run --truthful`: agents answer what the truths of the file say.

use std::fs;

use serde_json::Value;

use super::schema::fits;
use super::{Ran, map_with};

/// A bidder may bid anything; an honest one bids its value, and not at all if that is 0.
const SALE: &str = "memory %bidder { @value in 0..3 }
decision bidFor() in 1..3
truth bidFor() | @value > 0 = @value
measure bids of $b in %bidder = count($b sends bid(_) to _)
measure loss of $b in %bidder = total($v : $b sends bid($v) to _) - $b@value
sale[
    agent(!Seller, %seller) = waitfor (bid(_) <= agent(_, %bidder) then agent()) timeout (skip)
    agent($me, %bidder) = ($v = bidFor() then bid($v) => agent(!Seller, %seller)) or skip
]
";

/// The truth is outside of the domain for an argument of 3.
const TOO_MUCH: &str = "procedure worth() in {3}
procedure bidFor($v) in 1..3
truth bidFor($v) = $v * 2
sale[ agent(!Buyer, %buyer) = $w = worth() then $b = bidFor($w) ]
";

fn sale(flags: &[&str]) -> Ran {
    map_with(SALE.as_bytes(), &[&["run", "-", "--agents", "bidder=2", "--seed", "4"], flags].concat())
}

/// What bidders lose by bidding more than the lot is worth to them, in each run.
fn losses(flags: &[&str]) -> Vec<i64> {
    let folder = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("t.csv");
    let table = table.to_str().expect("the path is UTF-8");
    sale(&[&["--runs", "300", "--csv", table], flags].concat()).exits(0);
    let text = fs::read_to_string(table).expect("it is written");
    let columns: Vec<&str> = text.lines().next().expect("a line of names").split(',').collect();
    let of_loss = |line: &str| -> Vec<i64> {
        let fields = columns.iter().zip(line.split(','));
        fields
            .filter(|(name, _)| name.starts_with("loss("))
            .map(|(_, it)| it.parse().expect("a number"))
            .collect()
    };
    text.lines().skip(1).flat_map(of_loss).collect()
}

#[test]
fn honest_bidders_bid_what_it_is_worth() {
    let honest = losses(&["--truthful"]);
    assert!(honest.len() == 600 && honest.iter().all(|&it| it == 0), "{honest:?}");
    let chance = losses(&[]);
    assert!(chance.iter().any(|&it| it > 0) && chance.iter().any(|&it| it < 0), "{chance:?}");
}

#[test]
fn a_run_can_be_repeated_and_says_so() {
    let ran = sale(&["--truthful"]).exits(0);
    assert!(ran.out.contains("--truthful --seed 4"), "{}", ran.out);
    let many = sale(&["--truthful", "--runs", "20", "--format", "json"]).exits(0);
    let found: Value = serde_json::from_str(&many.out).expect("it is JSON");
    fits("statistics", &found);
    assert!(found["repeat"].as_str().is_some_and(|line| line.contains("--truthful")), "{found}");
}

#[test]
fn each_point_of_a_sweep_is_what_the_plain_command_gives() {
    let flags = ["run", "-", "--seed", "4", "--truthful", "--runs", "50", "--format", "json"];
    let swept = map_with(SALE.as_bytes(), &[&flags[..], &["--sweep", "bidder=2..3"]].concat()).exits(0);
    let swept: Value = serde_json::from_str(&swept.out).expect("it is JSON");
    let alone = sale(&["--truthful", "--runs", "50", "--format", "json"]).exits(0);
    let alone: Value = serde_json::from_str(&alone.out).expect("it is JSON");
    assert_eq!(swept["points"][0]["statistics"], alone, "{swept}");
}

#[test]
fn a_truth_that_is_no_answer_ends_the_run() {
    let one = map_with(TOO_MUCH.as_bytes(), &["run", "-", "--seed", "1", "--truthful"]).exits(3);
    let said = "in step 2 !Buyer asks bidFor, and its truth is 6, which is outside of its domain (MAP135)";
    assert!(one.out.split_whitespace().collect::<Vec<_>>().join(" ").contains(said), "{}", one.out);
    let many =
        map_with(TOO_MUCH.as_bytes(), &["run", "-", "--seed", "1", "--truthful", "--runs", "10"]).exits(3);
    assert!(many.out.contains("no honest answer") && many.out.contains("100.0 %"), "{}", many.out);
    let json = map_with(TOO_MUCH.as_bytes(), &["run", "-", "--seed", "1", "--truthful", "--format", "json"])
        .exits(3);
    let found: Value = serde_json::from_str(&json.out).expect("it is JSON");
    fits("run", &found);
    assert_eq!(found["unanswered"]["procedure"], "bidFor", "{found}");
}

#[test]
fn without_a_truth_nobody_can_be_truthful() {
    let text = "s[ agent(!A, %a) = $x = p() or skip ]";
    let ran = map_with(text.as_bytes(), &["run", "-", "--truthful", "--seed", "1"]).exits(2);
    assert!(ran.err.contains("--truthful: nothing that the scene s asks has a truth"), "{}", ran.err);
}
