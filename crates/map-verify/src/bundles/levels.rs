//! Levels, and rounds of their states: what one thread does between two rounds.

use std::sync::atomic::AtomicUsize;

use super::{Search, Silence};
use crate::report::{Limits, Progress};
use crate::search::NO_PANIC;
use crate::space::Bundle;

/// Bundles of a level that are expanded before the agent tables are filled in; few in debug builds, so that tests see many
/// rounds.
const ROUND: usize = if cfg!(debug_assertions) { 16 } else { 1 << 14 };

/// Bundles, and nodes of the trees of their halves, that are made room for: for each bundle of a round, and at least. In
/// debug builds it is not enough.
const ROOM_EACH: usize = if cfg!(debug_assertions) { 1 } else { 4 };
const ROOM_LEAST: usize = if cfg!(debug_assertions) { 1 } else { 1 << 9 };

impl Search<'_> {
    /// Takes over what came of the round before, and makes the next one; whether there is one.
    pub(super) fn prepare(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<bool, Silence> {
        self.take_over(limits)?;
        let snapshot = self.snapshot();
        progress.tick(&snapshot).map_or(Ok(()), |limit| Err(Silence::Told(limit)))?;
        self.fill_in();
        if self.round.is_empty() && self.begun == self.level.len() {
            self.next_level();
        }
        let end = self.level.len().min(self.begun + ROUND);
        self.round.extend_from_slice(&self.level[self.begun..end]);
        self.begun = end;
        self.taken = self.workers.iter().map(|_| AtomicUsize::new(0)).collect();
        self.make_room(self.round.len() * ROOM_EACH, limits)?;
        Ok(!self.round.is_empty())
    }

    /// Takes over what the workers have found; for what they had no room, room is made.
    fn take_over(&mut self, limits: &Limits) -> Result<(), Silence> {
        loop {
            let left_over: usize = self.workers().map(|it| it.left_over()).sum();
            if left_over == 0 {
                break;
            }
            self.make_room(left_over, limits)?;
            let Self { workers, found, .. } = self;
            for worker in workers {
                worker.get_mut().expect(NO_PANIC).add_left_over(found);
            }
        }
        let (mut is_full, mut is_unusual) = (false, false);
        let Self { workers, coverage, states, expanded, transitions, .. } = self;
        for worker in workers {
            let worker = worker.get_mut().expect(NO_PANIC);
            is_full |= std::mem::take(&mut worker.is_full);
            is_unusual |= worker.is_unusual;
            *states += std::mem::take(&mut worker.reached.states);
            *expanded += std::mem::take(&mut worker.expanded);
            *transitions += std::mem::take(&mut worker.transitions);
            coverage.take(&mut worker.noted.coverage);
        }
        if is_unusual {
            return Err(Silence::Unusual);
        }
        // So that the same states come further, however many nodes they need.
        if is_full { self.make_room(2 * self.round.len() * ROOM_EACH, limits) } else { Ok(()) }
    }

    /// Fills in what was missing in the agent tables. The states that have missed it are those of the next round.
    fn fill_in(&mut self) {
        let Self { workers, space, round, .. } = self;
        round.clear();
        for worker in workers {
            let worker = worker.get_mut().expect(NO_PANIC);
            worker.missing.drain(..).for_each(|missing| space.agents.fill(missing));
            round.append(&mut worker.again);
        }
    }

    /// Room for so many more bundles and nodes, within the limits.
    fn make_room(&mut self, more: usize, limits: &Limits) -> Result<(), Silence> {
        let more = more.max(ROOM_LEAST);
        let others = self.bytes() - self.found.bytes() - self.store.bytes();
        let tables = self.found.bytes_with_room(more) + self.store.bytes_with_room(0, more);
        if others + tables > limits.memory || self.states > limits.states {
            return Err(Silence::Unusual);
        }
        self.store.make_room_for_nodes(more)?;
        if self.found.make_room(more)? {
            let moved: Vec<u32> = self.found.with_fresh().collect();
            self.workers().for_each(|worker| worker.reached.slots.clear());
            self.workers[0].get_mut().expect(NO_PANIC).reached.slots = moved;
        }
        Ok(())
    }

    /// Goes on to the next level, if there is one.
    fn next_level(&mut self) {
        let Self { workers, found, level, .. } = self;
        level.clear();
        for worker in workers {
            let next = worker.get_mut().expect(NO_PANIC).reached.slots.drain(..);
            level.extend(next.map(|slot| {
                let (key, lefts) = found.take_fresh(slot);
                Bundle::with_key(key, lefts)
            }));
        }
        self.level.sort_unstable_by_key(|bundle| (bundle.right, bundle.base));
        self.begun = 0;
        self.depth += usize::from(!self.level.is_empty() && self.expanded > 0);
    }
}
