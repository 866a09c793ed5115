//! A per-thread cache in front of the keys: a look-up in the table usually costs two cache misses, and different
//! interleavings soon lead to the same keys again.

use super::{Keys, Lookup, MOST};
use crate::{DirectMapped, Full, Spare};

/// 256 KiB of cached keys.
type Cache = DirectMapped<{ 1 << 14 }>;

/// Marks the value of a key that is being looked up; the lower bits are the key's place in the batch.
const PENDING: u32 = MOST as u32;

/// Stands for the number of a key for which there was no room.
pub const UNNUMBERED: u32 = u32::MAX;

/// Numbers of keys that a thread has inserted recently, and its buffers for look-ups in batches.
#[derive(Default)]
pub struct KeyCache {
    /// Allocated on first use.
    cache: Option<Cache>,
    /// Look-ups of keys that were not cached, and places of keys in the batch whose look-up is pending at an earlier
    /// place. Written unconditionally; a separate count tells how much of each is valid.
    lookups: Vec<Lookup>,
    repeated: Vec<u32>,
    /// The values of [`Keys::committed`] and [`Keys::reordered`] at the last use.
    committed: u32,
    reordered: u32,
    /// Cache slots with numbers that may be provisional: the first `provisional_count` ones.
    provisional: Vec<u32>,
    provisional_count: usize,
}

impl KeyCache {
    /// Inserts a batch of fewer than 2^31 keys, and writes their numbers to `numbers`, in order; they are provisional
    /// for keys first inserted in the current batch of `keys`. The cache must always be used with the same `keys`;
    /// `spare` is as for [`Keys::insert`].
    ///
    /// # Errors
    /// [`Full`] if there was no room for some new keys. The numbers of these are [`UNNUMBERED`].
    pub fn insert_batch(
        &mut self,
        keys: &Keys,
        batch: impl ExactSizeIterator<Item = u64>,
        numbers: &mut Vec<u32>,
        spare: &mut Spare,
    ) -> Result<(), Full> {
        self.prepare(keys, batch.len());
        let Self { cache, lookups, repeated, committed, provisional, provisional_count, .. } = self;
        let cache = cache.get_or_insert_default();
        numbers.clear();
        numbers.resize(batch.len(), UNNUMBERED);
        // Branch-free, since whether a key is cached would often be mispredicted.
        let (mut missing, mut again) = (0, 0);
        for ((place, key), its) in (0..).zip(batch).zip(&mut *numbers) {
            let (number, is_cached) = cache.get_or_insert(key, PENDING | place);
            *its = number;
            lookups[missing] = Lookup::new(key, place);
            missing += usize::from(!is_cached);
            repeated[again] = place;
            again += usize::from(is_cached & (number >= PENDING));
        }
        let rest = keys.find_batch(&mut lookups[..missing], |lookup, number| {
            let slot = Cache::slot(lookup.key);
            let pending = PENDING | lookup.mark;
            let number = number.unwrap_or(pending);
            provisional[*provisional_count] = slot as u32;
            *provisional_count += usize::from(number >= *committed);
            numbers[lookup.mark as usize] = number;
            cache.replace(slot, pending, number);
        });
        let mut result = Ok(());
        for lookup in rest {
            let slot = Cache::slot(lookup.key);
            match keys.insert_missing(lookup, spare) {
                Ok(number) => {
                    numbers[lookup.mark as usize] = number;
                    cache.replace(slot, PENDING | lookup.mark, number);
                }
                Err(Full) => {
                    numbers[lookup.mark as usize] = UNNUMBERED;
                    cache.evict(slot);
                    result = Err(Full);
                }
            }
        }
        for &place in &repeated[..again] {
            numbers[place as usize] = numbers[(numbers[place as usize] & !PENDING) as usize];
        }
        result
    }

    /// Makes the buffers long enough for a batch. Evicts provisional numbers if some have changed since the last use.
    fn prepare(&mut self, keys: &Keys, len: usize) {
        if self.lookups.len() < len {
            self.lookups.resize(len, Lookup::default());
            self.repeated.resize(len, 0);
        }
        if (self.committed, self.reordered) != (keys.committed(), keys.reordered()) {
            let slots = &self.provisional[..std::mem::take(&mut self.provisional_count)];
            if let Some(cache) = self.cache.as_mut().filter(|_| self.reordered != keys.reordered()) {
                slots.iter().for_each(|&slot| cache.evict(slot as usize));
            }
            (self.committed, self.reordered) = (keys.committed(), keys.reordered());
        }
        let most = self.provisional_count + len;
        if self.provisional.len() < most {
            self.provisional.resize(2 * most, 0);
        }
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.cache.as_ref().map_or(0, |_| Cache::bytes())
            + self.lookups.capacity() * size_of::<Lookup>()
            + (self.repeated.capacity() + self.provisional.capacity()) * size_of::<u32>()
    }
}
