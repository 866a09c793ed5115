//! Cells that start with any of several values: runs, traces, replays, and limits.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::schema::fits;
use super::{map, map_with};

const MARKET: &str = "memory %buyer { @limit in 4..8, @style in { hard, soft }, @bid = 1 }
procedure limit() = @limit
procedure style() = @style
market[
    agent(!Buyer, %buyer) =
        $l = limit() then $s = style() then bid($l, $s) => agent(!Seller, %seller)
    agent(!Seller, %seller) =
        waitfor ((bid(8, hard) <= agent(!Buyer, %buyer) then fail) or bid(_, _) <= agent(!Buyer, %buyer))
]
property in_range : always (!Buyer@limit >= 4 and !Buyer@limit <= 8)
property low : !Buyer@limit == 4
property seven : possible (!Buyer@limit == 7 and !Buyer@style == soft)
";

fn file(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = path_in(&folder, "scene.map");
    fs::write(&path, text).expect("there is room");
    (folder, path)
}

fn path_in(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("the path is UTF-8").to_owned()
}

fn json(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(Path::new(path)).expect("it was saved")).expect("it is JSON")
}

#[test]
fn a_violation_is_saved_with_the_values_it_needs_and_replayed() {
    let (folder, path) = file(MARKET);
    let trace = path_in(&folder, "t.json");
    let ran = map(&["verify", &path, "-v", "--no-properties", "--save-trace", &trace]).exits(1);
    assert!(ran.out.contains("!Buyer starts with @limit = 8, @style = hard"), "{}", ran.out);
    let saved = json(&trace);
    assert_eq!(saved["initial"], serde_json::json!(["!Buyer@limit = 8", "!Buyer@style = hard"]));
    let again = map(&["replay", &trace]).exits(1);
    assert!(again.out.contains("!Buyer starts with @limit = 8, @style = hard"), "{}", again.out);
    assert!(again.out.contains("bid(8, hard)"), "{}", again.out);
    for (from, to) in [("@limit = 8", "@limit = 9"), ("\"initial\"", "\"ignored\"")] {
        let text = fs::read_to_string(&trace).unwrap();
        fs::write(&trace, text.replace(from, to)).unwrap();
        map(&["replay", &trace]).exits(3).err_has("MAP401");
        fs::write(&trace, text).unwrap();
    }
}

#[test]
fn the_first_moment_sees_the_first_values() {
    let (_folder, path) = file(MARKET);
    let ran = map(&["verify", &path, "--format", "json"]).exits(1);
    let output: Value = serde_json::from_str(&ran.out).unwrap();
    fits("verify", &output);
    let verdict = |name: &str| {
        let all = output["properties"].as_array().unwrap();
        let it = all.iter().find(|it| it["name"] == name).unwrap();
        (it["verdict"].as_str().unwrap().to_owned(), it["initial"].clone())
    };
    assert_eq!(verdict("in_range").0, "holds");
    assert_eq!(verdict("low").0, "violated");
    assert_ne!(verdict("low").1[0], "!Buyer@limit = 4");
    let seven = serde_json::json!(["!Buyer@limit = 7", "!Buyer@style = soft"]);
    assert_eq!(verdict("seven"), ("holds".to_owned(), seven));
}

#[test]
fn a_seed_decides_the_first_values() {
    let (folder, path) = file(MARKET);
    let trace = path_in(&folder, "t.json");
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let seed = seed.to_string();
        let one = map(&["run", &path, "--seed", &seed, "--save-trace", &trace]);
        let two = map(&["run", &path, "--seed", &seed]);
        assert_eq!(one.out, two.out);
        let again = map(&["replay", &trace]);
        let starts = |text: &str| text.lines().find(|it| it.contains("starts with")).map(str::to_owned);
        assert!(starts(&one.out).is_some(), "{}", one.out);
        assert_eq!(starts(&one.out), starts(&again.out));
        seen.insert(starts(&one.out));
    }
    assert!(seen.len() > 5, "{seen:?}");
}

#[test]
fn a_stepper_chooses_first_values() {
    let (folder, path) = file(MARKET);
    let trace = path_in(&folder, "t.json");
    let script = format!("start !Buyer@limit = 8\nrandom\nsave {trace}\n");
    let ran = map_with(script.as_bytes(), &["step", &path]);
    assert!(ran.out.contains("!Buyer starts with @limit = 8, @style = hard"), "{}", ran.out);
    assert_eq!(json(&trace)["initial"][0], "!Buyer@limit = 8");
    map(&["replay", &trace]).exits(1);
    let ran = map_with(b"list\n", &["step", "--resume", &trace]);
    assert!(ran.out.contains("deadlock after 5 steps"), "{}", ran.out);
    let ran = map_with(b"start !Buyer@limit = 9\n", &["step", &path]);
    ran.err_has("start !Buyer@limit = 4");
}

#[test]
fn too_many_initial_states_reach_a_limit() {
    let scene = "memory %a { @c in 1..1000, @d in 1..1000 }
procedure c() = @c
procedure d() = @d
s[ agent($me, %a) = $x = c() then $y = d() then m($x, $y) => agent(!B, %b)
   agent(!B, %b) = waitfor ((m(0, _) <= agent(_, %a) then fail) or (m($x, $x) <= agent(_, %a) then skip)) ]
cast %a = 3";
    let (_folder, path) = file(scene);
    let ran = map(&["verify", &path, "--max-states", "20000"]).exits(4);
    assert!(ran.out.contains("inconclusive"), "{}", ran.out);
    map(&["verify", &path, "--max-memory", "64M"]).exits(4);
    map(&["verify", &path, "--time-limit", "1"]).exits(4);
}

#[test]
fn too_many_ways_to_start_are_not_exported() {
    let scene = |domain: &str| {
        format!(
            "memory %a {{ @c in {domain}, @d in 1..2 }}
procedure c() = @c
s[ agent($me, %a) = $x = c() then m($x) => agent(!B, %b)
   agent(!B, %b) = waitfor m(_) <= agent(_, %a) ]"
        )
    };
    let (_folder, path) = file(&scene("1..501"));
    map(&["export", &path, "--to", "promela"]).exits(3).err_has("MAP420").err_has("1,000 ways");
    let (_folder, path) = file(&scene("1..500"));
    map(&["export", &path, "--to", "promela"]).exits(0);
    let (_folder, path) = file(&scene("1..2"));
    map(&["export", &path, "--to", "promela", "--style", "walton"]).exits(3).err_has("starts with one value");
}
