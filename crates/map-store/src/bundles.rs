//! Sets of states by bundles of 64.

use std::num::NonZeroUsize;

use crate::atomic::{AtomicU64, Ordering};
use crate::numbers::Numbers;
use crate::{Full, Spare, hash, side_by_side};

/// The most bundles for each 16 slots.
const MOST_LOAD: usize = 13;

/// Slots of each part when there are none yet.
const LEAST: usize = 64 >> PARTS;

/// How many parts there are, as a power of two: enough that threads have as much to do as others when they grow.
const PARTS: u32 = if cfg!(any(debug_assertions, loom)) { 2 } else { 5 };

/// With fewer slots than these one thread alone makes the table larger.
const WORTH_SHARING: usize = if cfg!(debug_assertions) { 1 << 8 } else { 1 << 14 };

/// States that differ in six bits are a *bundle*: 64 of them have a key in common, and which of them were found is a word of
/// bits. So what is said of many of them costs one look-up.
///
/// Threads add states side by side and never wait for each other: a slot is claimed for a key by compare-and-swap, and bits
/// are only set. What is found does not depend on their order.
pub struct Bundles {
    /// The slots in the order of the hashes that they are homes of, in parts of the same length.
    parts: Vec<Vec<Slot>>,
    /// How many slots a part has.
    length: usize,
    /// A number for each slot that may be taken.
    taken: Numbers,
    /// How many threads add states.
    threads: usize,
}

/// A bundle, by open addressing with linear probing, from one part into the next.
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
        let mut parts = Vec::new();
        parts.resize_with(1 << PARTS, Vec::new);
        Self { parts, length: 0, taken: Numbers::new(threads), threads: threads.get() }
    }

    #[cfg(all(test, loom))]
    pub(crate) fn with_slots(slots: usize) -> Self {
        let mut bundles = Self::new(NonZeroUsize::MIN.saturating_add(1));
        bundles.length = slots >> PARTS;
        let length = bundles.length;
        bundles.parts.iter_mut().for_each(|part| part.resize_with(length, Slot::default));
        bundles
    }

    /// Reads where the search for a key starts, to bring it into the cache.
    #[inline]
    #[must_use]
    pub fn touch(&self, key: u64) -> u64 {
        let (part, at) = home(key, self.length);
        self.parts[part].get(at).map_or(0, |slot| slot.key.load(Ordering::Relaxed))
    }

    /// Adds members, as bits, to the bundle with a key, which must not have all bits set. What is spare is spare in this table only.
    ///
    /// # Errors
    /// If there is no room for one bundle more. Nothing was added.
    #[inline]
    pub fn add(&self, key: u64, members: u64, spare: &mut Spare) -> Result<Added, Full> {
        debug_assert_ne!(!key, EMPTY, "no key has all bits set");
        let slot = self.find_or_claim(key, spare)?;
        let mut known = slot.members.load(Ordering::Relaxed);
        if members & !known != 0 {
            // Who adds a member first has found it.
            known = self.set(&slot.members, members);
        }
        Ok(Added { members: known | members, fresh: members & !known })
    }

    /// Sets bits; which were set before.
    fn set(&self, word: &AtomicU64, bits: u64) -> u64 {
        if self.threads == 1 {
            let before = word.load(Ordering::Relaxed);
            word.store(before | bits, Ordering::Relaxed);
            return before;
        }
        word.fetch_or(bits, Ordering::Relaxed)
    }

    fn find_or_claim(&self, key: u64, spare: &mut Spare) -> Result<&Slot, Full> {
        if self.length == 0 {
            return Err(Full);
        }
        let turned = !key;
        let (mut part, start) = home(key, self.length);
        let mut rest = &self.parts[part][start..];
        loop {
            for slot in rest {
                let mut known = slot.key.load(Ordering::Relaxed);
                if known == EMPTY {
                    known = self.claim(slot, turned, spare)?;
                }
                if known == turned {
                    return Ok(slot);
                }
            }
            part = (part + 1) % self.parts.len();
            rest = &self.parts[part];
        }
    }

    /// Puts a key into a slot that was empty; the key that is in it then.
    fn claim(&self, slot: &Slot, turned: u64, spare: &mut Spare) -> Result<u64, Full> {
        let number = match spare.made.take() {
            Some(number) => number,
            None => self.taken.take(self.room(), &mut spare.reserved)?,
        };
        if self.threads == 1 {
            slot.key.store(turned, Ordering::Relaxed);
            return Ok(turned);
        }
        let claimed = slot.key.compare_exchange(EMPTY, turned, Ordering::Relaxed, Ordering::Relaxed);
        Ok(claimed.map_or_else(
            |theirs| {
                spare.made = Some(number);
                theirs
            },
            |_| turned,
        ))
    }

    /// How many bundles there is room for.
    fn room(&self) -> usize {
        self.length * self.parts.len() * MOST_LOAD / 16
    }

    /// How many slots each part has to have, if more than it has, for so many more bundles: at least half as many again.
    fn wanted(&self, more: usize) -> Option<usize> {
        let taken = self.taken.len();
        (taken + more > self.room()).then(|| {
            let least = (taken + more) * 16 / MOST_LOAD / self.parts.len() + 1;
            least.max(self.length * 3 / 2).max(LEAST)
        })
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.capacity() * size_of::<Slot>()).sum()
    }

    /// Bytes in use while [`Bundles::make_room`] works.
    #[must_use]
    pub fn bytes_with_room(&self, more: usize) -> usize {
        let Some(wanted) = self.wanted(more) else { return self.bytes() };
        // Of parts that are being made larger there are two.
        (wanted * self.parts.len() + self.length * self.threads) * size_of::<Slot>()
    }

    /// Room for that many more bundles.
    ///
    /// # Errors
    /// If there are slots for no more.
    pub fn make_room(&mut self, more: usize) -> Result<(), Full> {
        let Some(wanted) = self.wanted(more) else { return Ok(()) };
        if wanted * self.parts.len() >= u32::MAX as usize {
            return Err(Full);
        }
        let is_shared = wanted * self.parts.len() >= WORTH_SHARING;
        let together = if is_shared { self.parts.len().div_ceil(self.threads) } else { self.parts.len() };
        let shares = (0..).step_by(together).zip(self.parts.chunks_mut(together));
        let beyond = side_by_side(shares.collect(), |(first, parts): (usize, &mut [Vec<Slot>])| {
            let grow = |(own, part)| grow(part, own, wanted);
            (first..).zip(parts).flat_map(grow).collect::<Vec<Slot>>()
        });
        self.length = wanted;
        for slot in beyond.into_iter().flatten() {
            let (mut part, at) = home(slot.key(), wanted);
            let mut crowded = put(&mut self.parts[part][at..], slot);
            while let Some(slot) = crowded {
                part = (part + 1) % self.parts.len();
                crowded = put(&mut self.parts[part], slot);
            }
        }
        Ok(())
    }
}

