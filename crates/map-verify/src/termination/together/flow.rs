//! What one run can send at most, and whether there are cycles: topological sorting (A. B. Kahn, *Topological sorting
//! of large networks*, 1962) of the states of all processes.
//!
//! A first pass goes through the levels, since most transitions lead to later ones. What becomes ready behind it is
//! sorted in rounds.

use map_graph::BitSet;

use super::Explorer;
use crate::budget::{Limit, Progress};
use crate::partial_order::overflow::{SendBounds, Weight};
use crate::together::told;
use crate::together::wire::{Reader, put, put_words};
use crate::together::{ClusterLost, Link};

/// A result, unless a limit was reached.
pub(super) type Limited<T> = Result<Result<T, Limit>, ClusterLost>;

/// Levels that are sorted between two looks at the limits.
const LEVELS: usize = 16;

/// Tells the others the limit that this process has reached, if any; the first one of all.
pub(super) fn agree(
    link: &mut Link<'_>,
    explorer: &Explorer<'_>,
    own: Option<Limit>,
    progress: &mut dyn Progress,
) -> Limited<()> {
    let limit = told::agree(link, own.or_else(|| progress.tick(&explorer.statistics)))?;
    Ok(limit.map_or(Ok(()), Err))
}

/// The states of this process while they are sorted.
struct Flow<'e, 'a> {
    explorer: &'e Explorer<'a>,
    parts: usize,
    /// Whether transitions that are faults are left out.
    only_lucky: bool,
    /// By process: the weights that it speaks of.
    weights: Vec<Vec<Weight>>,
    incoming: Vec<u32>,
    /// By state and part: the maximum that runs to the state send.
    most: Vec<u32>,
    sorted: BitSet,
    /// States of levels already passed that nothing unsorted leads to any more.
    ready: Vec<u32>,
    /// The end of the levels already passed.
    passed: usize,
    left: usize,
}

/// Sorts the finished graph. With `parts` equal to 0 it only tells whether there is a cycle.
pub(super) fn sort(
    explorer: &Explorer<'_>,
    link: &mut Link<'_>,
    (parts, only_lucky): (usize, bool),
    memory: usize,
    progress: &mut dyn Progress,
) -> Limited<SendBounds> {
    let states = explorer.shard.len();
    let full = (states * (parts + 1) * size_of::<u32>() > memory).then_some(Limit::Memory);
    if let Err(limit) = agree(link, explorer, full, progress)? {
        return Ok(Err(limit));
    }
    let mut flow = Flow {
        explorer,
        parts,
        only_lucky,
        weights: Vec::new(),
        incoming: vec![0; states],
        most: vec![0; states * parts],
        sorted: BitSet::new(states),
        ready: Vec::new(),
        passed: 0,
        left: states,
    };
    flow.share_weights(link)?;
    flow.count_incoming(link)?;
    for level in 0..explorer.shard.levels.len() {
        flow.pass_level(level, link)?;
        if level % LEVELS == LEVELS - 1
            && let Err(limit) = agree(link, explorer, None, progress)?
        {
            return Ok(Err(limit));
        }
    }
    let mut rounds = 0_usize;
    while link.sum(flow.ready.len() as u64)? > 0 {
        flow.pass_ready(link)?;
        rounds += 1;
        if rounds.is_multiple_of(LEVELS)
            && let Err(limit) = agree(link, explorer, None, progress)?
        {
            return Ok(Err(limit));
        }
    }
    Ok(Ok(flow.judge(link)?))
}

impl Flow<'_, '_> {
    fn share_weights(&mut self, link: &mut Link<'_>) -> Result<(), ClusterLost> {
        let mut out = Vec::new();
        self.explorer.weights().iter().for_each(|weight| put_words(&mut out, weight));
        let all = link.tell(&out)?;
        let read = |told: &Vec<u8>| {
            let (mut from, mut weights) = (Reader(told), Vec::new());
            while !from.is_empty() {
                weights.push(from.words());
            }
            weights
        };
        self.weights = all.iter().map(read).collect();
        Ok(())
    }

    /// Counts the transitions to each state that are not left out.
    fn count_incoming(&mut self, link: &mut Link<'_>) -> Result<(), ClusterLost> {
        let shard = &self.explorer.shard;
        for targets in &shard.targets {
            targets.from(0).for_each(|target| self.incoming[target as usize] += 1);
        }
        let mut unlucky = Vec::new();
        if self.only_lucky {
            shard.transitions.for_each(0..shard.len(), |_, transitions, led| {
                let mut led = led.to_vec();
                for it in transitions {
                    if it.unlucky {
                        unlucky.push((it.owner, led[it.owner]));
                    }
                    led[it.owner] += 1;
                }
            });
        }
        let incoming = &mut self.incoming;
        let mut cursors: Vec<_> = shard.targets.iter().map(|targets| targets.from(0)).collect();
        let mut receive = |from: usize, block: &[u8]| {
            let mut reader = Reader(block);
            while !reader.is_empty() {
                cursors[from].seek(reader.number() as usize);
                let target = cursors[from].next().expect("it was heard of");
                incoming[target as usize] -= 1;
            }
        };
        for (to, place) in unlucky {
            put(link.block(to), place);
            link.send_full(to, &mut receive)?;
        }
        link.meet(&mut receive)
    }

