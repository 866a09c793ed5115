//! Open addressing by linear probing: from a hash to a number. See D. E. Knuth, *The Art of Computer Programming*,
//! vol. 3, section 6.4; for many threads, A. Laarman, J. van de Pol and M. Weber, *Boosting Multi-Core Reachability
//! Performance with Shared Hash Tables* (FMCAD 2010).

use std::num::NonZeroUsize;

use crate::Full;
use crate::atomic::{AtomicU32, Ordering};

mod fill;

/// Slots for each 16 numbers when the index is rebuilt, and the most numbers for each 16 slots. Between the two a
/// number takes 4.9 to 8 bytes of index, and is moved two or three times as the index grows. Rebuilding needs two slots
/// for each number, to sort hashes in them.
const FRESH_SLOTS: usize = 32;
const MOST_LOAD: usize = 13;

/// Searches seldom go further than this many slots: half a cache line.
const AHEAD: usize = 8;

/// Slots of 32 bits: 0 if empty, else a number plus one, and above it as many bits of the hash as fit.
pub(crate) struct Index {
    slots: Vec<AtomicU32>,
    /// The bits of a slot that hold a number.
    mask: u32,
    /// Whether one thread alone puts numbers in.
    alone: bool,
    /// Binary logarithm of the slots of a region.
    region_bits: u32,
}

/// The result of a search.
pub(crate) struct Found {
    pub(crate) number: u32,
    pub(crate) slot: usize,
    pub(crate) new: bool,
}

impl Index {
    /// An empty index into which `threads` threads may put numbers, with regions of two to the power of `region_bits`
    /// slots.
    pub(crate) fn new(threads: NonZeroUsize, region_bits: u32) -> Self {
        let mut index = Self { slots: Vec::new(), mask: 0, alone: threads.get() == 1, region_bits };
        index.lengthen(Self::size_for(0));
        index
    }

    /// An empty index that is small enough for loom to try all schedules of two threads.
    #[cfg(all(test, loom))]
    pub(crate) fn with_slots(size: usize) -> Self {
        let mut index = Self { slots: Vec::new(), mask: 0, alone: false, region_bits: 1 };
        index.lengthen(size);
        index
    }

    /// Increases the number of slots, leaving their contents meaningless.
    fn lengthen(&mut self, size: usize) {
        self.slots.resize_with(size, || AtomicU32::new(0));
        self.mask = u32::MAX >> (self.room() as u32).leading_zeros();
    }

    fn size_for(numbers: usize) -> usize {
        (numbers * FRESH_SLOTS / 16).clamp(64, u32::MAX as usize)
    }

    /// Total number of numbers it can hold: fewer than it has slots, so that every search ends.
    pub(crate) fn room(&self) -> usize {
        self.slots.len() * MOST_LOAD / 16
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<AtomicU32>()
    }

    /// Bytes once there is room for `wanted` numbers, and while it is rebuilt by `threads` threads if it has to be.
    pub(crate) fn bytes_with_room(&self, wanted: usize, threads: usize) -> usize {
        if wanted <= self.room() {
            return self.bytes();
        }
        Self::size_for(wanted) * size_of::<AtomicU32>() + self.bytes_to_rebuild(wanted, threads)
    }

    /// The slot where the search for a hash starts. Slots are in the order of their hashes, so there need not be a
    /// power of two of them.
    #[inline]
    pub(crate) fn home(&self, hash: u64) -> usize {
        home(hash >> 32, self.slots.len())
    }

    fn tag(&self, hash: u64) -> u32 {
        (hash as u32) & !self.mask
    }

    fn entry(&self, hash: u64, number: u32) -> u32 {
        self.tag(hash) | (number + 1)
    }

    /// The number in a slot, which is not empty.
    fn number(&self, entry: u32) -> u32 {
        (entry & self.mask) - 1
    }

    /// The first slot from `start` on that is empty or may be that of the hash, and its entry. Occupied slots do not
    /// change until the index grows, so a search may be resumed there later.
    #[inline]
    fn seek(&self, hash: u64, start: usize) -> (usize, u32) {
        let tag = self.tag(hash);
        for (place, slot) in self.slots[start..].iter().enumerate() {
            let entry = slot.load(Ordering::Acquire);
            if entry == 0 || entry ^ tag <= self.mask {
                return (start + place, entry);
            }
        }
        self.seek_from_first(hash)
    }

