//! `map run --runs`: exact counts, bad flags, interrupts.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use super::schema::fits;
use super::{ENDLESS, command, map, map_with, protocols};

/// Done, failure and run error, a third each, in one step.
const THREE_ENDS: &str =
    "s[ agent(!A, %a) = $x = pick() then ($y = is(1, $x) or $y = is(2, $x) then $z = zero($x)) ]
procedure pick() in 1..3
decision is($a, $b) | $a == $b = $a
procedure zero($x) = 1 / ($x - 2)";

#[track_caller]
fn statistics(input: &str, flags: &[&str], code: i32) -> Value {
    let mut arguments = vec!["run", "-", "--format", "json"];
    arguments.extend(flags);
    let ran = map_with(input.as_bytes(), &arguments).exits(code);
    let value: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("statistics", &value);
    value
}

/// A way to end: verdict, runs, and places with their runs.
type End<'v> = (&'v str, u64, Vec<(&'v str, u64)>);

fn ends(value: &Value) -> Vec<End<'_>> {
    fn text<'v>(value: &'v Value, key: &str) -> &'v str {
        value[key].as_str().unwrap_or_default()
    }
    let runs = |value: &Value| value["runs"].as_u64().unwrap_or_default();
    let ends = value["ends"].as_array().into_iter().flatten();
    let told = ends.map(|end| {
        let places = end["places"].as_array().into_iter().flatten();
        (text(end, "verdict"), runs(end), places.map(|it| (text(it, "text"), runs(it))).collect())
    });
    told.collect()
}

/// Half of the runs say b; a run of one step has perhaps said it, and has not ended.
const HALF: &str = "decision lucky()
property never_b: never !A sends b() to _
property ends: eventually ended
property can_say_b: possible !A sends b() to _
s[ agent(!A, %a) = $x = lucky() then a() => agent(_, %b) or b() => agent(_, %b)
   agent(!B, %b) = waitfor (a() <= agent(_, _) or b() <= agent(_, _)) ]";

#[test]
fn properties_are_judged_in_each_run() {
    let properties = |flags: &[&str], code: i32| {
        let value = statistics(HALF, &[&["--seed", "3"], flags].concat(), code);
        let of = |it: &Value| (it["name"].as_str().unwrap_or_default().to_owned(), it["violated"].as_u64());
        (value["properties"].as_array().into_iter().flatten().map(of).collect::<Vec<_>>(), value)
    };
    let (found, value) = properties(&["--runs", "100"], 0);
    // `possible` is about all runs.
    assert_eq!(found, [("never_b".to_owned(), Some(53)), ("ends".to_owned(), Some(0))]);
    // The first run that violates it does so alone, too.
    let seed = value["properties"][0]["first"]["seed"].as_str().expect("it is large");
    let ran = map_with(HALF.as_bytes(), &["run", "-", "--seed", seed, "--format", "json"]).exits(0);
    let run: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("run", &run);
    assert_eq!(run["violated"], json!(["never_b"]));
    map_with(HALF.as_bytes(), &["run", "-", "--seed", seed, "--deny", "violated"])
        .exits(1)
        .out_has("property never_b  violated by this run");
    // Runs that are cut off refute what they have done, not what they have still to do.
    let (found, _) = properties(&["--runs", "100", "--max-steps", "1"], 4);
    assert_eq!(found, [("never_b".to_owned(), Some(53)), ("ends".to_owned(), Some(0))]);
    properties(&["--runs", "100", "--deny", "violated"], 1);
    // Whatever the number of processes.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("half.map");
    std::fs::write(&file, HALF).expect("it can be written");
    let file = file.to_str().expect("the name is UTF-8");
    map(&["run", file, "--runs", "100", "--seed", "3", "--processes", "2"])
        .exits(0)
        .out_has("property never_b  violated in 53 runs, 53.0 %");
}

/// Of each value of a measure: how many runs have it.
fn values(value: &Value, measure: usize) -> Vec<(Value, u64)> {
    let values = value["measures"][measure]["values"].as_array().into_iter().flatten();
    values.map(|it| (it["value"].clone(), it["runs"].as_u64().unwrap_or_default())).collect()
}

