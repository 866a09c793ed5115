//! The end of a batch: the states that it found get their numbers, and its transitions are packed.
//!
//! One thread gives the numbers, state by state, in the order in which one thread would have come to them. The rest
//! needs no order: several threads pack the transitions, each those of some blocks of states, while the first one puts the
//! keys in the order of their numbers.

use std::ops::Range;
use std::sync::Mutex;

use indexmap::IndexSet;
use map_store::Keys;
use rustc_hash::FxBuildHasher;

use super::rounds::{BATCH, workers};
use super::{Found, NO_PANIC, Search, mark};
use crate::batch::{Expanded, Target, Worker};
use crate::edges::{BLOCK, Edge, Keeps, Piece};
use crate::frontier::Frontier;
use crate::system::Weight;

/// States whose transitions a thread packs at a time; few in debug builds, so that tests see batches shared by threads.
const SHARE: usize = if cfg!(debug_assertions) { BLOCK } else { 32 * BLOCK };

/// A weight that has no number yet, and a state that nobody has expanded.
const NO_WEIGHT: u32 = u32::MAX;
const NO_PART: (u32, u32) = (u32::MAX, u32::MAX);

/// Where the threads pack transitions: enough for a batch, if there are several threads.
pub(super) fn pieces(keeps: Keeps, threads: usize) -> Vec<Piece> {
    let count = if threads > 1 { BATCH / SHARE } else { 0 };
    (0..count).map(|_| Piece::new(keeps)).collect()
}

/// What the workers say of the states of a batch, in the order of these.
struct Batch<'w> {
    workers: Vec<&'w Worker>,
    /// For each state the worker that has expanded it, and which of those that this one has expanded it is.
    parts: Vec<(u32, u32)>,
    /// The first of its states, and the first state of the level after.
    first: usize,
    level_end: usize,
    /// The first provisional number.
    base: u32,
    /// For each provisional number how manieth of the states found it is, once that is known.
    ranks: Vec<Option<u32>>,
    /// How many of them are known.
    fresh: u32,
    /// For each worker the numbers of its weights, once they are known.
    weights: Vec<Vec<u32>>,
}

/// States of a batch whose transitions are packed together.
struct Share {
    places: Range<usize>,
    /// The first state that they may find.
    fresh: u32,
}

impl<'w> Batch<'w> {
    /// A batch of so many states, which are the first ones of what is left of the level.
    fn new(workers: Vec<&'w Worker>, level: Range<usize>, size: usize, keys: &Keys) -> Self {
        let mut parts = vec![NO_PART; size];
        for (index, worker) in workers.iter().enumerate() {
            for (place, expanded) in worker.expanded.iter().enumerate() {
                parts[expanded.rank as usize] = (index as u32, place as u32);
            }
        }
        let weights = workers.iter().map(|worker| vec![NO_WEIGHT; worker.buffers.weights.len()]).collect();
        Self {
            workers,
            parts,
            first: level.start,
            level_end: level.end,
            base: keys.settled(),
            ranks: vec![None; keys.provisional()],
            fresh: 0,
            weights,
        }
    }

    /// The state at a place in the batch, and which worker has expanded it.
    fn part(&self, place: usize) -> (usize, &'w Worker, &'w Expanded) {
        let (index, part) = self.parts[place];
        let worker = self.workers[index as usize];
        (index as usize, worker, &worker.expanded[part as usize])
    }

