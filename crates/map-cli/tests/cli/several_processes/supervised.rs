//! `map cluster run`: starts the processes, watches them, and starts them again.

#![cfg(target_os = "linux")]

use std::process::Command;
use std::time::{Duration, Instant};

use super::super::mcp::stopped::{children, is_running};
use super::super::{Ran, command, map};
use super::group::{LIMIT, Place, Process, computes};
use super::same::without_measures;

const SHORT: [&str; 5] = ["auction.map", "--agents", "bidder=2", "--rounds", "bidloop=2"];

/// A search that takes some seconds.
const LONG: [&str; 8] = [
    "auction.map",
    "--agents",
    "bidder=3",
    "--rounds",
    "bidloop=4",
    "--reductions",
    "none",
    "--no-properties",
];

/// A search that takes hours.
const ENDLESS: [&str; 8] = [
    "auction.map",
    "--agents",
    "bidder=9",
    "--rounds",
    "bidloop=9",
    "--reductions",
    "none",
    "--no-properties",
];

/// `map cluster run` for the processes of a list.
fn cluster(place: &Place, flags: &[&str], line: &[&str]) -> Command {
    let mut run = command(&["cluster", "run"]);
    run.arg(place.path("hosts")).arg("--key").arg(place.path("key")).args(flags);
    run.args(["--", "verify"]).args(line);
    run
}

fn ends(place: &Place, flags: &[&str], line: &[&str]) -> Ran {
    Process::start(&mut cluster(place, flags, line)).end()
}

