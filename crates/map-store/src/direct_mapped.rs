//! A direct-mapped cache: each key has one slot, and stays there until another key takes it.

/// Values of 32 bits by keys of 64 bits, in a fixed number of slots. The slot of a key follows from its hash
/// (multiplicative hashing: D. E. Knuth, *The Art of Computer Programming*, vol. 3, section 6.4). Caching a key evicts
/// whatever its slot held.
///
/// `SLOTS` is a power of two, at least two. A slot takes 16 bytes.
pub struct DirectMapped<const SLOTS: usize> {
    entries: Box<[Entry; SLOTS]>,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    value: u32,
}

impl Entry {
    /// The content of an empty slot: a key that belongs into another one.
    fn empty(slot: usize) -> Self {
        Self { key: u64::from(slot == 0), value: 0 }
    }
}

impl<const SLOTS: usize> Default for DirectMapped<SLOTS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const SLOTS: usize> DirectMapped<SLOTS> {
    const SHIFT: u32 = {
        assert!(SLOTS.is_power_of_two() && SLOTS > 1, "a key's slot is the upper bits of its hash");
        u64::BITS - SLOTS.ilog2()
    };

    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        let entries: Vec<Entry> = (0..SLOTS).map(Entry::empty).collect();
        Self { entries: entries.into_boxed_slice().try_into().ok().expect("there are that many slots") }
    }

    /// The slot of a key, below `SLOTS`.
    #[inline]
    #[must_use]
    pub fn slot(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> Self::SHIFT) as usize
    }

    /// The value of a key: the cached one, or else the result of `make`, which is cached.
    ///
    /// # Errors
    /// Those of `make`. Nothing is cached then.
    #[inline]
    pub fn get_or_try_insert_with<E>(
        &mut self,
        key: u64,
        make: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let entry = &mut self.entries[Self::slot(key)];
        if entry.key != key {
            *entry = Entry { key, value: make()? };
        }
        Ok(entry.value)
    }

    /// The value of a key, and whether it was cached; if not, `value` is cached and returned. Makes no branch, for
    /// callers whose hits cannot be predicted.
    #[inline]
    pub fn get_or_insert(&mut self, key: u64, value: u32) -> (u32, bool) {
        let entry = &mut self.entries[Self::slot(key)];
        let is_cached = entry.key == key;
        let value = std::hint::select_unpredictable(is_cached, entry.value, value);
        *entry = Entry { key, value };
        (value, is_cached)
    }

    /// Replaces the value in a slot if it is `old`, whatever the key.
    #[inline]
    pub fn replace(&mut self, slot: usize, old: u32, new: u32) {
        let value = &mut self.entries[slot].value;
        *value = if *value == old { new } else { *value };
    }

    /// Empties a slot.
    pub fn evict(&mut self, slot: usize) {
        self.entries[slot] = Entry::empty(slot);
    }

    /// Bytes that each cache takes.
    #[must_use]
    pub const fn bytes() -> usize {
        size_of::<[Entry; SLOTS]>()
    }
}

#[cfg(test)]
mod tests {
    use super::DirectMapped;

    type Cache = DirectMapped<8>;

    /// Two keys with the same slot.
    fn rivals() -> [u64; 2] {
        let mut same = (1..).filter(|&key| Cache::slot(key) == Cache::slot(1));
        [same.next().expect("one"), same.next().expect("another")]
    }

    #[test]
    fn a_key_is_cached_until_another_takes_its_slot() {
        let [one, two] = rivals();
        let mut cache = Cache::new();
        assert_eq!(cache.get_or_insert(one, 10), (10, false));
        assert_eq!(cache.get_or_insert(one, 11), (10, true));
        assert_eq!(cache.get_or_insert(two, 20), (20, false));
        assert_eq!(cache.get_or_insert(one, 12), (12, false));
    }

    #[test]
    fn an_empty_slot_holds_no_key() {
        let mut cache = Cache::new();
        for key in (0..100).chain([u64::MAX]) {
            assert_eq!(cache.get_or_insert(key, 1), (1, false), "{key}");
            cache.evict(Cache::slot(key));
        }
    }

    #[test]
    fn what_cannot_be_made_is_not_cached() {
        let mut cache = Cache::new();
        assert_eq!(cache.get_or_try_insert_with(7, || Err("none")), Err("none"));
        assert_eq!(cache.get_or_try_insert_with(7, || Ok::<u32, ()>(3)), Ok(3));
        assert_eq!(cache.get_or_try_insert_with(7, || Err("not called")), Ok(3));
    }

    #[test]
    fn a_value_is_replaced_only_if_it_is_the_old_one() {
        let mut cache = Cache::new();
        cache.get_or_insert(7, 3);
        cache.replace(Cache::slot(7), 4, 5);
        assert_eq!(cache.get_or_insert(7, 0), (3, true));
        cache.replace(Cache::slot(7), 3, 5);
        assert_eq!(cache.get_or_insert(7, 0), (5, true));
    }
}
