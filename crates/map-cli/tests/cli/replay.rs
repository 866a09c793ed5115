//! `--save-trace` and `map replay`: the same story again, or a reason why not.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::schema::fits;
use super::{DEADLOCK, ENDLESS, command, map, map_with};

/// Memory, a domain, and a run error.
const BODIES: &str = "memory %a { @n = 1 }
procedure next() = @n with @n := @n * 2
procedure pick() in { 1, 2, 3 }
procedure over($x) = 10 / ($x - 2)
s[ agent(!A, %a) = $x = next() then $y = next() then $p = pick() then $z = over($y) ]";

/// A file of that text in a folder of its own.
fn file(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = path_in(&folder, "scene.map");
    fs::write(&path, text).expect("there is room");
    (folder, path)
}

fn path_in(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("the path is UTF-8").to_owned()
}

/// The lines of the steps, and the verdict.
fn story(text: &str) -> Vec<&str> {
    let is_step =
        |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit()) && line.contains("  !");
    let verdict = text.lines().filter(|line| line.contains(" after ") && line.contains(": "));
    text.lines().filter(is_step).map(str::trim_start).chain(verdict).collect()
}

#[test]
fn a_run_is_told_again() {
    let endless = ["--max-steps", "20"];
    for (text, flags, code) in [
        (DEADLOCK, &[][..], 1),
        (BODIES, &[], 1),
        (ENDLESS, &["--rounds", "2"], 4),
        ("s[ agent(!A, %a) = fail agent(!B, %b) = skip ]", &[], 1),
        ("s[ agent(!A, %a) = agent() ]", &[], 1),
        (
            "s[ agent(!A, %a) = waitfor $x = p() then fail timeout agent(x) agent(!A, %a, x) = skip ]",
            &["--timeouts", "any"],
            0,
        ),
    ] {
        let (folder, path) = file(text);
        let trace = path_in(&folder, "t.json");
        let run = [&["run", &path, "--seed", "4", "--save-trace", &trace], flags].concat();
        let first = map(&run).exits(code);
        let again = map(&["replay", &trace]).exits(code);
        assert_eq!(story(&first.out), story(&again.out), "{text}");
        assert!(!story(&again.out).is_empty(), "{}", again.out);
        fits("trace", &serde_json::from_str(&fs::read_to_string(&trace).unwrap()).unwrap());
        let json = map(&["replay", &trace, "--format", "json"]).exits(code);
        let json: Value = serde_json::from_str(&json.out).unwrap();
        fits("replay", &json);
        assert_eq!(json["verdict"], json["recorded"]);
    }
    let (folder, path) = file(ENDLESS);
    let trace = path_in(&folder, "t.json");
    map(&[&["run", &path, "--save-trace", &trace], &endless[..]].concat()).exits(4);
    map(&["replay", &trace]).exits(4).out_has("not ended after 20 steps");
}

#[test]
fn losses_crashes_and_bags_are_told_again() {
    let text = "s[ agent(!A, %a) = m(1) => agent(_, %b) then m(2) => agent(_, %b)
                   agent(!B, %b) = (waitfor m($x) <= agent(_, _) timeout skip) then (waitfor m($y) <= agent(_, _) timeout skip) ]";
    let (folder, path) = file(text);
    let trace = path_in(&folder, "t.json");
    let (mut lost, mut crashed) = (0, 0);
    for seed in 0..20 {
        let seed = seed.to_string();
        let network = ["--network", "unordered,lossy:1,crash:1", "--loss", "0.5", "--crash", "0.2"];
        let first = map(&[&["run", &path, "--seed", &seed, "--save-trace", &trace], &network[..]].concat());
        let again = map(&["replay", &trace]).out_has("network unordered,lossy:1,crash:1");
        assert_eq!((first.code, story(&first.out)), (again.code, story(&again.out)));
        lost += usize::from(again.out.contains("is lost"));
        crashed += usize::from(again.out.contains("crashes"));
        let steps = again.out.lines().filter(|it| it.contains("  !")).count();
        let script = format!("undo\ntrace 1 {steps}\nredo\nshow\nlist\n");
        map_with(script.as_bytes(), &["step", "--resume", &trace]).exits(0);
    }
    assert!(lost > 0 && crashed > 0, "{lost} {crashed}");
    map_with(b"1\n0.0.crash\n", &["step", &path, "--network", "crash:1"]).exits(0).out_has("crashes");
    map_with(b"", &["step", &path, "--network", "lossy:1"]).exits(0).out_has("2)").out_has("which is lost");
}

