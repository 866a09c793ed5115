//! The vectors of the states still to be expanded, where the visited set keeps fingerprints and cannot give them back.

use std::ops::Range;

/// The vectors of one level and of the next.
#[derive(Default)]
pub(crate) struct Frontier {
    level: Vectors,
    next: Vectors,
}

/// Vectors one after the other.
#[derive(Default)]
struct Vectors {
    /// The state whose vector is the first.
    first: usize,
    words: Vec<u32>,
    ends: Vec<usize>,
}

impl Frontier {
    /// Adds the vector of the next state to be found.
    pub(crate) fn push(&mut self, words: &[u32]) {
        self.next.words.extend_from_slice(words);
        self.next.ends.push(self.next.words.len());
    }

    /// Goes on to the next level, which starts with that state.
    pub(crate) fn advance(&mut self) {
        let first = self.next.first + self.next.ends.len();
        self.level = std::mem::replace(&mut self.next, Vectors { first, ..Vectors::default() });
    }

    /// The vector of a state of the level.
    pub(crate) fn get(&self, state: usize) -> &[u32] {
        let place = state - self.level.first;
        let start = if place == 0 { 0 } else { self.level.ends[place - 1] };
        &self.level.words[start..self.level.ends[place]]
    }

    pub(crate) fn bytes(&self) -> usize {
        [&self.level, &self.next].iter().map(|it| it.words.capacity() * 4 + it.ends.capacity() * 8).sum()
    }
}

/// Vectors of states that may be new, kept by a thread until the batch is settled.
#[derive(Default)]
pub(crate) struct Kept {
    words: Vec<u32>,
}

impl Kept {
    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }

    pub(crate) fn push(&mut self, words: &[u32]) -> Range<usize> {
        let start = self.words.len();
        self.words.extend_from_slice(words);
        start..self.words.len()
    }

    pub(crate) fn get(&self, range: Range<usize>) -> &[u32] {
        &self.words[range]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
    }
}