/// Returns the processes that this one has started when they compute, and are others than before.
pub(super) fn wait_for_processes(of: &Process, count: usize, before: &[u32]) -> Vec<u32> {
    let since = Instant::now();
    loop {
        let found = children(of.id());
        let are_there = found.len() == count && found.iter().all(|it| !before.contains(it) && computes(*it));
        if are_there {
            return found;
        }
        assert!(since.elapsed() < LIMIT, "they do not search");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(process: u32) {
    let sent = Command::new("kill").args(["-KILL", &process.to_string()]).status();
    assert!(sent.expect("there is kill").success());
}

fn wait_until_they_end(processes: &[u32]) {
    let since = Instant::now();
    while processes.iter().any(|&it| is_running(it)) {
        assert!(since.elapsed() < LIMIT, "they go on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_report_and_the_exit_code_are_those_of_process_0() {
    let violated = ["../contract-net/contract-net.map", "--agents", "participant=2", "--network", "lossy:1"];
    for (line, code) in [(&SHORT, 0), (&violated, 1)] {
        let line = [&line[..], &["--format", "json"]].concat();
        let alone = map(&[&["verify"], &line[..]].concat()).exits(code);
        // The processes of this machine, and others: a shell stands in for ssh, and must not change any word.
        let place = Place::new(3);
        let other = ["--via", "sh -c", "--program", env!("CARGO_BIN_EXE_map")];
        for flags in [&[][..], &other] {
            let ran = ends(&place, flags, &line).exits(code);
            assert_eq!(without_measures(&ran.out), without_measures(&alone.out), "{flags:?}");
            assert!(ran.err.is_empty(), "{}", ran.err);
        }
    }
    let formula = "eventually  failed(!Auctioneer) or $(exit 9)";
    let other = ["--via", "sh -c", "--program", env!("CARGO_BIN_EXE_map")];
    ends(&Place::new(2), &other, &["auction.map", "--property", formula]).exits(3).err_has("$(exit 9)");
}

#[test]
fn all_start_again_when_one_was_killed() {
    let line = [&LONG[..], &["--format", "json"]].concat();
    let alone = map(&[&["verify"], &line[..]].concat()).exits(0);
    let place = Place::new(2);
    let running = Process::start(&mut cluster(&place, &[], &line));
    let first = wait_for_processes(&running, 2, &[]);
    kill(first[1]);
    let second = wait_for_processes(&running, 2, &first);
    wait_until_they_end(&first);
    kill(second[0]);
    let ran = running.end().exits(0);
    assert_eq!(without_measures(&ran.out), without_measures(&alone.out));
    for again in ["1", "2"] {
        let lost = format!(" ended by signal 9; all start again ({again} of 3)\n");
        assert!(ran.err.contains(&lost), "{}", ran.err);
    }
    wait_until_they_end(&second);
}

#[test]
fn they_start_again_only_so_often() {
    let place = Place::new(2);
    let running = Process::start(&mut cluster(&place, &["--restarts", "1"], &ENDLESS));
    let first = wait_for_processes(&running, 2, &[]);
    kill(first[0]);
    let second = wait_for_processes(&running, 2, &first);
    kill(second[1]);
    let ran =
        running.end().exits(75).err_has("error: process ").err_has(" ended by signal 9 after 1 restart\n");
    assert!(ran.out.is_empty(), "{}", ran.out);
    wait_until_they_end(&second);
}

#[test]
fn an_interruption_ends_them_all() {
    for signal in ["INT", "TERM"] {
        let place = Place::new(2);
        let running = Process::start(&mut cluster(&place, &[], &ENDLESS));
        let processes = wait_for_processes(&running, 2, &[]);
        running.signal(signal);
        running.end().exits(130).out_has("interrupted");
        wait_until_they_end(&processes);
    }
}

#[test]
fn what_cannot_be_started_is_told() {
    let place = Place::new(2);
    // A program that is missing there, a way that is missing here, one that always fails.
    let name = place.name(0);
    ends(&place, &["--via", "sh -c", "--program", "no-such-map"], &SHORT)
        .exits(75)
        .err_has(&format!("error: {name} ended with exit code 127 (is map there?"));
    ends(&place, &["--via", "no-such-ssh {host}"], &SHORT)
        .exits(2)
        .err_has(&format!("error: {name} cannot be started: no-such-ssh: "));
    let unreachable = " ended with exit code 255 (can its machine be reached?) after 1 restart\n";
    ends(&place, &["--via", "sh -c 'exit 255'", "--restarts", "1"], &SHORT).exits(75).err_has(unreachable);
    // What it says before it ends is shown, made safe.
    let says = r"sh -c 'test {process} = 0 && sleep 1000; printf \\033lost >&2; exit 75'";
    ends(&place, &["--via", says, "--restarts", "0"], &SHORT)
        .exits(75)
        .err_has("process 1: \\u{1b}lost\n")
        .err_has(&format!("error: {} ended with exit code 75\n", place.name(1)));
    ends(&place, &["--via", "sh -c 'exit 9'"], &SHORT).exits(75).err_has(" ended with exit code 9\n");
}

#[test]
fn wrong_lines_start_nothing() {
    let place = Place::new(2);
    for (line, said) in [
        (&["auction.map", "--nonsense"][..], "map verify: unexpected argument '--nonsense' found"),
        (
            &["auction.map", "--process", "1"],
            "map verify: the argument '--process <I>' cannot be used multiple",
        ),
        (&["auction.map", "--processes", "2"], "map verify: the argument '--processes <N>' cannot be used"),
    ] {
        ends(&place, &[], line).exits(2).err_has(&format!("error: {said}"));
    }
    let hosts = place.write("hosts", "here\n");
    map(&["cluster", "run", &hosts, "--", "verify", "auction.map"])
        .exits(2)
        .err_has("line 1: `here` has no port");
    let hosts = place.write("hosts", "127.0.0.1:7001\n");
    let short = place.write("short", "secret");
    map(&["cluster", "run", &hosts, "--key", &short, "--", "verify", "auction.map"])
        .exits(2)
        .err_has("a key has at least 32 bytes");
    map(&["cluster", "run", &hosts, "--", "check", "auction.map"])
        .exits(2)
        .err_has("`check` is nothing that");
    map(&["cluster", "run", &hosts]).exits(2);
    map(&["cluster"]).exits(2);
}
