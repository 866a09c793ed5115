//! How much may be done for a line.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The default of `--max-work`.
pub const MAX_WORK: u64 = 20_000_000;

/// The work that is left for a line. A unit is about a thread, value or message that is copied. One thread at a time
/// follows the conversations of a scene; which it is may change.
#[derive(Debug)]
pub(crate) struct Work {
    left: AtomicU64,
    /// For each line.
    each: u64,
    /// Becomes true if nothing more is wanted.
    stop: Option<&'static AtomicBool>,
}

impl Work {
    /// So many units for each line.
    pub(crate) fn new(each: u64) -> Self {
        Self { left: AtomicU64::new(each), each, stop: None }
    }

    /// The same, but that there is none left as soon as this is true.
    pub(crate) fn until(self, stop: Option<&'static AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// A line begins.
    pub(crate) fn renew(&self) {
        self.left.store(self.each, Ordering::Relaxed);
    }

    /// Does some of it; false if there is not as much left.
    pub(crate) fn spend(&self, units: usize) -> bool {
        let left = self.left().checked_sub(units as u64);
        let left = left.filter(|_| !self.is_stopped());
        self.left.store(left.unwrap_or(0), Ordering::Relaxed);
        left.is_some()
    }

    /// A share of the work for a line, or what is left of it.
    pub(crate) fn share(&self, of: u64) -> Self {
        Self::new(self.left().min(self.each.div_ceil(of))).until(self.stop)
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
        self.left() == 0 || self.is_stopped()
    }

    /// Whether nothing more is wanted.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::Work;

    #[test]
    fn nothing_is_left_once_nobody_wants_it() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let work = Work::new(100).until(Some(&STOP));
        let share = work.share(2);
        assert!(work.spend(10) && share.spend(10));
        STOP.store(true, Ordering::Relaxed);
        assert!(work.is_over() && share.is_over());
        assert!(!work.spend(1));
        // Also not for the next line.
        work.renew();
        assert!(work.is_over() && !work.spend(1));
    }
}
