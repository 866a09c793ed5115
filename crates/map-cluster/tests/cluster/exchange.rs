//! Processes that exchange blocks: each is a thread here, with sockets of its own on this machine.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use map_cluster::{Cluster, Hosts, Key};
use map_verify::Peers;

use crate::common::{PATIENT, cluster, identity};

/// A generator of numbers that is good enough to vary traffic: xorshift64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// What process `from` sends to `to` in a superstep: a function of these, so that the recipient can tell.
fn blocks(seed: u64, from: usize, to: usize, superstep: u64) -> Vec<Vec<u8>> {
    let mut numbers = Numbers(seed ^ (from as u64 + 1) << 40 ^ (to as u64 + 1) << 20 ^ (superstep + 1));
    let count = [0, 0, 1, 3, 40][numbers.below(5) as usize];
    (0..count)
        .map(|index| {
            let length = [0, 1, 7, 8, 300, 70_000][numbers.below(6) as usize];
            let mut block = vec![numbers.below(256) as u8; length];
            block.extend([from as u8, superstep as u8, index as u8]);
            block
        })
        .collect()
}

fn exchange_all(mut cluster: Cluster, seed: u64, supersteps: u64) {
    let (own, count) = (cluster.own(), cluster.count());
    for superstep in 0..supersteps {
        let mut received: Vec<Vec<Vec<u8>>> = vec![Vec::new(); count];
        let mut receive = |from: usize, block: &[u8]| received[from].push(block.to_vec());
        for to in 0..count {
            for block in blocks(seed, own, to, superstep) {
                cluster.send(to, block, &mut receive).unwrap();
            }
        }
        cluster.meet(&mut receive).unwrap();
        for (from, received) in received.into_iter().enumerate() {
            let sent = blocks(seed, from, own, superstep);
            assert!(received == sent, "seed {seed}: from {from} to {own} in superstep {superstep}");
        }
    }
    cluster.leave();
}

#[test]
fn everything_arrives_in_order_and_in_its_superstep() {
    let key = Key::random().unwrap();
    for (seed, processes, key) in
        [(1, 3, Some(&key)), (2, 3, None), (3, 2, Some(&key)), (4, 1, None), (5, 4, None)]
    {
        cluster(processes, key, PATIENT, |cluster| exchange_all(cluster, seed, 30));
    }
}

#[test]
fn one_that_is_slow_to_receive_costs_waiting_and_not_memory() {
    // Process 1 computes for a while before it receives anything: process 0 cannot send all it has meanwhile.
    const BLOCKS: usize = 1_000;
    let sent = AtomicUsize::new(0);
    cluster(2, None, PATIENT, |mut cluster| {
        let mut received = 0;
        let mut receive = |_: usize, block: &[u8]| received += block.len();
        if cluster.own() == 0 {
            for _ in 0..BLOCKS {
                cluster.send(1, vec![1; 65_536], &mut receive).unwrap();
                sent.fetch_add(1, Ordering::SeqCst);
            }
        } else {
            // Until the sender has stood still for a while; however slow it is, it never gets further than the window.
            let mut before = usize::MAX;
            while sent.load(Ordering::SeqCst) != before || before == 0 {
                before = sent.load(Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(300));
            }
            assert!(before <= (16 << 20) / 65_536, "{before} blocks were sent");
        }
        cluster.meet(&mut receive).unwrap();
        assert_eq!(received, if cluster.own() == 1 { BLOCKS * 65_536 } else { 0 });
        cluster.leave();
    });
    assert_eq!(sent.load(Ordering::SeqCst), BLOCKS);
}

#[test]
fn all_send_to_all_more_than_may_be_under_way() {
    cluster(3, None, PATIENT, |mut cluster| {
        let mut received = 0;
        let mut receive = |_: usize, block: &[u8]| received += block.len();
        for _ in 0..40 {
            for to in 0..3 {
                cluster.send(to, vec![2; 1 << 20], &mut receive).unwrap();
            }
        }
        cluster.meet(&mut receive).unwrap();
        assert_eq!(received, 3 * (40 << 20));
        cluster.leave();
    });
}

#[test]
fn what_passes_between_processes_is_counted() {
    cluster(2, None, PATIENT, |mut cluster| {
        let other = 1 - cluster.own();
        cluster.send(other, vec![3; 100_000], &mut |_, _| {}).unwrap();
        let own = cluster.own();
        cluster.send(own, vec![3; 1_000_000], &mut |_, _| {}).unwrap();
        cluster.meet(&mut |_, _| {}).unwrap();
        let sent = cluster.sent();
        assert!((100_000..200_000).contains(&sent), "{sent}");
        cluster.leave();
    });
}

#[test]
fn one_process_alone_is_a_cluster() {
    let hosts = Hosts::on_this_machine(1).unwrap();
    let mut alone = Cluster::join(&hosts, 0, None, &identity("a"), PATIENT, &|| false).unwrap();
    let mut received = Vec::new();
    alone.send(0, vec![1, 2, 3], &mut |from, block| received.push((from, block.to_vec()))).unwrap();
    alone.meet(&mut |from, block| received.push((from, block.to_vec()))).unwrap();
    assert_eq!(received, [(0, vec![1, 2, 3])]);
    alone.leave();
}
