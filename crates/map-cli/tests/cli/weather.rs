//! Networks that misbehave: `--network`, and `--weather` with all of them.

use serde_json::Value;

use super::schema::fits;
use super::{map, map_with};

/// Relies on its one message being there before time runs out.
const HASTY: &str = "s[
    agent(!A, %a) = m() => agent(!B, %b)
    agent(!B, %b) = waitfor m() <= agent(!A, %a) timeout (m() <= agent(!A, %a) or fail)
]";

#[test]
fn losses_and_crashes_are_told() {
    map(&["verify", "-v", "auction.map", "--network", "lossy:1"])
        .exits(1)
        .out_has("sends start(openingPrice#1) to !Bidder, which is lost")
        .out_has("network lossy:1")
        .out_has("assumed: one copy of a message may be lost in a run, no more");
    map(&["verify", "-v", "auction.map", "--network", "lossy:1", "--agents", "bidder=2"])
        .exits(1)
        .out_has("to !Bidder1, !Bidder2 (the copy for !Bidder2 is lost)");
    map(&["verify", "-v", "auction.map", "--network", "crash:1"])
        .exits(1)
        .out_has("!Auctioneer  auction.map:29   crashes")
        .out_has("!Auctioneer could send it, but crashed in step 1")
        .out_has("who has crashed counts as ended");
    map(&["verify", "-v", "auction.map", "--network", "unordered"])
        .exits(0)
        .out_has("messages arrive at once, but are read in any order");
}

#[test]
fn networks_are_combined_and_repeated() {
    let run = ["run", "auction.map", "--seed", "3", "--agents", "bidder=2"];
    let bad = ["--network", "unordered,lossy:2,crash:1", "--loss", "0.5", "--crash", "0.25"];
    let first = map(&[run.as_slice(), &bad].concat());
    let again = "map run auction.map --agents bidder=2 --network unordered,lossy:2,crash:1 --loss 0.5 --crash 0.25 --seed 3";
    let first = first.out_has(again);
    let words: Vec<&str> = again.split(' ').skip(1).collect();
    assert_eq!(map(&words).out, first.out);
}

#[test]
fn bad_networks_are_refused() {
    for network in
        ["slow", "lossy", "lossy:0", "crash:x", "unordered:1", "lossy:1,lossy:2", "instant,crash:1", ""]
    {
        map(&["verify", "-v", "auction.map", "--network", network]).exits(2).err_has("--network");
    }
    map(&["run", "auction.map", "--loss", "2"]).exits(2).err_has("probability");
    map(&["verify", "-v", "auction.map", "--weather", "--network", "lossy:1"]).exits(2).err_has("--network");
    map(&["verify", "-v", "auction.map", "--weather", "--timeouts", "any"]).exits(2).err_has("--timeouts");
}

#[test]
fn the_table_names_what_survives() {
    map(&["verify", "-v", "auction.map", "--weather"])
        .exits(1)
        .out_line("instant ", "  terminates; all 5 properties hold")
        .out_line("lossy:1 ", "  deadlock after 4 steps; 3 of 5 properties hold")
        .out_has("crash:1: deadlock after 1 step\n")
        .out_has("alone: map verify auction.map --network crash:1\n");
    let fine = "s[ agent(!A, %a) = m() => agent(!B, %b)
        agent(!B, %b) = waitfor m() <= agent(!A, %a) timeout skip ]";
    map_with(fine.as_bytes(), &["verify", "-v", "-", "--weather"])
        .exits(0)
        .out_line("timeouts any ", "  terminates");
    map_with(HASTY.as_bytes(), &["verify", "-v", "-", "--weather"])
        .exits(1)
        .out_has("lossy:1: failure after 3 steps")
        .out_has("sends m() to !B, which is lost")
        .out_has("timeouts any: failure after 2 steps")
        .out_has("alone: map verify - --timeouts any\n");
    map_with(b"s[", &["verify", "-v", "-", "--weather"]).exits(3);
}

