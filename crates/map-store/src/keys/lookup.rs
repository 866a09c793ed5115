//! Keys that are looked up together.
//!
//! A look-up in a large table is mostly two cache misses, one for a slot and one for the key whose number is in it. Those of
//! many keys overlap if all slots are read first, then all keys, and what is new is inserted at last.

use super::Keys;
use crate::{Full, Spare};

/// A key that is looked up together with others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sought {
    /// The key itself.
    pub key: u64,
    /// Its address, later the hash by which it is found.
    hash: u64,
    /// Where the search for it has come to.
    slot: u32,
    /// What the caller knows it by.
    pub mark: u32,
}

impl Sought {
    /// A key, with its address if addresses are given, and what the caller knows it by.
    #[must_use]
    #[inline]
    pub fn new(key: u64, address: u64, mark: u32) -> Self {
        Self { key, hash: address, slot: 0, mark }
    }
}

impl Keys {
    /// Looks keys up, and tells of each its number if it was found. Returns those that were not, in their order, for
    /// [`Keys::insert_sought`].
    pub fn find<'s>(
        &self,
        all: &'s mut [Sought],
        mut tell: impl FnMut(&Sought, Option<u32>),
    ) -> &'s [Sought] {
        let mut touched = 0;
        for sought in &mut *all {
            sought.hash = self.hash_for(sought.key, sought.hash);
            let home = self.index.home(sought.hash);
            sought.slot = home as u32;
            touched ^= self.index.touch_from(home);
        }
        std::hint::black_box(touched);
        if self.room == 0 {
            all.iter().for_each(|sought| tell(sought, None));
            return all;
        }
        let mut missing = 0;
        for at in 0..all.len() {
            let mut sought = all[at];
            let (slot, number, is_any) = self.index.look(sought.hash, sought.slot as usize);
            // No branch: it would often be guessed wrongly, and late.
            let is_it = is_any & (self.keys.get(number as usize) == sought.key);
            tell(&sought, is_it.then_some(number));
            sought.slot = slot as u32;
            all[missing] = sought;
            missing += usize::from(!is_it);
        }
        &all[..missing]
    }

    /// The number of a key that [`Keys::find`] has not found, perhaps a provisional one. No room was made since then.
    ///
    /// # Errors
    /// If there is no room for it.
    #[inline]
    pub fn insert_sought(&self, sought: &Sought, spare: &mut Spare) -> Result<u32, Full> {
        self.insert_from(sought.key, (sought.hash, sought.slot as usize), spare)
    }
}
