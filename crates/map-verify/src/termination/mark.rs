//! What is known of each stored state, as bits.

/// All agents are done, or have crashed.
pub(crate) const GOOD_END: u8 = 1;
/// Some step is cut.
pub(crate) const CUT: u8 = 1 << 1;
/// Some step goes wrong.
pub(crate) const WRONG: u8 = 1 << 2;
/// A deadlock, perhaps only a possible one.
pub(crate) const DEADLOCK: u8 = 1 << 3;
/// Some agent has failed.
pub(crate) const FAILED: u8 = 1 << 4;
/// Nothing can happen but polls.
pub(crate) const ONLY_POLLS: u8 = 1 << 5;
/// Some shortest trace to it is free of open comparisons.
pub(crate) const CLEAN: u8 = 1 << 6;
