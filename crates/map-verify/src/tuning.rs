//! Sizes that decide about speed and memory.

/// How a search divides its work and what it keeps at hand. No finding depends on it, nor the numbers of states: only the
/// time, the memory, and how far a search has come when a limit ends it. Every size is at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The tables of the store of states.
    pub store: map_store::Tuning,
    /// The most states that are expanded before what they have found is numbered, at least eight.
    pub batch: usize,
    /// States that a thread takes at a time to expand them.
    pub chunk: usize,
    /// States that a thread takes at a time to take in what they have found: a multiple of 32, as many as the transition
    /// lists packed together.
    pub share: usize,
    /// Blocks of transition lists that a thread unpacks at a time.
    pub blocks: usize,
    /// Blocks of transition lists that are kept unpacked where they are read out of order.
    pub unpacked: usize,
    /// Transitions to be looked at for properties from which on threads share the work.
    pub worth_sharing: usize,
}

impl Tuning {
    /// For use.
    pub const SHIPPED: Self = Self {
        store: map_store::Tuning::SHIPPED,
        batch: 1 << 12,
        chunk: 16,
        share: 1 << 9,
        blocks: 128,
        unpacked: 1 << 12,
        worth_sharing: 1 << 14,
    };

    /// For tests: even small scenes fill tables, take many batches and are shared by threads.
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
