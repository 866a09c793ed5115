//! Filling an index that has grown.
//!
//! The order of numbers is unrelated to that of their slots, and an index is larger than the caches, so each
//! insertion would be a cache miss. Therefore entries are first partitioned by the region of the index that they
//! belong to, and each region is filled while it is in the cache. There are two slots per number: until a region is
//! filled, its own slots buffer the entries that belong to it, each next to half of its hash. Entries that find their
//! buffer full are added last.

use std::ops::Range;

use super::{Index, home};
use crate::atomic::{AtomicU32, Ordering};
use crate::pool::map_parallel;
use crate::{Full, check_free, reserve};

/// An index with fewer regions fits into the cache, and is filled in the order of the numbers.
const WORTH_SORTING: usize = 8;

/// The upper half of a hash, which determines the entry's home, and the entry.
type Hashed = (u32, u32);

/// How the work is divided.
#[derive(Clone, Copy)]
struct Plan {
    slots: usize,
    /// Binary logarithm of the slots of a region.
    region_bits: u32,
    regions: usize,
    threads: usize,
}

/// The buffer of a thread for the entries of a region, two slots for each.
struct Places {
    next: u32,
    end: u32,
}

/// The entries that a thread has partitioned.
struct Sorted {
    /// By region.
    places: Vec<Places>,
    /// Entries whose buffer was full.
    left: Vec<Hashed>,
}

impl Plan {
    fn new(slots: usize, region_bits: u32, threads: usize) -> Self {
        let regions = slots.div_ceil(1 << region_bits);
        Self { slots, region_bits, regions, threads: threads.min(regions) }
    }

    /// The number of slots of every region except the last, which may have fewer.
    fn region_slots(self) -> usize {
        1 << self.region_bits
    }

    fn is_worth_sorting(self) -> bool {
        self.regions >= WORTH_SORTING
    }

    /// Bytes in use while an index is filled by regions.
    fn bytes(self) -> usize {
        let few_left = self.slots / 128;
        (self.threads * self.region_slots() / 2 + few_left) * size_of::<Hashed>()
            + self.threads * self.regions * size_of::<Places>()
    }

    /// A thread's share of `all` items.
    fn share(self, thread: usize, all: usize) -> Range<usize> {
        all * thread / self.threads..all * (thread + 1) / self.threads
    }

    /// The slots of some consecutive regions.
    fn slots(self, regions: Range<usize>) -> Range<usize> {
        regions.start * self.region_slots()..self.slots.min(regions.end * self.region_slots())
    }

    /// The slots of a region that form a thread's buffer.
    fn places(self, region: usize, thread: usize) -> Range<usize> {
        let slots = self.slots(region..region + 1);
        let share = self.share(thread, slots.len() / 2);
        slots.start + 2 * share.start..slots.start + 2 * share.end
    }
}

impl Index {
    /// Bytes that [`Index::rebuild`] takes temporarily, for an index with this much room.
    pub(super) fn bytes_to_rebuild(&self, room: usize, threads: usize) -> usize {
        let plan = Plan::new(Self::size_for(room), self.region_bits, threads);
        if plan.is_worth_sorting() { plan.bytes() } else { 0 }
    }

    /// Makes room for `room` numbers, more than there is room for, and fills the index in parallel with those below
    /// `numbers` that have a hash.
    ///
    /// # Errors
    /// [`Full`] if there is no memory; the index is as it was.
    pub(crate) fn rebuild(
        &mut self,
        room: usize,
        (numbers, threads): (usize, usize),
        hash_of: impl Fn(usize) -> Option<u64> + Sync,
    ) -> Result<(), Full> {
        let size = Self::size_for(room);
        reserve(&mut self.slots, size)?;
        check_free(self.bytes_to_rebuild(room, threads))?;
        self.lengthen(size);
        let plan = Plan::new(self.slots.len(), self.region_bits, threads);
        if plan.is_worth_sorting() {
            self.fill_by_regions(plan, numbers, hash_of);
            return Ok(());
        }
        self.slots.fill_with(|| AtomicU32::new(0));
        for number in 0..numbers {
            if let Some(hash) = hash_of(number) {
                self.add(hash, number as u32);
            }
        }
        Ok(())
    }

    fn fill_by_regions(&mut self, plan: Plan, numbers: usize, hash_of: impl Fn(usize) -> Option<u64> + Sync) {
        let threads = 0..plan.threads;
        let sorted = map_parallel(threads.clone().collect(), |thread| {
            self.sort(plan, (thread, plan.share(thread, numbers)), &hash_of)
        });
        let mut rest = &mut self.slots[..];
        let shares = threads.map(|thread| {
            let regions = plan.share(thread, plan.regions);
            let (slots, behind) = std::mem::take(&mut rest).split_at_mut(plan.slots(regions.clone()).len());
            rest = behind;
            (regions.start, slots)
        });
        let beyond = map_parallel(shares.collect(), |(first, slots)| {
            let (mut hashed, mut left) = (Vec::with_capacity(plan.region_slots() / 2), Vec::new());
            for (region, slots) in (first..).zip(slots.chunks_mut(plan.region_slots())) {
                let start = region << plan.region_bits;
                for (thread, Sorted { places, .. }) in sorted.iter().enumerate() {
                    let taken =
                        plan.places(region, thread).start - start..places[region].next as usize - start;
                    hashed.extend(slots[taken].chunks_exact(2).map(|pair| (read(&pair[0]), read(&pair[1]))));
                }
                fill_region(slots, &mut hashed, |upper| home(upper.into(), plan.slots) - start);
                left.append(&mut hashed);
            }
            left
        });
        for &(upper, entry) in sorted.iter().map(|sorted| &sorted.left).chain(&beyond).flatten() {
            self.put(home(upper.into(), plan.slots), entry);
        }
    }

