//! `--agents bidder=1..5`: one cast after the other, a row for each.

use std::fs;

use serde_json::Value;

use super::report::looks_well;
use super::schema::fits;
use super::{map, map_with};

/// A server for at most two clients, who tell an office.
const AT_MOST_TWO: &str = "property served: forall $c in %client : eventually done($c)
s[
    agent(!Server, %server) =
        waitfor (ask() <= agent($one, %client) then answer() => agent($one, %client)
        then (waitfor (ask() <= agent($other, %client) then answer() => agent($other, %client)) timeout skip))
    agent($me, %client) =
        ask() => agent(!Server, %server) then (waitfor answer() <= agent(!Server, %server))
        then told() => agent(_, %office)
    agent($me, %office) = skip
]";

fn verify(flags: &[&str]) -> super::Ran {
    map_with(AT_MOST_TWO.as_bytes(), &[&["verify", "-"], flags].concat())
}

fn json(flags: &[&str]) -> Value {
    let ran = verify(&[&["--format", "json"], flags].concat());
    let output = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("verify", &output);
    output
}

/// A row without its time.
fn row(line: &str) -> Vec<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    [&words[..2], &words[4..]].concat()
}

#[test]
fn every_cast_has_a_row_as_it_has_it_alone() {
    let ran = verify(&["--agents", "client=1..4"]).exits(1);
    let rows: Vec<Vec<&str>> = ran.out.lines().filter(|line| line.starts_with("client=")).map(row).collect();
    let verdicts =
        ["terminates; the property holds", "terminates; the property holds", "deadlock", "deadlock"];
    for ((row, count), verdict) in rows.iter().zip(1..).zip(verdicts) {
        let cast = format!("client={count}");
        assert!(row[0] == cast && row[2..].join(" ").starts_with(verdict), "{row:?}");
        let alone = json(&["--agents", &cast]);
        assert!(alone["states"].as_u64().is_some_and(|states| states > 0), "{alone}");
    }
    assert_eq!(rows.len(), 4, "{}", ran.out);
    ran.out_has("next: map verify - --agents client=3\n").out_has("s: all is well with 2 of 4 casts");
    verify(&["--agents", "client=1..2"]).exits(0).out_has("s: all is well with 2 of 2 casts");
    // One number is no series.
    verify(&["--agents", "client=2..2"]).exits(0).out_has("s: terminates");
}

#[test]
fn json_has_the_results_of_all_casts() {
    let all = json(&["--agents", "client=1..2,office=1..2"]);
    let of = |result: &Value| {
        let cast = result["cast"].as_array().expect("there are roles");
        (cast.iter().map(|it| it.as_str().expect("a text").to_owned()).collect::<Vec<_>>(), result.clone())
    };
    let all: Vec<(Vec<String>, Value)> = all["results"].as_array().expect("several").iter().map(of).collect();
    let casts: Vec<String> = all.iter().map(|(cast, _)| cast.join(",")).collect();
    assert_eq!(casts, ["client=1,office=1", "client=1,office=2", "client=2,office=1", "client=2,office=2"]);
    for (cast, result) in all {
        let alone = json(&["--agents", &cast.join(",")]);
        for part in ["verdict", "states", "transitions", "trace", "cast", "bounds"] {
            assert_eq!(alone[part], result[part], "{cast:?}: {part}");
        }
    }
}

#[test]
fn junit_has_a_suite_for_each_cast() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("j.xml").display().to_string();
    verify(&["--agents", "client=2..3", "-q", "--junit", &target]).exits(1);
    let text = fs::read_to_string(&target).expect("it was written");
    let names: Vec<&str> =
        text.split("<testsuite name=\"").skip(1).filter_map(|it| it.split('"').next()).collect();
    assert_eq!(names, ["&lt;stdin&gt; (client=2)", "&lt;stdin&gt; (client=3)"], "{text}");
    assert_eq!(text.matches("<testcase name=\"termination\"").count(), 2);
}

#[test]
fn the_page_has_a_row_and_a_point_for_each_cast() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("r.html").display().to_string();
    verify(&["--agents", "client=1..12", "-q", "--report", &target]).exits(1);
    let page = fs::read_to_string(&target).expect("it was written");
    assert!(page.contains("client=3: deadlock"));
    let plot = page.split("class=\"map-plot\"").nth(1).and_then(|rest| rest.split("</svg>").next());
    let plot = plot.expect("there is a plot");
    assert_eq!((plot.matches("<circle").count(), plot.matches("<polyline").count()), (24, 2));
    looks_well(&page, None);
}

#[test]
fn several_scenes_have_the_casts_that_they_can_have() {
    let scenes = format!("{AT_MOST_TWO}\nother[ agent(!Other, %other) = skip ]");
    let ran = map_with(scenes.as_bytes(), &["verify", "-", "--agents", "client=1..2", "-q"]).exits(0);
    ran.out_has("\nclient=2 ").out_has("<stdin>  other  terminates");
    // What is wrong with one cast is told of that one.
    let wrong = "s[ agent(!A, %a) = m() => agent(!B, %b) agent(!B, %b) = waitfor m() <= agent(!A, %a) ]";
    map_with(wrong.as_bytes(), &["verify", "-", "--agents", "nobody=1..2"]).exits(3).err_has("MAP108");
}

#[test]
fn casts_that_are_none_are_told() {
    let mut told = String::new();
    for agents in [
        "client=3..1",
        "client=1..",
        "client=0..",
        "client=..3",
        "client=1..x",
        "client=1..2..3",
        "=1..2",
        "client=1..99999999999",
        "client=1..4000000000",
        "client=1..20,office=1..20",
        "client=any,office=1..2",
        "client=1..2,client=3",
        "client=1..2,client=3..4",
    ] {
        let ran = verify(&["--agents", agents]).exits(2);
        told.push_str(ran.err.lines().next().unwrap_or_default());
        told.push('\n');
    }
    for flags in [
        ["--weather", ""],
        ["--save-trace", "t.json"],
        ["--save-test", "t.maptest"],
        ["--properties-only", ""],
    ] {
        let flags = flags.iter().filter(|flag| !flag.is_empty()).copied();
        let ran = verify(&["--agents", "client=1..2"].into_iter().chain(flags).collect::<Vec<_>>()).exits(2);
        told.push_str(ran.err.lines().next().unwrap_or_default());
        told.push('\n');
    }
    for verb in ["run", "check"] {
        let ran = map_with(AT_MOST_TWO.as_bytes(), &[verb, "-", "--agents", "client=1..2"]).exits(2);
        told.push_str(ran.err.lines().next().unwrap_or_default());
        told.push('\n');
    }
    insta::assert_snapshot!("casts_that_are_none", told);
}

#[test]
fn a_line_of_a_test_may_be_about_several_casts() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.map").display().to_string();
    let lines = "//@ verify --agents client=1..2 => terminates\n//@ property served => holds\n";
    fs::write(&file, format!("{lines}{AT_MOST_TWO}")).expect("there is room");
    map(&["test", &file]).exits(0).out_has("2 tests: 2 as expected");
    fs::write(&file, format!("{}{AT_MOST_TWO}", lines.replace("1..2", "2..3"))).expect("there is room");
    map(&["test", &file])
        .exits(1)
        .out_has("2 tests: 1 as expected, 1 not")
        .out_has("found: //@ verify --agents client=3 => deadlock");
}
