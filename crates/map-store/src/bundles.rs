//! Sets of states by bundles of 64.

use std::num::NonZeroUsize;

use crate::atomic::{AtomicU64, Ordering};
use crate::index::home;
use crate::numbers::Numbers;
use crate::{Full, Spare, hash};

/// The most bundles for each 16 slots.
const MOST_LOAD: usize = 13;

/// Slots when there are none yet.
const LEAST: usize = 64;

/// States that differ in six bits are a *bundle*: 64 of them have a key in common, and which of them were found is a word of
/// bits. So what is said of many of them costs one look-up.
///
/// Threads add states side by side and never wait for each other: a slot is claimed for a key by compare-and-swap, and bits
/// are only set. What is found does not depend on their order.
pub struct Bundles {
    slots: Vec<Slot>,
    /// A number for each slot that may be taken.
    taken: Numbers,
    /// Whether one thread alone adds states.
    alone: bool,
}

/// A bundle, by open addressing with linear probing.
#[derive(Default)]
struct Slot {
    /// The key with all bits turned over, so that 0 is no key.
    key: AtomicU64,
    members: AtomicU64,
}

/// What is in a slot, when there is nothing.
const EMPTY: u64 = 0;

/// What was added to a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Added {
    /// All members that were seen.
    pub members: u64,
    /// Those that nobody had found before.
    pub fresh: u64,
}

impl Bundles {
    /// No bundles; so many threads are to add some.
    #[must_use]
    pub fn new(threads: NonZeroUsize) -> Self {
        Self { slots: Vec::new(), taken: Numbers::new(threads), alone: threads.get() == 1 }
    }

    #[cfg(all(test, loom))]
    pub(crate) fn with_slots(slots: usize) -> Self {
        let mut bundles = Self::new(NonZeroUsize::MIN.saturating_add(1));
        bundles.slots.resize_with(slots, Slot::default);
        bundles
    }

    fn home(&self, key: u64) -> usize {
        home(hash(key) >> 32, self.slots.len())
    }

    /// Reads where the search for a key starts, to bring it into the cache.
    #[inline]
    #[must_use]
    pub fn touch(&self, key: u64) -> u64 {
        self.slots.get(self.home(key)).map_or(0, |slot| slot.key.load(Ordering::Relaxed))
    }

    /// Adds members, as bits, to the bundle with a key, which must not have all bits set. What is spare is spare in this table only.
    ///
    /// # Errors
    /// If there is no room for one bundle more. Nothing was added.
    #[inline]
    pub fn add(&self, key: u64, members: u64, spare: &mut Spare) -> Result<Added, Full> {
        debug_assert_ne!(!key, EMPTY, "no key has all bits set");
        let slot = &self.slots[self.find_or_claim(key, spare)?];
        let mut known = slot.members.load(Ordering::Relaxed);
        if members & !known != 0 {
            // Who adds a member first has found it.
            known = self.set(&slot.members, members);
        }
        Ok(Added { members: known | members, fresh: members & !known })
    }

    /// Sets bits; which were set before.
    fn set(&self, word: &AtomicU64, bits: u64) -> u64 {
        if self.alone {
            let before = word.load(Ordering::Relaxed);
            word.store(before | bits, Ordering::Relaxed);
            return before;
        }
        word.fetch_or(bits, Ordering::Relaxed)
    }

    fn find_or_claim(&self, key: u64, spare: &mut Spare) -> Result<usize, Full> {
        let (turned, slots) = (!key, self.slots.len());
        if slots == 0 {
            return Err(Full);
        }
        let mut at = self.home(key);
        loop {
            let slot = &self.slots[at].key;
            let mut known = slot.load(Ordering::Relaxed);
            if known == EMPTY {
                let number = match spare.made.take() {
                    Some(number) => number,
                    None => self.taken.take(self.room(), &mut spare.reserved)?,
                };
                if self.alone {
                    slot.store(turned, Ordering::Relaxed);
                    return Ok(at);
                }
                match slot.compare_exchange(EMPTY, turned, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => return Ok(at),
                    Err(theirs) => {
                        spare.made = Some(number);
                        known = theirs;
                    }
                }
            }
            if known == turned {
                return Ok(at);
            }
            at = if at + 1 == slots { 0 } else { at + 1 };
        }
    }

    /// How many bundles there is room for.
    fn room(&self) -> usize {
        self.slots.len() * MOST_LOAD / 16
    }

    /// How many slots there have to be, if more than there are, for so many more bundles: at least half as many again.
    fn wanted(&self, more: usize) -> Option<usize> {
        let taken = self.taken.len();
        (taken + more > self.room())
            .then(|| ((taken + more) * 16 / MOST_LOAD + 1).max(self.slots.len() * 3 / 2).max(LEAST))
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    /// Bytes in use while [`Bundles::make_room`] works.
    #[must_use]
    pub fn bytes_with_room(&self, more: usize) -> usize {
        self.bytes() + self.wanted(more).unwrap_or(0) * size_of::<Slot>()
    }

    /// Room for that many more bundles.
    ///
    /// # Errors
    /// If there are slots for no more.
    pub fn make_room(&mut self, more: usize) -> Result<(), Full> {
        let Some(wanted) = self.wanted(more) else { return Ok(()) };
        if wanted >= u32::MAX as usize {
            return Err(Full);
        }
        let mut slots = Vec::new();
        slots.reserve_exact(wanted);
        slots.resize_with(wanted, Slot::default);
        let before = std::mem::replace(&mut self.slots, slots);
        for slot in before {
            let key = !slot.key.load(Ordering::Relaxed);
            if !key != EMPTY {
                let mut at = self.home(key);
                while self.slots[at].key.load(Ordering::Relaxed) != EMPTY {
                    at = if at + 1 == wanted { 0 } else { at + 1 };
                }
                self.slots[at] = slot;
            }
        }
        Ok(())
    }
}
