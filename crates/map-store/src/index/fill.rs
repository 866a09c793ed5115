//! Filling an index anew.
//!
//! The order of numbers has nothing to do with that of their slots, and an index is larger than the caches, so each number
//! would be a cache miss. Therefore numbers are first sorted by the region of the index that they belong to, and a region
//! is filled while it is in the cache. To sort all at once would take more memory than the index has: there are passes
//! over the numbers, each for a part of the hashes.

use std::ops::Range;

use super::Index;
use crate::atomic::{AtomicU32, Ordering};

/// Slots of a region, which is to fit into a second-level cache; few in debug builds, so that tests see many regions.
const REGION: usize = if cfg!(debug_assertions) { 1 << 6 } else { 1 << 16 };

/// The most passes over the numbers, and how many regions a pass has to have.
const PASSES: usize = 4;
const WORTH_A_PASS: usize = 8;

/// Numbers that are looked at together.
const TOGETHER: usize = 512;

/// An entry, and above it the upper half of its hash.
type Hashed = u64;

/// How the work is divided.
struct Plan {
    threads: usize,
    passes: usize,
    /// The most regions of a pass.
    regions: usize,
    /// Places that each thread has for the entries of a region.
    places: usize,
}

impl Plan {
    fn new(slots: usize, numbers: usize, threads: usize) -> Self {
        let regions = slots.div_ceil(REGION);
        let threads = if regions < WORTH_A_PASS { 1 } else { threads };
        let passes = (regions / WORTH_A_PASS).clamp(1, PASSES);
        let expected = numbers * REGION / slots / threads;
        let places = numbers.min(expected + expected / 32 + 64);
        // The first and the last one may be shared by two passes.
        Self { threads, passes, regions: regions.div_ceil(passes) + 1, places }
    }

    fn bytes(&self) -> usize {
        self.threads * self.regions * self.places * size_of::<Hashed>()
    }

    /// The first and the last hash of a pass.
    fn hashes(&self, pass: usize) -> (u64, u64) {
        let each = u64::MAX / self.passes as u64;
        let first = each * pass as u64;
        (first, if pass + 1 == self.passes { u64::MAX } else { first + (each - 1) })
    }

    /// A thread's share of so many things.
    fn share(&self, thread: usize, all: usize) -> Range<usize> {
        all * thread / self.threads..all * (thread + 1) / self.threads
    }
}

/// Entries of one pass that a thread has sorted.
struct Sorted {
    /// By their regions.
    regions: Vec<Vec<Hashed>>,
    /// Those for which there was no place.
    left: Vec<Hashed>,
}

impl Index {
    /// Bytes that [`Index::fill`] takes meanwhile, for an index with that much room.
    pub(crate) fn bytes_to_fill(room: usize, numbers: usize, threads: usize) -> usize {
        Plan::new(Self::size_for(room), numbers, threads).bytes()
    }

    /// Puts the numbers below a certain one into an index that is empty, by so many threads; those that have a hash.
    pub(crate) fn fill(
        &mut self,
        numbers: usize,
        threads: usize,
        hash_of: impl Fn(usize) -> Option<u64> + Sync,
    ) {
        let plan = Plan::new(self.slots.len(), numbers, threads);
        let mut sorted: Vec<Sorted> = (0..plan.threads).map(|_| Sorted::new(&plan)).collect();
        for pass in 0..plan.passes {
            let hashes = plan.hashes(pass);
            let regions = self.home(hashes.0) / REGION..self.home(hashes.1) / REGION + 1;
            sorted = side_by_side(sorted, |thread, mut sorted| {
                sorted.sort(self, plan.share(thread, numbers), hashes, &hash_of);
                sorted
            });
            let shares = (0..plan.threads).map(|thread| plan.share(thread, regions.len()));
            let beyond = side_by_side(shares.collect(), |_, share: Range<usize>| {
                let mut left = Vec::new();
                for place in share {
                    let entries = sorted.iter().flat_map(|sorted| &sorted.regions[place]);
                    self.fill_region(regions.start + place, entries, &mut left);
                }
                left
            });
            for &hashed in sorted.iter().map(|sorted| &sorted.left).chain(&beyond).flatten() {
                self.put(hashed, hashed as u32);
            }
        }
    }

