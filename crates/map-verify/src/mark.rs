//! The marks of stored states, as bits.

/// All agents are done, or have crashed.
pub(crate) const GOOD_END: u8 = 1;
/// Some step is cut off by a bound.
pub(crate) const CUT: u8 = 1 << 1;
/// Some step goes wrong.
pub(crate) const WRONG: u8 = 1 << 2;
/// A deadlock, or a possible one.
pub(crate) const DEADLOCK: u8 = 1 << 3;
/// Some agent has failed.
pub(crate) const FAILED: u8 = 1 << 4;
/// Only polls can happen.
pub(crate) const ONLY_POLLS: u8 = 1 << 5;
/// Some shortest trace to it depends on no open comparison.
pub(crate) const CLEAN: u8 = 1 << 6;
/// It has a transition to itself. Marked only by several processes together.
pub(crate) const LOOP: u8 = 1 << 7;
