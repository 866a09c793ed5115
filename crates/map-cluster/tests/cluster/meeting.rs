//! Who is let in, who is not, and that the others go on waiting.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use map_cluster::{Cluster, Hosts, JoinError, Key, Timing};
use map_verify::Peers;

use crate::common::{PATIENT, identity, places};

const SHORT: Timing = Timing { wait: Duration::from_millis(500), patience: Duration::from_secs(120) };

fn join(
    listener: &TcpListener,
    hosts: &Hosts,
    own: usize,
    key: Option<&Key>,
    text: &str,
    timing: Timing,
) -> Result<Cluster, JoinError> {
    Cluster::join_at(listener, hosts, own, key, &identity(text), timing, &|| false)
}

fn reason(joined: Result<Cluster, JoinError>) -> String {
    match joined {
        Err(JoinError::Failed(reason)) => reason,
        Err(JoinError::Stopped) => panic!("nobody stopped it"),
        Ok(_) => panic!("it was let in"),
    }
}

/// One superstep, so that all are known to be connected.
fn work(joined: Result<Cluster, JoinError>) {
    let mut cluster = joined.unwrap();
    cluster.meet(&mut |_, _| {}).unwrap();
    cluster.leave();
}

/// Processes 0 and 1 meet, after `before` has been at process 0 while it was waiting.
fn meets_after(key: Option<&Key>, before: impl FnOnce(&Hosts)) {
    let (listeners, hosts) = places(2);
    thread::scope(|scope| {
        let (listeners, hosts) = (&listeners, &hosts);
        let waiting = scope.spawn(move || work(join(&listeners[0], hosts, 0, key, "a", PATIENT)));
        before(hosts);
        work(join(&listeners[1], hosts, 1, key, "a", PATIENT));
        waiting.join().unwrap();
    });
}

/// Where process 0 of these hosts listens.
fn connect(hosts: &Hosts) -> TcpStream {
    TcpStream::connect(hosts.to_string().lines().next().unwrap()).unwrap()
}

/// What process 1 is told, if it comes with something else than process 0 expects.
fn turned_away(expected: Option<&Key>, key: Option<&Key>, text: &str) -> String {
    let mut told = String::new();
    meets_after(expected, |hosts| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        told = reason(join(&listener, hosts, 1, key, text, PATIENT))
            .replace(&hosts.to_string().lines().next().unwrap().to_owned(), "HERE");
    });
    told
}

#[test]
fn another_key_is_turned_away() {
    let (key, other) = (Key::random().unwrap(), Key::random().unwrap());
    assert_eq!(turned_away(Some(&key), Some(&other), "a"), "process 0 (HERE) has another key");
    assert_eq!(turned_away(Some(&key), None, "a"), "process 0 (HERE) has a key, and this process has none");
    assert_eq!(turned_away(None, Some(&other), "a"), "process 0 (HERE) has no key, and this process has one");
}

#[test]
fn another_text_is_turned_away_and_both_sides_say_so() {
    let key = Key::random().unwrap();
    assert_eq!(turned_away(Some(&key), Some(&key), "b"), "process 0 (HERE) has another text (`a`, here `b`)");
    let (listeners, hosts) = places(2);
    thread::scope(|scope| {
        let waiting = scope.spawn(|| reason(join(&listeners[0], &hosts, 0, None, "a", SHORT)));
        // It may come when the other does not wait any more, on a very slow machine.
        let told = reason(join(&listeners[1], &hosts, 1, None, "b", SHORT));
        let missing = waiting.join().unwrap();
        assert!(missing.starts_with(&format!("{} has not come", hosts.name(1))), "{missing}");
        if told.contains("another text") {
            assert!(
                missing.ends_with(&format!("; {} has another text (`b`, here `a`)", hosts.name(1))),
                "{missing}"
            );
        }
    });
}