    /// Gives numbers to the targets of the state at a place in the batch that have none, and takes over its marks.
    fn number_targets(&mut self, place: usize, found: &mut Found, mut frontier: Option<&mut Frontier>) {
        let (index, worker, expanded) = self.part(place);
        let Found { marks, weights, transitions, unclean, .. } = found;
        let source = &mut marks[self.first + place];
        *source |= expanded.marks;
        let is_clean = *source & mark::CLEAN != 0;
        *transitions += expanded.transitions as usize;
        for at in expanded.targets.clone() {
            let step = &worker.targets[at];
            let clean = is_clean && !step.compared;
            let provisional = step.number.checked_sub(self.base).map(|it| it as usize);
            if let Some(provisional) = provisional.filter(|&it| self.ranks[it].is_none()) {
                self.ranks[provisional] = Some(self.fresh);
                self.fresh += 1;
                marks.push(if clean { mark::CLEAN } else { 0 });
                *unclean += usize::from(!clean);
                if let Some(frontier) = &mut frontier {
                    frontier.push(worker.kept.get(worker.vectors[at].clone()));
                }
            } else if clean && *unclean > 0 {
                let target = self.number(step) as usize;
                if target >= self.level_end && marks[target] & mark::CLEAN == 0 {
                    marks[target] |= mark::CLEAN;
                    *unclean -= 1;
                }
            }
            if step.weight != 0 && self.weights[index][step.weight as usize] == NO_WEIGHT {
                let sent = &worker.buffers.weights[step.weight as usize];
                self.weights[index][step.weight as usize] = number_of(weights, sent);
            }
        }
    }

    /// The number of a target that has one.
    fn number(&self, target: &Target) -> u32 {
        match target.number.checked_sub(self.base) {
            None => target.number,
            Some(provisional) => self.base + self.ranks[provisional as usize].expect("given before"),
        }
    }

    /// The transitions of the state at a place in the batch, whose targets have numbers.
    fn list(&self, place: usize) -> impl Iterator<Item = Edge> {
        let (index, worker, expanded) = self.part(place);
        worker.targets[expanded.targets.clone()].iter().map(move |step| {
            let weight = if step.weight == 0 { 0 } else { self.weights[index][step.weight as usize] };
            Edge { target: self.number(step), unlucky: step.unlucky, weight }
        })
    }

    /// Packs the transitions of each share into a piece, while the first thread does something else before it helps.
    fn pack(&self, shares: &[Share], pieces: &mut [Piece], first: impl FnOnce()) {
        let left = Mutex::new(shares.iter().zip(pieces));
        let work = || {
            loop {
                let next = left.lock().expect(NO_PANIC).next();
                let Some((share, piece)) = next else { return };
                piece.start(share.fresh);
                share.places.clone().for_each(|place| piece.push_state(self.list(place)));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.workers.len().min(shares.len()) {
                scope.spawn(work);
            }
            first();
            work();
        });
    }
}

impl Search<'_> {
    /// Gives the states found their numbers, in the order in which one thread would have come to them, and takes over
    /// what the workers say of the batch.
    pub(super) fn settle(&mut self, size: usize) {
        let workers = workers(&mut self.workers).map(|worker| &*worker).collect();
        let mut batch = Batch::new(workers, self.expanded..self.level_end, size, &self.store.keys);
        let found = &mut self.found;
        let marks = &mut found.marks;
        if marks.capacity() - marks.len() < batch.ranks.len() {
            marks.reserve_exact(batch.ranks.len().max(marks.len() / 8));
        }
        let forgets = self.store.forgets();
        let mut frontier = forgets.then_some(&mut self.store.frontier);
        // Pieces start with a block.
        let rest = self.expanded.next_multiple_of(BLOCK) - self.expanded;
        let is_shared = !self.pieces.is_empty() && size >= rest + 2 * SHARE;
        let alone = if is_shared { rest } else { size };
        for place in 0..alone {
            batch.number_targets(place, found, frontier.as_deref_mut());
            found.edges.push_state(batch.list(place));
        }
        let mut shares = Vec::new();
        for start in (alone..size).step_by(SHARE) {
            let places = start..size.min(start + SHARE);
            shares.push(Share { places: places.clone(), fresh: batch.base + batch.fresh });
            places.for_each(|place| batch.number_targets(place, found, frontier.as_deref_mut()));
        }
        let pieces = &mut self.pieces[..shares.len()];
        batch.pack(&shares, pieces, || self.store.keys.settle(&batch.ranks));
        pieces.iter().for_each(|piece| found.edges.append(piece));
        self.expanded += size;
        self.take_over();
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
