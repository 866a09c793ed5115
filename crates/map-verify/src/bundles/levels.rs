//! What is done between two rounds: their results are taken over, and what is missing is filled in.

use std::sync::atomic::AtomicUsize;

use super::{Search, Silence};
use crate::agents::Missing;
use crate::report::{Limits, Progress};
use crate::search::NO_PANIC;

/// If so much is missing it is filled in while another thread prepares the round.
const WORTH_A_THREAD: usize = if cfg!(debug_assertions) { 2 } else { 1 << 9 };

impl Search<'_> {
    /// Takes over what came of the round before, and makes the next one; whether there is one.
    pub(super) fn prepare(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<bool, Silence> {
        self.take_over(limits)?;
        let snapshot = self.snapshot();
        progress.tick(&snapshot).map_or(Ok(()), |limit| Err(Silence::Told(limit)))?;
        let memory = self.memory(limits);
        let Self { workers, space, visited, .. } = self;
        let mut missing: Vec<Missing> = Vec::new();
        visited.round.clear();
        for worker in workers {
            let worker = worker.get_mut().expect(NO_PANIC);
            missing.extend(worker.missing.drain(..));
            // What has missed something is expanded next.
            visited.round.append(&mut worker.again);
        }
        let helped = self.workers.len() > 1 && missing.len() >= WORTH_A_THREAD;
        let mut fill_in = || missing.drain(..).for_each(|missing| space.agents.fill(missing));
        let is_new_level = if helped {
            std::thread::scope(|scope| {
                let next = scope.spawn(|| visited.next_round(memory));
                fill_in();
                next.join().expect(NO_PANIC)
            })
        } else {
            fill_in();
            visited.next_round(memory)
        }?;
        let is_round = !self.visited.round.is_empty();
        self.depth += usize::from(is_new_level && is_round && self.expanded > 0);
        self.taken = self.workers.iter().map(|_| AtomicUsize::new(0)).collect();
        Ok(is_round)
    }

    /// Takes over what the workers have found; for what they had no room, room is made.
    fn take_over(&mut self, limits: &Limits) -> Result<(), Silence> {
        loop {
            let left_over: usize = self.workers().map(|it| it.left_over()).sum();
            if left_over == 0 {
                break;
            }
            self.take_over_slots();
            self.visited.make_room(left_over, self.memory(limits))?;
            let Self { workers, visited, .. } = self;
            for worker in workers {
                worker.get_mut().expect(NO_PANIC).add_left_over(&visited.found);
            }
        }
        self.take_over_slots();
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

    fn take_over_slots(&mut self) {
        let Self { workers, visited, .. } = self;
        for worker in workers {
            visited.take_over(&mut worker.get_mut().expect(NO_PANIC).reached.slots);
        }
    }

    /// Bytes that are left for the visited set.
    fn memory(&self, limits: &Limits) -> usize {
        limits.memory.saturating_sub(self.bytes() - self.visited.bytes())
    }
}
