//! Pipes, signals, and what goes where.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use super::{ENDLESS, command, map, map_with};

#[test]
fn diagnostics_go_to_stderr_and_results_to_stdout() {
    let ran = map_with(b"s[ agent(!A, %a) = $x ]", &["check", "-"]).exits(3);
    assert!(ran.err.contains("error[MAP"));
    assert_eq!(ran.out, "1 file checked: 1 error\n");
    let ran = map(&["verify", "published.map"]).exits(1);
    assert!(ran.err.is_empty(), "{}", ran.err);
}

#[test]
fn one_seed_one_run_byte_for_byte() {
    let first = map(&["run", "auction.map", "--agents", "bidder=3", "--seed", "11"]).exits(0);
    let second = map(&["run", "auction.map", "--agents", "bidder=3", "--seed", "11"]).exits(0);
    assert_eq!(first.out, second.out);
    let other = map(&["run", "auction.map", "--agents", "bidder=3", "--seed", "12"]).exits(0);
    assert_ne!(first.out, other.out);
}

#[test]
fn the_command_that_repeats_a_run_does() {
    let flags = [
        "run",
        "auction.map",
        "--agents",
        "bidder=2",
        "--rounds",
        "bidloop=9",
        "--yes",
        "0.25",
        "--depth",
        "40",
    ];
    let first = map(&flags);
    let again = first.out.lines().find_map(|line| line.strip_prefix("again: map ")).expect("it is printed");
    let again: Vec<&str> = again.split(' ').collect();
    assert_eq!(map(&again).out, first.out);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("endless.map");
    std::fs::write(&path, ENDLESS).unwrap();
    let mut child = command(&["run", path.to_str().unwrap(), "--max-steps", "100000000", "--seed", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("seed 1"));
    drop(lines);
    let status = child.wait().unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((status.code(), err.as_str()), (Some(0), ""));
}

#[test]
fn a_closed_pipe_leaves_the_verdict_in_the_exit_code() {
    for arguments in [&["verify", "published.map"][..], &["verify", "published.map", "--format", "json"]] {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
    for arguments in [&["--help"][..], &["verify", "--help"], &[]] {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}

/// A reader that has enough, such as `head`, does not change what the exit code says of a long run, or of other files.
#[test]
fn a_closed_pipe_leaves_the_exit_code_of_what_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let closed = |arguments: &[&str]| {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        child.wait().unwrap().code()
    };
    // Thousands of steps, the last one of which is an error.
    let countdown = "s[ agent(!A, %a) = agent(count, 4000)
        agent(!A, %a, count, 0) = fail
        agent(!A, %a, count, $n) = $m = less($n) then agent(count, $m) ]
        procedure less($n) = $n - 1";
    let (scene, trace) = (path("countdown.map"), path("run.json"));
    std::fs::write(&scene, countdown).unwrap();
    assert_eq!(closed(&["run", &scene]), Some(1));
    map(&["run", &scene, "--save-trace", &trace]).exits(1);
    assert_eq!(closed(&["replay", &trace]), Some(1));
    // A file that would change by many lines, and one with errors behind it.
    let (long, wrong) = (path("long.map"), path("wrong.map"));
    let lines: String = (0..5_000).map(|number| format!("decision   d{number}( )\n")).collect();
    std::fs::write(&long, lines + "s[ agent(!A, %a) = skip ]\n").unwrap();
    std::fs::write(&wrong, "s[").unwrap();
    assert_eq!(closed(&["fmt", "--check", "--diff", &long]), Some(1));
    assert_eq!(closed(&["fmt", "--check", "--diff", &long, &wrong]), Some(3));
}

#[test]
fn colours_are_forced_only_by_what_forces_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.map");
    std::fs::write(&path, "s[   agent(!A, %a) = skip ]\n").unwrap();
    let path = path.to_str().unwrap();
    let coloured = |value: &str, arguments: &[&str]| {
        let output = command(arguments).env("CLICOLOR_FORCE", value).output().unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured("0", &["verify", path]));
    assert!(coloured("1", &["verify", path]));
    // For `patch`.
    assert!(!coloured("1", &["fmt", "--diff", path]));
    assert!(coloured("0", &["fmt", "--diff", path, "--color", "always"]));
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_is_known() {
    use std::io::Write as _;
    use std::process::Command;
    use std::time::{Duration, Instant};

    // Interrupted after ever longer times, until the search had begun.
    for milliseconds in [200, 1000, 4000] {
        let mut child = command(&["verify", "-", "--mailbox", "1000000"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(super::UNBOUNDED.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let since = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(since.elapsed() < Duration::from_secs(20));
        if let Some(code) = output.status.code() {
            assert_eq!(code, 130);
            let out = String::from_utf8(output.stdout).unwrap();
            assert!(out.contains("inconclusive") && out.contains("interrupted"), "{out}");
            return;
        }
    }
    panic!("no search was running when it was interrupted");
}