    /// Distributes the entries of a thread's numbers to its buffers, as far as these have room.
    fn sort(
        &self,
        plan: Plan,
        (thread, numbers): (usize, Range<usize>),
        hash_of: impl Fn(usize) -> Option<u64>,
    ) -> Sorted {
        let places = |region| plan.places(region, thread);
        let places = |region| Places { next: places(region).start as u32, end: places(region).end as u32 };
        let mut places: Vec<Places> = (0..plan.regions).map(places).collect();
        let mut left = Vec::new();
        for number in numbers {
            let Some(hash) = hash_of(number) else { continue };
            let entry = self.entry(hash, number as u32);
            let place = &mut places[self.home(hash) >> plan.region_bits];
            if place.next == place.end {
                left.push(((hash >> 32) as u32, entry));
                continue;
            }
            let pair = &self.slots[place.next as usize..][..2];
            pair[0].store((hash >> 32) as u32, Ordering::Relaxed);
            pair[1].store(entry, Ordering::Relaxed);
            place.next += 2;
        }
        Sorted { places, left }
    }
}

/// Stores entries in the slots of their region. Those that find no empty slot remain in the list.
fn fill_region(slots: &mut [AtomicU32], hashed: &mut Vec<Hashed>, home: impl Fn(u32) -> usize) {
    slots.fill_with(|| AtomicU32::new(0));
    // Most find their homes empty. Branch-free, since a branch would often be mispredicted.
    let mut crowded = 0;
    for at in 0..hashed.len() {
        let (upper, entry) = hashed[at];
        let slot = &slots[home(upper)];
        let there = read(slot);
        slot.store(if there == 0 { entry } else { there }, Ordering::Relaxed);
        hashed[crowded] = (upper, entry);
        crowded += usize::from(there != 0);
    }
    hashed.truncate(crowded);
    hashed.retain(|&(upper, entry)| {
        let empty = slots[home(upper)..].iter().find(|slot| read(slot) == 0);
        empty.inspect(|slot| slot.store(entry, Ordering::Relaxed)).is_none()
    });
}

fn read(slot: &AtomicU32) -> u32 {
    slot.load(Ordering::Relaxed)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::num::NonZeroUsize;

    use super::Index;
    use crate::{Tuning, hash};

    /// Indices of all tunings, with the number of threads that fill them.
    fn indices() -> impl Iterator<Item = (Index, usize)> {
        [Tuning::TINY, Tuning::SHIPPED].into_iter().flat_map(|tuning| {
            let threads = (1..=3).filter_map(NonZeroUsize::new);
            threads.map(move |threads| (Index::new(threads, tuning.region_bits), threads.get()))
        })
    }

    #[test]
    fn a_rebuilt_index_holds_the_numbers_that_have_a_hash() {
        for (mut index, threads) in indices() {
            // Enough for many regions of the shipped tuning.
            for numbers in [0, 1, 5, 40, 300, if cfg!(miri) { 400 } else { 90_000 }] {
                let hash_of = |number: usize| (number % 7 != 3).then(|| hash(number as u64));
                index.rebuild(numbers, (numbers, threads), hash_of).expect("there is memory");
                for number in 0..numbers {
                    let Some(hash) = hash_of(number) else { continue };
                    let is_it = |found: u32| found as usize == number;
                    let found = index
                        .find_or_insert((hash, index.home(hash)), &mut None, is_it, |_| Err(crate::Full));
                    assert!(found.is_ok(), "{number} of {numbers}, by {threads}");
                }
                let taken = index.slots.iter().filter(|slot| super::read(slot) != 0);
                assert_eq!(taken.count(), (0..numbers).filter_map(hash_of).count());
            }
        }
    }

    /// All entries belong to the first region, which has too few buffers and slots for them.
    #[test]
    fn an_index_also_holds_what_does_not_fit_into_its_region() {
        for (mut index, threads) in indices() {
            index.rebuild(600, (400, threads), |number| Some(number as u64)).expect("there is memory");
            for number in 0..400 {
                let is_it = |found: u32| found == number;
                let found = index.find_or_insert((number.into(), 0), &mut None, is_it, |_| Err(crate::Full));
                assert!(found.is_ok(), "{number}, by {threads}");
            }
        }
    }
}
