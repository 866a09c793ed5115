//! Values of which equal ones are kept once.

use std::hash::Hash;
use std::ops::Index;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::sizes::{INDEXED, PIECE, Pieces};

/// Values, numbered in the order in which they came.
pub(super) struct Numbered<T> {
    values: IndexSet<T, FxBuildHasher>,
    /// Bytes of what they own.
    pieces: usize,
}

/// Values that are referred to by those who have them.
pub(super) struct Shared<T> {
    values: IndexSet<Arc<T>, FxBuildHasher>,
    /// Bytes of the values and of what they own.
    pieces: usize,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { values: IndexSet::default(), pieces: 0 }
    }
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self { values: IndexSet::default(), pieces: 0 }
    }
}

impl<T: Clone + Eq + Hash + Pieces> Numbered<T> {
    /// The number of a value, a new one if it is not known.
    pub(super) fn number(&mut self, value: &T) -> u32 {
        self.find(value).unwrap_or_else(|| {
            let number = u32::try_from(self.values.len()).expect("fewer than 2^32 values are kept");
            self.values.insert(value.clone());
            self.pieces += value.pieces();
            number
        })
    }

    /// The number of a value, if it is known.
    pub(super) fn find(&self, value: &T) -> Option<u32> {
        self.values.get_index_of(value).map(|number| number as u32)
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.capacity() * (size_of::<T>() + INDEXED) + self.pieces
    }
}

impl<T> Index<u32> for Numbered<T> {
    type Output = T;

    fn index(&self, number: u32) -> &T {
        &self.values[number as usize]
    }
}

impl<T: Eq + Hash + Pieces> Shared<T> {
    pub(super) fn share(&mut self, value: T) -> Arc<T> {
        if let Some(known) = self.values.get(&value) {
            return Arc::clone(known);
        }
        // In front of a shared value stand two counts of those who have it.
        self.pieces += 2 * size_of::<usize>() + size_of::<T>() + PIECE + value.pieces();
        let value = Arc::new(value);
        self.values.insert(Arc::clone(&value));
        value
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.capacity() * (size_of::<Arc<T>>() + INDEXED) + self.pieces
    }
}
