//! Processes that end, leave or hang: the others hear of it, wherever they are.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use map_cluster::{Cluster, Hosts, Timing};
use map_verify::Peers;

use crate::common::{PATIENT, cluster, identity, places};

/// Why the others cannot go on, when process 2 of 3 ends by `end` and they meet, or one sends all the time.
fn lost(end: impl Fn(Cluster) + Sync) -> Vec<String> {
    let mut outcomes = cluster(3, None, PATIENT, |mut cluster| {
        // Process 2 may end before the others know that it has met them.
        if let Err(lost) = cluster.meet(&mut |_, _| {}) {
            return lost.to_string();
        }
        match cluster.own() {
            0 => cluster.meet(&mut |_, _| {}).unwrap_err().to_string(),
            1 => loop {
                if let Err(lost) = cluster.send(0, vec![0; 1 << 20], &mut |_, _| {}) {
                    return lost.to_string();
                }
            },
            _ => {
                end(cluster);
                String::new()
            }
        }
    });
    outcomes.truncate(2);
    outcomes
}

#[test]
fn one_that_vanishes_is_missed() {
    for reason in lost(drop) {
        assert!(reason.starts_with("process ") && reason.contains(" ended: "), "{reason}");
    }
}

#[test]
fn one_that_leaves_too_early_is_missed() {
    for reason in lost(Cluster::leave) {
        assert!(reason.ends_with(" has left") || reason.contains(" ended: "), "{reason}");
    }
}

#[test]
fn one_that_gives_up_says_why() {
    let reasons = lost(|cluster| cluster.give_up("no space left \u{1b}[1mon device"));
    let why = r"gave up: no space left \u{1b}[1mon device";
    assert!(reasons.iter().any(|reason| reason.ends_with(why)), "{reasons:?}");
}

#[test]
fn the_others_finish_a_superstep_without_those_that_have_left() {
    let meet = Barrier::new(2);
    cluster(2, None, PATIENT, |mut cluster| {
        let mut received = 0;
        if cluster.own() == 0 {
            cluster.send(1, vec![1; 100_000], &mut |_, _| {}).unwrap();
            cluster.meet(&mut |_, _| {}).unwrap();
            cluster.leave();
            meet.wait();
        } else {
            cluster.meet(&mut |_, block| received += block.len()).unwrap();
            assert_eq!(received, 100_000);
            meet.wait();
            let lost = cluster.meet(&mut |_, _| {}).unwrap_err().to_string();
            assert!(lost.contains(" has left") || lost.contains(" ended: "), "{lost}");
        }
    });
}

/// Stands in for a network between two processes, and can stop to carry anything, without closing a connection.
fn carry_until(stop: &'static (dyn Fn() -> bool + Sync), to: String) -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let accepting = listener.try_clone().unwrap();
    thread::spawn(move || {
        let (from, _) = accepting.accept().unwrap();
        let to = TcpStream::connect(to).unwrap();
        for (mut from, mut to) in
            [(from.try_clone().unwrap(), to.try_clone().unwrap()), (to.try_clone().unwrap(), from)]
        {
            thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(read @ 1..) = from.read(&mut buffer) {
                    while stop() {
                        thread::sleep(Duration::from_secs(1));
                    }
                    if to.write_all(&buffer[..read]).is_err() {
                        return;
                    }
                }
            });
        }
    });
    listener
}

#[test]
fn one_that_does_not_answer_is_missed() {
    use std::sync::atomic::{AtomicBool, Ordering};
    static CUT: AtomicBool = AtomicBool::new(false);
    const SHORT: Timing = Timing { wait: Duration::from_secs(120), patience: Duration::from_millis(300) };

    let (listeners, hosts) = places(2);
    let address = hosts.to_string().lines().next().unwrap().to_owned();
    let between = carry_until(&|| CUT.load(Ordering::SeqCst), address);
    // Process 1 reaches process 0 over what is between them.
    let other = Hosts::of_listeners(&[between, listeners[1].try_clone().unwrap()]).unwrap();
    let reasons: Vec<String> = thread::scope(|scope| {
        let process = |(own, hosts): (usize, Hosts)| {
            let listener = &listeners[own];
            scope.spawn(move || {
                let mut cluster =
                    Cluster::join_at(listener, &hosts, own, None, &identity("a"), SHORT, &|| false).unwrap();
                // The cut comes once both have begun, or before, on a slow machine: the end is the same.
                for superstep in 0.. {
                    if superstep == 3 {
                        CUT.store(true, Ordering::SeqCst);
                    }
                    if let Err(lost) = cluster.meet(&mut |_, _| {}) {
                        return lost.to_string();
                    }
                }
                unreachable!("they cannot meet for ever")
            })
        };
        let processes: Vec<_> = [(0, hosts), (1, other)].into_iter().map(process).collect();
        processes.into_iter().map(|process| process.join().unwrap()).collect()
    });
    for reason in &reasons {
        assert!(
            reason.ends_with("has not answered for 300 ms") || reason.contains(" ended: "),
            "{reasons:?}"
        );
    }
    assert!(reasons.iter().any(|reason| reason.ends_with("has not answered for 300 ms")), "{reasons:?}");
}
