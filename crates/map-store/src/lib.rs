//! The visited set of a search: tables that give keys of 64 bits dense numbers, filled by many threads at once.
//!
//! - [`Pairs`] numbers pairs of words. Vectors folded into a tree of such pairs are stored exactly and share what
//!   they have in common: the tree compression of A. Laarman, J. van de Pol and M. Weber, *Parallel Recursive State
//!   Compression for Free* (SPIN 2011).
//! - [`Keys`] numbers states by their roots or fingerprints, in an order that does not depend on the threads: those
//!   found in one *batch* are numbered as the caller wants, when the batch is settled.
//!
//! Both are an array of keys in the order of their numbers (those of states as narrow as may be) and an
//! open-addressing index of numbers of 32 bits. Threads claim index slots by compare-and-swap and never wait for each other. Tables grow only between batches, when one
//! thread has them for itself; one that is full in the middle of a batch says so, and what it could not take is done again.
//! Everything is atomics in vectors: the crate needs no `unsafe`.

/// The atomics, which are those of loom where every schedule of a small test is tried.
mod atomic {
    #[cfg(not(loom))]
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering};

    #[cfg(loom)]
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering};
}

mod index;
mod keys;
mod numbers;
mod packed;
mod pairs;
#[cfg(all(test, loom))]
mod schedules;
#[cfg(all(test, not(loom)))]
mod tests;

pub use keys::{Addressing, Keys, Sought};
pub use packed::NARROW_BITS;
pub use pairs::Pairs;

/// A table has no room left in this batch: to be asked again after it has grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// Numbers that a thread has reserved and not used.
#[derive(Clone, Debug, Default)]
pub struct Spare {
    /// One that was made in vain: another thread was faster with the same key.
    made: Option<u32>,
    /// Those that nobody has made a key of.
    reserved: std::ops::Range<u32>,
}

/// The hash of a key of 64 bits: a multiplication whose halves are folded.
#[must_use]
pub fn hash(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9e37_79b9_7f4a_7c15) * u128::from(0xd6e8_feb8_6659_fd93_u64);
    let folded = (product as u64) ^ ((product >> 64) as u64);
    let product = u128::from(folded) * u128::from(0xa076_1d64_78bd_642f_u64);
    (product as u64) ^ ((product >> 64) as u64)
}

/// How long an array becomes that has to be at least so long: a little longer, so that the next batches find room.
fn grown(wanted: usize) -> usize {
    wanted + wanted / 32
}

/// Does each part of some work in a thread.
fn side_by_side<Part: Send, Done: Send>(parts: Vec<Part>, work: impl Fn(Part) -> Done + Sync) -> Vec<Done> {
    let mut parts = parts.into_iter();
    let own = parts.next();
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let own = own.map(work);
        let others = others.into_iter().map(|other| other.join().expect("no thread panics"));
        own.into_iter().chain(others).collect()
    })
}
