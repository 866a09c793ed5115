//! The visited set of a search: lock-free tables that give 64-bit keys dense numbers, filled by many threads
//! concurrently.
//!
//! - [`Pairs`] numbers pairs of words. Vectors folded into trees of such pairs are stored exactly and share their
//!   common subtrees: the tree compression of A. Laarman, J. van de Pol and M. Weber, *Parallel Recursive State
//!   Compression for Free* (SPIN 2011).
//! - [`Keys`] numbers the roots of these trees, in an order that does not depend on the threads. Keys found in one
//!   *batch* have provisional numbers; the caller ranks them and [`Keys::commit`] makes the ranks their numbers.
//! - [`DirectMapped`] and [`KeyCache`] are small caches, one for each thread, in front of these tables.
//! - [`Pool`] is a set of worker threads that are started once and given work many times.
//! - [`Tuning`] holds parameters of speed and memory use.
//!
//! Each table is an array of keys in the order of their numbers, with an open-addressing index of 32-bit numbers.
//! Threads claim index slots by compare-and-swap and never wait for each other. A table grows only while one thread
//! has exclusive access; if it fills up during a batch, insertion returns [`Full`], and the caller repeats it after
//! the table has grown. Everything is atomics in vectors: the crate needs no `unsafe`.
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use map_store::{Full, Keys, Spare, Tuning};
//!
//! let mut keys = Keys::new(NonZeroUsize::MIN, Tuning::SHIPPED);
//! keys.make_room(2)?;
//! let mut spare = Spare::default();
//! assert_eq!([keys.insert(70, &mut spare)?, keys.insert(50, &mut spare)?], [0, 1]);
//! // The batch ends: the second key shall be the first in order.
//! keys.commit(|index| Some([1, 0][index]));
//! assert_eq!([keys.get(0), keys.get(1)], [50, 70]);
//! # Ok::<(), Full>(())
//! ```

/// Atomics, replaced by those of loom in tests that try every schedule.
mod atomic {
    #[cfg(not(loom))]
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering};

    #[cfg(loom)]
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering};
}

mod direct_mapped;
mod index;
mod keys;
#[cfg(all(test, loom))]
mod loom_tests;
mod numbers;
mod packed;
mod pairs;
mod pool;
#[cfg(all(test, not(loom)))]
mod tests;
mod tuning;

pub use direct_mapped::DirectMapped;
pub use keys::{KeyCache, Keys, Lookup, UNNUMBERED};
pub use pairs::Pairs;
pub use pool::Pool;
pub use tuning::{NarrowKeys, Tuning};

/// A table has no room left: repeat the insertion after it has grown. If it cannot grow, it holds as many keys as a
/// table can, or the system has no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl From<Full> for std::io::Error {
    fn from(Full: Full) -> Self {
        std::io::ErrorKind::OutOfMemory.into()
    }
}

/// A thread's unused numbers of one table.
#[derive(Clone, Debug, Default)]
pub struct Spare {
    /// A number whose key was stored in vain, because another thread inserted the same key first.
    made: Option<u32>,
    /// Reserved numbers without a stored key.
    reserved: std::ops::Range<u32>,
}

/// The hash of a key: two multiplications, the halves of each product folded.
fn hash(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9e37_79b9_7f4a_7c15) * u128::from(0xd6e8_feb8_6659_fd93_u64);
    let folded = (product as u64) ^ ((product >> 64) as u64);
    let product = u128::from(folded) * u128::from(0xa076_1d64_78bd_642f_u64);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Makes room for exactly `length` items, if there are fewer.
///
/// # Errors
/// [`Full`] if the system has no memory for them.
fn reserve<T>(table: &mut Vec<T>, length: usize) -> Result<(), Full> {
    table.try_reserve_exact(length.saturating_sub(table.len())).map_err(|_| Full)
}

/// Whether the system has memory for this many more bytes, which are about to be taken piece by piece.
///
/// # Errors
/// [`Full`] if it has not.
pub fn check_free(bytes: usize) -> Result<(), Full> {
    reserve(&mut Vec::<u8>::new(), bytes)
}

/// The length of an array that needs `wanted` elements: slightly more, to leave room for the next batches.
fn grown(wanted: usize) -> usize {
    wanted + wanted / 32
}
