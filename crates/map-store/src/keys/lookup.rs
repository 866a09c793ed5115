//! Batched look-ups.
//!
//! A look-up in a large table usually costs two cache misses, one for a slot and one for the key whose number is in
//! it. The misses of many keys overlap if all slots are read first, then all keys, and new keys are inserted last.

use super::Keys;
use crate::{Full, Spare, hash};

/// One key of a batch to be looked up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lookup {
    /// The key itself.
    pub key: u64,
    hash: u64,
    /// The slot at which the search stopped.
    slot: u32,
    /// Identifies the look-up for the caller.
    pub mark: u32,
}

impl Lookup {
    /// A look-up of a key. `mark` identifies it for the caller.
    #[must_use]
    #[inline]
    pub fn new(key: u64, mark: u32) -> Self {
        Self { key, hash: 0, slot: 0, mark }
    }
}

impl Keys {
    /// Looks up keys: calls `see` with each of them, in order, and with its number if it was found. Returns those not
    /// found, in order, for [`Keys::insert_missing`].
    pub fn find_batch<'l>(
        &self,
        all: &'l mut [Lookup],
        mut see: impl FnMut(&Lookup, Option<u32>),
    ) -> &'l [Lookup] {
        let mut touched = 0;
        for lookup in &mut *all {
            lookup.hash = hash(lookup.key);
            let home = self.index.home(lookup.hash);
            lookup.slot = home as u32;
            touched ^= self.index.touch_from(home);
        }
        std::hint::black_box(touched);
        if self.room == 0 {
            all.iter().for_each(|lookup| see(lookup, None));
            return all;
        }
        let mut missing = 0;
        for at in 0..all.len() {
            let mut lookup = all[at];
            let (slot, number, is_any) = self.index.look(lookup.hash, lookup.slot as usize);
            // Branch-free, since a branch would often be mispredicted, and resolved late.
            let is_it = is_any & (self.keys.get(number as usize) == lookup.key);
            see(&lookup, is_it.then_some(number));
            lookup.slot = slot as u32;
            all[missing] = lookup;
            missing += usize::from(!is_it);
        }
        &all[..missing]
    }

    /// Inserts a key that [`Keys::find_batch`] has not found, like [`Keys::insert`]. The table must not have grown
    /// since then.
    ///
    /// # Errors
    /// [`Full`] if the key is new and there is no room for it, or if it is too wide for the current places.
    #[inline]
    pub fn insert_missing(&self, lookup: &Lookup, spare: &mut Spare) -> Result<u32, Full> {
        self.insert_from(lookup.key, (lookup.hash, lookup.slot as usize), spare)
    }
}
