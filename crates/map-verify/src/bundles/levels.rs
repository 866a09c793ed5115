//! What is done between two rounds: their results are taken over, and what is missing is filled in.

use std::sync::atomic::AtomicUsize;

use super::{Search, Silence};
use crate::report::{Limits, Progress};
use crate::search::NO_PANIC;

impl Search<'_> {
    /// Takes over what came of the round before, and makes the next one; whether there is one.
    pub(super) fn prepare(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<bool, Silence> {
        self.take_over(limits)?;
        let snapshot = self.snapshot();
        progress.tick(&snapshot).map_or(Ok(()), |limit| Err(Silence::Told(limit)))?;
        self.fill_in();
        let memory = self.memory(limits);
        let is_new_level = self.visited.next_round(memory)?;
        let is_round = !self.visited.round.is_empty();
        self.depth += usize::from(is_new_level && is_round && self.expanded > 0);
        self.taken = self.workers.iter().map(|_| AtomicUsize::new(0)).collect();
        Ok(is_round)
    }

    /// Fills in what was missing in the agent tables. The states that have missed it are those of the next round.
    fn fill_in(&mut self) {
        let Self { workers, space, visited, .. } = self;
        visited.round.clear();
        for worker in workers {
            let worker = worker.get_mut().expect(NO_PANIC);
            worker.missing.take().for_each(|missing| space.agents.fill(missing));
            visited.round.append(&mut worker.again);
        }
    }

    /// Takes over what the workers have found; for what they had no room, room is made.
    fn take_over(&mut self, limits: &Limits) -> Result<(), Silence> {
        loop {
            let left_over: usize = self.workers().map(|it| it.left_over()).sum();
            if left_over == 0 {
                break;
            }
            self.visited.make_room(left_over, self.memory(limits))?;
            let Self { workers, visited, .. } = self;
            for worker in workers {
                worker.get_mut().expect(NO_PANIC).add_left_over(&visited.found);
            }
        }
        let (mut is_full, mut is_unusual) = (false, false);
        let Self { workers, visited, coverage, states, expanded, transitions, .. } = self;
        for worker in workers {
            let worker = worker.get_mut().expect(NO_PANIC);
            is_full |= std::mem::take(&mut worker.is_full);
            is_unusual |= worker.is_unusual;
            *states += std::mem::take(&mut worker.reached.states);
            visited.take_over(&mut worker.reached.bundles);
            *expanded += std::mem::take(&mut worker.expanded);
            *transitions += std::mem::take(&mut worker.transitions);
            coverage.take(&mut worker.noted.coverage);
        }
        if is_unusual || *states > limits.states {
            return Err(Silence::Unusual);
        }
        // So that the same states come further, however many nodes they need.
        if is_full {
            let again = 2 * self.visited.round.len();
            self.visited.make_room_for(again, self.memory(limits))?;
        }
        Ok(())
    }

    /// Bytes that are left for the visited set.
    fn memory(&self, limits: &Limits) -> usize {
        limits.memory.saturating_sub(self.bytes() - self.visited.bytes())
    }
}
