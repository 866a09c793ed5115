//! `map guard` with budgets and a look ahead: what is enforced, refused and told.

use std::fs;
use std::path::Path;

use super::map_with;

/// Whoever goes left waits for ever.
const FORK: &str = "\
decision goLeft()
fork[
    agent(!Walker, %walker) =
        ((goLeft() then left() => agent(!Guide, %guide)) or right() => agent(!Guide, %guide))
        then (waitfor welcome() <= agent(!Guide, %guide))
    agent(!Guide, %guide) =
        waitfor (
            left() <= agent(!Walker, %walker)
            or (right() <= agent(!Walker, %walker) then welcome() => agent(!Walker, %walker))
        )
]
property never_left : never !Walker sends left() to _
property ends : eventually ended
";

fn folder(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("fork.map"), FORK).expect("it is written");
    fs::write(folder.path().join("fork.toml"), config).expect("it is written");
    folder
}

fn arguments(folder: &Path, more: &[&str]) -> Vec<String> {
    let place = |name: &str| folder.join(name).display().to_string();
    let mut all = vec!["guard".to_owned(), place("fork.map"), "--stdio".to_owned()];
    all.extend(["--config".to_owned(), place("fork.toml")]);
    all.extend(more.iter().map(|&it| it.to_owned()));
    all
}

/// The lines that the guard writes when the walker goes left and then right.
fn walk(config: &str, more: &[&str]) -> Vec<String> {
    let folder = folder(config);
    let arguments = arguments(folder.path(), more);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let requests: String = ["left", "right"]
        .iter()
        .map(|said| {
            format!(
                "{{\"do\":\"send\",\"conversation\":\"c\",\"as\":\"Walker\",\"performative\":{said:?}}}\n"
            )
        })
        .collect();
    let ran = map_with(requests.as_bytes(), &arguments).exits(0);
    ran.out.lines().map(str::to_owned).collect()
}

#[track_caller]
fn has(line: &str, part: &str) {
    assert!(line.contains(part), "{part:?} is not in {line}");
}

#[test]
fn what_dooms_a_conversation_is_refused() {
    let lines = walk("[enforce]\nproperties = []\non_doomed = \"refuse\"\n", &["--wait"]);
    has(&lines[0], "\"on_doomed\":\"refuse\",\"ahead\":{\"known\":\"mixed\",\"states\":");
    has(&lines[1], "{\"refused\":{\"kind\":\"doomed\"");
    has(&lines[1], "\"may\":[{\"performative\":\"right\"");
    assert!(!lines[1].contains("\"performative\":\"left\""), "{}", lines[1]);
    has(&lines[2], "\"certain\":true,\"looked_ahead\":true");
}

#[test]
fn what_dooms_a_conversation_is_told() {
    let lines = walk("[enforce]\nproperties = []\non_doomed = \"warn\"\n", &["--wait"]);
    has(&lines[1], "{\"accepted\":");
    has(&lines[1], "\"doomed\":true,\"looked_ahead\":true");
}

#[test]
fn properties_are_enforced() {
    let lines = walk("", &["--property", "never !Walker sends right() to _"]);
    has(&lines[0], "\"enforces\":[\"never_left\",\"never !Walker sends right() to _\"]");
    has(&lines[0], "\"not_enforced\":[{\"property\":\"ends\",\"why\":\"promises that something happens");
    has(&lines[1], "\"text\":\"it would violate never_left\",\"may\":[],\"owes\":true");
    has(&lines[2], "\"kind\":\"budget\",\"text\":\"it would violate never !Walker sends right() to _\"");
}

#[test]
fn wrong_properties_are_refused() {
    let run = |config: &str, more: &[&str]| {
        let folder = folder(config);
        let arguments = arguments(folder.path(), more);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        map_with(b"", &arguments).exits(3)
    };
    run("[enforce]\nproperties = [\"never_right\"]\n", &[])
        .err_has("MAP432")
        .err_has("the file has no property \"never_right\"");
    run("[enforce]\nproperties = 3\n", &[]).err_has("MAP432");
    run("[enforce]\non_doomed = \"sing\"\n", &[]).err_has("there are refuse, warn and off");
    run("", &["--property", "never !Walker sends up() to _"]).err_has("MAP120");
}
