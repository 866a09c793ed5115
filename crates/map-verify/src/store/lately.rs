//! What a thread has looked up lately, so that it need not look into the large tables again: a look into these is mostly a
//! cache miss or two, and orders of the same steps meet again soon. Each thing is where its hash says, until another is.

use map_store::{Full, Pairs, Spare};

use super::Key;

/// Nodes that a thread has looked up lately, each where its pair's hash says. The table of all nodes is large, and a look
/// into it is mostly a cache miss.
#[derive(Default)]
pub(super) struct Nodes {
    lately: Vec<(u64, u32)>,
    spare: Spare,
}

/// Nodes looked up lately: 256 KiB of them.
const LATELY: u32 = 14;

impl Nodes {
    /// The number of a node.
    pub(super) fn number(&mut self, all: &Pairs, left: u32, right: u32) -> Result<u32, Full> {
        if self.lately.is_empty() {
            self.lately.resize(1 << LATELY, (u64::MAX, 0));
        }
        let pair = u64::from(left) | u64::from(right) << 32;
        let place = pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - LATELY);
        let known = &mut self.lately[place as usize];
        if known.0 != pair {
            *known = (pair, all.insert(left, right, &mut self.spare)?);
        }
        Ok(known.1)
    }

    pub(super) fn bytes(&self) -> usize {
        self.lately.capacity() * size_of::<(u64, u32)>()
    }
}

/// States that a thread has looked up lately, each where its address says, with their numbers. A look into the table of all
/// states is mostly two cache misses.
#[derive(Default)]
pub(crate) struct Lately {
    states: Vec<Looked>,
    /// Places of states that have provisional numbers.
    provisional: Vec<u32>,
}

/// A state that was looked up.
#[derive(Clone, Copy)]
struct Looked {
    key: u64,
    /// What [`map_store::Keys`] keeps of the address.
    address: u32,
    number: u32,
}

/// States looked up lately: 256 KiB of them.
const STATES_LATELY: u32 = 14;

/// The number of a state that was not looked up lately.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// Where there is none.
const NO_STATE: Looked = Looked { key: 0, address: 0, number: UNKNOWN };

impl Lately {
    fn place(key: Key) -> usize {
        (key.address >> (u64::BITS - STATES_LATELY)) as usize
    }

    /// The number of a state, or [`UNKNOWN`].
    #[inline]
    pub(crate) fn number(&self, key: Key) -> u32 {
        let known = self.states.get(Self::place(key)).unwrap_or(&NO_STATE);
        let is_it = known.key == key.key && known.address == (key.address >> 32) as u32;
        if is_it { known.number } else { UNKNOWN }
    }

    /// Notes the number of a state; those from `settled` on are provisional.
    pub(crate) fn note(&mut self, key: Key, number: u32, settled: u32) {
        if self.states.is_empty() {
            self.states.resize(1 << STATES_LATELY, NO_STATE);
        }
        let place = Self::place(key);
        if number >= settled {
            self.provisional.push(place as u32);
        }
        self.states[place] = Looked { key: key.key, address: (key.address >> 32) as u32, number };
    }

    /// Forgets the states with provisional numbers.
    pub(crate) fn settle(&mut self) {
        for place in self.provisional.drain(..) {
            self.states[place as usize] = NO_STATE;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<Looked>() + self.provisional.capacity() * size_of::<u32>()
    }
}
