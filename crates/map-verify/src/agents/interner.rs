//! Interning of values.

use std::hash::{BuildHasher, Hash};
use std::ops::Index;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::sizes::{HeapBytes, PLACED, make_room};

/// Distinct values, numbered in the order of insertion.
pub(super) struct Interner<T> {
    values: Vec<T>,
    /// Their numbers, by hash.
    index: HashTable<u32>,
    /// Bytes of the allocations they own.
    heap_bytes: usize,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { values: Vec::new(), index: HashTable::new(), heap_bytes: 0 }
    }
}

impl<T: Clone + Eq + Hash + HeapBytes> Interner<T> {
    /// The number of a value; inserts it if it is new.
    pub(super) fn number(&mut self, value: &T) -> u32 {
        self.number_of(value, |it| it == value, || value.clone())
    }

    /// The same, building the value only if it is new. `key` must have the hash of the value it identifies.
    pub(super) fn number_of(
        &mut self,
        key: &(impl Hash + ?Sized),
        is_it: impl Fn(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> u32 {
        let hash = FxBuildHasher.hash_one(key);
        let Self { values, index, heap_bytes } = self;
        if let Some(&known) = index.find(hash, |&it| is_it(&values[it as usize])) {
            return known;
        }
        let number = u32::try_from(values.len()).expect("fewer than 2^32 values are kept");
        let value = make();
        debug_assert_eq!(FxBuildHasher.hash_one(&value), hash, "a key has the hash of its value");
        *heap_bytes += value.heap_bytes();
        make_room(values, 1);
        values.push(value);
        index.insert_unique(hash, number, |&it| FxBuildHasher.hash_one(&values[it as usize]));
        number
    }

    /// The number of a value, if it was inserted.
    pub(super) fn find(&self, value: &T) -> Option<u32> {
        self.index.find(FxBuildHasher.hash_one(value), |&it| self.values[it as usize] == *value).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>() + self.index.capacity() * PLACED + self.heap_bytes
    }
}

impl<T> Index<u32> for Interner<T> {
    type Output = T;

    #[inline]
    fn index(&self, number: u32) -> &T {
        &self.values[number as usize]
    }
}
