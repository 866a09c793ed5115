//! Sets of states, a bit for each.

use std::ops::Range;

/// A set of states.
#[derive(Clone, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
    pub(super) len: usize,
}

impl Bits {
    pub(crate) fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    pub(crate) fn bytes_for(len: usize) -> usize {
        len / 8 + 8
    }

    pub(crate) fn contains(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 != 0
    }

    pub(crate) fn insert(&mut self, index: usize) {
        self.words[index / 64] |= 1 << (index % 64);
    }

    /// The members of a block, by their places in it.
    fn of_block(&self, states: &Range<usize>) -> u64 {
        let all = u64::MAX >> (64 - states.len());
        self.words[states.start / 64] >> (states.start % 64) & all
    }

    /// Whether all states of a block are members.
    pub(crate) fn contains_all(&self, states: &Range<usize>) -> bool {
        self.of_block(states).count_ones() as usize == states.len()
    }

    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
    }

    pub(crate) fn remove(&mut self, index: usize) {
        self.words[index / 64] &= !(1 << (index % 64));
    }

    /// All numbers below `len`.
    pub(crate) fn full(len: usize) -> Self {
        Self::new(len).complement()
    }

    /// The least member that is not less than `from`.
    pub(crate) fn next(&self, from: usize) -> Option<usize> {
        let word = from / 64;
        let rest = self.words.get(word)? & (u64::MAX << (from % 64));
        if rest != 0 {
            return Some(word * 64 + rest.trailing_zeros() as usize);
        }
        let later = word + 1 + self.words[word + 1..].iter().position(|&word| word != 0)?;
        Some(later * 64 + self.words[later].trailing_zeros() as usize)
    }

    /// The least member.
    pub(crate) fn first(&self) -> Option<usize> {
        self.next(0)
    }

    pub(crate) fn complement(mut self) -> Self {
        for word in &mut self.words {
            *word = !*word;
        }
        if !self.len.is_multiple_of(64) {
            *self.words.last_mut().expect("there is a word for the last states") &=
                (1 << (self.len % 64)) - 1;
        }
        self
    }
}
