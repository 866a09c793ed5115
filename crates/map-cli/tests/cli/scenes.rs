//! Files with several scenes: `map verify` takes all of them, whatever is about one scene asks which.

use std::fs;

use serde_json::Value;

use super::schema::fits;
use super::{map, map_with};

/// A scene that ends well, one that deadlocks, and one that goes round.
const SCENES: &str = "greeting[
    agent($g, %guest) = hello() => agent(_, %host)
    agent($h, %host) = waitfor hello() <= agent(_, %guest)
]

stuck[
    agent(!A, %a) = waitfor pay() <= agent(_, %b)
    agent(!B, %b) = waitfor goods() <= agent(_, %a)
]

round[
    agent(!C, %c) = agent(turn)
    agent(!C, %c, turn) = m() => agent(!D, %d) then waitfor n() <= agent(_, %d) then agent(turn)
    agent(!D, %d) = agent(turn)
    agent(!D, %d, turn) = waitfor m() <= agent(_, %c) then n() => agent(!C, %c) then agent(turn)
]
";

/// The scenes and verdicts of what `map verify` prints as JSON.
fn verdicts(flags: &[&str]) -> Vec<(String, String)> {
    let ran = map_with(SCENES.as_bytes(), &[&["verify", "-", "--format", "json"], flags].concat());
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("verify", &output);
    let of = |result: &Value| {
        let word = |key: &str| result[key].as_str().expect("it is a text").to_owned();
        (word("scene"), word("verdict"))
    };
    match output["results"].as_array() {
        Some(results) => results.iter().map(of).collect(),
        None => vec![of(&output)],
    }
}

#[test]
fn every_scene_has_its_verdict() {
    let ran = map_with(SCENES.as_bytes(), &["verify", "-", "-q", "--rounds", "turn=2"]).exits(1);
    ran.out_has("greeting  terminates").out_has("stuck  deadlock").out_has("round  terminates");
    // As each has it alone.
    let all = verdicts(&["--rounds", "2"]);
    let alone = ["greeting", "stuck", "round"]
        .map(|scene| verdicts(&["--rounds", "2", "--scene", scene]).swap_remove(0));
    assert_eq!(all, alone);
    // The worst exit code counts, not the last one.
    map_with(SCENES.as_bytes(), &["verify", "-", "--scene", "greeting"]).exits(0);
}

#[test]
fn several_may_be_chosen() {
    let both = verdicts(&["--rounds", "2", "--scene", "round", "--scene", "greeting"]);
    let names: Vec<&str> = both.iter().map(|(scene, _)| scene.as_str()).collect();
    assert_eq!(names, ["greeting", "round"], "in the order of the file");
    let unknown = ["verify", "-", "--scene", "greeting", "--scene", "grieting"];
    let ran = map_with(SCENES.as_bytes(), &unknown).exits(3).err_has("grieting");
    assert!(ran.out.is_empty(), "{}", ran.out);
    // Whatever is about one scene takes one.
    let twice = ["run", "-", "--scene", "greeting", "--scene", "stuck"];
    map_with(SCENES.as_bytes(), &twice).exits(2).err_has("'--scene <NAME>' cannot be used multiple times");
}

#[test]
fn flags_are_for_the_scenes_that_they_fit() {
    let verify = |flags: &[&str]| map_with(SCENES.as_bytes(), &[&["verify", "-", "-v"], flags].concat());
    verify(&["--agents", "guest=3", "--rounds", "turn=2"]).exits(1).out_has("!Guest3 (%guest)");
    verify(&["--agents", "nobody=3"]).exits(3).err_has("MAP108");
    verify(&["--rounds", "nothing=3"]).exits(2).err_has("--rounds nothing=..");
    let ran = verify(&["--rounds", "2", "--property", "eventually done(!guest)"]).exits(3);
    ran.err_has("error");
    verify(&["--rounds", "2", "--property", "eventually done(!B)"]).exits(1).out_has("violated");
}

#[test]
fn what_is_about_one_scene_asks_which() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let file = path("a.map");
    fs::write(&file, SCENES).expect("there is room");
    for flags in [
        ["--report", &path("r.html")],
        ["--save-trace", &path("t.json")],
        ["--save-test", &path("t.maptest")],
        ["--checkpoint", &path("kept")],
    ] {
        let ran = map(&["verify", &file, flags[0], flags[1]]).exits(2);
        ran.err_has("is for one scene").err_has("greeting, stuck, round");
    }
    for words in [
        &["run"][..],
        &["step"],
        &["render"],
        &["export", "--to", "promela", "--mailbox", "2"],
        &["dump", "ir"],
        &["dump", "names"],
    ] {
        map(&[words, &[&file]].concat()).exits(3).err_has("MAP111").err_has("`stuck`");
    }
    fs::write(&file, format!("//@ verify => terminates\n{SCENES}")).expect("there is room");
    map(&["test", &file]).exits(3).out_has("several scenes");
    fs::write(&file, format!("//@ verify --scene greeting => terminates\n{SCENES}")).expect("there is room");
    map(&["test", &file]).exits(0);
}

#[test]
fn errors_and_warnings_of_a_file_are_said_once() {
    let broken = format!("{SCENES}\nwrong[ agent(!X, %x) = m() => agent(!Nobody, %nobody) ]");
    let ran = map_with(broken.as_bytes(), &["verify", "-"]).exits(3);
    assert_eq!(ran.err.matches("error[MAP105]").count(), 1, "{}", ran.err);
}
