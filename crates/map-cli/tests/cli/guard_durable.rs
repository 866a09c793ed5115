//! What the journal of a guard is worth: guards that are killed at any moment, disks that are full, and files that were
//! damaged.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Ran, command, map};

fn trips(file: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trips").join(file).display().to_string()
}

/// The command of a guard whose journal begins another file often.
fn arguments(journal: &Path) -> Vec<String> {
    let (file, config, journal) = (trips("trips.map"), trips("trips.toml"), journal.display().to_string());
    let all =
        ["guard", &file, "--stdio", "--config", &config, "--journal", &journal, "--max-segment", "8KiB"];
    all.into_iter().map(str::to_owned).collect()
}

fn start(arguments: &[String]) -> Child {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = command(&arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().expect("the binary runs")
}

/// Requests, each of which has a key that no other has: trips that are booked, of which some are still open.
fn requests(trips: usize) -> Vec<Value> {
    let steps = [
        ("desk", "quote", vec![8]),
        ("flights", "offer", vec![3]),
        ("hotels", "offer", vec![4]),
        ("desk", "book", vec![]),
        ("flights", "booked", vec![]),
        ("hotels", "booked", vec![]),
    ];
    let mut all = Vec::new();
    for trip in 0..trips {
        let length = if trip % 5 == 4 { 4 } else { steps.len() };
        for (agent, performative, args) in &steps[..length] {
            let id = all.len();
            all.push(json!({
                "id": id, "do": "send", "conversation": format!("trip-{trip}"), "as": agent,
                "performative": performative, "args": args, "key": format!("{trip} {agent} {performative}"),
            }));
        }
    }
    all
}

/// Sends requests, and kills the guard after so long; returns its answers.
fn killed_after(arguments: &[String], requests: &[Value], pause: Duration) -> Vec<Value> {
    let mut guard = start(arguments);
    let mut input = guard.stdin.take().expect("it is piped");
    let output = BufReader::new(guard.stdout.take().expect("it is piped"));
    let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let writer = std::thread::spawn(move || {
        // It may be killed before it has read all.
        let _ = input.write_all(text.as_bytes());
        input
    });
    let reader = std::thread::spawn(move || {
        // The last line may be torn.
        let lines = output.lines().map_while(Result::ok);
        lines.filter_map(|line| serde_json::from_str(&line).ok()).collect::<Vec<Value>>()
    });
    std::thread::sleep(pause);
    guard.kill().expect("it runs");
    guard.wait().expect("it was killed");
    drop(writer.join().expect("it ends"));
    reader.join().expect("it ends")
}

/// Notes answers: each request has one, whoever gives it.
fn note(answers: &mut BTreeMap<u64, Value>, told: Vec<Value>) {
    for answer in told {
        let Some(id) = answer["id"].as_u64() else { continue };
        assert!(answer["accepted"]["seq"].is_u64(), "{answer}");
        let first = answers.entry(id).or_insert_with(|| answer.clone());
        assert_eq!(*first, answer);
    }
}

fn segments(journal: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(journal).expect("it is a folder").flatten().map(|file| file.path());
    let mut files: Vec<PathBuf> = files.filter(|it| it.extension().is_some_and(|it| it == "jsonl")).collect();
    files.sort();
    files
}

/// What a journal says of the messages that were accepted, by their numbers.
fn sends(journal: &Path) -> BTreeMap<u64, Value> {
    let mut sends = BTreeMap::new();
    for file in segments(journal) {
        for line in fs::read_to_string(file).expect("it can be read").lines() {
            let record: Value = serde_json::from_str(line).expect("it is JSON");
            if record["event"] == "send" {
                // What is carried over is the same.
                let seq = record["seq"].as_u64().expect("a number");
                assert_eq!(*sends.entry(seq).or_insert_with(|| record.clone()), record);
            }
        }
    }
    sends
}

#[test]
fn a_guard_that_is_killed_at_any_moment_loses_and_doubles_nothing() {
    let kills: usize = std::env::var("MAP_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(20);
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("log");
    let arguments = arguments(&journal);
    let requests = requests(8 * kills);
    let mut answers = BTreeMap::new();
    let mut random: u64 = 7;
    for _ in 0..kills {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The last answers are asked for again, and then some that were never given.
        let next = answers.len().saturating_sub(5);
        let batch = &requests[next..requests.len().min(next + 120)];
        let pause = Duration::from_micros(random >> 33 & 0x7fff);
        note(&mut answers, killed_after(&arguments, batch, Duration::from_millis(15) + pause));
    }
    let mut guard = start(&arguments);
    let mut input = guard.stdin.take().expect("it is piped");
    let all: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(all.as_bytes()));
    let output = BufReader::new(guard.stdout.take().expect("it is piped"));
    note(
        &mut answers,
        output.lines().map_while(Result::ok).flat_map(|it| serde_json::from_str(&it)).collect(),
    );
    writer.join().expect("it ends").expect("all is read");
    assert!(guard.wait().expect("it ends").success());
    assert_eq!(answers.len(), requests.len());
    let sends = sends(&journal);
    assert_eq!(sends.len(), requests.len());
    for (id, answer) in &answers {
        let record = &sends[&answer["accepted"]["seq"].as_u64().expect("a number")];
        assert_eq!(record["key"], requests[*id as usize]["key"]);
    }
    let files = segments(&journal);
    assert!(files.len() > 1, "{files:?}");
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let logs: Vec<&str> = files.iter().map(String::as_str).collect();
    let trips = trips("trips.map");
    let judged = map(&[&["conform", &trips, "--from", "guard"], &logs[..]].concat()).exits(0);
    judged.out_has(&format!("{} conform,", 8 * kills - 8 * kills / 5));
}

#[test]
fn a_journal_on_a_full_disk_refuses_and_is_whole_afterwards() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("log");
    let arguments = arguments(&journal);
    let requests = requests(20);
    let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
    // No file may become longer than 4 KiB, as if the disk were full then.
    let shell = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
    let binary = env!("CARGO_BIN_EXE_map");
    let mut limited = Command::new("sh");
    limited.args(["-c", shell, "sh", binary]).args(&arguments);
    limited.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut guard = limited.spawn().expect("sh runs");
    let mut input = guard.stdin.take().expect("it is piped");
    let writer = std::thread::spawn(move || {
        // It ends before it has read all.
        let _ = input.write_all(text.as_bytes());
    });
    let output = guard.wait_with_output().expect("it ends");
    writer.join().expect("it ends");
    let ran = Ran::of(&output).exits(3);
    let ran = ran.err_has("the journal cannot be written");
    let told: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let (refused, accepted): (Vec<Value>, Vec<Value>) =
        told.into_iter().skip(1).filter(|it| it["id"].is_u64()).partition(|it| it["error"].is_object());
    assert!(!refused.is_empty() && refused.iter().all(|it| it["error"]["kind"] == "journal"), "{refused:?}");
    // With room again, what was accepted is there, and what was not may be asked again.
    let mut answers = BTreeMap::new();
    note(&mut answers, accepted.clone());
    note(&mut answers, killed_after(&arguments, &requests[..accepted.len() + 1], Duration::from_millis(500)));
    assert_eq!(answers.len(), accepted.len() + 1);
}