#[test]
fn what_an_auction_brings() {
    let vickrey = |runs: &str, flags: &[&str]| {
        let file = protocols().join("../vickrey-auction/vickrey.map");
        let text = std::fs::read_to_string(file).expect("it is there");
        statistics(&text, &[&["--agents", "bidder=2", "--runs", runs, "--seed", "1"], flags].concat(), 0)
    };
    let pay = "!Auctioneer sends pay($price) to _";
    let collected = ["--collect", pay, "--collect", "count(_ sends bid(_) to _)"];
    let value = vickrey("20000", &collected);
    let price = &value["measures"][0];
    assert_eq!((&price["name"], &price["stopped"]), (&json!("$price"), &json!(0)));
    // Two values of 0 to 3, of which the smaller is paid, but at least 1: 11, 3 and 1 of 16; nobody bids in 1 of 16.
    let shares = [(1, 11), (2, 3), (3, 1)].map(|(price, sixteenths)| (json!(price), sixteenths * 1_250));
    for ((number, runs), (expected, about)) in values(&value, 0).into_iter().zip(shares) {
        assert!(number == expected && runs.abs_diff(about) <= 200, "{number}: {runs}");
    }
    let without = price["without"].as_u64().expect("a number");
    assert!(without.abs_diff(1_250) <= 200, "{without}");
    assert_eq!(price["quantiles"], json!([1, 1, 1, 1, 2, 3, 3]));
    // The mean price of 15 of 16 runs is 20 / 15.
    let (low, high) = (&price["interval"]["low"], &price["interval"]["high"]);
    assert!(low.as_f64() < Some(4.0 / 3.0) && high.as_f64() > Some(4.0 / 3.0), "{price}");
    // A bidder with the value 0 does not bid: one quarter of them.
    let bids = values(&value, 1);
    assert_eq!(bids.iter().map(|(bids, _)| bids.clone()).collect::<Vec<_>>(), [json!(0), json!(1), json!(2)]);
    assert_eq!(bids[0].1, without);
    let [one, two, seven] =
        ["1", "2", "7"].map(|it| vickrey("3000", &[&collected[..], &["--threads", it]].concat()));
    assert!(
        one["measures"] == two["measures"] && two["measures"] == seven["measures"],
        "{one} {two} {seven}"
    );
}

#[test]
fn what_is_collected_is_a_value_a_word_unknown_or_nothing() {
    let text = "memory %a { @last = 0 }
procedure note($x) = $x with @last := $x
procedure any()
decision lucky()
s[ agent(!A, %a) = $x = any() then seen($x, !B) => agent(_, %b) then agent(loop)
   agent(!A, %a, loop) = ($y = lucky() then note(3) then agent(loop)) or skip
   agent(!B, %b) = waitfor seen(_, _) <= agent(_, _) ]";
    let flags = ["--runs", "100", "--seed", "1", "--max-steps", "8", "--collect", "!A@last", "--collect"];
    let value = statistics(text, &[&flags[..], &["!A sends seen($what, $whom) to _"]].concat(), 4);
    let ends: u64 = value["ends"].as_array().into_iter().flatten().filter_map(|it| it["runs"].as_u64()).sum();
    let number = |measure: usize, key: &str| value["measures"][measure][key].as_u64().unwrap_or_default();
    for measure in 0..3 {
        assert_eq!(number(measure, "n") + number(measure, "without") + number(measure, "stopped"), ends);
        assert_eq!(number(measure, "stopped"), number(0, "stopped"));
    }
    assert!(number(0, "stopped") > 0, "{value}");
    assert_eq!(values(&value, 1), [(Value::Null, number(1, "n"))]);
    assert_eq!(values(&value, 2), [(json!("!B"), number(2, "n"))]);
    assert_eq!(value["measures"][1].get("mean"), None);
    let words = map_with(
        text.as_bytes(),
        &[&["run", "-"], &flags[..], &["!A sends seen($what, $whom) to _"]].concat(),
    );
    insta::assert_snapshot!(words.exits(4).out);
}

