//! How much may be done for a line.

use std::sync::atomic::{AtomicU64, Ordering};

/// The default of `--max-work`.
pub const MAX_WORK: u64 = 20_000_000;

/// The work that is left for a line. A unit is about a thread, value or message that is copied. One thread at a time
/// follows the conversations of a scene; which it is may change.
#[derive(Debug)]
pub(crate) struct Work {
    left: AtomicU64,
    /// For each line.
    each: u64,
}

impl Work {
    /// So many units for each line.
    pub(crate) fn new(each: u64) -> Self {
        Self { left: AtomicU64::new(each), each }
    }

    /// A line begins.
    pub(crate) fn renew(&self) {
        self.left.store(self.each, Ordering::Relaxed);
    }

    /// Does some of it; false if there is not as much left.
    pub(crate) fn spend(&self, units: usize) -> bool {
        let left = self.left().checked_sub(units as u64);
        self.left.store(left.unwrap_or(0), Ordering::Relaxed);
        left.is_some()
    }

    /// A share of the work for a line, or what is left of it.
    pub(crate) fn share(&self, of: u64) -> Self {
        Self::new(self.left().min(self.each.div_ceil(of)))
    }

    /// What has been done of it.
    pub(crate) fn spent(&self) -> usize {
        usize::try_from(self.each - self.left()).unwrap_or(usize::MAX)
    }

    fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Whether nothing is left.
    pub(crate) fn is_over(&self) -> bool {
        self.left() == 0
    }
}
