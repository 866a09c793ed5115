//! Whether a graph has a cycle: states are taken out of it once all transitions to them have been; what cannot be taken
//! out lies on a cycle or behind one (A. B. Kahn, *Topological sorting of large networks*, 1962).

use rustc_hash::FxHashMap;

use super::{Bits, Means, TICK};
use crate::edges::{BLOCK, Edges, Lists};
use crate::report::Limit;

/// For every state how many transitions to it are left, in a byte where that is enough.
struct Incoming {
    few: Vec<u8>,
    /// What more there is for those whose byte is full.
    more: FxHashMap<u32, u32>,
}

impl Incoming {
    fn new(states: usize) -> Self {
        Self { few: vec![0; states], more: FxHashMap::default() }
    }

    fn bytes(&self) -> usize {
        self.few.len() + self.more.capacity() * (size_of::<(u32, u32)>() + 1)
    }

    fn add(&mut self, state: u32) {
        match &mut self.few[state as usize] {
            &mut u8::MAX => *self.more.entry(state).or_default() += 1,
            few => *few += 1,
        }
    }

    /// Whether that was the last one.
    fn remove(&mut self, state: u32) -> bool {
        let few = &mut self.few[state as usize];
        if *few == u8::MAX
            && let Some(more) = self.more.get_mut(&state).filter(|more| **more > 0)
        {
            *more -= 1;
            return false;
        }
        *few -= 1;
        *few == 0
    }

    fn is_none(&self, state: usize) -> bool {
        self.few[state] == 0
    }
}

/// Whether some state can be reached from itself, without bad luck. Calls `see` once for every state with the states that
/// it leads to.
///
/// # Errors
/// The limit that came first.
pub(super) fn has_cycle(
    edges: &Edges,
    states: usize,
    means: &mut Means<'_>,
    mut see: impl FnMut(usize, &[u32]),
) -> Result<bool, Limit> {
    let blocks = edges.block_count();
    means.afford(states + Bits::bytes_for(states) + Bits::bytes_for(blocks))?;
    let mut incoming = Incoming::new(states);
    let mut lists = Lists::default();
    for block in 0..blocks {
        if block.is_multiple_of(TICK) {
            means.check()?;
            means.afford(incoming.bytes())?;
        }
        edges.read_block(block, &mut lists);
        for (place, state) in edges.block(block).enumerate() {
            lists.of(place).iter().for_each(|&target| incoming.add(target));
            see(state, lists.of(place));
        }
    }
    // Most transitions lead to higher numbers: each pass goes over the blocks upwards that hold something to be taken out.
    let (mut gone, mut todo) = (Bits::new(states), Bits::full(blocks));
    let (mut left, mut visits) = (states, 0_usize);
    while let Some(first) = todo.first() {
        let mut next = Some(first);
        while let Some(block) = next {
            visits += 1;
            if visits.is_multiple_of(TICK) {
                means.check()?;
            }
            todo.remove(block);
            edges.read_block(block, &mut lists);
            for (place, state) in edges.block(block).enumerate() {
                if !incoming.is_none(state) || gone.contains(state) {
                    continue;
                }
                gone.insert(state);
                left -= 1;
                for &target in lists.of(place) {
                    let is_ahead = target as usize > state && target as usize / BLOCK == block;
                    if incoming.remove(target) && !is_ahead {
                        todo.insert(target as usize / BLOCK);
                    }
                }
            }
            next = todo.next(block + 1);
        }
    }
    Ok(left > 0)
}
