//! What a process tells the others at the end of a superstep.

use super::link::{ClusterLost, Link};
use super::wire::{Reader, put, put_words};
use crate::budget::{Limit, Snapshot};

/// What a process tells the others at the end of a superstep.
#[derive(Default)]
pub(crate) struct SuperstepSummary {
    pub(crate) limit: Option<Limit>,
    /// Number of states of the level left to expand.
    pub(crate) left: usize,
    pub(crate) snapshot: Snapshot,
    pub(crate) expanded: usize,
    pub(crate) found: usize,
    pub(crate) flags: u64,
    pub(crate) lacking: Vec<Vec<u32>>,
}

pub(crate) const VIOLATED: u64 = 1;
pub(crate) const TORN: u64 = 2;
pub(crate) const NO_ROOM: u64 = 4;
pub(crate) const DUE: u64 = 8;

const LIMITS: [Limit; 7] = [
    Limit::Interrupted,
    Limit::Time,
    Limit::States,
    Limit::Memory,
    Limit::NoRoom,
    Limit::Calls,
    Limit::NoFirstState,
];

/// A limit as a number.
pub(crate) fn put_limit(out: &mut Vec<u8>, limit: Option<Limit>) {
    let place = limit.map_or(0, |limit| 1 + LIMITS.iter().position(|&it| it == limit).unwrap_or(0));
    put(out, place as u64);
}

pub(crate) fn read_limit(from: &mut Reader<'_>) -> Option<Limit> {
    (from.number() as usize).checked_sub(1).and_then(|place| LIMITS.get(place)).copied()
}

impl SuperstepSummary {
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_limit(&mut out, self.limit);
        let Snapshot { states, transitions, memory, states_memory, sent, .. } = self.snapshot;
        let Self { left, expanded, found, .. } = *self;
        for number in [left, states, transitions, memory, states_memory, sent, expanded, found] {
            put(&mut out, number as u64);
        }
        put(&mut out, self.flags);
        put(&mut out, self.lacking.len() as u64);
        self.lacking.iter().for_each(|words| put_words(&mut out, words));
        out
    }

    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut from = Reader(bytes);
        let limit = read_limit(&mut from);
        let mut number = || from.number() as usize;
        let left = number();
        let (states, transitions, memory, states_memory) = (number(), number(), number(), number());
        let sent = number();
        let snapshot = Snapshot { states, transitions, memory, states_memory, sent, ..Snapshot::default() };
        let (expanded, found) = (number(), number());
        let flags = from.number();
        let lacking = (0..from.number()).map(|_| from.words()).collect();
        Self { limit, left, snapshot, expanded, found, flags, lacking }
    }
}

/// The limit that ends the search, if a process has reached one: the same for all.
pub(crate) fn reported(told: &[SuperstepSummary]) -> Option<Limit> {
    first(told.iter().filter_map(|it| it.limit))
}

/// The limit that ends the work, if a process has reached one: the same for all.
pub(crate) fn agree(link: &mut Link<'_>, own: Option<Limit>) -> Result<Option<Limit>, ClusterLost> {
    let mut out = Vec::new();
    put_limit(&mut out, own);
    let told = link.tell(&out)?;
    Ok(first(told.iter().filter_map(|told| read_limit(&mut Reader(told)))))
}

fn first(limits: impl Iterator<Item = Limit>) -> Option<Limit> {
    limits.min_by_key(|limit| LIMITS.iter().position(|it| it == limit))
}
