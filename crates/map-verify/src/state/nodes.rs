//! Nodes of the trees that a thread has looked up lately: a look into the table of all is mostly a cache miss or two.

use map_store::{Full, Pairs, Spare};

/// Nodes with their numbers, each where its pair's hash says, until another is.
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
