//! Sets of numbers below a bound, as bits.

use std::ops::Range;

/// A set of numbers below a bound that is fixed on construction.
///
/// Two sets are equal, and have equal hashes, if they have the same bound and the same members.
///
/// Numbers must be below the bound. Testing or inserting others panics or, up to the next multiple of 64, may corrupt
/// the set: [`BitSet::complement`] would ignore such a member.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitSet {
    /// Number `i` is bit `i % 64` of word `i / 64`. Bits from `bound` on are 0.
    words: Box<[u64]>,
    bound: usize,
}

impl BitSet {
    /// The empty set, with a bound.
    #[must_use]
    pub fn new(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)].into_boxed_slice(), bound }
    }

    /// The set of all numbers below a bound.
    #[must_use]
    pub fn full(bound: usize) -> Self {
        Self::new(bound).complement()
    }

    /// The positions of the true values; the bound is the number of values.
    #[must_use]
    pub fn of_truths(values: impl ExactSizeIterator<Item = bool>) -> Self {
        let mut set = Self::new(values.len());
        for (index, value) in values.enumerate() {
            set.words[index / 64] |= u64::from(value) << (index % 64);
        }
        set
    }

    /// The bound: every member is smaller.
    #[must_use]
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// Approximate size in bytes of a set with this bound.
    #[must_use]
    pub fn bytes_for(bound: usize) -> usize {
        bound / 8 + 8
    }

    /// Whether a number is a member.
    #[must_use]
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 != 0
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Removes a number.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.words[number / 64] &= !(1 << (number % 64));
    }

    /// Removes all numbers.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The numbers below the bound that are not members.
    #[must_use]
    pub fn complement(mut self) -> Self {
        for word in &mut self.words {
            *word = !*word;
        }
        if !self.bound.is_multiple_of(64) {
            let last = self.words.last_mut().expect("there is a word for the last numbers");
            *last &= (1 << (self.bound % 64)) - 1;
        }
        self
    }

    /// The least member.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        self.first_from(0)
    }

    /// The least member that is not less than `from`.
    #[must_use]
    pub fn first_from(&self, from: usize) -> Option<usize> {
        let word = from / 64;
        let rest = self.words.get(word)? & (u64::MAX << (from % 64));
        if rest != 0 {
            return Some(word * 64 + rest.trailing_zeros() as usize);
        }
        let later = word + 1 + self.words[word + 1..].iter().position(|&word| word != 0)?;
        Some(later * 64 + self.words[later].trailing_zeros() as usize)
    }

    /// Whether all numbers of a range are members. The range must not be empty or cross a multiple of 64.
    #[must_use]
    #[inline]
    pub fn contains_all(&self, numbers: &Range<usize>) -> bool {
        let all = u64::MAX >> (64 - numbers.len());
        self.words[numbers.start / 64] >> (numbers.start % 64) & all == all
    }
}

#[cfg(test)]
mod tests {
    use super::BitSet;

    /// Sets with all kinds of bounds, whose members are the multiples of three.
    fn sets() -> impl Iterator<Item = BitSet> {
        [0, 1, 63, 64, 65, 127, 128, 200].into_iter().map(|bound| {
            let mut set = BitSet::new(bound);
            (0..bound).step_by(3).for_each(|number| set.insert(number));
            set
        })
    }

    #[test]
    fn members_are_those_that_were_added_and_not_taken_out() {
        for mut set in sets() {
            let bound = set.bound();
            assert_eq!(set, BitSet::of_truths((0..bound).map(|number| number % 3 == 0)));
            (0..bound).step_by(6).for_each(|number| set.remove(number));
            for number in 0..bound {
                assert_eq!(set.contains(number), number % 6 == 3, "{number} of {bound}");
            }
            set.clear();
            assert_eq!(set, BitSet::new(bound));
            assert_eq!(set.first(), None);
        }
    }

    #[test]
    fn the_first_from_anywhere_is_the_next_member() {
        for set in sets() {
            for from in 0..set.bound() {
                let next = (from..set.bound()).find(|&number| set.contains(number));
                assert_eq!(set.first_from(from), next, "from {from} of {}", set.bound());
            }
            assert_eq!(set.first_from(set.bound() + 64), None);
        }
    }

    #[test]
    fn a_complement_stays_below_the_bound() {
        for set in sets() {
            let bound = set.bound();
            let other = set.clone().complement();
            assert!((0..bound).all(|number| set.contains(number) != other.contains(number)));
            assert_eq!(other.complement(), set);
            assert_eq!(BitSet::full(bound).complement().first(), None);
        }
    }

    #[test]
    fn all_of_a_range() {
        let mut set = BitSet::full(200);
        assert!(set.contains_all(&(64..128)) && set.contains_all(&(130..131)));
        set.remove(127);
        assert!(!set.contains_all(&(64..128)) && set.contains_all(&(64..127)));
    }
}
