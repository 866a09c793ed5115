//! What is missing in the agent tables, once: many states lack the same.

use crate::agents::Missing;

/// What a thread has asked for in a round.
#[derive(Default)]
pub(super) struct Asked {
    all: Vec<Missing>,
    /// What was asked for lately, each where its numbers say, until something else is.
    lately: Vec<Numbers>,
}

/// What tells something missing from all else of its kind.
type Numbers = [u32; 3];

/// Nothing that can be asked for.
const NOTHING: Numbers = [u32::MAX; 3];

/// What is known to be asked for, as a power of two; little in debug builds, so that tests see something asked for twice.
const LATELY: u32 = if cfg!(debug_assertions) { 2 } else { 12 };

fn place([first, second, third]: Numbers) -> usize {
    let mixed = (u64::from(first) | u64::from(second) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ u64::from(third)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - LATELY)) as usize
}

impl Asked {
    /// Asks for something, but mostly not for the same again.
    pub(super) fn ask(&mut self, missing: Missing) {
        let numbers = match missing {
            Missing::Delivery { recipient, message, pattern } => [recipient, message, pattern],
            Missing::Locals(id) => [id, u32::MAX, u32::MAX],
            Missing::DeliveryUnder(_) | Missing::State(_) => NOTHING,
        };
        if numbers != NOTHING {
            if self.lately.is_empty() {
                self.lately.resize(1 << LATELY, NOTHING);
            }
            let before = std::mem::replace(&mut self.lately[place(numbers)], numbers);
            if before == numbers {
                return;
            }
        }
        self.all.push(missing);
    }

    /// How much is asked for.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Takes all that is asked for: from now on it is to be found.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Missing> {
        self.lately.fill(NOTHING);
        self.all.drain(..)
    }

    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Missing>() + self.lately.capacity() * size_of::<Numbers>()
    }
}
