//! The nodes of the trees: what their words say, and the cache of one thread in front of the table of all, where a look-up is
//! mostly a cache miss or two.

use map_store::{DirectMapped, Full, Pairs, Spare};

/// What the two top bits of a leaf say: that it is a node with a tail, in bytes or in words. Else it is a local state.
pub(super) const IN_BYTES: u32 = 1 << 30;
pub(super) const IN_WORDS: u32 = 1 << 31;
pub(super) const KIND: u32 = IN_BYTES | IN_WORDS;

/// Cached nodes: 256 KiB of them.
type Cache = DirectMapped<{ 1 << 14 }>;

/// Numbers of nodes that a thread has inserted recently.
#[derive(Default)]
pub(super) struct NodeCache {
    /// Made when it is needed first.
    cache: Option<Cache>,
    spare: Spare,
}

impl NodeCache {
    /// The number of a node, which is inserted if it is new.
    pub(super) fn number(&mut self, all: &Pairs, left: u32, right: u32) -> Result<u32, Full> {
        let Self { cache, spare } = self;
        let pair = u64::from(left) | u64::from(right) << 32;
        let cache = cache.get_or_insert_default();
        cache.get_or_try_insert_with(pair, || all.insert(left, right, spare))
    }

    pub(super) fn bytes(&self) -> usize {
        self.cache.as_ref().map_or(0, |_| Cache::bytes())
    }
}
