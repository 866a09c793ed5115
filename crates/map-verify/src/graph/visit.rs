//! Visits blocks of transitions in order on one thread, while other threads unpack them ahead.

use map_graph::BitSet;
use map_store::Pool;

use super::edges::{Edges, Lists};
use crate::budget::{Budget, Limit};

/// Number of shares in flight for each other thread.
const AHEAD: usize = 3;

/// Minimum number of shares per thread; with fewer shares fewer threads are used.
const WORTH_SHARING: usize = 2;

/// Memory in bytes required for each thread; usually it takes less.
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

    /// The number of the `place`th of `count` items in this order.
    pub(super) fn at(self, place: usize, count: usize) -> usize {
        match self {
            Self::Upwards => place,
            Self::Downwards => count - 1 - place,
        }
    }
}

/// Unpacked blocks. There may be more lists than blocks; the surplus is spare room.
#[derive(Default)]
struct Share {
    lists: Vec<Lists>,
    blocks: Vec<usize>,
}

impl Share {
    /// Unpacks the `place`th share of `size` blocks, without blocks whose states are all done.
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

/// Calls `see` for each block, in order, with its lists without faults. Skips blocks whose states are all done.
///
/// # Errors
/// The limit that was reached.
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
        // The pool may have fewer workers than requested.
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
