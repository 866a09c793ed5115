//! The machine-readable outputs.

use serde_json::Value;

use super::schema::fits;
use super::{DEADLOCK, FINE, map, map_with};

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

#[track_caller]
fn has_keys(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value.get(key).is_some(), "there is no {key} in {value:#}");
    }
}

const COMMON: [&str; 4] = ["schema", "tool", "version", "command"];

#[test]
fn check() {
    let ran =
        map_with(b"s[ agent(!A, %a) = m($x) => agent(_, %b) ]", &["check", "-", "--format", "json"]).exits(3);
    assert!(ran.err.is_empty());
    let value = parsed(&ran.out);
    fits("check", &value);
    has_keys(&value, &COMMON);
    has_keys(&value, &["files", "diagnostics"]);
    assert_eq!(
        (&value["schema"], &value["tool"], &value["command"]),
        (&1.into(), &"map".into(), &"check".into())
    );
    assert_eq!(value["files"][0]["file"], "<stdin>");
    has_keys(&value["diagnostics"][0], &["code", "severity", "text", "file", "labels", "notes", "help"]);
    has_keys(&value["diagnostics"][0]["labels"][0]["span"], &["start", "end", "line", "column"]);
}

#[test]
fn fixes_can_be_carried_out() {
    let text = "s[ agent(!A, %a) = m() -> agent(_, %b) ]";
    let ran = map_with(text.as_bytes(), &["check", "-", "--format", "json"]).exits(3);
    let value = parsed(&ran.out);
    fits("check", &value);
    let fix = &value["diagnostics"][0]["fixes"][0];
    assert_eq!(fix["title"], "Write `=>`");
    let edit = &fix["edits"][0];
    let place = |key: &str| usize::try_from(edit["span"][key].as_u64().unwrap()).unwrap();
    let mut text = text.to_owned();
    text.replace_range(place("start")..place("end"), edit["replacement"].as_str().unwrap());
    assert_eq!(text, "s[ agent(!A, %a) = m() => agent(_, %b) ]");
}

#[test]
fn verify() {
    let ran = map(&["verify", "published-corrected.map", "--format", "json"]).exits(1);
    assert!(ran.err.is_empty());
    let value = parsed(&ran.out);
    fits("verify", &value);
    has_keys(&value, &COMMON);
    has_keys(
        &value,
        &[
            "file",
            "verdict",
            "complete",
            "cut",
            "possible",
            "states",
            "transitions",
            "depth",
            "violations",
            "trace",
            "choices",
            "properties",
            "unused",
            "bounds",
            "assumptions",
            "reductions",
            "seconds",
            "peak_memory_bytes",
            "states_memory_bytes",
            "states_per_second",
        ],
    );
    assert_eq!(value["verdict"], "deadlock");
    assert_eq!(value["violations"][0]["steps"], 7);
    assert_eq!(value["violations"][0]["possible"], false);
    has_keys(&value["unused"], &["agents", "clauses", "operations", "alternatives", "unread"]);
    let trace = value["trace"].as_array().unwrap();
    assert_eq!(trace.len(), 7);
    let [ask, send, receive, declined, timeout, ..] = trace.as_slice() else {
        unreachable!("there are 7 steps")
    };
    assert_eq!(
        (&ask["agent"], &ask["kind"], &ask["procedure"]),
        (&"Auctioneer".into(), &"ask".into(), &"getValue".into())
    );
    assert_eq!(ask["answer"], "getValue#1");
    assert_eq!(send["arguments"], serde_json::json!(["getValue#1"]));
    assert_eq!((&send["performative"], &send["to"][0]), (&"start".into(), &"Bidder".into()));
    assert_eq!(receive["from"], "Auctioneer");
    assert_eq!((&declined["kind"], &declined["refused"][0]), (&"move".into(), &"startBidding".into()));
    assert_eq!(timeout["kind"], "timeout");
    has_keys(&timeout["span"], &["start", "end", "line", "column"]);
    assert_eq!(
        value["choices"],
        serde_json::json!([
            "0.0.act",
            "0.0.act",
            "1.0.act",
            "1.0.act.0",
            "0.0.timeout",
            "0.0.act",
            "0.0.act"
        ])
    );
}

#[test]
fn verify_a_file_with_errors() {
    let value = parsed(&map_with(b"", &["verify", "-", "--format", "json"]).exits(3).out);
    fits("verify", &value);
    has_keys(&value, &COMMON);
    has_keys(&value, &["file", "diagnostics"]);
    assert_eq!(value["diagnostics"][0]["code"], "MAP009");
}

/// They are a part of what the process has occupied.
#[test]
fn states_take_memory() {
    for flags in
        [&["--reductions", "none"][..], &[], &["--properties-only", "--property", "eventually ended"]]
    {
        let arguments =
            [&["verify", "auction.map", "--rounds", "bidloop=2", "--format", "json"], flags].concat();
        let value = parsed(&map(&arguments).exits(0).out);
        let bytes = |key: &str| value[key].as_u64().unwrap_or_else(|| panic!("{flags:?}: {key}"));
        assert!(bytes("states_memory_bytes") > 0, "{flags:?}");
        assert!(bytes("states_memory_bytes") <= bytes("peak_memory_bytes"), "{flags:?}");
    }
}

#[test]
fn verify_several_files() {
    let ran = map(&["verify", "auction.map", "published.map", "missing.map", "--format", "json"]).exits(3);
    let value = parsed(&ran.out);
    fits("verify", &value);
    has_keys(&value, &COMMON);
    let results = value["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert_eq!(results[0]["verdict"], "terminates");
    assert_eq!(results[1]["verdict"], "failure");
    assert_eq!(results[2]["diagnostics"][0]["code"], "MAP011");
}

#[test]
fn run() {
    let ran = map_with(DEADLOCK.as_bytes(), &["run", "-", "--seed", "5", "--format", "json"]).exits(1);
    let value = parsed(&ran.out);
    fits("run", &value);
    fits("run", &parsed(&map(&["run", "auction.map", "--agents", "bidder=3", "--format", "json"]).out));
    has_keys(&value, &COMMON);
    has_keys(
        &value,
        &[
            "file", "scene", "seed", "verdict", "steps", "trace", "choices", "agents", "unread", "bounds",
            "repeat",
        ],
    );
    assert_eq!((&value["verdict"], &value["seed"]), (&"deadlock".into(), &5.into()));
    assert_eq!(value["agents"][0]["status"], "running");
    let again = map_with(DEADLOCK.as_bytes(), &["run", "-", "--seed", "5", "--format", "json"]).exits(1);
    assert_eq!(again.out, ran.out);
    let fine = map_with(FINE.as_bytes(), &["run", "-", "--format", "json"]).exits(0);
    assert_eq!(parsed(&fine.out)["verdict"], "done");
}
