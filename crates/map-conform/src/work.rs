//! How much may be done for a line.

use std::cell::Cell;

/// The default of `--max-work`.
pub const MAX_WORK: u64 = 20_000_000;

/// The work that is left for a line. A unit is about a thread, value or message that is copied.
#[derive(Debug)]
pub(crate) struct Work {
    left: Cell<u64>,
    /// For each line.
    each: u64,
}

impl Work {
    /// So many units for each line.
    pub(crate) fn new(each: u64) -> Self {
        Self { left: Cell::new(each), each }
    }

    /// A line begins.
    pub(crate) fn renew(&self) {
        self.left.set(self.each);
    }

    /// Does some of it; false if there is not as much left.
    pub(crate) fn spend(&self, units: usize) -> bool {
        let left = self.left.get().checked_sub(units as u64);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// A share of the work for a line, or what is left of it.
    pub(crate) fn share(&self, of: u64) -> Self {
        Self::new(self.left.get().min(self.each.div_ceil(of)))
    }

    /// What has been done of it.
    pub(crate) fn spent(&self) -> usize {
        usize::try_from(self.each - self.left.get()).unwrap_or(usize::MAX)
    }

    /// Whether nothing is left.
    pub(crate) fn is_over(&self) -> bool {
        self.left.get() == 0
    }
}
