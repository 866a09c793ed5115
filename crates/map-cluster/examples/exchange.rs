//! How fast two processes exchange blocks: `cargo run --release --example exchange [MEBIBYTES [plain]]`.
//!
//! Each is a thread here. Both send as much as they receive, in blocks of 64 KiB, over a sealed connection.

use std::error::Error;
use std::io::Write;
use std::net::TcpListener;
use std::thread;
use std::time::Instant;

use map_cluster::{Cluster, Hosts, Key, Timing};
use map_verify::Peers;

const BLOCK: usize = 64 << 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).filter_map(|argument| argument.into_string().ok());
    let mebibytes: usize = arguments.next().map_or(Ok(1024), |argument| argument.parse())?;
    let key = Key::random()?;
    let key = (arguments.next().as_deref() != Some("plain")).then_some(&key);
    let listeners = [TcpListener::bind("127.0.0.1:0")?, TcpListener::bind("127.0.0.1:0")?];
    let hosts = Hosts::of_listeners(&listeners)?;
    let began = Instant::now();
    thread::scope(|scope| {
        for (own, listener) in listeners.iter().enumerate() {
            let hosts = &hosts;
            scope.spawn(move || exchange(own, listener, hosts, key, mebibytes << 20));
        }
    });
    let seconds = began.elapsed().as_secs_f64();
    let rate = 2.0 * mebibytes as f64 / seconds;
    writeln!(std::io::stdout(), "{mebibytes} MiB each way in {seconds:.2} s: {rate:.0} MiB/s in all")?;
    Ok(())
}

fn exchange(own: usize, listener: &TcpListener, hosts: &Hosts, key: Option<&Key>, bytes: usize) {
    let cluster = Cluster::join_at(listener, hosts, own, key, &[], Timing::default(), &|| false);
    let mut cluster = cluster.unwrap_or_else(|error| panic!("{error}"));
    let mut received = 0;
    let mut receive = |_: usize, block: &[u8]| received += block.len();
    for _ in 0..bytes / BLOCK {
        cluster.send(1 - own, vec![own as u8; BLOCK], &mut receive).unwrap_or_else(|lost| panic!("{lost}"));
    }
    cluster.meet(&mut receive).unwrap_or_else(|lost| panic!("{lost}"));
    assert_eq!(received, bytes);
    cluster.leave();
}