    /// Puts entries into the region where searches for them start; those for which it has no slot are left over.
    fn fill_region<'e>(
        &self,
        region: usize,
        entries: impl Iterator<Item = &'e Hashed>,
        left: &mut Vec<Hashed>,
    ) {
        let start = region * REGION;
        let slots = &self.slots[start..self.slots.len().min(start + REGION)];
        let is_empty = |slot: &&AtomicU32| slot.load(Ordering::Relaxed) == 0;
        for &hashed in entries {
            match slots[self.home(hashed) - start..].iter().find(is_empty) {
                Some(slot) => slot.store(hashed as u32, Ordering::Relaxed),
                None => left.push(hashed),
            }
        }
    }
}

impl Sorted {
    fn new(plan: &Plan) -> Self {
        let regions = (0..plan.regions).map(|_| Vec::with_capacity(plan.places)).collect();
        Self { regions, left: Vec::new() }
    }

    /// Sorts those of the numbers that have hashes from the first to the last one.
    fn sort(
        &mut self,
        index: &Index,
        numbers: Range<usize>,
        (first, last): (u64, u64),
        hash_of: impl Fn(usize) -> Option<u64>,
    ) {
        self.regions.iter_mut().for_each(Vec::clear);
        self.left.clear();
        let first_region = index.home(first) / REGION;
        let mut taken = [0; TOGETHER];
        for start in numbers.clone().step_by(TOGETHER) {
            let mut count = 0;
            for number in start..numbers.end.min(start + TOGETHER) {
                let Some(hash) = hash_of(number) else { continue };
                taken[count] = hash & !0xffff_ffff | u64::from(index.entry(hash, number as u32));
                // No branch: it would often be guessed wrongly.
                count += usize::from(hash.wrapping_sub(first) <= last - first);
            }
            for &hashed in &taken[..count] {
                let region = &mut self.regions[index.home(hashed) / REGION - first_region];
                let is_full = region.len() == region.capacity();
                if is_full { &mut self.left } else { region }.push(hashed);
            }
        }
    }
}

/// Does each part of some work in a thread.
fn side_by_side<Part: Send, Done: Send>(
    parts: Vec<Part>,
    work: impl Fn(usize, Part) -> Done + Sync,
) -> Vec<Done> {
    let mut parts = parts.into_iter().enumerate();
    let own = parts.next();
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = parts.map(|(place, part)| scope.spawn(move || work(place, part))).collect();
        let own = own.map(|(place, part)| work(place, part));
        let others = others.into_iter().map(|other| other.join().expect("no thread panics"));
        own.into_iter().chain(others).collect()
    })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::Index;
    use crate::{Spare, hash};

    #[test]
    fn an_index_filled_anew_holds_the_numbers_that_have_a_hash() {
        for numbers in [0, 1, 5, 40, 300, if cfg!(miri) { 400 } else { 9_000 }] {
            for threads in 1..=3 {
                let hash_of = |number: usize| (number % 7 != 3).then(|| hash(number as u64));
                let mut index = Index::with_room(numbers);
                index.fill(numbers, threads, hash_of);
                for number in 0..numbers {
                    let Some(hash) = hash_of(number) else { continue };
                    let is_it = |found: u32| found as usize == number;
                    let found =
                        index.find_or_insert((hash, index.home(hash)), &mut Spare::default(), is_it, |_| {
                            Err(crate::Full)
                        });
                    assert!(found.is_ok(), "{number} of {numbers}, by {threads}");
                }
                let taken = index.slots.iter().filter(|slot| slot.load(super::Ordering::Relaxed) != 0);
                assert_eq!(taken.count(), (0..numbers).filter_map(hash_of).count());
            }
        }
    }
}
