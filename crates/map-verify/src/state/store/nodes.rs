//! The encoding of tree nodes, and a per-thread cache in front of the shared node table, where a look-up usually
//! costs a cache miss or two.

use map_store::{DirectMapped, Full, Pairs, Spare};

/// Top bits of a leaf that is a node with a tail, packed in bytes or in words. Without them the leaf is a local
/// state.
pub(super) const IN_BYTES: u32 = 1 << 30;
pub(super) const IN_WORDS: u32 = 1 << 31;
pub(super) const KIND: u32 = IN_BYTES | IN_WORDS;

/// 256 KiB of cached nodes.
type Cache = DirectMapped<{ 1 << 14 }>;

/// Numbers of nodes that a thread has inserted recently.
#[derive(Default)]
pub(super) struct NodeCache {
    /// Allocated on first use.
    cache: Option<Cache>,
    spare: Spare,
}

impl NodeCache {
    /// The number of a node; inserts it if it is new.
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