#[test]
fn counterexamples_are_told_again() {
    let folder = tempfile::tempdir().unwrap();
    let trace = path_in(&folder, "t.json");
    for (file, flags) in [
        ("published.map", &[][..]),
        ("published-total.map", &[]),
        ("published-corrected.map", &["--agents", "bidder=2", "--rounds", "bidloop=2"]),
    ] {
        let verify = [&["verify", "-v", file, "--save-trace", &trace], flags].concat();
        let first = map(&verify).exits(1);
        let again = map(&["replay", &trace]).exits(1);
        let steps = |text: &str| {
            story(text).into_iter().filter(|it| it.contains("  !")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(steps(&first.out), steps(&again.out), "{file}");
        let json = [&["verify", "-v", file, "--format", "json"], flags].concat();
        let piped = map_with(map(&json).exits(1).out.as_bytes(), &["replay", "-"]).exits(1);
        assert_eq!(story(&piped.out), story(&again.out), "{file}");
    }
    let ran = map(&["run", "auction.map", "--seed", "3", "--format", "json"]).exits(0);
    map_with(ran.out.as_bytes(), &["replay", "-"]).exits(0).out_has("done after 10 steps");
}

#[test]
fn a_livelock_is_what_the_search_says() {
    let (folder, path) = file(
        "s[ agent(!A, %a) = agent(x) agent(!A, %a, x) = m() => agent(!B, %b) then (waitfor n() <= agent(_, %b)) then agent(x)
            agent(!B, %b) = (waitfor m() <= agent(_, %a)) then n() => agent(!A, %a) then agent() ]",
    );
    let trace = path_in(&folder, "t.json");
    map(&["verify", "-v", &path, "--keep-going", "--save-trace", &trace]).exits(1).out_has("livelock");
    map(&["replay", &trace])
        .exits(1)
        .out_has("livelock after 4 steps: so says the search")
        .out_has("!A can send m()");
}

#[test]
fn a_violated_property_is_what_the_search_says() {
    let (folder, path) = file(
        "s[ agent(!A, %a) = $x = p() then m() => agent(!B, %b) or skip  agent(!B, %b) = waitfor m() <= agent(_, _) timeout skip ]
         property heard : eventually !B receives m() from !A
         property done : eventually ended",
    );
    let trace = path_in(&folder, "t.json");
    map(&["verify", "-v", &path, "--save-trace", &trace]).exits(1).out_has("property heard");
    map(&["replay", &trace])
        .exits(1)
        .out_has("property heard violated: so says the search")
        .out_has("not ended after 1 step");
}

#[test]
fn nothing_is_saved_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let trace = path_in(&folder, "t.json");
    map(&["verify", "-v", "auction.map", "--save-trace", &trace]).exits(0).err_has("no trace is saved");
    assert!(!Path::new(&trace).exists());
    let ran = map(&["verify", "-v", "auction.map", "--format", "json"]).exits(0);
    map_with(ran.out.as_bytes(), &["replay", "-"]).exits(3).err_has("MAP401").err_has("terminates");
}

#[test]
fn where_a_trace_is_saved() {
    let (folder, path) = file(DEADLOCK);
    for target in ["", "-", "x.map", "/no/such/folder/t.json", folder.path().to_str().unwrap()] {
        map(&["run", &path, "--save-trace", target]).exits(2).err_has("--save-trace");
    }
    let other = path_in(&folder, "scene.txt");
    fs::copy(&path, &other).unwrap();
    map(&["run", &other, "--save-trace", &other]).exits(2).err_has("a file to be read");
    assert_eq!(fs::read_to_string(&other).unwrap(), DEADLOCK);
    map(&["run", &path, "--runs", "2", "--save-trace", "t.json"]).exits(2).err_has("--save-trace");
    map(&["verify", "-v", &path, &path, "--save-trace", "t.json"]).exits(2).err_has("one file");
    if Path::new("/dev/full").exists() {
        map(&["run", &path, "--save-trace", "/dev/full"]).exits(3).err_has("cannot be saved");
    }
    let leftovers = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(leftovers, 2);
}

