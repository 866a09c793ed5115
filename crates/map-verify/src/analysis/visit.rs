//! Blocks of transitions are unpacked, by several threads if there are more, and seen by one, in order.

use std::sync::mpsc::{channel, sync_channel};

use map_graph::BitSet;

use super::Means;
use crate::edges::{Edges, Lists};
use crate::report::Limit;

/// Blocks that are unpacked together; few in debug builds, so that tests see small graphs shared by threads.
const SHARE: usize = if cfg!(debug_assertions) { 2 } else { 128 };

/// Shares that a thread may be ahead of the one that sees them.
const AHEAD: usize = 2;

/// Fewer shares than these for each thread are unpacked by fewer threads.
const WORTH_SHARING: usize = 2;

/// Bytes that are free for each thread. What it unpacks ahead mostly takes less.
const ROOM_EACH: usize = 4 << 20;

/// The order of the states.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Upwards,
    Downwards,
}

impl Order {
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Upwards => Self::Downwards,
            Self::Downwards => Self::Upwards,
        }
    }

    /// The number of the one at a place of that many.
    pub(super) fn at(self, place: usize, count: usize) -> usize {
        match self {
            Self::Upwards => place,
            Self::Downwards => count - 1 - place,
        }
    }
}

/// Blocks with their lists. There may be more room than blocks.
#[derive(Default)]
struct Share {
    lists: Vec<Lists>,
    blocks: Vec<usize>,
}

impl Share {
    /// Unpacks the blocks of the share at a place in the order, but for those whose states are all done.
    fn unpack(&mut self, edges: &Edges, order: Order, done: &BitSet, place: usize) {
        let count = edges.block_count();
        self.blocks.clear();
        for place in place * SHARE..((place + 1) * SHARE).min(count) {
            let block = order.at(place, count);
            if done.contains_all(&edges.block(block)) {
                continue;
            }
            if self.lists.len() == self.blocks.len() {
                self.lists.push(Lists::default());
            }
            edges.read_block(block, &mut self.lists[self.blocks.len()]);
            self.blocks.push(block);
        }
    }
}

/// Calls `see` for each block, in order, with its lists without bad luck, but for the blocks whose states are all done.
///
/// # Errors
/// The limit that came first.
pub(super) fn visit(
    edges: &Edges,
    order: Order,
    done: &BitSet,
    means: &mut Means<'_>,
    mut see: impl FnMut(usize, &Lists, &Means<'_>) -> Result<(), Limit>,
) -> Result<(), Limit> {
    let shares = edges.block_count().div_ceil(SHARE);
    let threads = means.threads.min(shares / WORTH_SHARING).min(means.memory / ROOM_EACH).max(1);
    let mut own = Share::default();
    std::thread::scope(|scope| {
        let mut others = Vec::new();
        for first in 1..threads {
            let (send, unpacked) = sync_channel(AHEAD);
            let (seen, again) = channel();
            scope.spawn(move || {
                for place in (first..shares).step_by(threads) {
                    let mut share: Share = again.try_recv().unwrap_or_default();
                    share.unpack(edges, order, done, place);
                    if send.send(share).is_err() {
                        // A limit was reached.
                        return;
                    }
                }
            });
            others.push((unpacked, seen));
        }
        for place in 0..shares {
            means.check()?;
            let other = (place % threads).checked_sub(1).map(|other| &others[other]);
            let received = other.map(|(unpacked, _)| unpacked.recv().expect("the thread unpacks its shares"));
            let share = received.as_ref().unwrap_or_else(|| {
                own.unpack(edges, order, done, place);
                &own
            });
            for (&block, lists) in share.blocks.iter().zip(&share.lists) {
                see(block, lists, means)?;
            }
            if let (Some((_, seen)), Some(share)) = (other, received) {
                // The thread may have ended.
                let _ = seen.send(share);
            }
        }
        Ok(())
    })
}