    #[cold]
    fn seek_from_first(&self, hash: u64) -> (usize, u32) {
        self.seek(hash, 0)
    }

    /// The first slot from `start` on that is empty or may be that of the hash; the number in it, or 0, and whether
    /// there is one.
    #[inline]
    pub(crate) fn look(&self, hash: u64, start: usize) -> (usize, u32, bool) {
        let (slot, entry) = self.seek(hash, start);
        (slot, (entry & self.mask).saturating_sub(1), entry != 0)
    }

    /// The number with this hash for which `is_it` holds, or a new one from `make`, which must store the key before
    /// it returns. A number made in vain is left in `spare`, to be used next. The search starts at `start`: the home
    /// of the hash, or the slot that [`Index::look`] returned.
    #[inline]
    pub(crate) fn find_or_insert(
        &self,
        (hash, mut start): (u64, usize),
        spare: &mut Option<u32>,
        mut is_it: impl FnMut(u32) -> bool,
        mut make: impl FnMut(Option<u32>) -> Result<u32, Full>,
    ) -> Result<Found, Full> {
        let mut made = None;
        loop {
            // Usually `look` has found this slot empty, and it still is.
            let first = self.slots.get(start).map(|slot| slot.load(Ordering::Acquire));
            let (slot, entry) = if first == Some(0) { (start, 0) } else { self.seek(hash, start) };
            if entry == 0 {
                let number = match made {
                    Some(number) => number,
                    None => make(spare.take())?,
                };
                if self.claim(slot, self.entry(hash, number)) {
                    return Ok(Found { number, slot, new: true });
                }
                // Another thread was faster: examine the slot again.
                made = Some(number);
                start = slot;
            } else {
                let number = self.number(entry);
                if is_it(number) {
                    *spare = made.or(*spare);
                    return Ok(Found { number, slot, new: false });
                }
                start = slot + 1;
            }
        }
    }

    /// Stores an entry in a slot seen to be empty; whether the slot was still empty.
    fn claim(&self, slot: usize, entry: u32) -> bool {
        let slot = &self.slots[slot];
        if self.alone {
            slot.store(entry, Ordering::Relaxed);
            return true;
        }
        slot.compare_exchange(0, entry, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Reads a slot, to bring it into the cache.
    #[inline]
    pub(crate) fn touch(&self, slot: usize) -> u32 {
        self.slots[slot].load(Ordering::Relaxed)
    }

    /// Reads the slot where a search starts and one further on, to bring the slots between them into the cache. A
    /// search that misses the cache is expensive, because its end cannot be predicted.
    #[inline]
    pub(crate) fn touch_from(&self, slot: usize) -> u32 {
        self.touch(slot) ^ self.touch((slot + AHEAD).min(self.slots.len() - 1))
    }

    /// Replaces the number in a slot.
    pub(crate) fn renumber(&mut self, slot: usize, number: u32) {
        let tag = self.slots[slot].load(Ordering::Relaxed) & !self.mask;
        self.slots[slot].store(tag | (number + 1), Ordering::Relaxed);
    }

    /// Adds a number that is not in the index, while no other thread uses it. Returns its slot.
    pub(crate) fn add(&mut self, hash: u64, number: u32) -> usize {
        self.put(self.home(hash), self.entry(hash, number))
    }

    /// Stores an entry in the first empty slot from its home on, and returns the slot.
    fn put(&self, home: usize, entry: u32) -> usize {
        let (before, from) = self.slots.split_at(home);
        let is_empty = |slot: &&AtomicU32| slot.load(Ordering::Relaxed) == 0;
        let slots = from.iter().chain(before);
        let (place, slot) = slots.enumerate().find(|(_, slot)| is_empty(slot)).expect("there is room");
        slot.store(entry, Ordering::Relaxed);
        (home + place) % self.slots.len()
    }
}

/// Where the search for hashes with these upper 32 bits starts, in an index of `slots` slots.
#[inline]
pub(crate) fn home(upper: u64, slots: usize) -> usize {
    ((upper * slots as u64) >> 32) as usize
}