#[test]
fn a_line_for_each_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, table) = (folder.path().join("half.map"), folder.path().join("runs.csv"));
    std::fs::write(&file, HALF).expect("it can be written");
    let (file, table) = (file.to_str().expect("UTF-8"), table.to_str().expect("UTF-8"));
    let flags = ["--runs", "40", "--seed", "3", "--collect", "count(!A sends a() to _)", "--csv", table];
    let arguments = [&["run", file], &flags[..]].concat();
    map(&arguments).exits(0);
    let read = || std::fs::read_to_string(table).expect("it was written");
    let first = read();
    let mut lines = first.lines();
    assert_eq!(lines.next(), Some("run,seed,end,steps,never_b,ends,count(!A sends a() to _)"));
    for (number, line) in lines.by_ref().enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let [run, seed, end, steps, never_b, ends, said_a] = fields[..] else { panic!("{line}") };
        assert_eq!((run, end, ends), (number.to_string().as_str(), "done", "ok"), "{seed} {steps}");
        assert_eq!(never_b == "ok", said_a == "1", "{line}");
    }
    assert_eq!(first.lines().count(), 41);
    map(&[&arguments[..], &["--threads", "7"]].concat()).exits(0);
    assert_eq!(read(), first);
    // What is asked for twice is collected once.
    map(&[&arguments[..], &["--collect", " count(!A sends a() to _)"]].concat()).exits(0);
    assert_eq!(read(), first);
    // What is wrong is said before anything is played.
    for (wrong, what) in [
        (vec!["--csv", file], "--csv"),
        (vec!["--csv", table, "--processes", "2"], "--csv"),
        (vec!["--csv", "/nowhere/at/all.csv"], "there is no directory"),
    ] {
        map(&[&["run", file, "--runs", "4"], &wrong[..]].concat()).exits(2).err_has(what);
    }
}

#[test]
fn all_that_is_written_of_runs_is_the_same_for_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (table, drawn) = (place("runs.csv"), place("plot.svg"));
    let file = protocols().join("../vickrey-auction/vickrey.map");
    let file = file.to_str().expect("UTF-8");
    let written = |threads: &str, format: &str| {
        let flags = ["--runs", "150", "--seed", "1", "--threads", threads, "--csv", &table, "--svg", &drawn];
        let ran = map(&[&["run", file, "--agents", "bidder=2", "--format", format], &flags[..]].concat());
        let read = |path: &String| std::fs::read_to_string(path).expect("it was written");
        [ran.exits(0).out, read(&table), read(&drawn)]
    };
    for format in ["text", "json"] {
        let one = written("1", format);
        assert_eq!(one[1].lines().count(), 151);
        assert_eq!(one, written("2", format));
        assert_eq!(one, written("7", format));
    }
}

#[test]
fn what_cannot_be_collected() {
    let mut told = String::new();
    for what in [
        "",
        "3",
        "!A",
        "!A@x",
        "!C sends a() to _",
        "!A sends a() to _",
        "!A sends a($x) to _",
        "!A sends c($x) to _",
        "count(!A sends a() to _",
        "total($x : !A sends a() to _)",
        "always ended",
        "!A sends a(",
        "mailbox(!B) +",
        "mailbox(!B) > 1",
        "$b@x",
        "measure(m)",
        "last($x : ended)",
        "last($x : !A sends a() to _)",
    ] {
        let ran = map_with(HALF.as_bytes(), &["run", "-", "--runs", "4", "--collect", what]).exits(3);
        told.push_str(&format!("--collect '{what}'\n{}\n", ran.err));
    }
    insta::assert_snapshot!(told);
    map_with(HALF.as_bytes(), &["run", "-", "--collect", "!A@x"]).exits(2).err_has("--runs");
}

