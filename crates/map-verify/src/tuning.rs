//! Parameters of speed and memory use.

/// How a search divides its work, and what it caches. Affects only time, memory, and how far a search gets before a
/// limit ends it, never its findings or the numbers of states. Every size is at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The tables of the visited set.
    pub store: map_store::Tuning,
    /// Maximum number of states in a batch, at least eight.
    pub batch: usize,
    /// Number of states that a thread claims at a time for expansion.
    pub chunk: usize,
    /// Number of expanded states whose results a thread processes at a time: a multiple of 32, the number of
    /// transition lists in a block.
    pub share: usize,
    /// Number of blocks of transition lists that a thread unpacks at a time.
    pub blocks: usize,
    /// Number of blocks of transition lists kept unpacked when they are read out of order.
    pub unpacked: usize,
    /// Minimum number of transitions, times questions, for judging properties in parallel.
    pub worth_sharing: usize,
}

impl Tuning {
    /// The default.
    pub const SHIPPED: Self = Self {
        store: map_store::Tuning::SHIPPED,
        batch: 1 << 12,
        chunk: 16,
        share: 1 << 9,
        blocks: 128,
        unpacked: 1 << 12,
        worth_sharing: 1 << 14,
    };

    /// For tests: even small scenes fill tables, take many batches and are shared between threads.
    pub const TINY: Self = Self {
        store: map_store::Tuning::TINY,
        batch: 1 << 8,
        chunk: 2,
        share: 1 << 5,
        blocks: 2,
        unpacked: 2,
        worth_sharing: 1 << 4,
    };
}