#[test]
fn a_row_that_reaches_a_limit_says_what_it_would_need() {
    let dear = ["verify", "-v", "auction.map", "--weather", "--no-properties", "--agents", "bidder=3"];
    map(&[&dear[..], &["--max-states", "100"]].concat())
        .exits(1)
        .out_line("unordered ", "  inconclusive")
        .out_has("  stopped: the limit of 100 states was reached; raise --max-states to go on\n")
        .out_has("  for fewer states: fewer agents (--agents bidder=2), or a bound on rounds (--rounds 3)\n")
        .out_has("limits of each weather: 100 states, ");
    map(&["verify", "-v", "auction.map", "--weather"]).out_has("limits of each weather: 2,000,000 states, ");
    // All searches together have this time.
    map(&[&dear[..], &["--time-limit", "1ms"]].concat())
        .out_has(" of 1 ms for all; raise --time-limit to go on\n")
        .out_has(", 1 ms for all searches together\n");
}

#[test]
fn a_run_that_shows_the_same_in_several_weathers_is_shown_once() {
    let always = "s[ agent(!A, %a) = waitfor m() <= agent(!A, %a) ]";
    let ran = map_with(always.as_bytes(), &["verify", "-v", "-", "--weather"]).exits(1);
    assert_eq!(ran.out.matches("Nothing can happen any more").count(), 1, "{}", ran.out);
    ran.out_has(
        "instant, unordered, delayed, lossy:1, crash:1, timeouts any: deadlock before the first step\n",
    );
}

#[test]
fn the_table_as_json() {
    let ran = map(&["verify", "-v", "auction.map", "--weather", "--format", "json"]).exits(1);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    fits("verify", &value);
    let rows = value["weather"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["weather"].as_str().unwrap()).collect();
    assert_eq!(names, ["instant", "unordered", "delayed", "lossy:1", "crash:1", "timeouts any"]);
    assert_eq!(rows[3]["result"]["verdict"], "deadlock");
    assert_eq!(rows[3]["result"]["bounds"]["network"], "lossy:1");
    assert_eq!(rows[3]["result"]["trace"][1]["lost"][0], "Bidder");
    assert_eq!(rows[4]["result"]["trace"][0]["kind"], "crash");
    assert_eq!(rows[4]["result"]["choices"][0], "0.0.crash");
    assert_eq!(rows[5]["result"]["bounds"]["timeouts"], "any");
}

#[test]
fn each_weather_is_a_suite() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let junit = folder.path().join("verdicts.xml");
    map_with(HASTY.as_bytes(), &["verify", "-v", "-", "--weather", "--junit", junit.to_str().unwrap()])
        .exits(1);
    let text = std::fs::read_to_string(&junit).expect("the file was written");
    assert_eq!(text.matches("<testsuite ").count(), 6, "{text}");
    assert!(
        text.contains(
            r#"<testsuite name="&lt;stdin&gt; (instant)" tests="1" skipped="0" errors="0" failures="0""#
        ),
        "{text}"
    );
    assert!(text.contains(r#"name="&lt;stdin&gt; (timeouts any)""#), "{text}");
}

#[test]
fn a_trace_for_each_that_falls() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let dialogue = folder.path().join("hasty.map");
    std::fs::write(&dialogue, format!("property read : eventually done(!B)\n{HASTY}")).expect("written");
    let (dialogue, target) = (dialogue.to_str().unwrap(), folder.path().join("t.json"));
    let weather = ["verify", dialogue, "--weather", "--save-trace", target.to_str().unwrap()];
    let given = ["--property", "never failed(!B)"];
    let ran = map(&[&weather[..], &given].concat()).exits(1);
    let file = |name: &str| folder.path().join(name).display().to_string();
    let of_loss = ["t.lossy-1.json", "t.lossy-1.read.json", "t.lossy-1.property-1.json"].map(file);
    of_loss.iter().for_each(|saved| assert!(ran.out.contains(&format!("saved: {saved}")), "{}", ran.out));
    assert!(!target.exists() && !folder.path().join("t.instant.json").exists());
    map(&["replay", &of_loss[0]]).exits(1).out_has("which is lost").out_has("failure after 3 steps");
    map(&["replay", &of_loss[2]]).out_has("which is lost");
    let json = [&weather[..], &["--format", "json"]].concat();
    let value: Value = serde_json::from_str(&map(&json).exits(1).out).unwrap();
    fits("verify", &value);
    assert_eq!(value["weather"][3]["saved"], serde_json::json!(of_loss[..2]));
    assert_eq!(value["weather"][0].get("saved"), None);
    let fine = "s[ agent(!A, %a) = skip ]";
    let nothing = ["verify", "-v", "-", "--weather", "--save-trace", target.to_str().unwrap()];
    map_with(fine.as_bytes(), &nothing).exits(0).err_has("nothing falls");
}

