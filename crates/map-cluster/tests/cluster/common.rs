//! Clusters whose processes are threads.

use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use map_cluster::{Cluster, Hosts, Key, Timing};

/// For processes that find each other, however slow the machine is.
pub(crate) const PATIENT: Timing =
    Timing { wait: Duration::from_secs(120), patience: Duration::from_secs(120) };

/// What processes that search a text agree on.
pub(crate) fn identity(text: &str) -> Vec<(String, String)> {
    [("build of map", "1"), ("text", text)].map(|(name, text)| (name.to_owned(), text.to_owned())).into()
}

/// Sockets that listen, and their addresses: nobody else can take these ports.
pub(crate) fn places(count: usize) -> (Vec<TcpListener>, Hosts) {
    let listeners: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let hosts = Hosts::of_listeners(&listeners).unwrap();
    (listeners, hosts)
}

/// Runs something in each process of a cluster, and returns what comes of it.
pub(crate) fn cluster<T: Send>(
    count: usize,
    key: Option<&Key>,
    timing: Timing,
    run: impl Fn(Cluster) -> T + Sync,
) -> Vec<T> {
    let (listeners, hosts) = places(count);
    let (hosts, run) = (&hosts, &run);
    thread::scope(|scope| {
        let process = |(own, listener): (usize, TcpListener)| {
            scope.spawn(move || {
                let identity = identity("a");
                run(Cluster::join_at(&listener, hosts, own, key, &identity, timing, &|| false).unwrap())
            })
        };
        let processes: Vec<_> = listeners.into_iter().enumerate().map(process).collect();
        processes.into_iter().map(|process| process.join().unwrap()).collect()
    })
}