/// A number, a name, nothing, and values of each agent of a role.
const MEASURED: &str = "cast %b = 2
memory %b { @value in 0..3, @got = 0 }
cost money { %b receives pay($n) from _ = $n }
measure price = last($p : !A sends pay($p) to _)
measure who = first($who : !A sends chosen($who) to _)
measure gain of $x in %b = if count(!A sends pay(_) to $x) > 0 then $x@value - measure(price) else 0
measure all = sum(gain) + 0 * cost(steps)
measure none = 7 / (measure(price) - measure(price))
measure most = max(measure(gain, !B1), measure(gain, !B2))
decision open()
procedure amount() in 1..3
s[ agent(!A, %a) = waitfor (me() <= agent($who, %b) then chosen($who) => agent(_, %b)
     then ($n = amount() then pay($n) => agent($who, %b)) or skip) timeout skip
   agent($me, %b) = (open() then me() => agent(!A, %a) or skip)
     then waitfor chosen($me) <= agent(_, %a) then (waitfor pay(_) <= agent(_, %a)) timeout skip ]";

#[test]
fn measures_of_the_text_are_collected() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, table) = (folder.path().join("measured.map"), folder.path().join("runs.csv"));
    std::fs::write(&file, MEASURED).expect("it can be written");
    let (file, table) = (file.to_str().expect("UTF-8"), table.to_str().expect("UTF-8"));
    let columns = |flags: &[&str]| {
        map(&[&["run", file, "--runs", "60", "--seed", "3", "--csv", table], flags].concat());
        let text = std::fs::read_to_string(table).expect("it was written");
        let lines = text.lines().map(|line| line.split(',').skip(4).map(str::to_owned).collect::<Vec<_>>());
        lines.collect::<Vec<_>>()
    };
    let declared = columns(&[]);
    assert_eq!(
        declared[0],
        ["money", "price", "who", "gain(B1)", "gain(B2)", "all", "none", "most"].map(str::to_owned)
    );
    let gain = "if count(!A sends pay(_) to !B1) > 0 then !B1@value - measure(price) else 0";
    let given = [
        "cost(money)",
        "last($p : !A sends pay($p) to _)",
        "first($who : !A sends chosen($who) to _)",
        gain,
        &gain.replace("!B1", "!B2"),
        "measure(gain, !B1) + sum(gain) - measure(gain, !B1)",
        "7 / 0",
        "if measure(gain, !B1) < measure(gain, !B2) then measure(gain, !B2) else measure(gain, !B1)",
    ];
    let mut flags = vec!["--no-collect"];
    flags.extend(given.iter().flat_map(|what| ["--collect", what]));
    assert_eq!(columns(&flags)[1..], declared[1..]);
    let is = |column: usize, value: &str| declared[1..].iter().filter(|row| row[column] == value).count();
    assert!(is(2, "!B1") > 0 && is(2, "!B2") > 0 && is(2, "") > 0 && is(6, "") == 60, "{declared:?}");
    // What is named is collected once, in front.
    let named = columns(&["--collect", "gain", "--collect", "messages"]);
    assert_eq!(named[0][..4], ["gain(B1)", "gain(B2)", "messages", "money"].map(str::to_owned));
    assert_eq!(columns(&["--no-collect", "--collect", "gain"])[0].len(), 2);
    assert_eq!(columns(&["--no-collect"])[0].len(), 0);
    // Where there are more agents, more of them have a measure.
    map(&["run", file, "--runs", "3", "--seed", "3", "--csv", table, "--sweep", "b=2..3"]);
    let text = std::fs::read_to_string(table).expect("it was written");
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("b,run,seed,end,steps,money,price,who,gain(B1),gain(B2),all,none,most,gain(B3)")
    );
    let last = |line: &str| line.rsplit(',').next().unwrap_or_default().to_owned();
    let lasts: Vec<String> = lines.map(last).collect();
    assert!(lasts[..3].iter().all(String::is_empty) && lasts[3..].iter().all(|it| !it.is_empty()), "{text}");
    map(&["run", file, "--no-collect"]).exits(2).err_has("--runs");
}

