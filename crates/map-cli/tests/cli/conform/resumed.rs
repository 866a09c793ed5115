//! `map conform --follow --checkpoint`: what goes on where another process has ended, however that ended.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::super::{Ran, command, map};
use super::{line, of, refused};

/// The command that follows a log.
fn arguments<'a>(log: &'a str, checkpoint: &'a str) -> Vec<&'a str> {
    let file = "../contract-net/contract-net.map";
    let mut arguments = vec!["conform", file, log, "--follow", "--agents", "participant=1"];
    arguments.extend(["--format", "ndjson", "--checkpoint", checkpoint, "--checkpoint-every", "0s"]);
    arguments
}

fn start(arguments: &[&str]) -> Child {
    let mut command = command(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary runs")
}

/// Lines until one has this; then Ctrl-C, and the rest.
fn until(arguments: &[&str], last: &str) -> Vec<String> {
    let mut child = start(arguments);
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
    let mut told: Vec<String> = Vec::new();
    while !told.last().is_some_and(|line| line.contains(last)) {
        told.push(lines.next().unwrap_or_else(|| panic!("it ended without saying {last:?}: {told:?}")));
    }
    let stopped = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(stopped.success());
    told.extend(lines);
    child.wait().expect("it ends");
    told
}

/// Some conversations that are open at once, a third of which are violated; the last one is `last`.
fn conversations(number: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for first in (0..number).step_by(4) {
        let names: Vec<String> = (first..number.min(first + 4)).map(|it| format!("c{it}")).collect();
        lines.extend(names.iter().map(|name| of(name, &line("office", &["anna"], "cfp", &[]))));
        for (index, name) in names.iter().enumerate() {
            let answer = match (first + index) % 3 {
                0 => line("anna", &["office"], "propose", &[7]),
                1 => line("anna", &["office"], "propose", &[2]),
                _ => line("anna", &["office"], "refuse", &[]),
            };
            lines.push(of(name, &answer));
        }
        if first % 8 == 0 {
            lines.push("{\n".to_owned());
        }
    }
    lines.push(of("last", &line("office", &["anna"], "cfp", &[])));
    lines.push(of("last", &line("anna", &["office"], "refuse", &[])));
    lines
}

fn append(path: &Path, text: &str) {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path).expect("it can be opened");
    file.write_all(text.as_bytes()).expect("it can be written");
}

/// What a killed process has told, without a line that was torn.
fn told_by(mut child: Child) -> Vec<String> {
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let mut text = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().expect("it is piped"), &mut text)
        .expect("it is UTF-8");
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    whole.lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn however_often_it_is_killed_everything_is_told_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.jsonl");
    let log = path.to_str().expect("the name is UTF-8");
    let lines = conversations(40);
    let whole = lines.concat();
    let other = folder.path().join("whole.checkpoint");
    fs::write(&path, &whole).expect("it can be written");
    let expected = until(&arguments(log, other.to_str().expect("it is UTF-8")), "\"last\"");
    assert!(expected.iter().filter(|it| it.contains("\"violation\"")).count() > 10);

    // The log grows again in pieces that end anywhere, while processes are killed at any time.
    fs::remove_file(&path).expect("it is there");
    let checkpoint = folder.path().join("log.checkpoint");
    let arguments = arguments(log, checkpoint.to_str().expect("it is UTF-8"));
    let mut told: Vec<String> = Vec::new();
    let mut again = 0;
    let pieces = 12;
    for piece in 0..pieces {
        let (from, to) = (whole.len() * piece / pieces, whole.len() * (piece + 1) / pieces);
        append(&path, &whole[from..to]);
        let child = start(&arguments);
        std::thread::sleep(Duration::from_millis(37 * (piece as u64 * 7 % 11)));
        again += add(&mut told, told_by(child));
    }
    again += add(&mut told, until(&arguments, "\"last\""));
    // Only what was told at the very moment of a kill may be told again.
    assert!(again <= pieces, "{again} of {}", told.len());
    told.sort();
    let mut expected = expected;
    expected.sort();
    assert_eq!(told, expected);
}

/// Adds what a process has told. What the one before told last may come again; returns how often it did.
fn add(told: &mut Vec<String>, mut lines: Vec<String>) -> usize {
    // Bad lines are not remembered one by one.
    lines.retain(|line| !(line.contains("\"bad_line\"") && told.contains(line)));
    let is_again = !lines.is_empty() && told.last() == lines.first();
    if is_again {
        lines.remove(0);
    }
    told.append(&mut lines);
    usize::from(is_again)
}

