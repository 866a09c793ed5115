//! Processes that are killed or stopped while they search.

#![cfg(target_os = "linux")]

use std::process::Command;
use std::time::Duration;

use super::super::mcp::stopped::children;
use super::super::{command, map};
use super::group::{Place, Process};
use super::same::without_measures;

/// A search that takes hours.
const LONG: [&str; 7] =
    ["auction.map", "--agents", "bidder=9", "--rounds", "bidloop=9", "--reductions", "none"];

fn started(place: &Place, count: usize, flags: &[&str]) -> Vec<Process> {
    let line = [&LONG[..], flags].concat();
    let mut processes: Vec<_> = (0..count).map(|it| place.start(it, &line)).collect();
    processes.iter_mut().for_each(Process::wait_until_it_searches);
    processes
}

#[test]
fn one_that_is_killed_is_missed_by_all() {
    let no_flags: &[&str] = &[];
    for (victim, flags) in [(2, no_flags), (0, no_flags), (1, &["--properties-only"])] {
        let place = Place::new(3);
        let mut processes = started(&place, 3, flags);
        let killed = processes.remove(victim);
        killed.signal("KILL");
        assert_eq!(killed.end().code, None);
        for ran in processes.into_iter().map(|it| it.end().exits(75)) {
            assert!(ran.out.is_empty(), "{}", ran.out);
            let lines: Vec<&str> = ran.err.lines().collect();
            let ends = lines.len() == 1 && lines[0].starts_with("error: process ");
            // Some hear of it by one that heard of it before.
            let why = format!("{} ended: ", place.name(victim));
            assert!(ends && lines[0].contains(&why), "{}", ran.err);
        }
    }
}

#[test]
fn one_that_is_stopped_for_longer_than_the_patience_is_given_up() {
    let place = Place::new(2);
    let mut processes = started(&place, 2, &["--patience", "3s"]);
    processes[1].signal("STOP");
    let zero = processes.remove(0).end().exits(75);
    assert_eq!(zero.err, format!("error: {} has not answered for 3 s\n", place.name(1)));
    // It hears of that when it goes on.
    processes[0].signal("CONT");
    processes.remove(0).end().exits(75).err_has(&format!("error: {} ", place.name(0)));
}

#[test]
fn one_that_is_stopped_for_a_while_is_waited_for() {
    let line = ["auction.map", "--agents", "bidder=3", "--rounds", "bidloop=4", "--reductions", "none"];
    let line = [&line[..], &["--no-properties", "--format", "json"]].concat();
    let alone = map(&[&["verify"], &line[..]].concat()).exits(0);
    let place = Place::new(2);
    let line = [&line[..], &["--patience", "100s"]].concat();
    let mut processes: Vec<_> = (0..2).map(|it| place.start(it, &line)).collect();
    for process in &mut processes {
        process.wait_until_it_searches();
        process.signal("STOP");
        std::thread::sleep(Duration::from_millis(300));
        process.signal("CONT");
    }
    let [zero, one] = [processes.remove(0), processes.remove(0)].map(|it| it.end().exits(0));
    assert_eq!(without_measures(&zero.out), without_measures(&alone.out));
    assert_eq!((one.out.as_str(), one.err.as_str()), ("", ""));
}

/// At once, whether it has met the others or not: nobody waits for one that cannot come any more.
#[test]
fn one_that_was_started_by_another_and_is_killed_early_is_missed() {
    let line = [&["verify"], &LONG[..], &["--processes", "3", "--wait", "1h"]].concat();
    let mut running = Process::start(&mut command(&line));
    let victim = loop {
        assert!(running.still_runs(), "it starts others");
        if let Some(victim) = children(running.id()).pop() {
            break victim;
        }
    };
    let killed = Command::new("kill").args(["-KILL", &victim.to_string()]).status();
    assert!(killed.expect("there is kill").success());
    let ran = running.end().exits(75).err_has("error: process ").err_has(" ended");
    assert!(ran.out.is_empty(), "{}", ran.out);
}
