//! Numbers keys, in an order that does not depend on the threads.

use std::num::NonZeroUsize;
use std::ops::Range;

use crate::atomic::{AtomicU32, Ordering};
use crate::index::Index;
use crate::numbers::Numbers;
use crate::packed::Packed;
use crate::{Full, Spare, Tuning, hash};

pub use cache::{KeyCache, UNNUMBERED};
pub use lookup::Lookup;

mod cache;
mod lookup;

/// Numbers are below this.
const MOST: usize = 1 << 31;

/// The slot of a provisional number that was reserved and not used.
const UNUSED: u32 = u32::MAX;

/// Number of keys renumbered between two rounds of prefetching.
const TOGETHER: usize = 64;

/// Keys of 64 bits, numbered densely below 2^31. Those found in a batch have provisional numbers, from
/// [`Keys::committed`] on, which depend on the threads; [`Keys::commit`] replaces them by numbers that do not.
pub struct Keys {
    keys: Packed,
    index: Index,
    numbers: Numbers,
    committed: u32,
    reordered: u32,
    /// The index slot of each provisional number.
    slots: Vec<AtomicU32>,
    /// Numbers are below this until there is more room.
    room: usize,
    /// How many threads fill a new index.
    threads: usize,
}

impl Keys {
    /// An empty table, without room. At most `threads` threads insert keys at the same time.
    #[must_use]
    pub fn new(threads: NonZeroUsize, tuning: Tuning) -> Self {
        Self {
            keys: Packed::new(tuning.narrow),
            index: Index::new(threads, tuning.region_bits),
            numbers: Numbers::new(threads, tuning.reserved),
            committed: 0,
            reordered: 0,
            slots: Vec::new(),
            room: 0,
            threads: threads.get(),
        }
    }

    #[cfg(all(test, loom))]
    pub(crate) fn with_slots(slots: usize) -> Self {
        let threads = NonZeroUsize::MIN.saturating_add(1);
        Self { index: Index::with_slots(slots), ..Self::new(threads, Tuning::TINY) }
    }

    /// The number of a key, inserted if it is new; provisional if the key was first inserted in this batch. `spare`
    /// belongs to the thread and is empty at the beginning of each batch.
    ///
    /// # Errors
    /// [`Full`] if the key is new and there is no room for it, or if it is too wide for the current places.
    pub fn insert(&self, key: u64, spare: &mut Spare) -> Result<u32, Full> {
        let hash = hash(key);
        self.insert_from(key, (hash, self.index.home(hash)), spare)
    }

    #[inline]
    fn insert_from(&self, key: u64, (hash, start): (u64, usize), spare: &mut Spare) -> Result<u32, Full> {
        if !self.keys.fits(key) {
            return Err(Full);
        }
        let is_it = |number: u32| self.keys.get(number as usize) == key;
        let Spare { made, reserved } = spare;
        let make = |made: Option<u32>| {
            let number = match made {
                Some(number) => number,
                None => self.numbers.take(self.room, reserved)?,
            };
            self.keys.set(number as usize, key);
            Ok(number)
        };
        let found = self.index.find_or_insert((hash, start), made, is_it, make)?;
        if found.new {
            self.slots[(found.number - self.committed) as usize].store(found.slot as u32, Ordering::Relaxed);
        }
        Ok(found.number)
    }

    /// The room that all parts of the table have.
    fn room_now(&self) -> usize {
        self.keys.len().min(self.index.room()).min(self.committed as usize + self.slots.len())
    }

    /// The key with this number.
    #[must_use]
    pub fn get(&self, number: u32) -> u64 {
        self.keys.get(number as usize)
    }

    /// Number of keys with final numbers.
    #[must_use]
    pub fn committed(&self) -> u32 {
        self.committed
    }

    /// Fills an empty table with keys, which get the numbers 0, 1, 2 and so on.
    ///
    /// # Errors
    /// If there is no room for them, or what `next` fails with.
    pub fn restore<E: From<Full>>(
        &mut self,
        len: usize,
        mut next: impl FnMut() -> Result<u64, E>,
    ) -> Result<(), E> {
        debug_assert!(self.numbers.len() == 0, "only an empty table is filled");
        if len > MOST {
            return Err(Full.into());
        }
        self.keys.make_room(len)?;
        if len > self.index.room() {
            self.index.rebuild(len, (0, self.threads), |_| None)?;
        }
        for number in 0..len {
            let key = next()?;
            if !self.keys.fits(key) {
                // Now that a key did not fit, they get wider places.
                self.keys.make_room(len)?;
            }
            self.keys.set(number, key);
            self.index.add(hash(key), number as u32);
        }
        self.committed = len as u32;
        self.numbers.restart(self.committed);
        self.room = self.room_now();
        Ok(())
    }