#[test]
fn measures_that_cannot_be_judged() {
    let scene = "procedure any() memory %b { @x = 0 } procedure note($v) = $v with @x := $v
s[ agent(!A, %a) = $v = any() then m($v, 3) => agent(_, %b)
   agent($me, %b) = waitfor m($v, _) <= agent(_, %a) then $w = note($v) ]";
    let mut told = String::new();
    for items in [
        "measure m = last($n : !A sends m(_, $n) to _)\nproperty p : always measure(m) <= 3",
        "measure m = 1 + count(!A sends m(_, _) to _)\nproperty p : always measure(m) <= 3",
        "measure m of $b in %b = mailbox($b)\nproperty p : always sum(m) <= 3",
        "measure m of $b in %b = $b@x\nproperty p : forall $b in %b : always measure(m, $b) == 3",
        "measure m of $b in %b = $b@x\nmeasure n = if measure(m, !B1) == 3 then 1 else 0\nproperty p : always measure(n) == 3",
        // These can.
        "measure m of $b in %b = mailbox($b)\nproperty p : forall $b in %b : always measure(m, $b) <= 3",
        "measure m of $b in %b = $b@x",
    ] {
        let text = format!("cast %b = 2\n{items}\n{scene}");
        let ran = map_with(text.as_bytes(), &["check", "-"]);
        told.push_str(&format!("{items}\n{}{}\n", ran.out, ran.err));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn how_runs_end_and_where() {
    let value = statistics(THREE_ENDS, &["--runs", "300", "--seed", "1"], 1);
    assert_eq!(
        ends(&value),
        [
            ("done", 108, vec![]),
            ("failure", 99, vec![("$y = is(2, $x)", 99)]),
            ("run error", 93, vec![("1 / ($x - 2)", 93)]),
        ]
    );
    assert_eq!(value["steps"]["quartiles"], json!([2, 2, 3]));
    assert_eq!(value["answers"][0], json!({ "procedure": "pick", "yes": 300, "no": 0 }));
}

#[test]
fn exact_counts_where_there_is_one_run_only() {
    let text = "s[ agent(!A, %a) = m(1) => agent(_, %b) then m(2) => agent(_, %b)
                   agent($b, %b) = (waitfor m(1) <= agent(_, _)) then waitfor m(2) <= agent(_, _) ]";
    let value = statistics(text, &["--runs", "50", "--agents", "b=3"], 0);
    assert_eq!(ends(&value), [("done", 50, vec![])]);
    assert_eq!(value["messages"], json!([{ "performative": "m", "arity": 1, "sent": 300, "mean": 6.0 }]));
    assert_eq!(value["steps"]["histogram"], json!([{ "from": 8, "to": 8, "runs": 50 }]));
    assert_eq!(value["steps"]["interval"], json!({ "low": 8.0, "high": 8.0 }));
}

#[test]
fn limits_are_told_apart_from_ends() {
    let value = statistics(ENDLESS, &["--runs", "5", "--max-steps", "7"], 4);
    assert_eq!(
        (value["ends"][0]["verdict"].as_str(), value["steps"]["least"].as_u64()),
        (Some("too many steps"), Some(7))
    );
    let value = statistics(ENDLESS, &["--runs", "5", "--rounds", "2"], 4);
    assert_eq!(value["cuts"], json!({ "depth": 0, "rounds": 5 }));
    let arguments = ["run", "-", "--runs", "5", "--max-steps", "7", "--seed", "1"];
    map_with(ENDLESS.as_bytes(), &arguments)
        .exits(4)
        .out_has("stopped by --max-steps 7")
        .out_has("too many steps");
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let arguments =
        ["run", "auction.map", "--agents", "bidder=2", "--runs", "200", "--seed", "3", "--threads"];
    let one = map(&[&arguments[..], &["1"]].concat()).exits(0);
    for threads in ["2", "5", "64"] {
        assert_eq!(map(&[&arguments[..], &[threads]].concat()).exits(0).out, one.out, "{threads} threads");
    }
}

#[test]
fn the_first_run_of_each_kind_can_be_repeated() {
    let flags = ["--agents", "bidder=2", "--yes", "0.9", "--yes", "startBidding=0.3", "--max-steps", "20"];
    let all =
        map(&[&["run", "published-corrected.map", "--runs", "500", "--seed", "1"], &flags[..]].concat())
            .exits(1);
    let mut repeated = 0;
    let mut verdict = "";
    for line in all.out.lines() {
        if let Some(command) = line.strip_prefix("    first: map ") {
            let words: Vec<&str> = command.split(' ').collect();
            let text = map(&words).out;
            assert!(text.contains(&format!("\n{verdict} after ")), "{verdict}: {text}");
            repeated += 1;
        } else if !line.starts_with(' ') {
            verdict = line.split("  ").next().unwrap_or_default();
        }
    }
    assert_eq!(repeated, 3);
    let again = all.out.lines().find_map(|line| line.strip_prefix("again: map ")).expect("it is printed");
    assert_eq!(map(&again.split(' ').collect::<Vec<_>>()).out, all.out);
}

#[test]
fn how_likely_decisions_are_to_answer() {
    let two = "s[ agent(!A, %a) = $x = p() then $y = q() or skip ]  decision p()  decision q()";
    let value = statistics(two, &["--runs", "40", "--yes", "1,q=0"], 0);
    assert_eq!(
        value["answers"],
        json!([
            { "procedure": "p", "yes": 40, "no": 0 }, { "procedure": "q", "yes": 0, "no": 40 }
        ])
    );
    assert_eq!((&value["yes"], &value["yes_of"]), (&json!(1.0), &json!([{ "procedure": "q", "yes": 0.0 }])));
    let value = statistics(two, &["--runs", "40", "--yes", "p=0"], 0);
    assert_eq!(value["answers"], json!([{ "procedure": "p", "yes": 0, "no": 40 }]));
}

#[test]
fn bad_flags() {
    for runs in ["0", "-1", "1.5", "x", "", "18446744073709551616"] {
        map(&["run", "auction.map", &format!("--runs={runs}")]).exits(2).err_has("--runs");
    }
    map(&["run", "auction.map", "--threads", "2"]).exits(2).err_has("--runs");
    for threads in ["0", "-1", "many"] {
        map(&["run", "auction.map", "--runs", "1", &format!("--threads={threads}")])
            .exits(2)
            .err_has("--threads");
    }
    for yes in ["1.5", "-0.5", "NaN", "inf", "recordBid=2", "recordBid=NaN", "=1", "recordBid="] {
        map(&["run", "auction.map", &format!("--yes={yes}")]).exits(2).err_has("from 0 to 1");
    }
    map(&["run", "auction.map", "--yes", "nobody=0.5"]).exits(2).err_has("asks it").err_has("keepBidding");
    map(&["run", "auction.map", "--yes", "openingPrice=0.5"]).exits(2).err_has("never says no");
    map(&["run", "auction.map", "--yes", "0.5", "--yes", "0.6"]).exits(2).err_has("twice for all");
    map(&["run", "auction.map", "--yes", "recordBid=0.5,recordBid=1"])
        .exits(2)
        .err_has("twice for recordBid");
    map_with(THREE_ENDS.as_bytes(), &["run", "-", "--yes", "is=0.5"]).exits(2).err_has("alternatives decide");
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_runs_so_far() {
    use std::io::Write as _;
    use std::process::Command;

    for milliseconds in [300, 1000, 4000] {
        let mut child = command(&["run", "-", "--runs", "18446744073709551615", "--seed", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(THREE_ENDS.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        if let Some(code) = output.status.code() {
            assert_eq!(code, 130);
            let out = String::from_utf8(output.stdout).unwrap();
            assert!(out.contains("of 18,446,744,073,709,551,615, interrupted"), "{out}");
            assert!(out.contains("\nrun error "), "{out}");
            return;
        }
    }
    panic!("nothing was running when it was interrupted");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = command(&["run", "published.map", "--runs", "10", "--seed", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
