//! The visited set: exact, every state kept whole.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// States as slices of words, numbered in the order of their first insertion.
#[derive(Default)]
pub(crate) struct Store {
    words: Vec<u32>,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Store {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, index: usize) -> &[u32] {
        slice(&self.words, &self.ends, index)
    }

    /// The number of the state, and whether it is new.
    pub(crate) fn insert(&mut self, state: &[u32]) -> (u32, bool) {
        let (words, ends) = (&mut self.words, &mut self.ends);
        let entry = self.table.entry(
            hash(state),
            |&index| slice(words, ends, index as usize) == state,
            |&index| hash(slice(words, ends, index as usize)),
        );
        match entry {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(vacant) => {
                let index = ends.len() as u32;
                words.extend_from_slice(state);
                ends.push(words.len());
                vacant.insert(index);
                (index, true)
            }
        }
    }

    /// Bytes in use while a state of that many words is being added, which may double the arena.
    pub(crate) fn bytes_to_add(&self, words: usize) -> usize {
        let grows = self.words.len() + words > self.words.capacity();
        self.bytes() + if grows { self.words.capacity().max(words) * 8 } else { 0 }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * 4 + self.ends.capacity() * 8 + self.table.capacity() * 6
    }
}

fn slice<'a>(words: &'a [u32], ends: &[usize], index: usize) -> &'a [u32] {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &words[start..ends[index]]
}

fn hash(state: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for pair in state.chunks(2) {
        let high = pair.get(1).copied().map_or(0, u64::from);
        hasher.write_u64(u64::from(pair[0]) | high << 32);
    }
    hasher.write_usize(state.len());
    hasher.finish()
}
