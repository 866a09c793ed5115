//! The end of a batch: new states get their final numbers, in the order in which a single thread would have found
//! them.

use std::sync::Mutex;

use super::observer::{Expanded, Finished, Observer, Part};
use super::worker::Worker;
use super::{Explorer, NO_PANIC};

/// No final number assigned yet.
const UNKNOWN: u32 = u32::MAX;

impl<O: Observer> Explorer<'_, O> {
    /// Collects a batch of `size` states that the workers have expanded, and numbers the new states.
    pub(super) fn finish(&mut self, size: usize) -> Finished<O> {
        let take_part = |worker: &mut Mutex<Worker<O>>| {
            let worker = worker.get_mut().expect(NO_PANIC);
            let weights = std::mem::take(&mut worker.buffers.weights);
            Part { weights, ..std::mem::replace(&mut worker.part, Part::new(self.observer.notes())) }
        };
        let mut parts: Vec<Part<O>> = self.workers.iter_mut().map(take_part).collect();
        let mut states = vec![(u32::MAX, Expanded::default()); size];
        for (part, index) in parts.iter().zip(0..) {
            for &expanded in &part.expanded {
                states[expanded.place as usize] = (index, expanded);
            }
        }
        let base = self.store.keys.committed();
        let mut numbers = vec![UNKNOWN; self.store.keys.provisional()];
        let mut fresh = Vec::with_capacity(size + 1);
        let mut next = base;
        for (thread, expanded) in &states {
            fresh.push(next);
            for target in parts[*thread as usize].targets.numbers_mut(expanded.targets) {
                let Some(number) = numbers.get_mut(target.wrapping_sub(base) as usize) else { continue };
                // Branch-free: whether a target is new cannot be predicted.
                let is_new = *number == UNKNOWN;
                *number = if is_new { next } else { *number };
                next += u32::from(is_new);
                *target = *number;
            }
        }
        fresh.push(next);
        self.store.keys.commit(|provisional| {
            let number = numbers[provisional];
            (number != UNKNOWN).then(|| number - base)
        });
        Finished { parts, states, first: self.expanded, fresh, level_end: self.level_end }
    }

    /// Hands a batch over to the observer, and merges the workers' other results.
    pub(super) fn commit(&mut self, mut batch: Finished<O>) {
        self.observer.commit(&self.system, &mut batch);
        self.expanded += batch.len();
        let mut first_fault: Option<(u32, String)> = None;
        for (worker, part) in self.workers.iter_mut().zip(batch.parts) {
            let worker = worker.get_mut().expect(NO_PANIC);
            worker.part = part;
            worker.buffers.weights = std::mem::take(&mut worker.part.weights);
            self.transitions += worker.transitions;
            self.cut_by.extend(worker.cut_by.drain(..));
            self.too_long |= worker.too_long;
            if let Some((place, fault)) = worker.fault.take()
                && first_fault.as_ref().is_none_or(|(known, _)| place < *known)
            {
                first_fault = Some((place, fault));
            }
        }
        self.fault = first_fault.map(|(_, fault)| fault);
    }
}
