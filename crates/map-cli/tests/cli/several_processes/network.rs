//! Machines of their own: network namespaces that a bridge joins, with delay, loss, and links that are cut.
//!
//! This needs Linux, root and `ip` (Debian package `iproute2`); with `MAP_REQUIRE_NETNS` set it fails without them.
//! Where the kernel has no `netem` to delay and lose packets, a bucket that is too small for the traffic does both.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::super::mcp::stopped::children;
use super::super::{Ran, command, map};
use super::group::{Place, Process, computes};
use super::same::without_measures;

/// Few levels, as each takes the time of several ways through the network.
const SHORT: [&str; 3] = ["auction.map", "--format", "json"];

/// A search that takes hours.
const ENDLESS: [&str; 7] =
    ["auction.map", "--agents", "bidder=9", "--rounds", "bidloop=9", "--reductions", "none"];

/// Machines, each with one process of a list of hosts. They are gone with this.
struct Network {
    prefix: String,
    count: usize,
    place: Place,
}

fn ip(line: &str) -> Output {
    Command::new("ip").args(line.split(' ')).output().expect("there is ip")
}

#[track_caller]
fn must(line: &str) {
    let output = ip(line);
    assert!(output.status.success(), "ip {line}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Whether there can be network namespaces here.
fn is_possible() -> bool {
    let probe = format!("map-{}-probe", std::process::id());
    let made = Command::new("ip").args(["netns", "add", &probe]).output();
    let possible = made.is_ok_and(|output| output.status.success()) && {
        let bridged = ip(&format!("-n {probe} link add bridge type bridge")).status.success();
        ip(&format!("netns del {probe}"));
        bridged
    };
    if !possible {
        assert!(std::env::var_os("MAP_REQUIRE_NETNS").is_none(), "namespaces need root and iproute2");
        println!("SKIPPED: network namespaces need root and iproute2");
    }
    possible
}

/// Removes what tests have left that were killed.
fn sweep() {
    let names = String::from_utf8(ip("netns list").stdout).expect("names are words");
    for name in names.lines().filter_map(|line| line.split(' ').next()) {
        let process = name.strip_prefix("map-").and_then(|rest| rest.split('-').next());
        if process.is_some_and(|it| it.parse::<u32>().is_ok() && fs::metadata(format!("/proc/{it}")).is_err())
        {
            ip(&format!("netns del {name}"));
        }
    }
}

impl Network {
    /// `None` where there cannot be one.
    fn new(count: usize) -> Option<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        if !is_possible() {
            return None;
        }
        sweep();
        let prefix = format!("map-{}-{}-", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
        let mut place = Place::new(count);
        place.addresses = (0..count).map(|it| format!("10.77.0.{}:7001", it + 1)).collect();
        place.write("hosts", &place.addresses.join("\n"));
        let network = Self { prefix, count, place };
        let hub = network.machine("hub");
        must(&format!("netns add {hub}"));
        must(&format!("-n {hub} link add bridge type bridge"));
        must(&format!("-n {hub} link set bridge up"));
        for node in 0..count {
            let name = network.machine(node);
            must(&format!("netns add {name}"));
            must(&format!("-n {name} link set lo up"));
            must(&format!("-n {hub} link add port{node} type veth peer name eth0 netns {name}"));
            must(&format!("-n {hub} link set port{node} master bridge up"));
            must(&format!("-n {name} addr add 10.77.0.{}/24 dev eth0", node + 1));
            must(&format!("-n {name} link set eth0 up"));
            let imperfect = |how: &str| {
                let line = format!("netns exec {name} tc qdisc add dev eth0 root {how}");
                ip(&line).status.success()
            };
            let is_so =
                imperfect("netem delay 20ms loss 1%") || imperfect("tbf rate 20mbit burst 16kb latency 20ms");
            assert!(is_so || std::env::var_os("MAP_REQUIRE_NETNS").is_none(), "there is no `tc`");
        }
        Some(network)
    }

    fn machine(&self, name: impl std::fmt::Display) -> String {
        format!("{}{name}", self.prefix)
    }

    /// A process on its machine.
    fn command(&self, process: usize, key: &str, line: &[&str]) -> Command {
        let inner = self.place.command(process, key, line);
        let mut command = Command::new("ip");
        command
            .args(["netns", "exec", &self.machine(process)])
            .arg(inner.get_program())
            .args(inner.get_args());
        command.current_dir(super::super::protocols()).env_remove("COLUMNS");
        command
    }

    fn start(&self, line: &[&str]) -> Vec<Process> {
        (0..self.count).map(|it| Process::start(&mut self.command(it, "key", line))).collect()
    }

    /// Takes the cable out of a machine, which does not notice.
    fn cut(&self, process: usize) {
        must(&format!("-n {} link set port{process} nomaster", self.machine("hub")));
    }

    fn mend(&self, process: usize) {
        must(&format!("-n {} link set port{process} master bridge", self.machine("hub")));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for node in 0..self.count {
            ip(&format!("netns del {}", self.machine(node)));
        }
        ip(&format!("netns del {}", self.machine("hub")));
    }
}

fn alone(line: &[&str]) -> Ran {
    map(&[&["verify"], line].concat()).exits(0)
}

#[test]
fn three_machines_have_the_report_of_one() {
    let Some(network) = Network::new(3) else { return };
    let mut processes = network.start(&SHORT);
    let zero = processes.remove(0).end().exits(0);
    assert_eq!(without_measures(&zero.out), without_measures(&alone(&SHORT).out));
    for process in processes {
        let ran = process.end().exits(0);
        assert!(ran.out.is_empty() && ran.err.is_empty(), "{}", ran.err);
    }
}

#[test]
fn a_cut_that_is_shorter_than_the_patience_changes_nothing() {
    let Some(network) = Network::new(2) else { return };
    let line = ["auction.map", "--agents", "bidder=3", "--rounds", "bidloop=4", "--reductions", "none"];
    let line = [&line[..], &["--no-properties", "--format", "json", "--patience", "60s"]].concat();
    let mut processes = network.start(&line);
    processes.iter_mut().for_each(Process::wait_until_it_searches);
    network.cut(1);
    std::thread::sleep(Duration::from_millis(1500));
    assert!(processes.iter_mut().all(Process::still_runs), "they wait for each other");
    network.mend(1);
    let [zero, one] = [processes.remove(0), processes.remove(0)].map(|it| it.end().exits(0));
    assert_eq!(without_measures(&zero.out), without_measures(&alone(&line).out));
    assert!(one.out.is_empty() && one.err.is_empty() && zero.err.is_empty(), "{}{}", one.err, zero.err);
}

#[test]
fn a_cut_that_is_longer_ends_the_search_on_both_sides() {
    let Some(network) = Network::new(3) else { return };
    let line = [&ENDLESS[..], &["--patience", "3s"]].concat();
    let mut processes = network.start(&line);
    processes.iter_mut().for_each(Process::wait_until_it_searches);
    network.cut(2);
    let ends: Vec<Ran> = processes.into_iter().map(|it| it.end().exits(75)).collect();
    let why = " has not answered for 3 s\n";
    for (process, ran) in ends.iter().enumerate() {
        // The one that is cut off misses any of the others; those hear of it by each other, too.
        let missed = if process == 2 { "process " } else { &network.place.name(2) };
        assert!(ran.out.is_empty() && ran.err.contains(missed) && ran.err.ends_with(why), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
}

#[test]
fn one_that_is_killed_is_missed_and_one_with_another_key_is_turned_away() {
    let Some(network) = Network::new(2) else { return };
    let zero = Process::start(&mut network.command(0, "key", &ENDLESS));
    let told = format!("error: {} has another key\n", network.place.name(0));
    Process::start(&mut network.command(1, "other-key", &SHORT)).end().exits(75).err_has(&told);
    let mut one = Process::start(&mut network.command(1, "key", &ENDLESS));
    one.wait_until_it_searches();
    one.signal("KILL");
    zero.end().exits(75).err_has(&format!("error: {} ended: ", network.place.name(1)));
}

#[test]
fn machines_are_started_and_watched_from_another_one() {
    let Some(network) = Network::new(2) else { return };
    let line = ["auction.map", "--agents", "bidder=3", "--rounds", "bidloop=4", "--reductions", "none"];
    let line = [&line[..], &["--no-properties", "--format", "json"]].concat();
    let mut run = command(&["cluster", "run"]);
    run.arg(network.place.path("hosts")).arg("--key").arg(network.place.path("key"));
    run.arg("--via").arg(format!("ip netns exec {} sh -c", network.machine("{process}")));
    run.args(["--program", env!("CARGO_BIN_EXE_map"), "--", "verify"]).args(&line);
    let mut running = Process::start(&mut run);
    let victim = loop {
        if let Some(victim) = children(running.id()).into_iter().find(|it| computes(*it)) {
            break victim;
        }
        assert!(running.still_runs(), "they have ended");
        std::thread::sleep(Duration::from_millis(5));
    };
    let killed = Command::new("kill").args(["-KILL", &victim.to_string()]).status();
    assert!(killed.expect("there is kill").success());
    let ran = running.end().exits(0).err_has(" ended by signal 9; all start again (1 of 3)\n");
    assert_eq!(without_measures(&ran.out), without_measures(&alone(&line).out));
}
