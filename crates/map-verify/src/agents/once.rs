//! Values of which equal ones are kept once.

use std::hash::{BuildHasher, Hash};
use std::ops::Index;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::sizes::{PLACED, Pieces, make_room};

/// Values, numbered in the order in which they came.
pub(super) struct Numbered<T> {
    values: Vec<T>,
    /// Their numbers, by their hashes.
    index: HashTable<u32>,
    /// Bytes of what they own.
    pieces: usize,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { values: Vec::new(), index: HashTable::new(), pieces: 0 }
    }
}

impl<T: Clone + Eq + Hash + Pieces> Numbered<T> {
    /// The number of a value, a new one if it is not known.
    pub(super) fn number(&mut self, value: &T) -> u32 {
        self.number_of(value, |it| it == value, || value.clone())
    }

    /// The same for what is made only if it is not known. What it is told by has to have its hash.
    pub(super) fn number_of(
        &mut self,
        told_by: &(impl Hash + ?Sized),
        is_it: impl Fn(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> u32 {
        let hash = FxBuildHasher.hash_one(told_by);
        let Self { values, index, pieces } = self;
        if let Some(&known) = index.find(hash, |&it| is_it(&values[it as usize])) {
            return known;
        }
        let number = u32::try_from(values.len()).expect("fewer than 2^32 values are kept");
        let value = make();
        debug_assert_eq!(FxBuildHasher.hash_one(&value), hash, "what it is told by has its hash");
        *pieces += value.pieces();
        make_room(values, 1);
        values.push(value);
        index.insert_unique(hash, number, |&it| FxBuildHasher.hash_one(&values[it as usize]));
        number
    }

    /// The number of a value, if it is known.
    pub(super) fn find(&self, value: &T) -> Option<u32> {
        self.index.find(FxBuildHasher.hash_one(value), |&it| self.values[it as usize] == *value).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>() + self.index.capacity() * PLACED + self.pieces
    }
}

impl<T> Index<u32> for Numbered<T> {
    type Output = T;

    #[inline]
    fn index(&self, number: u32) -> &T {
        &self.values[number as usize]
    }
}
