//! Open addressing by linear probing: from a hash to a number.

use crate::atomic::{AtomicU32, Ordering};
use crate::{Full, Spare};

mod fill;

/// Slots for each 16 numbers when the index is built anew, and the most numbers for each 16 slots. Between the two a
/// state takes 4.9 to 8 bytes of index, and is moved two or three times as the index grows.
const FRESH_SLOTS: usize = 32;
const MOST_LOAD: usize = 13;

/// Slots of 32 bits: 0 if empty, else a number plus one, and above it as many bits of the hash as fit.
#[derive(Default)]
pub(crate) struct Index {
    slots: Vec<AtomicU32>,
    number_bits: u32,
}

/// What was found.
pub(crate) struct Found {
    pub(crate) number: u32,
    pub(crate) slot: usize,
    pub(crate) new: bool,
}

impl Index {
    /// An empty index with room for so many numbers and some more.
    pub(crate) fn with_room(numbers: usize) -> Self {
        let mut index = Self::default();
        index.start_anew(numbers);
        index
    }

    /// Empties it, and makes room for so many numbers and some more. What memory it has it keeps: to write zeros there takes
    /// less time than to get other memory from the system, page by page.
    pub(crate) fn start_anew(&mut self, numbers: usize) {
        let size = Self::size_for(numbers);
        self.slots.clear();
        self.slots.reserve_exact(size);
        self.slots.resize_with(size, || AtomicU32::new(0));
        self.number_bits = u32::BITS - (size as u32).leading_zeros();
    }

    /// An empty index of a certain size, of which loom can try all schedules.
    #[cfg(all(test, loom))]
    pub(crate) fn with_slots(size: usize) -> Self {
        let slots = (0..size).map(|_| AtomicU32::new(0)).collect();
        Self { slots, number_bits: u32::BITS - (size as u32).leading_zeros() }
    }

    /// Bytes of an index that [`Index::with_room`] would make.
    pub(crate) fn bytes_for(numbers: usize) -> usize {
        Self::size_for(numbers) * size_of::<AtomicU32>()
    }

    fn size_for(numbers: usize) -> usize {
        (numbers * FRESH_SLOTS / 16).max(64)
    }

    /// How many numbers it can take in all.
    pub(crate) fn room(&self) -> usize {
        self.slots.len() * MOST_LOAD / 16
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<AtomicU32>()
    }

    /// Where the search for a hash starts. Slots are in the order of their hashes, whatever their number, so there
    /// need not be a power of two of them.
    pub(crate) fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    fn tag(&self, hash: u64) -> u32 {
        (hash as u32) & !self.number_mask()
    }

    fn number_mask(&self) -> u32 {
        u32::MAX >> (u32::BITS - self.number_bits)
    }

    /// All slots from one on, in the order in which a search looks at them.
    fn probed(&self, start: usize) -> [(usize, &[AtomicU32]); 2] {
        let (before, from) = self.slots.split_at(start);
        [(start, from), (0, before)]
    }

    /// The number with this hash for which `is_it` holds, or a new one from `make`, which has stored its key before it
    /// hands it out. A number that was made in vain is left in `spare`, and used first. The search starts at home, or where
    /// [`Index::look`] says.
    pub(crate) fn find_or_insert(
        &self,
        (hash, start): (u64, usize),
        spare: &mut Spare,
        mut is_it: impl FnMut(u32) -> bool,
        mut make: impl FnMut(Option<u32>) -> Result<u32, Full>,
    ) -> Result<Found, Full> {
        let (tag, mask) = (self.tag(hash), self.number_mask());
        let mut made = None;
        for (first, slots) in self.probed(start) {
            for (place, slot) in slots.iter().enumerate() {
                let mut entry = slot.load(Ordering::Acquire);
                if entry == 0 {
                    let number = match made {
                        Some(number) => number,
                        None => make(spare.0.take())?,
                    };
                    made = Some(number);
                    let claim = self.entry(hash, number);
                    match slot.compare_exchange(0, claim, Ordering::AcqRel, Ordering::Acquire) {
                        Ok(_) => return Ok(Found { number, slot: first + place, new: true }),
                        Err(other) => entry = other,
                    }
                }
                if entry & !mask == tag {
                    let number = (entry & mask) - 1;
                    if is_it(number) {
                        spare.0 = made.or(spare.0);
                        return Ok(Found { number, slot: first + place, new: false });
                    }
                }
            }
        }
        spare.0 = made.or(spare.0);
        Err(Full)
    }

    /// The first slot that is not of another hash, and the number in it, if there is one. As slots that are taken stay as they
    /// are until the index is built anew, a search may start there later.
    pub(crate) fn look(&self, hash: u64) -> (usize, Option<u32>) {
        let (tag, mask, home) = (self.tag(hash), self.number_mask(), self.home(hash));
        for (first, slots) in self.probed(home) {
            for (place, slot) in slots.iter().enumerate() {
                let entry = slot.load(Ordering::Acquire);
                if entry == 0 {
                    return (first + place, None);
                }
                if entry & !mask == tag {
                    return (first + place, Some((entry & mask) - 1));
                }
            }
        }
        (home, None)
    }

    /// Reads the slot where a search for the hash starts, to bring it into the cache.
    pub(crate) fn touch(&self, hash: u64) -> u32 {
        self.slots[self.home(hash)].load(Ordering::Relaxed)
    }

    /// Reads a slot, to bring it into the cache.
    pub(crate) fn touch_slot(&self, slot: usize) -> u32 {
        self.slots[slot].load(Ordering::Relaxed)
    }

    /// Gives a slot another number.
    pub(crate) fn renumber(&mut self, slot: usize, number: u32) {
        let tag = self.slots[slot].load(Ordering::Relaxed) & !self.number_mask();
        self.slots[slot].store(tag | (number + 1), Ordering::Relaxed);
    }

    /// Adds a number that is not there, while nobody else does anything. Returns its slot.
    pub(crate) fn add(&mut self, hash: u64, number: u32) -> usize {
        self.put(hash, self.entry(hash, number))
    }

    fn entry(&self, hash: u64, number: u32) -> u32 {
        self.tag(hash) | (number + 1)
    }

    fn put(&self, hash: u64, entry: u32) -> usize {
        let mut slot = self.home(hash);
        while self.slots[slot].load(Ordering::Relaxed) != 0 {
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
        self.slots[slot].store(entry, Ordering::Relaxed);
        slot
    }
}