#[test]
fn the_dialogue_may_have_moved_but_not_changed() {
    let (folder, path) = file(DEADLOCK);
    let trace = path_in(&folder, "t.json");
    map(&["run", &path, "--save-trace", &trace]).exits(1);
    let elsewhere = tempfile::tempdir().unwrap();
    let (moved, beside) = (path_in(&elsewhere, "other.map"), path_in(&elsewhere, "t.json"));
    fs::rename(&path, &moved).unwrap();
    map(&["replay", &trace]).exits(3).err_has("MAP011").err_has("--file");
    map(&["replay", &trace, "--file", &moved]).exits(1).out_has("deadlock after 0 steps");
    map_with(DEADLOCK.as_bytes(), &["replay", &trace, "--file", "-"]).exits(1).out_has("deadlock");
    map(&["replay", "-", "--file", "-"]).exits(2).err_has("standard input");
    // Of the same name, and beside the trace; not another one of that name that happens to be here.
    fs::rename(&moved, path_in(&elsewhere, "scene.map")).unwrap();
    fs::rename(&trace, &beside).unwrap();
    map(&["replay", &beside]).exits(1).out_has("deadlock");
    fs::write(path_in(&elsewhere, "scene.map"), format!("{DEADLOCK} ")).unwrap();
    map(&["replay", &beside]).exits(3).err_has("MAP403").err_has("sha256:");
    let here = tempfile::tempdir().unwrap();
    fs::write(path_in(&here, "d.map"), format!("{DEADLOCK} ")).unwrap();
    fs::write(path_in(&elsewhere, "d.map"), DEADLOCK).unwrap();
    let run = ["run", "d.map", "--save-trace", "d.json"];
    let at = |folder: &TempDir, line: &[&str]| {
        command(line).current_dir(folder.path()).output().expect("the binary runs").status.code()
    };
    assert_eq!(at(&elsewhere, &run), Some(1));
    let trace = path_in(&elsewhere, "d.json");
    assert_eq!(at(&here, &["replay", &trace]), Some(1));
    let piped = map_with(DEADLOCK.as_bytes(), &["run", "-", "--format", "json"]).exits(1);
    map_with(piped.out.as_bytes(), &["replay", "-"])
        .exits(3)
        .err_has("read from standard input")
        .err_has("--file");
}

/// A trace of [`BODIES`], and the folder it stands in with its dialogue.
fn saved() -> (TempDir, Value) {
    let (folder, path) = file(BODIES);
    let trace = path_in(&folder, "t.json");
    map(&["run", &path, "--seed", "4", "--save-trace", &trace]).exits(1);
    let text = fs::read_to_string(&trace).expect("the trace was saved");
    (folder, serde_json::from_str(&text).expect("it is JSON"))
}

#[test]
fn impossible_steps() {
    let (folder, value) = saved();
    assert_eq!(value["choices"].as_array().unwrap().len(), 4);
    let trace = path_in(&folder, "t.json");
    for (index, choice, why) in [
        (0, "1.0.act", "no agent"),
        (0, "0.7.act", "no such thread"),
        (0, "0.0.timeout", "time cannot run out"),
        (0, "0.0.act.1", "cannot be settled"),
        (2, "0.0.act.3", "cannot be settled"),
        (2, "0.0.act", "cannot be settled"),
        (2, "4294967295.4294967295.act.4294967295", "no agent"),
    ] {
        let mut value = value.clone();
        value["choices"][index] = json!(choice);
        fs::write(&trace, value.to_string()).unwrap();
        let place = format!("step {} of the trace", index + 1);
        map(&["replay", &trace]).exits(3).err_has("MAP404").err_has(why).err_has(&place);
        map(&["step", "--resume", &trace]).exits(3).err_has("MAP404").err_has(why);
    }
    let mut longer = value;
    longer["choices"].as_array_mut().unwrap().push(json!("0.0.act"));
    fs::write(&trace, longer.to_string()).unwrap();
    map(&["replay", &trace]).exits(3).err_has("MAP404").err_has("goes wrong, which ends the run");
}

