//! `map verify --with spin`; without SPIN only that it is missed.

mod hindered;

use std::path::Path;

use serde_json::Value;

use super::{DEADLOCK, FINE, command, map, map_with, schema};

const ASK: [&str; 4] = ["verify", "-", "--with", "spin"];

fn is_installed() -> bool {
    let found = ["spin", "cc"].iter().all(|program| {
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .any(|folder| folder.join(program).is_file())
    });
    if !found {
        println!("SKIPPED: spin or a C compiler is not installed (apt-get install spin gcc)");
        assert!(std::env::var_os("MAP_REQUIRE_SPIN").is_none(), "SPIN is to be asked");
    }
    found
}

#[test]
fn two_verdicts_of_one_class() {
    if !is_installed() {
        return;
    }
    map_with(FINE.as_bytes(), &ASK)
        .exits(0)
        .out_has("every run ends, and ends well")
        .out_has("the two agree");
    let stuck = map_with(DEADLOCK.as_bytes(), &ASK).exits(1);
    stuck
        .out_has("SPIN 6")
        .out_has("deadlock")
        .out_has("is 0 steps of the dialogue, and replays")
        .out_has("the two agree");
}

#[test]
fn the_trail_is_replayed() {
    if !is_installed() {
        return;
    }
    let scene = "decision like() s[
        agent(!A, %a) = (($x = like() then yes($x) => agent(!B, %b)) or no() => agent(!B, %b)) then skip
        agent(!B, %b) = waitfor yes(_) <= agent(_, %a) then fail or no() <= agent(_, %a) ]";
    let ran = map_with(scene.as_bytes(), &[&ASK[..], &["--format", "json"]].concat()).exits(1);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    schema::fits("verify", &output);
    assert_eq!(output["spin"]["violations"][0], "deadlock");
    assert_eq!(output["spin"]["agrees"], true);
    assert!(output["spin"]["trail_steps"].as_u64() >= output["violations"][0]["steps"].as_u64());
}

/// Sends, calls, asks and addresses that compute, with every outcome in one dialogue.
const COMPUTING: &str = "memory %seller { @price = 10, @leader = nobody }
memory %bidder { @limit = 13 }
procedure noted($who, $bid) = $bid with @price := $bid, @leader := $who
procedure doubled($n) = $n * 2
clock[
    agent(!Seller, %seller) = open(@price + 1) => agent(_, %bidder) then agent(offers)
    agent(!Seller, %seller, offers) = waitfor (
        (bid($p) <= agent($who, %bidder) then $x = noted($who, max($p, @price)) then
            (taken(@price - 1) => agent(if @price > 11 then $who else @leader, %bidder)) then skip)
    )
    agent(!Bidder, %bidder) = waitfor (
        open($p) <= agent($s, %seller)
        then bid(min($p + 3, @limit)) => agent($s, %seller)
        then waitfor taken($t) <= agent($s, %seller)
        then $d = doubled($t - 10)
        then agent(level, $d - LEVEL)
    )
    agent(!Bidder, %bidder, level, 0) = skip
]";

#[test]
fn what_is_computed_is_compared() {
    if !is_installed() {
        return;
    }
    // 10 is opened with 11, 13 is bid, 12 is taken: twice what is above 10 is 4.
    map_with(COMPUTING.replace("LEVEL", "4").as_bytes(), &ASK).exits(0).out_has("the two agree");
    let stuck = map_with(COMPUTING.replace("LEVEL", "5").as_bytes(), &ASK).exits(1);
    stuck.out_has("deadlock").out_has("the two agree");
    // A run error among the values.
    let wrong = COMPUTING.replace("$d - LEVEL", "$d / ($t - 12)");
    map_with(wrong.as_bytes(), &ASK).exits(1).out_has("run error").out_has("the two agree");
}

