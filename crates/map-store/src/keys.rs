//! Numbers for states, by their keys, in an order that does not depend on the threads.

use std::num::NonZeroUsize;
use std::ops::Range;

use crate::atomic::{AtomicU32, Ordering};
use crate::index::Index;
use crate::numbers::Numbers;
use crate::packed::Packed;
use crate::{Full, Spare, grown, hash};

pub use sought::Sought;

mod sought;

/// Numbers are below this.
const MOST: usize = 1 << 31;

/// The slot of a provisional number that was reserved and not used.
const UNUSED: u32 = u32::MAX;

/// Keys that are renumbered together.
const TOGETHER: usize = 64;

/// How a key comes to its place in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressing {
    /// By its own hash: keys that say all of a state. The address that comes with it is not looked at.
    Hashed,
    /// By an address that comes with it and is independent of it: keys that are fingerprints. 32 bits of the address are
    /// kept, so that the index can grow.
    Given,
}

/// Keys, numbered densely. Those found in a batch have provisional numbers, from [`Keys::settled`] on, which depend on
/// the threads; [`Keys::settle`] gives them numbers that do not.
pub struct Keys {
    keys: Packed,
    /// The upper halves of the addresses, if they are given.
    addresses: Option<Vec<AtomicU32>>,
    index: Index,
    numbers: Numbers,
    settled: u32,
    /// After how many batches numbers were not those given before.
    reordered: u32,
    /// For each provisional number its slot.
    slots: Vec<AtomicU32>,
    /// Numbers are below this until there is more room.
    room: usize,
    /// How many threads insert keys, and fill a new index.
    threads: usize,
}

impl Keys {
    /// No keys; so many threads are to insert some.
    #[must_use]
    pub fn new(addressing: Addressing, threads: NonZeroUsize) -> Self {
        Self {
            keys: Packed::new(addressing == Addressing::Given),
            addresses: (addressing == Addressing::Given).then(Vec::new),
            index: Index::new(threads.get() == 1),
            numbers: Numbers::new(threads),
            settled: 0,
            reordered: 0,
            slots: Vec::new(),
            room: 0,
            threads: threads.get(),
        }
    }

    #[cfg(all(test, loom))]
    pub(crate) fn with_slots(addressing: Addressing, slots: usize) -> Self {
        let threads = NonZeroUsize::MIN.saturating_add(1);
        Self { index: Index::with_slots(slots), ..Self::new(addressing, threads) }
    }