impl Slot {
    fn key(&self) -> u64 {
        !self.key.load(Ordering::Relaxed)
    }
}

/// In which part a key is looked for first, and where in that, if parts are so long.
#[inline]
fn home(key: u64, length: usize) -> (usize, usize) {
    const BITS: u32 = u32::BITS - PARTS;
    let upper = hash(key) >> u32::BITS;
    let within = upper & ((1 << BITS) - 1);
    ((upper >> BITS) as usize, ((within * length as u64) >> BITS) as usize)
}

/// Puts what is in a slot into the first one that is empty; gives it back if there is none.
fn put(slots: &mut [Slot], slot: Slot) -> Option<Slot> {
    match slots.iter_mut().find(|it| it.key() == !EMPTY) {
        Some(empty) => {
            *empty = slot;
            None
        }
        None => Some(slot),
    }
}

/// Makes a part so long, with all that it is home of and has a slot for; the rest of what was in it is returned.
fn grow(part: &mut Vec<Slot>, own: usize, length: usize) -> Vec<Slot> {
    let before = std::mem::take(part);
    part.reserve_exact(length);
    part.resize_with(length, Slot::default);
    let mut beyond = Vec::new();
    for slot in before {
        if slot.key() == !EMPTY {
            continue;
        }
        match home(slot.key(), length) {
            (home, at) if home == own => beyond.extend(put(&mut part[at..], slot)),
            _ => beyond.push(slot),
        }
    }
    beyond
}