#[test]
fn properties_are_compared() {
    if !is_installed() {
        return;
    }
    // The names mean something to SPIN.
    let scene = "property T0_init : eventually done(!B)
        property end_p : always done(!B) implies done(!A)
        property np_ : possible sequence !A sends yes() to _ ; !B receives yes() from !A
        property at_once : next !A sends yes() to _
        decision like() s[
        agent(!A, %a) = ($x = like() then yes() => agent(!B, %b)) or skip
        agent(!B, %b) = waitfor yes() <= agent(_, %a) ]";
    let ran = map_with(scene.as_bytes(), &ASK).exits(1);
    ran.err_has("warning[MAP418]")
        .out_has("property T0_init  violated, ")
        .out_has("property end_p  holds, ")
        .out_has("property np_  holds, ")
        .out_has("its trail is 3 steps of the dialogue, and replays; so is ours");
    let ran = map_with(scene.as_bytes(), &[&ASK[..], &["--format", "json"]].concat()).exits(1);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    schema::fits("verify", &output);
    let properties = output["spin"]["properties"].as_array().expect("there are some");
    assert_eq!(properties.len(), 3);
    assert!(properties.iter().all(|it| it["agrees"] == true), "{properties:#?}");
}

#[test]
fn an_agent_that_fails_at_once() {
    if !is_installed() {
        return;
    }
    let scene =
        "property fails : possible failed(!A) property ends : eventually done(!A) s[ agent(!A, %a) = fail ]";
    let ran = map_with(scene.as_bytes(), &ASK).exits(1);
    ran.out_has("failure")
        .out_has("is 0 steps of the dialogue, and replays\nthe two agree")
        .out_has("property fails  holds")
        .out_has("property ends  violated");
}

#[test]
fn what_cannot_be_exported_is_not_compared() {
    if !is_installed() {
        return;
    }
    let ran = map_with(FINE.as_bytes(), &[&ASK[..], &["--mailbox", "1000"]].concat()).exits(3);
    ran.err_has("error[MAP414]").out_has("terminates");
}

#[test]
fn a_missing_tool_is_named() {
    let output = command(&["verify", "auction.map", "--with", "spin"])
        .env("PATH", Path::new("/nonexistent"))
        .output()
        .expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("there is no program `spin`"), "{said}");
    assert!(output.stdout.is_empty());
}

/// Cells that start with any of several values, on which all depends: whether an agent is there at all, where it
/// rests first, and how the dialogue ends.
const STARTING: &str = "memory %seller { @open in { yes, no }, @price in 3..4 }
memory %buyer { @limit in 2..4 }
decision affordable($p) | $p <= @limit = yes
market[
    agent(!Seller, %seller) = agent(selling, @open)
    agent(!Seller, %seller, selling, yes) = price(@price) => agent(!Buyer, %buyer)
        then waitfor (take() <= agent(_, %buyer) or leave() <= agent(_, %buyer))
    agent(!Seller, %seller, selling, no) = fail
    agent(!Buyer, %buyer) =
        waitfor (price($p) <= agent(_, %seller) then
            (($t = affordable($p) then take() => agent(!Seller, %seller)) or leave() => agent(!Seller, %seller))) timeout skip
]
property sold : eventually !Buyer sends take() to _
property within : always (!Buyer sends take() to _ implies !Seller@price <= !Buyer@limit)
property bargain : possible (!Seller@price == 3 and !Buyer@limit == 4)
";

#[test]
fn what_cells_start_with_is_compared() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("market.map");
    let compared = |text: &str, exit: i32| {
        std::fs::write(&path, text).expect("there is room");
        let path = path.to_str().expect("the path is UTF-8");
        let ran = map(&["verify", path, "--with", "spin", "--format", "json"]).exits(exit);
        let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
        let spin = output["spin"].clone();
        assert_eq!(spin["agrees"], true, "{spin:#}");
        let agree: Vec<&Value> =
            spin["properties"].as_array().unwrap().iter().map(|it| &it["agrees"]).collect();
        assert_eq!(agree, [true, true, true], "{spin:#}");
        spin
    };
    let failing = compared(STARTING, 1);
    // Of a seller that is not open nothing is left before the first step.
    assert_eq!(failing["violations"], serde_json::json!(["failure"]));
    assert_eq!(failing["trail_steps"], 0);
    let stuck = STARTING.replace("selling, no) = fail", "selling, no) = skip").replace(" timeout skip", "");
    assert_eq!(compared(&stuck, 1)["violations"], serde_json::json!(["deadlock"]));
    // Where everybody rests first does not depend on it.
    assert_eq!(
        compared(&STARTING.replace("in { yes, no }", "= yes"), 1)["violations"],
        serde_json::json!([])
    );
}
