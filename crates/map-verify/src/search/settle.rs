//! The end of a batch: the numbers of the states that it found are committed, and its transitions are packed.
//!
//! One thread gives the numbers, state by state, in the order in which one thread would have come to them, then puts the
//! keys in that order. The rest needs no order: the other threads pack transitions as soon as their targets have numbers,
//! each those of some blocks of states, and the first one helps them when it is done.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use indexmap::IndexSet;
use map_store::Pool;
use rustc_hash::FxBuildHasher;

use super::rounds::{BATCH, Order, workers};
use super::{Found, NO_PANIC, Search, mark};
use crate::batch::{Expanded, Worker};
use crate::edges::{BLOCK, Edge, Keeps, Piece};
use crate::system::Weight;

/// States whose transitions a thread packs at a time; few in debug builds, so that tests see batches shared by threads.
const SHARE: usize = if cfg!(debug_assertions) { BLOCK } else { 32 * BLOCK };

/// A number that is not known.
const UNKNOWN: u32 = u32::MAX;

/// Where the threads pack transitions: enough for a batch, if there are several threads.
pub(super) fn pieces(keeps: Keeps, threads: usize) -> Vec<Piece> {
    let count = if threads > 1 { BATCH / SHARE } else { 0 };
    (0..count).map(|_| Piece::new(keeps)).collect()
}

/// What the workers say of the states of a batch, in the order of these, and where it is packed.
pub(super) struct Batch {
    workers: Vec<Worker>,
    /// For each state the worker that has expanded it, and what came of it.
    parts: Vec<(u32, Expanded)>,
    /// The first provisional number.
    base: u32,
    /// For each provisional number the one that replaces it, once that is known.
    numbers: Vec<AtomicU32>,
    /// For each worker the numbers of its weights, once they are known.
    weights: Vec<Vec<AtomicU32>>,
    pieces: Vec<Mutex<Piece>>,
    /// Those that are to be packed, as soon as they can be.
    shares: Mutex<Receiver<Share>>,
}

/// States of a batch whose transitions are packed together, and whose targets have numbers.
struct Share {
    places: Range<usize>,
    /// The first state that they may find.
    fresh: u32,
    /// Into which piece they are packed.
    piece: usize,
}

impl Batch {
    /// The state at a place in the batch, and which worker has expanded it.
    fn part(&self, place: usize) -> (usize, &Worker, &Expanded) {
        let (index, expanded) = &self.parts[place];
        (*index as usize, &self.workers[*index as usize], expanded)
    }

    /// The rank of a provisional number among the states found, if it is one of them.
    fn rank(&self, provisional: usize) -> Option<u32> {
        let number = self.numbers[provisional].load(Ordering::Relaxed);
        (number != UNKNOWN).then(|| number - self.base)
    }

    /// Packs the transitions of the state at a place in the batch, whose targets have numbers.
    fn pack_state(&self, place: usize, piece: &mut Piece) {
        let (index, Worker { targets, .. }, &Expanded { targets: listed, .. }) = self.part(place);
        let numbers = targets.numbers(listed).iter().map(|number| number.load(Ordering::Relaxed));
        let Some(beside) = targets.beside(listed) else { return piece.push_targets(numbers) };
        let weights = &self.weights[index];
        piece.push_state(numbers.zip(beside).map(|(target, beside)| {
            let weight = match beside.weight {
                0 => 0,
                weight => weights[weight as usize].load(Ordering::Relaxed),
            };
            Edge { target, unlucky: beside.unlucky, weight }
        }));
    }

    /// Packs shares, until all are packed.
    pub(super) fn pack(&self) {
        let next = || self.shares.lock().expect(NO_PANIC).recv();
        while let Ok(Share { places, fresh, piece }) = next() {
            let piece = &mut self.pieces[piece].lock().expect(NO_PANIC);
            piece.start(fresh);
            places.for_each(|place| self.pack_state(place, piece));
        }
    }
}

/// Numbers for the states that a batch has found.
struct Numbering<'n> {
    batch: &'n Batch,
    found: &'n mut Found,
    /// The first state of the batch, and the first one of the level after.
    first: usize,
    level_end: usize,
    /// The next one.
    fresh: u32,
}

impl Numbering<'_> {
    /// Gives numbers to the targets of the state at a place in the batch that have none, and takes over its marks. States found
    /// are marked as clean already.
    fn number_targets(&mut self, place: usize) {
        let (index, worker, expanded) = self.batch.part(place);
        let source = &mut self.found.marks[self.first + place];
        *source |= expanded.marks;
        let is_clean = *source & mark::CLEAN != 0;
        let numbers = worker.targets.numbers(expanded.targets);
        let beside = worker.targets.beside(expanded.targets);
        if is_clean && self.found.unclean == 0 && beside.is_none() {
            numbers.iter().for_each(|number| _ = self.number(number));
            return;
        }
        for (at, number) in numbers.iter().enumerate() {
            let step = beside.map(|beside| &beside[at]);
            let clean = is_clean && !step.is_some_and(|step| step.compared);
            let (target, is_new) = self.number(number);
            self.mark(target as usize, is_new, clean);
            let Some(step) = step else { continue };
            if step.weight != 0 {
                let number = &self.batch.weights[index][step.weight as usize];
                if number.load(Ordering::Relaxed) == UNKNOWN {
                    let sent = &worker.buffers.weights[step.weight as usize];
                    number.store(number_of(&mut self.found.weights, sent), Ordering::Relaxed);
                }
            }
        }
    }

    /// Replaces the number of a target if it is a provisional one; the number, and whether it was found just now.
    #[inline(always)]
    fn number(&mut self, target: &AtomicU32) -> (u32, bool) {
        let number = target.load(Ordering::Relaxed);
        let provisional = number.wrapping_sub(self.batch.base) as usize;
        let Some(replaced) = self.batch.numbers.get(provisional) else { return (number, false) };
        let known = replaced.load(Ordering::Relaxed);
        // Whether it is cannot be predicted.
        let is_new = known == UNKNOWN;
        let number = if is_new { self.fresh } else { known };
        self.fresh += u32::from(is_new);
        replaced.store(number, Ordering::Relaxed);
        target.store(number, Ordering::Relaxed);
        (number, is_new)
    }

    /// Marks a target to which a clean step leads, or another one.
    fn mark(&mut self, target: usize, is_new: bool, clean: bool) {
        let Found { marks, unclean, .. } = &mut *self.found;
        if is_new && !clean {
            marks[target] = 0;
            *unclean += 1;
        } else if !is_new && clean && *unclean > 0 && target >= self.level_end {
            *unclean -= usize::from(marks[target] & mark::CLEAN == 0);
            marks[target] |= mark::CLEAN;
        }
    }
}