#[test]
fn strangers_are_turned_away_or_ignored() {
    let mut silent = Vec::new();
    meets_after(Some(&Key::random().unwrap()), |hosts| {
        // Some say nothing, one says something else, one leaves at once, and one claims to be another version.
        silent = (0..5).map(|_| connect(hosts)).collect();
        connect(hosts).write_all(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n").unwrap();
        drop(connect(hosts));
        let mut old = connect(hosts);
        old.write_all(b"\0map-bsp\0\x01").unwrap();
        let mut answer = Vec::new();
        let _ = old.read_to_end(&mut answer);
        assert_eq!(answer[..8], *b"\0map-bsp");
    });
}

#[test]
fn a_stranger_that_is_no_process_of_this_search_is_told_of() {
    let (listeners, hosts) = places(2);
    thread::scope(|scope| {
        let waiting = scope.spawn(|| reason(join(&listeners[0], &hosts, 0, None, "a", SHORT)));
        let mut stranger = connect(&hosts);
        stranger.write_all(&[b'x'; 10]).unwrap();
        let mut answer = Vec::new();
        let _ = stranger.read_to_end(&mut answer);
        let missing = waiting.join().unwrap();
        // On a very slow machine, nobody had a look at the stranger before the time was over.
        let greeted = answer.len() == 10;
        assert!(!greeted || missing.contains("is something other than `map`"), "{missing}");
    });
}

#[test]
fn who_does_not_come_is_named() {
    let (listeners, hosts) = places(3);
    let missing = reason(join(&listeners[0], &hosts, 0, None, "a", SHORT));
    assert_eq!(missing, format!("{}, {} have not come", hosts.name(1), hosts.name(2)));
}

#[test]
fn a_number_is_taken_once() {
    // Two come as process 2. One gets the seat and waits for process 1, which does not come; the other is sent away.
    let (listeners, hosts) = places(3);
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let done = AtomicBool::new(false);
    let mut reasons: Vec<String> = thread::scope(|scope| {
        let process = |(own, listener)| {
            let (hosts, done) = (&hosts, &done);
            scope.spawn(move || {
                let stop = || done.load(Ordering::SeqCst);
                let joined = Cluster::join_at(listener, hosts, own, None, &identity("a"), PATIENT, &stop);
                done.store(true, Ordering::SeqCst);
                joined.err().unwrap().to_string()
            })
        };
        let processes: Vec<_> = [(0, &listeners[0]), (2, &listeners[2]), (2, &other)].map(process).into();
        processes.into_iter().map(|process| process.join().unwrap()).collect()
    });
    reasons.sort();
    let refused = format!("{} refuses: process 2 is here already", hosts.name(0));
    assert_eq!(reasons, [refused, "stopped".to_owned(), "stopped".to_owned()]);
}

#[test]
fn no_key_no_other_machine() {
    let hosts = Hosts::parse("127.0.0.1:7001\nlocalhost:7002\n[::1]:7003\n192.0.2.1:7004").unwrap();
    let refused = reason(Cluster::join_at(
        &TcpListener::bind("127.0.0.1:0").unwrap(),
        &hosts,
        0,
        None,
        &identity("a"),
        SHORT,
        &|| false,
    ));
    assert_eq!(
        refused,
        "process 3 (192.0.2.1:7004) may be another machine: without a key, only processes on one machine can search \
         together (127.0.0.1, [::1] or localhost)"
    );
}

#[test]
fn waiting_can_be_stopped() {
    let (listeners, hosts) = places(2);
    let asked = AtomicBool::new(false);
    let stop = || asked.swap(true, Ordering::SeqCst);
    let stopped = Cluster::join_at(&listeners[0], &hosts, 0, None, &identity("a"), PATIENT, &stop);
    assert!(matches!(stopped, Err(JoinError::Stopped)));
}

#[test]
fn an_address_that_is_taken_for_a_moment_is_waited_for() {
    let (mut listeners, hosts) = places(2);
    let last = listeners.pop().unwrap();
    let asked = AtomicBool::new(false);
    // It is asked for the first time when the address was found to be taken.
    let stop = || {
        asked.store(true, Ordering::SeqCst);
        false
    };
    thread::scope(|scope| {
        let joins = scope
            .spawn(|| Cluster::join(&hosts, 0, None, &identity("a"), PATIENT, &stop).map(Cluster::leave));
        while !asked.load(Ordering::SeqCst) && !joins.is_finished() {
            thread::sleep(Duration::from_millis(5));
        }
        listeners.clear();
        join(&last, &hosts, 1, None, "a", PATIENT).unwrap().leave();
        assert_eq!(joins.join().unwrap(), Ok(()));
    });
}

#[test]
fn an_address_that_is_taken_is_named() {
    let (_listeners, hosts) = places(2);
    let taken = reason(Cluster::join(&hosts, 0, None, &identity("a"), SHORT, &|| false));
    assert!(taken.starts_with(&format!("{} cannot listen at its address: ", hosts.name(0))), "{taken}");
    let beyond = reason(Cluster::join(&hosts, 2, None, &identity("a"), SHORT, &|| false));
    assert_eq!(beyond, "there is no process 2: 2 are listed");
}
