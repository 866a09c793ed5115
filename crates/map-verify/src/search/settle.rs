//! The end of a batch: the states that it found get their numbers, and its transitions are packed.
//!
//! One thread gives the numbers, state by state, in the order in which one thread would have come to them, then puts the
//! keys in that order. The rest needs no order: the other threads pack transitions as soon as their targets have numbers,
//! each those of some blocks of states, and the first one helps them when it is done.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::crew::Helper;
use super::rounds::{BATCH, Order, workers};
use super::{Found, NO_PANIC, Search, mark};
use crate::batch::{Expanded, Target, Worker};
use crate::edges::{BLOCK, Edge, Keeps, Piece};
use crate::frontier::Frontier;
use crate::system::Weight;

/// States whose transitions a thread packs at a time; few in debug builds, so that tests see batches shared by threads.
const SHARE: usize = if cfg!(debug_assertions) { BLOCK } else { 32 * BLOCK };

/// A rank or the number of a weight that is not known, and a state that nobody has expanded.
const UNKNOWN: u32 = u32::MAX;
const NO_PART: (u32, u32) = (u32::MAX, u32::MAX);

/// Where the threads pack transitions: enough for a batch, if there are several threads.
pub(super) fn pieces(keeps: Keeps, threads: usize) -> Vec<Piece> {
    let count = if threads > 1 { BATCH / SHARE } else { 0 };
    (0..count).map(|_| Piece::new(keeps)).collect()
}

/// What the workers say of the states of a batch, in the order of these, and where it is packed.
pub(super) struct Batch {
    workers: Vec<Worker>,
    /// For each state the worker that has expanded it, and which of those that this one has expanded it is.
    parts: Vec<(u32, u32)>,
    /// The first provisional number.
    base: u32,
    /// For each provisional number how manieth of the states found it is, once that is known.
    ranks: Vec<AtomicU32>,
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
        let (index, part) = self.parts[place];
        let worker = &self.workers[index as usize];
        (index as usize, worker, &worker.expanded[part as usize])
    }

    /// How manieth of the states found a provisional number is, if that is known.
    fn rank(&self, provisional: usize) -> Option<u32> {
        Some(self.ranks[provisional].load(Ordering::Relaxed)).filter(|&rank| rank != UNKNOWN)
    }

    /// The number of a target that has one.
    fn number(&self, target: &Target) -> u32 {
        match target.number.checked_sub(self.base) {
            None => target.number,
            Some(provisional) => self.base + self.rank(provisional as usize).expect("given before"),
        }
    }

    /// The transitions of the state at a place in the batch, whose targets have numbers.
    fn list(&self, place: usize) -> impl Iterator<Item = Edge> {
        let (index, worker, expanded) = self.part(place);
        let weights = &self.weights[index];
        worker.targets[expanded.targets.clone()].iter().map(move |step| {
            let weight =
                if step.weight == 0 { 0 } else { weights[step.weight as usize].load(Ordering::Relaxed) };
            Edge { target: self.number(step), unlucky: step.unlucky, weight }
        })
    }

    /// Packs shares, until all are packed.
    pub(super) fn pack(&self) {
        let next = || self.shares.lock().expect(NO_PANIC).recv();
        while let Ok(Share { places, fresh, piece }) = next() {
            let piece = &mut self.pieces[piece].lock().expect(NO_PANIC);
            piece.start(fresh);
            places.for_each(|place| piece.push_state(self.list(place)));
        }
    }
}

/// Numbers for the states that a batch has found.
struct Numbering<'n> {
    batch: &'n Batch,
    found: &'n mut Found,
    frontier: Option<&'n mut Frontier>,
    /// The first state of the batch, and the first one of the level after.
    first: usize,
    level_end: usize,
    /// How many have their numbers.
    fresh: u32,
}