    fn pass_level(&mut self, level: usize, link: &mut Link<'_>) -> Result<(), ClusterLost> {
        let range = self.explorer.shard.level(level);
        self.passed = range.end;
        let is_ready = |&state: &usize| self.incoming[state] == 0 && !self.sorted.contains(state);
        let states: Vec<u32> = range.filter(is_ready).map(|state| state as u32).collect();
        self.pass(&states, link)
    }

    fn pass_ready(&mut self, link: &mut Link<'_>) -> Result<(), ClusterLost> {
        let states = std::mem::take(&mut self.ready);
        self.pass(&states, link)
    }

    /// Sorts states.
    fn pass(&mut self, states: &[u32], link: &mut Link<'_>) -> Result<(), ClusterLost> {
        for run in states.chunk_by(|&a, &b| b == a + 1) {
            for run in run.chunks(64) {
                let range = run[0] as usize..run[0] as usize + run.len();
                let written = self.write(range, link);
                for to in written {
                    link.send_full(to, &mut |from, block| self.receive(from, block))?;
                }
            }
        }
        link.meet(&mut |from, block| self.receive(from, block))
    }

    /// Writes what runs to the states of a range, and then along their transitions, send. Returns the processes that
    /// are told.
    fn write(&mut self, range: std::ops::Range<usize>, link: &mut Link<'_>) -> Vec<usize> {
        let Self { explorer, parts, only_lucky, most, sorted, left, .. } = self;
        let parts = *parts;
        let mut told = Vec::new();
        explorer.shard.transitions.for_each(range, |state, transitions, led| {
            sorted.insert(state);
            *left -= 1;
            for (owner, &place) in led.iter().enumerate() {
                let mut its = transitions.iter().filter(|it| it.owner == owner).peekable();
                if its.peek().is_none() {
                    continue;
                }
                if !told.contains(&owner) {
                    told.push(owner);
                }
                let block = link.block(owner);
                put(block, place);
                put(block, its.clone().count() as u64);
                most[state * parts..][..parts].iter().for_each(|&most| put(block, u64::from(most)));
                for it in its {
                    let is_left_out = *only_lucky && it.unlucky;
                    put(block, if is_left_out { 0 } else { 1 + u64::from(it.label) });
                }
            }
        });
        told
    }

    fn receive(&mut self, from: usize, block: &[u8]) {
        let Self { explorer, parts, weights, incoming, most, ready, passed, .. } = self;
        let parts = *parts;
        let mut cursor = explorer.shard.targets[from].from(0);
        let (mut reader, mut before) = (Reader(block), vec![0; parts]);
        while !reader.is_empty() {
            cursor.seek(reader.number() as usize);
            let count = reader.number();
            before.iter_mut().for_each(|most| *most = reader.word());
            for _ in 0..count {
                let target = cursor.next().expect("it was heard of") as usize;
                let Some(weight) = reader.word().checked_sub(1) else { continue };
                let sent = weights[from].get(weight as usize);
                for (part, before) in before.iter().enumerate() {
                    let more = sent.and_then(|sent| sent.get(part)).copied().unwrap_or(0);
                    let known = &mut most[target * parts + part];
                    *known = (*known).max(before.saturating_add(more));
                }
                incoming[target] -= 1;
                if incoming[target] == 0 && target < *passed {
                    ready.push(target as u32);
                }
            }
        }
    }

    fn judge(&self, link: &mut Link<'_>) -> Result<SendBounds, ClusterLost> {
        let mut repeated = vec![false; self.parts];
        let weights = &self.weights[link.own()];
        let mut note = |weight: u32| {
            let sent = weights.get(weight as usize).into_iter().flatten();
            sent.zip(&mut repeated).for_each(|(&sent, repeated)| *repeated |= sent > 0);
        };
        let shard = &self.explorer.shard;
        shard.loops.iter().for_each(|&weight| note(weight));
        if self.left > 0 {
            shard.transitions.for_each(0..shard.len(), |state, transitions, _| {
                if !self.sorted.contains(state) {
                    transitions.iter().for_each(|it| note(it.label));
                }
            });
        }
        let mut out = Vec::new();
        put(&mut out, u64::from(self.left > 0 || !shard.loops.is_empty()));
        for (part, repeated) in repeated.iter().enumerate() {
            let most = self.most.iter().skip(part).step_by(self.parts).max();
            put(&mut out, u64::from(*repeated));
            put(&mut out, u64::from(most.copied().unwrap_or(0)));
        }
        let (mut cyclic, mut all) = (false, vec![(false, 0); self.parts]);
        for told in link.tell(&out)? {
            let mut from = Reader(&told);
            cyclic |= from.number() != 0;
            for (repeated, most) in &mut all {
                *repeated |= from.number() != 0;
                *most = from.word().max(*most);
            }
        }
        let most = all.into_iter().map(|(repeated, most)| (!repeated).then_some(most)).collect();
        Ok(SendBounds { most, cyclic })
    }
}
