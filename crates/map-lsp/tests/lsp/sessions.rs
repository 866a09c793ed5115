//! Recorded sessions (`tests/sessions`): each step of the client, and what the server says to it on lines that begin
//! with `<`. `MAP_UPDATE=1` writes those lines anew: read the difference.

use std::fs;
use std::path::Path;

use crate::client::Client;
use crate::{shown, steps};

#[test]
fn sessions_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 6, "the sessions are found");
    for file in files {
        let recorded = fs::read_to_string(&file).unwrap();
        let replayed = replay(&recorded);
        if std::env::var_os("MAP_UPDATE").is_some() {
            fs::write(&file, replayed).unwrap();
        } else {
            let differs = recorded.lines().zip(replayed.lines()).position(|(one, other)| one != other);
            let line = differs.unwrap_or(0);
            let from = |text: &str| text.lines().skip(line).take(8).collect::<Vec<_>>().join("\n");
            assert!(
                recorded == replayed,
                "{}, line {}: recorded\n{}\nnow\n{}",
                file.display(),
                line + 1,
                from(&recorded),
                from(&replayed)
            );
        }
    }
}

/// The session with what the server says now.
fn replay(recorded: &str) -> String {
    let mut client = Client::new();
    let mut replayed = String::new();
    let mut lines = recorded.lines().filter(|line| !line.starts_with('<')).peekable();
    while let Some(line) = lines.next() {
        replayed.push_str(&format!("{line}\n"));
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut text = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with('|')) {
            replayed.push_str(&format!("{line}\n"));
            text.push_str(line[1..].strip_prefix(' ').unwrap_or(&line[1..]));
            text.push('\n');
        }
        for message in steps::take(&mut client, line, &text) {
            for line in shown::message(&message).lines() {
                replayed.push_str(&format!("< {line}\n"));
            }
        }
    }
    client.vanish();
    replayed
}