/// Follows a log until it has told of this conversation, and ends.
fn follow(path: &Path, checkpoint: &Path, flags: &[&str], last: &str) -> Vec<String> {
    let (log, checkpoint) = (path.to_str().expect("it is UTF-8"), checkpoint.to_str().expect("it is UTF-8"));
    let mut arguments = arguments(log, checkpoint);
    arguments.extend(flags);
    until(&arguments, last)
}

#[cfg(unix)]
#[test]
fn a_log_that_was_cut_or_replaced_meanwhile_is_a_gap() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, checkpoint) = (folder.path().join("log.jsonl"), folder.path().join("checkpoint"));
    let asked = of("a", &line("office", &["anna"], "cfp", &[]));
    let wrong = of("a", &line("anna", &["office"], "propose", &[7]));
    fs::write(&path, asked.clone() + &refused("b")).expect("it can be written");
    follow(&path, &checkpoint, &[], "\"b\"");
    fs::write(&path, wrong.clone() + &refused("c")).expect("it can be written");
    let told = follow(&path, &checkpoint, &[], "\"c\"");
    let violation = told.iter().find(|it| it.contains("\"violation\"")).expect("it is told");
    assert!(violation.contains("\"possibly\":true"), "{violation}");
    assert!(!told.iter().any(|it| it.contains("\"conversation\":\"b\"")), "{told:?}");

    // One that was renamed is read to its end first.
    let (path, checkpoint) = (folder.path().join("next.jsonl"), folder.path().join("next"));
    fs::write(&path, asked + &refused("b")).expect("it can be written");
    follow(&path, &checkpoint, &[], "\"b\"");
    append(&path, &wrong);
    fs::rename(&path, folder.path().join("next.jsonl.1")).expect("it can be renamed");
    fs::write(&path, refused("c")).expect("it can be written");
    let told = follow(&path, &checkpoint, &[], "\"c\"");
    let violation = told.iter().find(|it| it.contains("\"violation\"")).expect("it is told");
    assert!(violation.contains("\"line\":4") && !violation.contains("\"possibly\":true"), "{violation}");
}

#[cfg(unix)]
#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, checkpoint) = (folder.path().join("log.jsonl"), folder.path().join("checkpoint"));
    fs::write(&path, refused("a")).expect("it can be written");
    follow(&path, &checkpoint, &[], "\"a\"");
    let (log, name) = (path.to_str().expect("it is UTF-8"), checkpoint.to_str().expect("it is UTF-8"));
    let refused = |flags: &[&str]| -> Ran { map(&[&arguments(log, name), flags].concat()) };
    refused(&["--complete"]).exits(3).err_has("MAP433").err_has("other settings");
    let mut bytes = fs::read(&checkpoint).expect("it is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&checkpoint, &bytes).expect("it can be written");
    refused(&[]).exits(3).err_has("MAP433").err_has("damaged");
    fs::write(&checkpoint, "map conform checkpoint 999\n").expect("it can be written");
    refused(&[]).exits(3).err_has("another version");
    fs::write(&checkpoint, "my notes\n").expect("it can be written");
    refused(&[]).exits(3).err_has("no checkpoint");
    assert_eq!(fs::read(&checkpoint).expect("it is there"), b"my notes\n");
}

#[cfg(unix)]
#[test]
fn one_process_at_a_time_goes_on_and_logs_are_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, checkpoint) = (folder.path().join("log.jsonl"), folder.path().join("checkpoint"));
    fs::write(&path, refused("a")).expect("it can be written");
    let (log, name) = (path.to_str().expect("it is UTF-8"), checkpoint.to_str().expect("it is UTF-8"));
    let arguments = arguments(log, name);
    let mut first = start(&arguments);
    let told = BufReader::new(first.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
    assert!(told.take(1).any(|it| it.contains("\"a\"")));
    map(&arguments).exits(3).err_has("MAP433").err_has("another process");
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    map(&["conform", "../contract-net/contract-net.map", "-", "--follow", "--checkpoint", name])
        .exits(3)
        .err_has("MAP433");
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs").success());
    let fifo = fifo.to_str().expect("it is UTF-8");
    let other = folder.path().join("other");
    let other = other.to_str().expect("it is UTF-8");
    let child =
        start(&["conform", "../contract-net/contract-net.map", fifo, "--follow", "--checkpoint", other]);
    fs::write(fifo, super::refused("b")).expect("it can be written");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("--checkpoint needs files"));
}
