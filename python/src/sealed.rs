//! Values that one thread at a time may use, whichever it is, though they consist of parts that threads may not share:
//! monitors and guards count references without locks.

use std::sync::{Mutex, PoisonError};

/// A value with everything that it shares parts with. Nothing else has a part of it.
pub(crate) struct Sealed<T>(Mutex<Alone<T>>);

struct Alone<T>(T);

// SAFETY: what is not `Send` in a value are counts of references without locks. All references to the same parts are
// within the value: it was made by a closure that is `Send`, and is used by closures that are `Send` and whose results
// are, so no reference comes in or goes out, and it is dropped as a whole. The mutex lets one thread at a time use it.
// Nothing in it is tied to a thread: `map-conform` and `map-guard` have no thread-local variables.
unsafe impl<T> Send for Alone<T> {}

impl<T: 'static> Sealed<T> {
    /// Makes a value.
    ///
    /// # Errors
    /// What keeps it from being made.
    pub(crate) fn new<E: Send>(make: impl FnOnce() -> Result<T, E> + Send) -> Result<Self, E> {
        Ok(Self(Mutex::new(Alone(make()?))))
    }

    /// Uses the value, when no other thread does.
    pub(crate) fn with<R: Send>(&self, act: impl FnOnce(&mut T) -> R + Send) -> R {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).0)
    }
}