#[test]
fn successors_with_losses_and_crashes_can_be_taken() {
    let dump = ["dump", "successors", "auction.map", "--network", "lossy:1,crash:1"];
    map(&dump).exits(0).out_has("0.0.crash  crash  !Auctioneer").out_has("1.0.crash  crash  !Bidder");
    let after = |choices| map(&[dump.as_slice(), &["--after", choices]].concat());
    after("0.0.act").exits(0).out_has("0.0.act.0  send").out_has("0.0.act.1  send").out_has("which is lost");
    after("0.0.act,0.0.act.1").exits(0).out_has("state after 2 steps");
    after("0.0.crash").exits(0).out_has("[0] !Auctioneer: crashed");
    after("0.0.act.1").exits(2).err_has("is no step here");
}

/// What the office tells the carrier may be overtaken by what it tells the carrier through the shop.
const DELIVERY: &str = "delivery[
    agent(!Office, %office) = paid() => agent(!Carrier, %carrier) then go() => agent(!Shop, %shop)
    agent(!Shop, %shop) =
        waitfor (go() <= agent(!Office, %office) then pickup() => agent(!Carrier, %carrier))
    agent(!Carrier, %carrier) =
        waitfor pickup() <= agent(!Shop, %shop)
        then (paid() <= agent(!Office, %office) or refused() => agent(!Shop, %shop))
]
property paid_is_known : never !Carrier sends refused() to _
";

#[test]
fn a_message_that_is_under_way_may_be_overtaken() {
    map_with(DELIVERY.as_bytes(), &["verify", "-v", "-"]).out_has("property paid_is_known  holds");
    map_with(DELIVERY.as_bytes(), &["verify", "-v", "-", "--network", "delayed"])
        .exits(1)
        .out_has("property paid_is_known  violated after 8 steps")
        .out_has("gets pickup() from !Shop, which was under way");
    map_with(DELIVERY.as_bytes(), &["export", "-", "--to", "promela", "--network", "delayed"])
        .exits(3)
        .err_has("messages are under way for a while are not exported");
    map_with(DELIVERY.as_bytes(), &["run", "-", "--network", "delayed", "--seed", "1"])
        .out_has("gets paid() from !Office, which was under way");
    map_with(DELIVERY.as_bytes(), &["verify", "-", "--network", "delayed", "--agents", "shop=1..any"])
        .exits(2)
        .err_has("only if messages arrive at once");
    // What is under way needs room in the mailbox.
    map_with(DELIVERY.as_bytes(), &["verify", "-v", "-", "--network", "delayed", "--mailbox", "1"])
        .exits(1)
        .out_has("holds 0 messages, and 1 message under way, as many as --mailbox 1 allows");
}

#[test]
fn a_log_in_which_a_message_is_overtaken_conforms_unless_messages_arrive_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path.to_str().expect("the name is UTF-8").to_owned()
    };
    let line = |(event, from, performative, to): (&str, &str, &str, &str)| {
        format!(r#"{{"event":"{event}","from":"{from}","performative":"{performative}","to":["{to}"]}}"#)
            + "\n"
    };
    let overtaken = [
        ("send", "Office", "paid", "Carrier"),
        ("send", "Office", "go", "Shop"),
        ("receive", "Office", "go", "Shop"),
        ("send", "Shop", "pickup", "Carrier"),
        ("receive", "Shop", "pickup", "Carrier"),
        ("send", "Carrier", "refused", "Shop"),
        ("receive", "Office", "paid", "Carrier"),
    ];
    let file = write("delivery.map", DELIVERY);
    let log = write("log.jsonl", &overtaken.map(line).concat());
    let sends: String = overtaken.into_iter().filter(|(event, ..)| *event == "send").map(line).collect();
    let sends = write("sends.jsonl", &sends);
    map(&["conform", &file, &log]).exits(0).out_has("arrivals: logged");
    map(&["conform", &file, &sends]).exits(0).out_has("arrivals: late");
    map(&["conform", &file, &sends, "--arrivals", "sent"]).exits(1).out_has("by !Carrier: after its end");
    // In this order, paid() arrives first.
    let in_time = overtaken.map(line);
    let in_time = [0, 6, 1, 2, 3, 4, 5].map(|place| in_time[place].as_str()).concat();
    map(&["conform", &file, &write("in-time.jsonl", &in_time)])
        .exits(1)
        .out_has("by !Carrier: after its end");
}
