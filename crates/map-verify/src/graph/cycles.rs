//! Cycle detection: a state is removed once all transitions to it are; states that cannot be removed are on a cycle
//! or reachable from one (A. B. Kahn, *Topological sorting of large networks*, 1962).
//!
//! Usually one bit per state suffices instead of a count. Most transitions lead to higher numbers, so an upward pass
//! knows for each state whether a remaining lower one leads to it. For higher ones it uses the previous pass, in
//! which at least as many remained. A pass that removes nothing proves a cycle, since every remaining state has a
//! remaining predecessor. What is left after a few passes is settled by counts.

use map_graph::BitSet;
use rustc_hash::FxHashMap;

use super::edges::{BLOCK, Edges, Lists, TICK};
use super::visit::{Order, visit};
use crate::budget::{Budget, Limit};

/// Passes continue as long as each removes at least one in this many of the remaining states.
const WORTH: usize = 4;

/// Whether some state can be reached from itself without faults.
///
/// # Errors
/// The limit that was reached.
pub(crate) fn has_cycle(edges: &Edges, states: usize, budget: &mut Budget<'_>) -> Result<bool, Limit> {
    budget.afford(4 * BitSet::bytes_for(states))?;
    let mut rest = Rest { edges, gone: BitSet::new(states), left: states };
    let (mut held, mut held_next) = (BitSet::new(states), BitSet::new(states));
    rest.for_each(budget, |state, targets| {
        targets.iter().filter(|&&it| it as usize <= state).for_each(|&it| held.insert(it as usize));
        true
    })?;
    loop {
        let before = rest.left;
        rest.for_each(budget, |state, targets| {
            let is_held = held.contains(state);
            if is_held {
                for target in targets.iter().map(|&it| it as usize) {
                    if target > state { held.insert(target) } else { held_next.insert(target) }
                }
            }
            is_held
        })?;
        let gone = before - rest.left;
        if rest.left == 0 || gone == 0 {
            return Ok(rest.left > 0);
        }
        if gone * WORTH < rest.left {
            drop((held, held_next));
            return rest.sort(budget);
        }
        held.clear();
        std::mem::swap(&mut held, &mut held_next);
    }
}

/// What has not been removed from a graph.
struct Rest<'e> {
    edges: &'e Edges,
    gone: BitSet,
    left: usize,
}

impl Rest<'_> {
    /// Calls `stays` for each remaining state, upwards, with its successors, and removes those for which it returns
    /// false.
    fn for_each(
        &mut self,
        budget: &mut Budget<'_>,
        mut stays: impl FnMut(usize, &[u32]) -> bool,
    ) -> Result<(), Limit> {
        let Self { edges, gone, left } = self;
        let before = gone.clone();
        visit(edges, Order::Upwards, &before, budget, |block, lists, _| {
            for (place, state) in edges.block(block).enumerate() {
                if !gone.contains(state) && !stays(state, lists.of(place)) {
                    gone.insert(state);
                    *left -= 1;
                }
            }
            Ok(())
        })
    }

    /// Removes all states that can be, by counts; whether some remain.
    fn sort(mut self, budget: &mut Budget<'_>) -> Result<bool, Limit> {
        let (blocks, states) = (self.edges.block_count(), self.gone.bound());
        budget.afford(states + 2 * BitSet::bytes_for(states) + BitSet::bytes_for(blocks))?;
        let mut incoming = Incoming::new(states);
        self.for_each(budget, |_, targets| {
            targets.iter().for_each(|&target| incoming.add(target));
            true
        })?;
        budget.afford(incoming.bytes() + BitSet::bytes_for(states) + BitSet::bytes_for(blocks))?;
        // Each pass visits, upwards, the blocks with removable states.
        let (mut todo, mut visits, mut lists) = (BitSet::full(blocks), 0_usize, Lists::default());
        while let Some(first) = todo.first() {
            let mut next = Some(first);
            while let Some(block) = next {
                visits += 1;
                if visits.is_multiple_of(TICK) {
                    budget.check()?;
                }
                todo.remove(block);
                self.take_out(block, &mut incoming, &mut todo, &mut lists);
                next = todo.first_from(block + 1);
            }
        }
        Ok(self.left > 0)
    }

    /// Removes the states of a block to which no transition remains, and queues the blocks of states that this makes
    /// removable.
    fn take_out(&mut self, block: usize, incoming: &mut Incoming, todo: &mut BitSet, lists: &mut Lists) {
        let states = self.edges.block(block);
        if states.clone().all(|state| self.gone.contains(state) || !incoming.is_none(state)) {
            return;
        }
        self.edges.read_block(block, lists);
        for (place, state) in states.enumerate() {
            if !incoming.is_none(state) || self.gone.contains(state) {
                continue;
            }
            self.gone.insert(state);
            self.left -= 1;
            for &target in lists.of(place) {
                let is_ahead = target as usize > state && target as usize / BLOCK == block;
                if incoming.remove(target) && !is_ahead {
                    todo.insert(target as usize / BLOCK);
                }
            }
        }
    }
}

/// By state: the number of remaining transitions to it, in a byte if that suffices.
struct Incoming {
    few: Vec<u8>,
    /// The excess over a full byte.
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

    /// Whether it was the last one.
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