impl Numbering<'_> {
    /// Gives numbers to the targets of the state at a place in the batch that have none, and takes over its marks.
    fn number_targets(&mut self, place: usize) {
        let Self { batch, found, frontier, .. } = self;
        let (index, worker, expanded) = batch.part(place);
        let Found { marks, weights, transitions, unclean, .. } = &mut **found;
        let source = &mut marks[self.first + place];
        *source |= expanded.marks;
        let is_clean = *source & mark::CLEAN != 0;
        *transitions += expanded.transitions as usize;
        for at in expanded.targets.clone() {
            let step = &worker.targets[at];
            let clean = is_clean && !step.compared;
            let provisional = step.number.checked_sub(batch.base).map(|it| it as usize);
            if let Some(provisional) = provisional.filter(|&it| batch.rank(it).is_none()) {
                batch.ranks[provisional].store(self.fresh, Ordering::Relaxed);
                self.fresh += 1;
                marks.push(if clean { mark::CLEAN } else { 0 });
                *unclean += usize::from(!clean);
                if let Some(frontier) = frontier {
                    frontier.push(worker.kept.get(worker.vectors[at].clone()));
                }
            } else if clean && *unclean > 0 {
                let target = batch.number(step) as usize;
                if target >= self.level_end && marks[target] & mark::CLEAN == 0 {
                    marks[target] |= mark::CLEAN;
                    *unclean -= 1;
                }
            }
            if step.weight != 0 {
                let number = &batch.weights[index][step.weight as usize];
                if number.load(Ordering::Relaxed) == UNKNOWN {
                    let sent = &worker.buffers.weights[step.weight as usize];
                    number.store(number_of(weights, sent), Ordering::Relaxed);
                }
            }
        }
    }
}

impl Search<'_> {
    /// Gives the states found their numbers, in the order in which one thread would have come to them, and takes over
    /// what the workers say of the batch.
    pub(super) fn settle(&mut self, size: usize, crew: &[Helper<Order>]) {
        let (queue, shares) = channel();
        let batch = Arc::new(self.finished_batch(size, shares));
        let marks = &mut self.found.marks;
        if marks.capacity() - marks.len() < batch.ranks.len() {
            marks.reserve_exact(batch.ranks.len().max(marks.len() / 8));
        }
        // Pieces start with a block.
        let rest = self.expanded.next_multiple_of(BLOCK) - self.expanded;
        let is_shared = !crew.is_empty() && size >= rest + 2 * SHARE;
        let alone = if is_shared { rest } else { size };
        let crew = if is_shared { crew } else { &[] };
        crew.iter().for_each(|helper| helper.begin(Order::Pack(Arc::clone(&batch))));
        let forgets = self.store.forgets();
        let mut numbering = Numbering {
            batch: &batch,
            found: &mut self.found,
            frontier: forgets.then_some(&mut self.store.frontier),
            first: self.expanded,
            level_end: self.level_end,
            fresh: 0,
        };
        for place in 0..alone {
            numbering.number_targets(place);
            numbering.found.edges.push_state(batch.list(place));
        }
        let starts = (alone..size).step_by(SHARE);
        let packed = starts.len();
        for (piece, start) in starts.enumerate() {
            let places = start..size.min(start + SHARE);
            let fresh = batch.base + numbering.fresh;
            places.clone().for_each(|place| numbering.number_targets(place));
            queue.send(Share { places, fresh, piece }).expect(NO_PANIC);
        }
        drop(queue);
        self.store.keys.settle(|provisional| batch.rank(provisional));
        batch.pack();
        crew.iter().for_each(Helper::wait);
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
        let mut parts = vec![NO_PART; size];
        for (index, worker) in workers.iter().enumerate() {
            for (place, expanded) in worker.expanded.iter().enumerate() {
                parts[expanded.rank as usize] = (index as u32, place as u32);
            }
        }
        let unknown = |count| (0..count).map(|_| AtomicU32::new(UNKNOWN)).collect();
        Batch {
            parts,
            base: self.store.keys.settled(),
            ranks: unknown(self.store.keys.provisional()),
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
