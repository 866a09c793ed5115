//! Many runs, shared by several processes: the same counts in every layout.

use std::process::Command;

use super::super::{FINE, Ran, command, map, map_with};
use super::group::{Place, Process};

const FEW: [&str; 11] = [
    "run",
    "auction.map",
    "--runs",
    "97",
    "--seed",
    "5",
    "--max-steps",
    "25",
    "--yes",
    "0.5",
    "--agents=bidder=3",
];

/// Runs of all kinds: some end, some are stopped.
fn line(further: &[&str]) -> Vec<String> {
    let line = [&FEW[..], &["--format", "json"], further].concat();
    line.into_iter().map(str::to_owned).collect()
}

fn words(line: &[String]) -> Vec<&str> {
    line.iter().map(String::as_str).collect()
}

/// A process of a list that plays its share.
fn process(place: &Place, process: usize, line: &[String]) -> Command {
    let mut run = command(&words(line));
    run.arg("--hosts").arg(place.path("hosts")).arg("--key").arg(place.path("key"));
    run.args(["--process", &process.to_string()]);
    run
}

fn alone() -> Ran {
    map(&words(&line(&["--threads", "1"]))).exits(4)
}

#[test]
fn the_counts_are_those_of_one_process() {
    let alone = alone();
    assert!(alone.out.contains("\"done\"") && alone.out.contains("\"too many steps\""), "{}", alone.out);
    for layout in [&["--processes", "1"][..], &["--processes", "2"], &["--processes", "3", "--threads", "2"]]
    {
        let ran = map(&words(&line(layout))).exits(4);
        assert_eq!((ran.out, ran.err), (alone.out.clone(), alone.err.clone()), "{layout:?}");
    }
    // More processes than runs.
    let one = ["run", "auction.map", "--runs", "1", "--seed", "5", "--format", "json"];
    let expected = map(&one);
    let ran = map(&[&one[..], &["--processes", "3"]].concat());
    assert_eq!((ran.code, ran.out), (expected.code, expected.out));
}

#[test]
fn a_seed_that_is_drawn_is_that_of_all() {
    let ran = map(&["run", "auction.map", "--runs", "40", "--processes", "2", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let seed = value["seed"].as_u64().expect("it is a number").to_string();
    let again = map(&["run", "auction.map", "--runs", "40", "--seed", &seed, "--format", "json"]);
    assert_eq!(again.out, ran.out);
}

#[test]
fn processes_that_are_started_one_by_one() {
    let place = Place::new(3);
    let line = line(&[]);
    let mut processes: Vec<_> = (0..3).map(|it| Process::start(&mut process(&place, it, &line))).collect();
    let one = processes.remove(1).end().exits(4);
    assert!(one.out.is_empty() && one.err.is_empty(), "{}", one.err);
    assert_eq!(processes.remove(0).end().exits(4).out, alone().out);
    processes.remove(0).end().exits(4);
}

#[test]
fn a_program_answers_in_each_process() {
    let program = "python3 ../../examples/auction/traders.py";
    if Command::new("python3").arg("-V").output().is_err() {
        println!("SKIPPED: there is no python3");
        return;
    }
    let line =
        ["run", "auction.map", "--runs", "6", "--seed", "5", "--format", "json", "--procedures", program];
    let alone = map(&line);
    let ran = map(&[&line[..], &["--processes", "2"]].concat());
    assert_eq!((ran.code, ran.out), (alone.code, alone.out), "{}", ran.err);
}

#[test]
fn whoever_plays_something_else_is_turned_away() {
    let place = Place::new(2);
    let own = line(&[]);
    let zero = Process::start(&mut process(&place, 0, &own));
    for (at, value, what) in
        [(5, "6", "seed"), (3, "98", "number of runs"), (7, "46", "set of odds and limits")]
    {
        let mut other = own.clone();
        other[at] = value.to_owned();
        let told = format!("error: {} has another {what} (`", place.name(0));
        Process::start(&mut process(&place, 1, &other)).end().exits(75).err_has(&told);
    }
    let one = Process::start(&mut process(&place, 1, &own));
    zero.end().exits(4);
    one.end().exits(4);
}

#[test]
fn wrong_flags() {
    let place = Place::new(2);
    let hosts = place.write("hosts", "127.0.0.1:7001\n127.0.0.1:7002\n");
    let run = |flags: &[&str]| map(&[&["run", "auction.map"], flags].concat()).exits(2);
    run(&["--processes", "2"]).err_has("--runs <N>");
    run(&["--runs", "9", "--hosts", &hosts, "--process", "0"]).err_has("--seed <NUMBER>");
    run(&["--runs", "9", "--hosts", &hosts, "--seed", "1"]).err_has("--process <I>");
    run(&["--runs", "9", "--seed", "1", "--hosts", &hosts, "--process", "2"]).err_has("lists 2 processes");
    let stdin = map_with(FINE.as_bytes(), &["run", "-", "--runs", "9", "--processes", "2"]).exits(2);
    stdin.err_has("--processes needs a file: standard input can be read once only");
}

/// Signals, as they are sent on Linux.
#[cfg(target_os = "linux")]
mod signals {
    use super::super::super::mcp::stopped::children;
    use super::super::supervised::wait_for_processes;
    use super::*;

    const MANY: [&str; 6] = ["run", "auction.map", "--runs", "100000000", "--seed", "5"];

    #[test]
    fn an_interruption_of_one_ends_all_with_what_they_have() {
        let place = Place::new(2);
        let line: Vec<String> = MANY.map(str::to_owned).into();
        let mut processes: Vec<_> =
            (0..2).map(|it| Process::start(&mut process(&place, it, &line))).collect();
        processes.iter_mut().for_each(Process::wait_until_it_searches);
        processes[1].signal("INT");
        processes.remove(1).end().exits(130);
        processes.remove(0).end().exits(130).out_has(" runs of 100,000,000, interrupted, seed 5");
    }

    #[test]
    fn one_that_is_killed_is_missed() {
        let mut running = Process::start(&mut command(&[&MANY[..], &["--processes", "3"]].concat()));
        running.wait_until_it_searches();
        wait_for_processes(&running, 2, &[]);
        let victim = children(running.id())[0];
        let killed = Command::new("kill").args(["-KILL", &victim.to_string()]).status();
        assert!(killed.expect("there is kill").success());
        let ran = running.end().exits(75).err_has("error: process ").err_has(" ended: ");
        assert!(ran.out.is_empty(), "{}", ran.out);
    }

    #[test]
    fn a_supervisor_starts_them_again() {
        let place = Place::new(2);
        let line = [
            "run",
            "auction.map",
            "--runs",
            "5000",
            "--seed",
            "5",
            "--agents",
            "bidder=4",
            "--format",
            "json",
        ];
        let alone = map(&line);
        let mut run = command(&["cluster", "run"]);
        run.arg(place.path("hosts")).arg("--key").arg(place.path("key")).arg("--").args(line);
        let running = Process::start(&mut run);
        let first = wait_for_processes(&running, 2, &[]);
        let killed = Command::new("kill").args(["-KILL", &first[0].to_string()]).status();
        assert!(killed.expect("there is kill").success());
        let ran = running.end().err_has("all start again (1 of 3)");
        assert_eq!((ran.code, ran.out), (alone.code, alone.out));
    }
}
