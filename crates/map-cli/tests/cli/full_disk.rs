//! A disk that is full where the output goes: the exit code is 3, and there is a message as long as it can be written.

#![cfg(target_os = "linux")]

use std::fs::{self, File, OpenOptions};
use std::process::Stdio;

use super::{DEADLOCK, FINE, command, map};

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").expect("Linux has one")
}

/// One command for each verb that prints something to standard output.
fn commands(file: &str, trace: &str) -> Vec<Vec<String>> {
    let commands = [
        "--help",
        "--version",
        "",
        "check FILE",
        "check FILE --format json",
        "check FILE --format sarif",
        "run FILE --seed 1",
        "run FILE --format json",
        "run FILE --runs 3",
        "verify FILE",
        "verify FILE --format json",
        "verify FILE --weather",
        "verify FILE --properties-only --property ended",
        "verify --help",
        "step FILE",
        "replay TRACE",
        "replay TRACE --format json",
        "test FILE",
        "test FILE --format json",
        "render FILE --as dot",
        "render TRACE",
        "fmt FILE --check",
        "fmt FILE --diff",
        "new",
        "new --from ballot",
        "new - --from ballot",
        "explain",
        "explain MAP301",
        "export FILE --to promela --mailbox 2",
        "dump ast FILE",
        "dump names FILE",
        "dump ir FILE",
        "dump successors FILE",
        "completions bash",
        "man",
        "man verify",
    ];
    let word = |word: &str| word.replace("FILE", file).replace("TRACE", trace);
    commands.iter().map(|it| it.split_whitespace().map(word).collect()).collect()
}

#[test]
fn standard_output_on_a_full_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("a.map"), format!("//@ verify => deadlock\n{DEADLOCK}")).expect("it can be written");
    map(&["verify", &path("a.map"), "--save-trace", &path("t.json")]).exits(1);
    for words in commands(&path("a.map"), &path("t.json")) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let child = command(&words).stdin(Stdio::null()).stdout(full()).stderr(Stdio::piped()).spawn();
        let output = child.and_then(std::process::Child::wait_with_output).expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{words:?}: {said}");
        assert!(
            said.contains("error: the output cannot be written: No space left on device"),
            "{words:?}: {said}"
        );
        assert!(!said.contains("internal error"), "{words:?}: {said}");
        // Nobody hears it, and the code is the same.
        let status = command(&words).stdin(Stdio::null()).stdout(full()).stderr(full()).status();
        assert_eq!(status.expect("it runs").code(), Some(3), "{words:?}");
    }
}

#[test]
fn standard_error_on_a_full_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("broken.map"), "s[ agent(!A, %a) = $x ]").expect("it can be written");
    fs::write(path("a.map"), FINE).expect("it can be written");
    fs::write(path("asks.map"), "s[ agent(!A, %a) = $x = q() ]").expect("it can be written");
    let full_err = |words: &[&str]| {
        let status = command(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(full()).status();
        status.expect("it runs").code()
    };
    for words in [
        "check",
        "run",
        "verify",
        "fmt",
        "dump ast",
        "render",
        "replay",
        "test",
        "step",
        "export --to promela",
    ] {
        let broken = path("broken.map");
        let words: Vec<&str> = words.split(' ').chain([broken.as_str()]).collect();
        assert_eq!(full_err(&words), Some(3), "{words:?}");
    }
    // What is printed is wanted as well: the file has no errors, but a message could not be told.
    assert_eq!(full_err(&["verify", &path("a.map"), "--save-trace", &path("t.json")]), Some(3));
    // A wrong command line stays one.
    for words in [&["check"][..], &["check", "--none"], &["new", "--from", "none"], &["verify", "-", "-"]] {
        assert_eq!(full_err(words), Some(2), "{words:?}");
    }
    assert_ne!(full_err(&["run", &path("asks.map"), "--ask", "A"]), Some(70));
}

/// As where a file is written. A limit on the size of files comes to the same as a full disk.
#[test]
fn files_on_a_full_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = env!("CARGO_BIN_EXE_map");
    fs::write(folder.path().join("a.map"), FINE).expect("it can be written");
    for (line, name) in [
        ("new lot --from english-auction", "lot.map"),
        ("export a.map --to promela --output m.pml", "m.pml"),
        ("render a.map --as svg --output a.svg", "a.svg"),
        ("verify a.map --report r.html", "r.html"),
        ("man --output-dir pages", "pages/map.1"),
        ("fmt a.map", ""),
    ] {
        // The signal that comes with the limit is ignored, as where the disk is full there is none.
        let line = format!("trap '' XFSZ; ulimit -f 0; exec {map} {line} 2>/dev/full");
        let status =
            std::process::Command::new("bash").args(["-c", &line]).current_dir(folder.path()).status();
        assert_eq!(status.expect("bash runs").code(), Some(3), "{line}");
        assert!(name.is_empty() || !folder.path().join(name).exists(), "{line}");
        let left = fs::read_dir(folder.path()).expect("it is there").flatten();
        assert!(left.into_iter().all(|it| !it.file_name().to_string_lossy().starts_with(".map-")), "{line}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("a.map")).expect("it is there"), FINE);
}
