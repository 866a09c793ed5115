//! Deliveries that a thread has looked up lately: a look into the table of all is mostly a cache miss or two.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::agents::{Missing, StateId};
use crate::space::Space;

/// Deliveries that were looked up lately, each where its hash says.
#[derive(Default)]
pub(super) struct Lately {
    known: Vec<Known>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) recipient: StateId,
    pub(super) message: u32,
    /// The pattern, a byte for each symbol.
    pub(super) pattern: u64,
}

#[derive(Clone, Copy)]
struct Known {
    asked: Asked,
    delivery: u32,
}

/// 96 KiB of them.
const LATELY: u32 = 12;

/// The longest pattern that is packed.
pub(super) const PATTERN: usize = 8;

const NOBODY: Known = Known { asked: Asked { recipient: StateId::MAX, message: 0, pattern: 0 }, delivery: 0 };

impl Lately {
    /// The delivery's place in the tables.
    pub(super) fn place(&mut self, space: &Space<'_>, asked: Asked, pattern: &[u8]) -> Result<u32, Missing> {
        if self.known.is_empty() {
            self.known.resize(1 << LATELY, NOBODY);
        }
        let mut hasher = FxHasher::default();
        hasher.write_u64(u64::from(asked.recipient) | u64::from(asked.message) << 32);
        hasher.write_u64(asked.pattern);
        let known = &mut self.known[(hasher.finish() >> (u64::BITS - LATELY)) as usize];
        if known.asked != asked {
            let mut words = [0; PATTERN];
            words.iter_mut().zip(pattern).for_each(|(word, &place)| *word = u32::from(place));
            let words = &words[..pattern.len()];
            *known = Known { asked, delivery: space.agents.delivery(asked.recipient, asked.message, words)? };
        }
        Ok(known.delivery)
    }

    pub(super) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<Known>()
    }
}