#[test]
fn damaged_and_hostile_traces() {
    let (folder, value) = saved();
    let trace = path_in(&folder, "t.json");
    let refused = |text: &str, code: &str, why: &str| {
        fs::write(&trace, text).unwrap();
        map(&["replay", &trace]).exits(3).err_has(code).err_has(why);
    };
    let text = value.to_string();
    for cut in [0, 1, text.len() / 2, text.len() - 1] {
        refused(&text[..cut], "MAP401", "damaged");
    }
    refused(" \n", "MAP401", "there is nothing in it");
    map(&["replay", "auction.map"])
        .exits(3)
        .err_has("MAP401")
        .err_has("this is a dialogue, not a trace of one");
    refused("[]", "MAP401", "damaged");
    refused("{}", "MAP401", "not from map");
    refused(&"[".repeat(100_000), "MAP401", "damaged");
    let nested = format!("{{\"x\": {}", "[".repeat(1_000_000));
    refused(&nested, "MAP401", "EOF");
    refused(&format!("{text} x"), "MAP401", "trailing");
    refused(&text.replacen("\"choices\"", "\"choices\":[],\"choices\"", 1), "MAP401", "duplicate");
    let with = |key: &str, it: Value| {
        let mut value = value.clone();
        value[key] = it;
        value.to_string()
    };
    refused(&with("schema", json!(2)), "MAP402", "format 2");
    refused(&with("schema", json!(-1)), "MAP401", "damaged");
    refused(&with("tool", json!("mop")), "MAP401", "not from map");
    refused(&with("source", json!("sha256:00")), "MAP403", "another version");
    refused(&with("scene", json!("nowhere")), "MAP111", "nowhere");
    refused(&with("cast", json!(["a=2"])), "MAP401", "not those");
    refused(&with("cast", json!(["a=4000000000"])), "MAP110", "a");
    refused(&with("cast", json!(["a=-1"])), "MAP401", "cast");
    refused(&with("cast", json!(["a=1", "a=1"])), "MAP401", "twice");
    refused(&with("verdict", json!("\u{1b}[2J")), "MAP401", "characters that nobody sees");
    refused(&with("version", json!("1\n2")), "MAP401", "characters that nobody sees");
    refused(&with("choices", json!([1, 2])), "MAP401", "a string");
    refused(&with("choices", json!(["0.0.act.-1"])), "MAP401", "expected AGENT");
    refused(&with("choices", json!({})), "MAP401", "invalid type");
    for (key, it) in [
        ("depth", json!(0)),
        ("depth", json!(-1)),
        ("mailbox", json!(4_294_967_296_u64)),
        ("timeouts", json!("never")),
        ("rounds_of", json!([{ "constant": "nothing", "limit": 1 }])),
        ("agents", json!([])),
    ] {
        let mut bounds = value["bounds"].clone();
        bounds[key] = it;
        refused(&with("bounds", bounds), "MAP401", "");
    }
    fs::write(&trace, b"{\"schema\": \xff}").unwrap();
    map(&["replay", &trace]).exits(3).err_has("MAP004");
    map(&["replay", folder.path().to_str().unwrap()]).exits(3).err_has("MAP011").err_has("directory");
    map(&["replay", "/no/such/trace.json"]).exits(3).err_has("MAP011");
    map(&["replay", "auction.map"]).exits(3).err_has("MAP401");
    map(&["replay"]).exits(2);
    map(&["replay", &trace, &trace]).exits(2);
    let statistics = map(&["run", "auction.map", "--runs", "2", "--format", "json"]).out;
    refused(&statistics, "MAP401", "statistic");
    refused(
        &map(&["verify", "-v", "auction.map", "published.map", "--format", "json"]).out,
        "MAP401",
        "several files",
    );
    refused(&map_with(b"s", &["verify", "-v", "-", "--format", "json"]).out, "MAP401", "diagnostics");
}