    /// The number of a key, perhaps a provisional one. What is spare is spare in the same batch only.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn insert(&self, key: u64, address: u64, spare: &mut Spare) -> Result<u32, Full> {
        let hash = self.hash_for(key, address);
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
            if let Some(addresses) = &self.addresses {
                addresses[number as usize].store((hash >> 32) as u32, Ordering::Relaxed);
            }
            Ok(number)
        };
        let found = self.index.find_or_insert((hash, start), made, is_it, make)?;
        if found.new {
            self.slots[(found.number - self.settled) as usize].store(found.slot as u32, Ordering::Relaxed);
        }
        Ok(found.number)
    }

    /// The hash by which a key is found: with given addresses the half that is kept, and below it bits of the key.
    #[inline]
    fn hash_for(&self, key: u64, address: u64) -> u64 {
        if self.addresses.is_some() { address & !0xffff_ffff | key & 0xffff_ffff } else { hash(key) }
    }

    /// How many numbers there can be until there is more room.
    fn room_now(&self) -> usize {
        self.keys.len().min(self.index.room()).min(self.settled as usize + self.slots.len())
    }

    /// The key with this number.
    #[must_use]
    pub fn get(&self, number: u32) -> u64 {
        self.keys.get(number as usize)
    }

    /// How many keys have their number for good.
    #[must_use]
    pub fn settled(&self) -> u32 {
        self.settled
    }

    /// After how many batches provisional numbers did not become final ones as they were.
    #[must_use]
    pub fn reordered(&self) -> u32 {
        self.reordered
    }

    /// How many provisional numbers there are, counting reserved ones.
    #[must_use]
    pub fn provisional(&self) -> usize {
        self.numbers.len() - self.settled as usize
    }

    /// Ends a batch. `rank_of` says of each provisional number, counted from the first one, how manieth it is in order;
    /// nothing where a reserved number was not used.
    pub fn settle(&mut self, rank_of: impl Fn(usize) -> Option<u32>) {
        let provisional = self.provisional();
        let in_order = (0..provisional).take_while(|&place| rank_of(place) == Some(place as u32)).count();
        // What is left of a block is at the end where one thread alone has inserted keys.
        let is_rest_unused = (in_order..provisional).all(|place| rank_of(place).is_none());
        self.reordered += u32::from(!is_rest_unused);
        let count = if is_rest_unused { in_order } else { self.reorder(in_order..provisional, &rank_of) };
        for slot in &self.slots[..provisional] {
            slot.store(UNUSED, Ordering::Relaxed);
        }
        self.settled += count as u32;
        self.numbers.restart(self.settled);
        self.room = self.room_now();
    }

    /// Puts the keys at some places in the order of their ranks, where all before them are in order; how many there are in all.
    fn reorder(&mut self, places: Range<usize>, rank_of: impl Fn(usize) -> Option<u32>) -> usize {
        let settled = self.settled as usize;
        let tail = settled + places.start..settled + places.end;
        let keys: Vec<u64> = tail.clone().map(|number| self.keys.get(number)).collect();
        let addresses: Vec<u32> = match &self.addresses {
            Some(all) => all[tail].iter().map(|it| it.load(Ordering::Relaxed)).collect(),
            None => Vec::new(),
        };
        let mut count = places.start;
        for first in places.clone().step_by(TOGETHER) {
            let used = (first..places.end.min(first + TOGETHER)).filter_map(|place| {
                let slot = self.slots[place].load(Ordering::Relaxed) as usize;
                Some((place, settled + rank_of(place)? as usize, slot))
            });
            // The slots are touched first, so that cache misses overlap.
            let touched = used.clone().fold(0, |sum, (_, _, slot)| sum ^ self.index.touch(slot));
            std::hint::black_box(touched);
            for (place, number, slot) in used {
                let at = place - places.start;
                self.keys.set(number, keys[at]);
                if let Some(all) = &self.addresses {
                    all[number].store(addresses[at], Ordering::Relaxed);
                }
                self.index.renumber(slot, number as u32);
                count += 1;
            }
        }
        count
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let addresses = self.addresses.as_ref().map_or(0, |addresses| addresses.capacity() * 4);
        self.keys.bytes() + addresses + self.index.bytes() + self.slots.capacity() * 4
    }

    /// Bytes in use after [`Keys::make_room`], and meanwhile.
    #[must_use]
    pub fn bytes_with_room(&self, more: usize) -> usize {
        let wanted = self.numbers.len() + more;
        let index = if wanted > self.index.room() {
            Index::bytes_for(wanted) + Index::bytes_to_rebuild(wanted, self.threads)
        } else {
            self.index.bytes()
        };
        let slots = (wanted - self.settled as usize).max(self.slots.capacity());
        let addresses = self.addresses.as_ref().map_or(0, |it| it.capacity().max(grown(wanted)) * 4);
        self.keys.bytes_with_room(wanted) + addresses + index + slots * 4
    }

    /// Room for that many more keys.
    ///
    /// # Errors
    /// If there are numbers for no more.
    pub fn make_room(&mut self, more: usize) -> Result<(), Full> {
        let used = self.numbers.len();
        let wanted = used + more;
        if wanted > MOST {
            return Err(Full);
        }
        self.keys.make_room(wanted);
        if let Some(addresses) = self.addresses.as_mut().filter(|it| wanted > it.len()) {
            addresses.reserve_exact(grown(wanted) - addresses.len());
            addresses.resize_with(grown(wanted), || AtomicU32::new(0));
        }
        let provisional = wanted - self.settled as usize;
        if provisional > self.slots.len() {
            self.slots.resize_with(provisional, || AtomicU32::new(UNUSED));
        }
        if wanted > self.index.room() {
            self.rebuild(used, wanted);
        }
        self.room = self.room_now();
        Ok(())
    }

    fn rebuild(&mut self, used: usize, wanted: usize) {
        let mut index = std::mem::take(&mut self.index);
        let settled = self.settled as usize;
        index.rebuild(wanted, (settled, self.threads), |number| Some(self.hash_of(number)));
        for number in self.settled as usize..used {
            let slot = &self.slots[number - self.settled as usize];
            if slot.load(Ordering::Relaxed) != UNUSED {
                slot.store(index.add(self.hash_of(number), number as u32) as u32, Ordering::Relaxed);
            }
        }
        self.index = index;
    }

    /// The hash by which a key that is there is found.
    fn hash_of(&self, number: usize) -> u64 {
        let address = |all: &Vec<AtomicU32>| u64::from(all[number].load(Ordering::Relaxed)) << 32;
        self.hash_for(self.keys.get(number), self.addresses.as_ref().map_or(0, address))
    }
}