#[test]
fn a_journal_that_cannot_be_opened_is_no_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("log");
    fs::create_dir_all(journal.join("000001.jsonl")).expect("it can be made");
    let arguments = arguments(&journal);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    map(&arguments).exits(3).err_has("MAP431").err_has("000001.jsonl");
}

#[test]
fn every_flipped_byte_of_a_segment_that_carries_over_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("log");
    let arguments = arguments(&journal);
    let requests = requests(7);
    killed_after(&arguments, &requests, Duration::from_millis(500));
    let files = segments(&journal);
    assert!(files.len() > 1, "{files:?}");
    let last = &files[files.len() - 1];
    let name = last.file_name().and_then(|name| name.to_str()).expect("it has a name");
    let whole = fs::read(last).expect("it was written");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    for at in (0..whole.len()).step_by(613).chain([0, whole.len() - 1]) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1;
        fs::write(last, &flipped).expect("it can be written");
        map(&arguments).exits(3).err_has("MAP431").err_has(&format!("{name}:"));
    }
    // It is there as a whole or not at all: nothing of its beginning can be torn.
    let first = whole.iter().position(|&byte| byte == b'\n').expect("there are lines");
    for length in [0, 1, first] {
        fs::write(last, &whole[..length]).expect("it can be written");
        map(&arguments).exits(3).err_has("MAP431").err_has(&format!("{name}:1"));
    }
    fs::write(last, &whole[..whole.len() - 9]).expect("it can be written");
    map(&arguments).exits(0).err_has("torn");
}