impl Search<'_> {
    /// Gives the states found their numbers, in the order in which one thread would have come to them, and takes over
    /// what the workers say of the batch.
    pub(super) fn commit(&mut self, size: usize, pool: &Pool<Order>) {
        let (queue, shares) = channel();
        let batch = Arc::new(self.finished_batch(size, shares));
        let (base, most) = (batch.base as usize, batch.numbers.len());
        let marks = &mut self.found.marks;
        if marks.capacity() - base < most {
            marks.reserve_exact(most.max(base / 8));
        }
        // Hardly any state is not clean.
        marks.resize(base + most, mark::CLEAN);
        // Pieces start with a block.
        let rest = self.expanded.next_multiple_of(BLOCK) - self.expanded;
        let is_shared = pool.workers() > 0 && size >= rest + 2 * SHARE;
        let alone = if is_shared { rest } else { size };
        if is_shared {
            pool.send_all(&Order::Pack(Arc::clone(&batch)));
        }
        let mut numbering = Numbering {
            batch: &batch,
            found: &mut self.found,
            first: self.expanded,
            level_end: self.level_end,
            fresh: batch.base,
        };
        for place in 0..alone {
            numbering.number_targets(place);
            batch.pack_state(place, numbering.found.edges.end());
        }
        let starts = (alone..size).step_by(SHARE);
        let packed = starts.len();
        for (piece, start) in starts.enumerate() {
            let places = start..size.min(start + SHARE);
            let fresh = numbering.fresh;
            places.clone().for_each(|place| numbering.number_targets(place));
            queue.send(Share { places, fresh, piece }).expect(NO_PANIC);
        }
        drop(queue);
        let end = numbering.fresh as usize;
        self.found.marks.truncate(end);
        self.store.keys.commit(|provisional| batch.rank(provisional));
        batch.pack();
        if is_shared {
            pool.wait_all();
        }
        let batch = Arc::into_inner(batch).expect("those who have packed it have no more of it");
        self.workers = batch.workers.into_iter().map(Mutex::new).collect();
        self.pieces = batch.pieces.into_iter().map(|piece| piece.into_inner().expect(NO_PANIC)).collect();
        self.pieces[..packed].iter().for_each(|piece| self.found.edges.append(piece));
        self.expanded += size;
        self.take_over();
    }

    /// A batch of so many states, which the workers have expanded.
    fn finished_batch(&mut self, size: usize, shares: Receiver<Share>) -> Batch {
        let unlocked = self.workers.drain(..).map(|worker| worker.into_inner().expect(NO_PANIC));
        let workers: Vec<Worker> = unlocked.collect();
        let mut parts = vec![(u32::MAX, Expanded::default()); size];
        for (worker, index) in workers.iter().zip(0..) {
            for &expanded in &worker.expanded {
                parts[expanded.rank as usize] = (index, expanded);
            }
        }
        let unknown = |count| (0..count).map(|_| AtomicU32::new(UNKNOWN)).collect();
        Batch {
            parts,
            base: self.store.keys.committed(),
            numbers: unknown(self.store.keys.provisional()),
            weights: workers.iter().map(|worker| unknown(worker.buffers.weights.len())).collect(),
            workers,
            pieces: self.pieces.drain(..).map(Mutex::new).collect(),
            shares: Mutex::new(shares),
        }
    }

    /// Takes over what the workers have noted beside the states.
    fn take_over(&mut self) {
        let mut first_fault: Option<(u32, String)> = None;
        for worker in workers(&mut self.workers) {
            self.found.transitions += worker.transitions;
            self.found.coverage.take(&mut worker.noted.coverage);
            self.found.cut_by.extend(worker.noted.cut_by.drain(..));
            self.found.too_long |= worker.noted.too_long;
            if let Some((rank, fault)) = worker.fault.take()
                && first_fault.as_ref().is_none_or(|(known, _)| rank < *known)
            {
                first_fault = Some((rank, fault));
            }
            for (kind, site) in std::mem::take(&mut worker.noted.sites) {
                self.found.offer(kind, site);
            }
        }
        self.fault = first_fault.map(|(_, fault)| fault);
    }
}

/// The number of what a transition sends.
fn number_of(weights: &mut IndexSet<Weight, FxBuildHasher>, sent: &Weight) -> u32 {
    let known = weights.get_index_of(sent);
    known.unwrap_or_else(|| weights.insert_full(sent.clone()).0) as u32
}
