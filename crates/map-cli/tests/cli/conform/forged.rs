//! Forged lines in logs of the library: only the agent in whose name a line is forged is ever blamed; if nobody is, a
//! run with the forged message explains the log.

use std::collections::BTreeMap;
use std::fs;

use map_testkit::scenes::Random;
use serde_json::Value;

use super::super::{map, some_scenes_of_library, words};

/// A log, line by line.
type Log = Vec<Value>;

fn is_send(line: &Value) -> bool {
    line["event"] == "send"
}

/// Forges a line: what some message says, or nearly, in any name, to anybody else. It is put into the log, or takes the
/// place of a message, and then the log ends with it. Returns its index.
fn forge(log: &mut Log, random: &mut Random) -> Option<usize> {
    let sends: Vec<usize> = (0..log.len()).filter(|&it| is_send(&log[it])).collect();
    let mut names: Vec<Value> = sends.iter().map(|&it| log[it]["from"].clone()).collect();
    names.extend(sends.iter().flat_map(|&it| log[it]["to"].as_array().cloned().unwrap_or_default()));
    names.sort_by(|one, other| one.as_str().cmp(&other.as_str()));
    names.dedup();
    if sends.is_empty() || names.len() < 2 {
        return None;
    }
    let is_last = random.percent(60);
    let place = if is_last { *random.pick(&sends) } else { random.below(log.len()) };
    let model = if is_last && random.percent(60) { place } else { *random.pick(&sends) };
    let mut forged = log[model].clone();
    for number in forged["args"].as_array_mut().into_iter().flatten() {
        if let (Some(it), true) = (number.as_i64(), random.percent(60)) {
            *number = Value::from(it + random.below(5) as i64 - 2);
        }
    }
    let from = match (is_last, random.percent(60)) {
        (true, true) => log[place]["from"].clone(),
        (_, true) => forged["from"].clone(),
        _ => random.pick(&names).clone(),
    };
    names.retain(|it| *it != from);
    let is_to_itself = forged["to"].as_array().is_some_and(|it| it.contains(&from));
    if is_to_itself || random.percent(10) {
        forged["to"] = Value::Array(vec![random.pick(&names).clone()]);
    }
    forged["from"] = from;
    // Clocks go on.
    forged["time"] = log[place]["time"].clone();
    if is_last {
        log.truncate(place);
        log.push(forged);
        return Some(place);
    }
    log.insert(place + 1, forged);
    Some(place + 1)
}

/// What each agent sends, in order.
fn said<'a>(sends: impl Iterator<Item = (&'a Value, &'a Value)>) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (agent, performative) in sends {
        let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
        all.entry(text(agent)).or_default().push(text(performative));
    }
    all
}

#[derive(Default, Debug)]
struct Counts {
    blamed: usize,
    possible: usize,
    without_a_run: usize,
    inconclusive: usize,
}

fn judge(scene: &[String], seed: u64, counts: &mut Counts) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("the name is UTF-8").to_owned();
    let (log_path, trace) = (path("log.jsonl"), path("trace.json"));
    map(&words(&["run"], scene, &["--seed", &seed.to_string(), "--max-steps", "300", "--log", &log_path]));
    let text = fs::read_to_string(&log_path).expect("it was written");
    let mut log: Log = text.lines().map(|it| serde_json::from_str(it).expect("it is JSON")).collect();
    let Some(at) = forge(&mut log, &mut Random::new(seed, scene.concat().len() as u64)) else { return };
    let text: String = log.iter().map(|it| format!("{it}\n")).collect();
    fs::write(&log_path, &text).expect("it can be written");
    let flags = ["--format", "json", "--arrivals", "logged", "--save-trace", &trace];
    let ran = map(&words(&["conform"], scene, &[&[&*log_path], &flags[..]].concat()));
    let show =
        || format!("{scene:?} seed {seed}, line {}: {}\n{text}{}{}", at + 1, log[at], ran.out, ran.err);
    match ran.code {
        Some(0) if ran.err.contains("no trace is saved") => counts.without_a_run += 1,
        Some(0) => {
            counts.possible += 1;
            let replayed = map(&["replay", &trace, "--format", "json"]);
            let output: Value =
                serde_json::from_str(&replayed.out).unwrap_or_else(|error| panic!("{error}: {}", show()));
            let steps = output["trace"].as_array().into_iter().flatten();
            let run =
                said(steps.filter(|it| it["kind"] == "send").map(|it| (&it["agent"], &it["performative"])));
            let logged =
                said(log.iter().filter(|it| is_send(it)).map(|it| (&it["from"], &it["performative"])));
            assert_eq!(run, logged, "{}", show());
        }
        Some(1) => {
            counts.blamed += 1;
            let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
            let conversations = output["conversations"].as_array().into_iter().flatten();
            let violations: Vec<&Value> =
                conversations.flat_map(|it| it["violations"].as_array().into_iter().flatten()).collect();
            let is_right = |it: &&Value| {
                it["agent"] == log[at]["from"]
                    && it["at"]["line"].as_u64().is_some_and(|line| line > at as u64)
            };
            assert!(!violations.is_empty() && violations.iter().all(is_right), "{}", show());
        }
        Some(4) => counts.inconclusive += 1,
        _ => panic!("{}", show()),
    }
}

/// `MAP_LOGS=N` sets how many logs of each protocol are forged, `MAP_SEED=S` where the seeds start.
#[test]
fn a_forged_line_blames_its_sender_or_is_possible() {
    let setting = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    let (runs, first): (u64, u64) = (setting("MAP_LOGS").unwrap_or(1), setting("MAP_SEED").unwrap_or(1));
    let mut counts = Counts::default();
    for scene in some_scenes_of_library(4) {
        for seed in first..first + runs {
            judge(&scene, seed, &mut counts);
        }
    }
    println!("{counts:?}");
    let doubtful = counts.without_a_run + counts.inconclusive;
    assert!(counts.blamed > 5 && counts.possible > 1 && doubtful < counts.blamed, "{counts:?}");
}
