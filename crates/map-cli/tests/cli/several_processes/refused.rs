//! Processes that do not belong together, or do not come.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::super::command;
use super::group::{LIMIT, Place, Process};

const LINE: [&str; 5] = ["auction.map", "--agents", "bidder=2", "--rounds", "bidloop=2"];

/// As [`LINE`], and waits for others for a moment only.
const HASTY: [&str; 7] = ["auction.map", "--agents", "bidder=2", "--rounds", "bidloop=2", "--wait", "1500ms"];

/// What process 1 is told that comes with something else than process 0, which goes on and finds the right one.
#[track_caller]
fn is_told(place: &Place, mut other: std::process::Command, told: &str) {
    let zero = place.start(0, &LINE);
    Process::start(&mut other).end().exits(75).err_has(&format!("error: {} {told}", place.name(0)));
    let one = place.start(1, &LINE);
    zero.end().exits(0);
    one.end().exits(0);
}

#[test]
fn another_key() {
    let place = Place::new(2);
    is_told(&place, place.command(1, "other-key", &LINE), "has another key\n");
    let mut none = command(&["verify"]);
    none.args(LINE).args(["--process", "1", "--hosts"]).arg(place.path("hosts"));
    is_told(&place, none, "has a key, and this process has none\n");
}

#[test]
fn another_text_or_other_flags() {
    let place = Place::new(2);
    let text = std::fs::read_to_string(super::super::protocols().join("auction.map")).expect("it is there");
    let other = place.write("auction.map", &format!("{text}// A comment is another text.\n"));
    let mut line = LINE.to_vec();
    line[0] = &other;
    is_told(&place, place.command(1, "key", &line), "has another text (`");
    line = LINE.to_vec();
    line[2] = "bidder=3";
    is_told(&place, place.command(1, "key", &line), "has another cast (`");
    line = LINE.to_vec();
    line[4] = "bidloop=3";
    is_told(&place, place.command(1, "key", &line), "has another set of bounds (`");
    let line = [&LINE[..], &["--max-states", "77"]].concat();
    is_told(&place, place.command(1, "key", &line), "has another limit of states (`");
    let line = [&LINE[..], &["--reductions", "none"]].concat();
    is_told(&place, place.command(1, "key", &line), "has another set of reductions (`");
    let line = [&LINE[..], &["--property", "eventually ended"]].concat();
    is_told(&place, place.command(1, "key", &line), "has another set of properties (`");
}

#[test]
fn the_one_that_waits_says_who_came_instead() {
    let place = Place::new(2);
    let zero = place.start(0, &HASTY);
    let one = Process::start(&mut place.command(1, "other-key", &HASTY)).end().exits(75);
    let zero = zero.end().exits(75).err_has(&format!("error: {} has not come", place.name(1)));
    // On a very slow machine, process 1 came when nobody listened any more.
    if one.err.contains("has another key") {
        assert!(zero.err.contains(" has another key"), "{}", zero.err);
    }
    assert!(zero.out.is_empty() && one.out.is_empty());
}

#[test]
fn one_that_does_not_come() {
    let place = Place::new(3);
    place.start(0, &HASTY).end().exits(75).err_has(&format!(
        "error: {}, {} have not come\n",
        place.name(1),
        place.name(2)
    ));
    place.start(1, &HASTY).end().exits(75).err_has(&format!(
        "error: {}, {} have not come; {} cannot be reached: ",
        place.name(0),
        place.name(2),
        place.name(0)
    ));
}

#[test]
fn strangers_do_no_harm() {
    let place = Place::new(2);
    let mut zero = place.start(0, &LINE);
    let connect = || {
        let since = Instant::now();
        loop {
            match TcpStream::connect(&place.addresses[0]) {
                Ok(stream) => return stream,
                Err(error) => assert!(since.elapsed() < LIMIT, "{error}"),
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    // One says nothing, some say something else, one leaves, and one begins as `map` does.
    let _silent = connect();
    connect().write_all(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n").expect("it is read");
    let mut noise = connect();
    let bytes: Vec<u8> = (0..100_000_u32).map(|it| (it.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    // It may be closed before all is written.
    let _ = noise.write_all(&bytes);
    drop(connect());
    let mut liar = connect();
    let mut greeting = [0; 10];
    liar.read_exact(&mut greeting).expect("process 0 greets");
    liar.write_all(&greeting).expect("it is read");
    let _ = liar.write_all(&bytes);
    assert!(zero.still_runs(), "it waits for process 1");
    let one = place.start(1, &LINE);
    zero.end().exits(0).out_has("terminates");
    one.end().exits(0);
}

#[test]
fn no_key_no_other_machine() {
    let place = Place::new(1);
    let hosts = place.write("far", "127.0.0.1:7001\n192.0.2.1:7001\n");
    let mut alone = command(&["verify"]);
    alone.args(LINE).args(["--process", "0", "--hosts", &hosts]);
    Process::start(&mut alone)
        .end()
        .exits(75)
        .err_has("error: process 1 (192.0.2.1:7001) may be another machine: without a key");
}
