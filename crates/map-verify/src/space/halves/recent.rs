//! What a thread has found lately, by two numbers.

/// What was found lately for two numbers, each where their hash says, until another is. There is room for more as more is
/// found: at most for two to the power of `BITS`, and for few in debug builds, so that tests see things replaced.
pub(super) struct Recent<T, const BITS: u32> {
    /// As many as a power of two.
    entries: Vec<(u64, T)>,
    /// How many bits of the hash are not used.
    shift: u32,
    /// How many were found.
    found: usize,
}

const NO_KEY: u64 = u64::MAX;

/// Room at first, as a power of two.
const LEAST_BITS: u32 = 3;

impl<T, const BITS: u32> Default for Recent<T, BITS> {
    fn default() -> Self {
        Self { entries: Vec::new(), shift: u64::BITS - 1, found: 0 }
    }
}

impl<T: Copy, const BITS: u32> Recent<T, BITS> {
    const MOST: usize = 1 << if cfg!(debug_assertions) { LEAST_BITS } else { BITS };

    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> self.shift) as usize
    }

    #[inline]
    pub(super) fn get(&self, one: u32, other: u32) -> Option<T> {
        let key = key(one, other);
        let &(known, value) = self.entries.get(self.slot(key))?;
        (known == key).then_some(value)
    }

    /// Reads what is where the two numbers say, to bring it into the cache.
    #[inline]
    pub(super) fn touch(&self, one: u32, other: u32) -> u64 {
        self.entries.get(self.slot(key(one, other))).map_or(0, |entry| entry.0)
    }

    pub(super) fn note(&mut self, one: u32, other: u32, value: T) {
        self.found += 1;
        if self.found > self.entries.len() && self.entries.len() < Self::MOST {
            self.grow(value);
        }
        let key = key(one, other);
        let slot = self.slot(key);
        self.entries[slot] = (key, value);
    }

    /// Makes room for eight times as many, with some value where nothing is.
    fn grow(&mut self, value: T) {
        let room = (self.entries.len() << LEAST_BITS).clamp(1 << LEAST_BITS, Self::MOST);
        let before = std::mem::replace(&mut self.entries, vec![(NO_KEY, value); room]);
        self.shift = u64::BITS - room.trailing_zeros();
        for entry in before.into_iter().filter(|entry| entry.0 != NO_KEY) {
            let slot = self.slot(entry.0);
            self.entries[slot] = entry;
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.0 = NO_KEY);
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(u64, T)>()
    }
}

#[inline]
pub(super) fn key(one: u32, other: u32) -> u64 {
    u64::from(one) | u64::from(other) << 32
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use map_testkit::scenes::Random;

    use super::Recent;

    #[test]
    fn what_is_found_lately_is_what_was_noted_last() {
        let mut random = Random::new(1, 0);
        let (mut recent, mut noted) = (Recent::<u32, 9>::default(), HashMap::new());
        let mut hits = 0;
        for value in 0..3_000 {
            let (one, other) = (random.below(40) as u32, random.below(3) as u32);
            if let Some(found) = recent.get(one, other) {
                assert_eq!(noted.get(&(one, other)), Some(&found));
                hits += 1;
            }
            recent.note(one, other, value);
            noted.insert((one, other), value);
            assert_eq!(recent.get(one, other), Some(value));
            if value % 1_000 == 999 {
                recent.clear();
                assert!(noted.drain().all(|((one, other), _)| recent.get(one, other).is_none()));
            }
        }
        assert!(hits > 100, "{hits}");
        assert!(recent.entries.len() <= Recent::<u32, 9>::MOST);
    }
}
