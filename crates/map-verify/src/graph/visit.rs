//! Blocks of transitions are unpacked, by several threads if there are more, and seen by one, in order.

use map_graph::BitSet;
use map_store::Pool;

use super::edges::{Edges, Lists};
use crate::budget::{Budget, Limit};

/// Shares that each other thread has unpacked and not seen yet, or is to unpack.
const AHEAD: usize = 3;

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
    /// Unpacks the blocks of the share of some size at a place in the order, but for those whose states are all done.
    fn unpack(&mut self, edges: &Edges, order: Order, done: &BitSet, place: usize, size: usize) {
        let count = edges.block_count();
        self.blocks.clear();
        for place in place * size..((place + 1) * size).min(count) {
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
    budget: &mut Budget<'_>,
    mut see: impl FnMut(usize, &Lists, &Budget<'_>) -> Result<(), Limit>,
) -> Result<(), Limit> {
    let size = budget.tuning.blocks;
    let shares = edges.block_count().div_ceil(size);
    let threads = budget.threads.min(shares / WORTH_SHARING).min(budget.memory / ROOM_EACH).max(1);
    std::thread::scope(|scope| {
        let pool = Pool::start(scope, threads - 1, |_| {
            move |(place, mut share): (usize, Share)| {
                share.unpack(edges, order, done, place, size);
                share
            }
        });
        // There may be fewer than were asked for.
        let threads = pool.workers() + 1;
        let mut own = Share::default();
        for place in (0..shares.min(AHEAD * threads)).filter(|place| place % threads > 0) {
            pool.send(place % threads - 1, (place, Share::default()));
        }
        for place in 0..shares {
            budget.check()?;
            let other = (place % threads).checked_sub(1);
            let share = match other {
                Some(other) => pool.receive(other),
                None => {
                    own.unpack(edges, order, done, place, size);
                    std::mem::take(&mut own)
                }
            };
            for (&block, lists) in share.blocks.iter().zip(&share.lists) {
                see(block, lists, budget)?;
            }
            let next = place + AHEAD * threads;
            match other {
                Some(other) if next < shares => pool.send(other, (next, share)),
                Some(_) => {}
                None => own = share,
            }
        }
        Ok(())
    })
}