    /// Number of commits that changed a provisional number.
    #[must_use]
    pub fn reordered(&self) -> u32 {
        self.reordered
    }

    /// Number of provisional numbers, including reserved ones that are not used.
    #[must_use]
    pub fn provisional(&self) -> usize {
        self.numbers.len() - self.committed as usize
    }

    /// Ends a batch: a key with the provisional number `committed() + index` gets the number `committed() + rank`,
    /// where `rank_of(index)` is `Some(rank)`. The ranks are 0, 1, 2 and so on, each once; it is `None` for the numbers
    /// that were reserved and not used.
    pub fn commit(&mut self, rank_of: impl Fn(usize) -> Option<u32>) {
        let provisional = self.provisional();
        let in_order = (0..provisional).take_while(|&index| rank_of(index) == Some(index as u32)).count();
        // If only one thread has inserted keys, its unused reserved numbers are at the end.
        let is_rest_unused = (in_order..provisional).all(|index| rank_of(index).is_none());
        self.reordered += u32::from(!is_rest_unused);
        let count = if is_rest_unused { in_order } else { self.reorder(in_order..provisional, &rank_of) };
        for slot in &self.slots[..provisional] {
            slot.store(UNUSED, Ordering::Relaxed);
        }
        self.committed += count as u32;
        self.numbers.restart(self.committed);
        self.room = self.room_now();
    }

    /// Reorders the keys with these provisional indices by rank. Those before them are in order already. Returns the
    /// total number of keys in the batch.
    fn reorder(&mut self, indices: Range<usize>, rank_of: impl Fn(usize) -> Option<u32>) -> usize {
        let committed = self.committed as usize;
        let keys: Vec<u64> = indices.clone().map(|index| self.keys.get(committed + index)).collect();
        let mut count = indices.start;
        for first in indices.clone().step_by(TOGETHER) {
            let used = (first..indices.end.min(first + TOGETHER)).filter_map(|index| {
                let slot = self.slots[index].load(Ordering::Relaxed) as usize;
                Some((index, committed + rank_of(index)? as usize, slot))
            });
            // The slots are touched first, so that cache misses overlap.
            let touched = used.clone().fold(0, |sum, (_, _, slot)| sum ^ self.index.touch(slot));
            std::hint::black_box(touched);
            for (index, number, slot) in used {
                self.keys.set(number, keys[index - indices.start]);
                self.index.renumber(slot, number as u32);
                count += 1;
            }
        }
        count
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.keys.bytes() + self.index.bytes() + self.slots.capacity() * size_of::<AtomicU32>()
    }

    /// Maximum number of bytes in use during and after [`Keys::make_room`].
    #[must_use]
    pub fn bytes_with_room(&self, more: usize) -> usize {
        let wanted = self.numbers.len() + more;
        let slots = (wanted - self.committed as usize).max(self.slots.capacity());
        self.keys.bytes_with_room(wanted)
            + self.index.bytes_with_room(wanted, self.threads)
            + slots * size_of::<AtomicU32>()
    }

    /// Makes room for `more` keys, even in the middle of a batch.
    ///
    /// # Errors
    /// [`Full`] if there would be 2^31 numbers or more, or if there is no memory. What is in the table stays there.
    pub fn make_room(&mut self, more: usize) -> Result<(), Full> {
        let used = self.numbers.len();
        let wanted = used + more;
        if wanted > MOST {
            return Err(Full);
        }
        self.keys.make_room(wanted)?;
        let provisional = wanted - self.committed as usize;
        if provisional > self.slots.len() {
            self.slots.try_reserve(provisional - self.slots.len()).map_err(|_| Full)?;
            self.slots.resize_with(provisional, || AtomicU32::new(UNUSED));
        }
        if wanted > self.index.room() {
            self.rebuild(used, wanted)?;
        }
        self.room = self.room_now();
        Ok(())
    }

    fn rebuild(&mut self, used: usize, wanted: usize) -> Result<(), Full> {
        let Self { keys, index, .. } = self;
        let committed = self.committed as usize;
        let hash_of = |number: usize| hash(keys.get(number));
        index.rebuild(wanted, (committed, self.threads), |number| Some(hash_of(number)))?;
        for (slot, number) in self.slots.iter().zip(committed..used) {
            if slot.load(Ordering::Relaxed) != UNUSED {
                slot.store(index.add(hash_of(number), number as u32) as u32, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}
