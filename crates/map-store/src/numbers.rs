//! A shared counter that hands out unique numbers.

use std::num::NonZeroUsize;
use std::ops::Range;

use crate::Full;
use crate::atomic::{AtomicU32, Ordering};

/// A shared counter. It has cache lines of its own to avoid false sharing: neighbouring data is read for every key,
/// and a write would invalidate the line for all readers. Two lines, because processors fetch them in pairs.
#[repr(align(128))]
pub(crate) struct Numbers {
    next: AtomicU32,
    /// Whether only one thread takes numbers.
    alone: bool,
    /// How many numbers a thread reserves at a time, if there are several.
    reserved: u32,
}

impl Numbers {
    /// Counts from 0. If there are several threads, each reserves `reserved` numbers at a time.
    pub(crate) fn new(threads: NonZeroUsize, reserved: u32) -> Self {
        Self { next: AtomicU32::new(0), alone: threads.get() == 1, reserved }
    }

    /// How many numbers were taken or reserved.
    pub(crate) fn len(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }

    /// A unique number below `room`: one that the thread has reserved, if any.
    #[inline]
    pub(crate) fn take(&self, room: usize, reserved: &mut Range<u32>) -> Result<u32, Full> {
        if let Some(number) = reserved.next() {
            return Ok(number);
        }
        if self.alone {
            let number = self.next.load(Ordering::Relaxed);
            if number as usize >= room {
                return Err(Full);
            }
            self.next.store(number + 1, Ordering::Relaxed);
            return Ok(number);
        }
        *reserved = self.reserve(room)?;
        reserved.next().ok_or(Full)
    }

    /// The next numbers below `room`, at least one.
    fn reserve(&self, room: usize) -> Result<Range<u32>, Full> {
        let end = |start: u32| (room as u32).min(start.saturating_add(self.reserved));
        let more = |start: u32| ((start as usize) < room).then(|| end(start));
        let start = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).map_err(|_| Full)?;
        Ok(start..end(start))
    }

    /// Restarts from `next`, while no thread takes numbers.
    pub(crate) fn restart(&mut self, next: u32) {
        self.next = AtomicU32::new(next);
    }
}
