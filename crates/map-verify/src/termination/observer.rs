//! The observer for termination: records violations, coverage, marks of states, and the transitions between them.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use map_ir::Program;
use map_semantics::{Judgement, Network, StepKind};
use map_store::Full;

use super::notes::Notes;
use super::site::Site;
use crate::coverage::Coverage;
use crate::explore::{Finished, Keep, Observer, Source};
use crate::graph::edges::{BLOCK, Edge, Edges, Keeps, Piece};
use crate::mark;
use crate::partial_order::overflow::{Weight, Weights};
use crate::report::ViolationKind;
use crate::saved::Out;
use crate::state::Successor;
use crate::state::space::Space;
use crate::state::store::Store;
use crate::system::System;
use crate::tuning::Tuning;

/// No number assigned yet.
const UNKNOWN: u32 = u32::MAX;

/// What is kept of a step to a stored state: what distinguishes it from others to the same state.
#[derive(Clone, Copy)]
pub(crate) struct KeptStep {
    agent: u32,
    thread: u32,
    /// The number of its weight, in the thread's numbering.
    weight: u32,
    kind: StepKind,
    /// Whether it depends on an open comparison.
    compared: bool,
    /// Whether it is a fault.
    unlucky: bool,
}

impl KeptStep {
    /// Its agent and thread.
    fn by(&self) -> u64 {
        u64::from(self.agent) | u64::from(self.thread) << u32::BITS
    }
}

/// The observer that decides termination.
pub(crate) struct Termination<'a> {
    program: &'a Program,
    keep_going: bool,
    /// Number of states whose transitions a thread packs at a time.
    share: usize,
    pub(super) marks: Vec<u8>,
    pub(super) edges: Edges,
    /// The weights of transitions, numbered in the order in which a single thread would have found them.
    pub(super) weights: Weights,
    /// By thread: the final numbers of its weights in the current batch, as far as assigned.
    weight_numbers: Vec<Vec<u32>>,
    /// Number of states of the next level that are not marked as clean.
    pub(super) unclean: usize,
    pub(super) coverage: Coverage,
    pub(super) sites: BTreeMap<ViolationKind, Site>,
    /// The packed transitions of each share.
    pieces: Vec<Mutex<Piece>>,
    keeps: Keeps,
}

impl<'a> Termination<'a> {
    /// Without `keep_going` the search ends with the level of the first violation.
    pub(crate) fn new(system: &System<'a>, tuning: &Tuning, keep_going: bool) -> Self {
        // Neither an order of messages nor a delay is a fault: whatever must be reachable may be reachable by it.
        let Network { unordered: _, delayed: _, losses, crashes } = system.space.bounds.network;
        let keeps = Keeps { faults: losses > 0 || crashes > 0, weights: system.prunes() };
        Self {
            program: system.program(),
            keep_going,
            share: tuning.share,
            marks: Vec::new(),
            edges: Edges::new(keeps),
            weights: Weights::from_iter([Weight::new()]),
            weight_numbers: Vec::new(),
            unclean: 0,
            coverage: Coverage::new(system.program()),
            sites: BTreeMap::new(),
            pieces: Vec::new(),
            keeps,
        }
    }

    /// Keeps the better of two sites.
    pub(super) fn offer(&mut self, kind: ViolationKind, site: Site) {
        if site.is_better(self.sites.get(&kind)) {
            self.sites.insert(kind, site);
        }
    }

    fn is_clean(&self, state: u32) -> bool {
        self.marks[state as usize] & mark::CLEAN != 0
    }

    /// The place in the batch at which shares start, since pieces must start with a block.
    fn first_share(batch: &Finished<Self>) -> usize {
        batch.first.next_multiple_of(BLOCK) - batch.first
    }

    /// Packs the transitions of the `place`th state of the batch.
    fn pack(weight_numbers: &[Vec<u32>], batch: &Finished<Self>, place: usize, piece: &mut Piece) {
        let (numbers, steps) = batch.targets(place);
        let numbers = numbers.iter().copied();
        let Some(steps) = steps else { return piece.push_targets(numbers) };
        let weights = weight_numbers.get(batch.thread(place)).map_or(&[][..], |weights| weights);
        piece.push_state(numbers.zip(steps).map(|(target, step)| {
            let weight = if step.weight == 0 { 0 } else { weights[step.weight as usize] };
            Edge { target, unlucky: step.unlucky, weight }
        }));
    }

    /// Updates the [`mark::CLEAN`] marks of a state's targets.
    fn mark_targets(&mut self, batch: &Finished<Self>, place: usize, is_clean: bool) {
        let (numbers, steps) = batch.targets(place);
        if is_clean && self.unclean == 0 && steps.is_none() {
            return;
        }
        let mut fresh = batch.found_by(place).start;
        for (index, &target) in numbers.iter().enumerate() {
            let is_new = target == fresh;
            fresh += u32::from(is_new);
            let step = steps.map(|steps| &steps[index]);
            let clean = is_clean && !step.is_some_and(|step| step.compared);
            let mark = &mut self.marks[target as usize];
            if is_new && !clean {
                *mark = 0;
                self.unclean += 1;
            } else if !is_new && clean && self.unclean > 0 && target as usize >= batch.level_end {
                self.unclean -= usize::from(*mark & mark::CLEAN == 0);
                *mark |= mark::CLEAN;
            }
        }
    }

    /// Numbers the weights of a state's steps.
    fn number_weights(&mut self, batch: &Finished<Self>, place: usize) {
        let (_, Some(steps)) = batch.targets(place) else { return };
        let thread = batch.thread(place);
        for step in steps.iter().filter(|step| step.weight != 0) {
            let number = &mut self.weight_numbers[thread][step.weight as usize];
            if *number == UNKNOWN {
                let sent = &batch.weights(thread)[step.weight as usize];
                let known = self.weights.get_index_of(sent);
                *number = known.unwrap_or_else(|| self.weights.insert_full(sent.clone()).0) as u32;
            }
        }
    }
}

impl Observer for Termination<'_> {
    type Notes = Notes;
    type Step = KeptStep;
    /// Marks of the state.
    type Visit = u8;

    fn notes(&self) -> Notes {
        Notes::new(Coverage::new(self.program))
    }

    fn begin(&self, notes: &mut Notes, space: &Space<'_>) {
        notes.make_room(space.agents.after_count());
    }

    fn open(&self, notes: &mut Notes) {
        notes.open();
    }

    fn step(&self, notes: &mut Notes, source: Source, successor: &Successor<'_>) -> KeptStep {
        notes.step(self.program, (source, self.is_clean(source.state)), &self.sites, successor);
        let Successor { agent, step, compared, unlucky, weight, .. } = *successor;
        let (agent, thread, kind) = (agent.index() as u32, step.label.thread, step.label.kind);
        KeptStep { agent, thread, weight, kind, compared, unlucky }
    }

    fn close(
        &self,
        notes: &mut Notes,
        system: &System<'_>,
        source: Source,
        judgement: Judgement,
        words: &[u32],
    ) -> u8 {
        notes.close((source, self.is_clean(source.state)), &self.sites, judgement, || system.unread(words))
    }

    /// Usually every step is a transition of its own, and its target suffices. Conservative: may return
    /// [`Keep::Some`] needlessly.
    fn keep(steps: &[KeptStep], numbers: &[u32]) -> Keep {
        let (mut last, mut first) = (u64::MAX, 0);
        for (index, made) in steps.iter().enumerate() {
            if Self::is_kept(made) {
                return Keep::Some;
            }
            if made.by() != last {
                (last, first) = (made.by(), index);
            } else if index - first > 1 || numbers[index] == numbers[first] {
                return Keep::Some;
            }
        }
        Keep::Targets
    }

    /// Steps of one thread of an agent to the same state are one transition; of further such steps, only those that
    /// depend on no open comparison are kept.
    fn select(steps: &[KeptStep], numbers: &[u32], kept: &mut Vec<u32>) -> usize {
        let (mut group, mut transitions) = (0, 0);
        for (index, (made, &number)) in steps.iter().zip(numbers).enumerate() {
            if made.by() != steps[group].by() {
                group = index;
            }
            let mut before = steps[group..index].iter().zip(&numbers[group..]);
            let is_known =
                before.any(|(it, &its)| (its, it.kind, it.weight) == (number, made.kind, made.weight));
            transitions += usize::from(!is_known);
            if !is_known || !made.compared {
                kept.push(index as u32);
            }
        }
        transitions
    }

    fn is_kept(made: &KeptStep) -> bool {
        made.compared | made.unlucky | (made.weight != 0)
    }

    fn admit(&mut self, batch: &Finished<Self>) {
        let end = batch.found().end as usize;
        let more = end - self.marks.len();
        if self.marks.capacity() - self.marks.len() < more {
            self.marks.reserve_exact(more.max(end / 8));
        }
        // Nearly all states are clean.
        self.marks.resize(end, mark::CLEAN);
        if self.keeps.weights {
            self.weight_numbers.clear();
            for thread in 0..batch.threads() {
                self.weight_numbers.push(vec![UNKNOWN; batch.weights(thread).len()]);
            }
        }
        for place in 0..batch.len() {
            let mark = &mut self.marks[batch.first + place];
            *mark |= batch.visit(place);
            let is_clean = *mark & mark::CLEAN != 0;
            self.mark_targets(batch, place, is_clean);
            if self.keeps.weights {
                self.number_weights(batch, place);
            }
        }
        let shares = self.shares(batch);
        while self.pieces.len() < shares {
            self.pieces.push(Mutex::new(Piece::new(self.keeps)));
        }
    }

    fn shares(&self, batch: &Finished<Self>) -> usize {
        let rest = batch.len().saturating_sub(Self::first_share(batch));
        if rest < 2 * self.share { 0 } else { rest.div_ceil(self.share) }
    }

    fn digest(&self, _: &System<'_>, _: &Store, batch: &Finished<Self>, share: usize) {
        let start = Self::first_share(batch) + share * self.share;
        let piece = &mut self.pieces[share].lock().expect("no thread panics");
        piece.start(batch.found_by(start).start);
        (start..batch.len().min(start + self.share))
            .for_each(|place| Self::pack(&self.weight_numbers, batch, place, piece));
    }

    fn commit(&mut self, _: &System<'_>, batch: &mut Finished<Self>) {
        let shares = self.shares(batch);
        let alone = if shares == 0 { batch.len() } else { Self::first_share(batch) };
        let Self { edges, weight_numbers, pieces, .. } = self;
        (0..alone).for_each(|place| Self::pack(weight_numbers, batch, place, edges.end()));
        for piece in &mut pieces[..shares] {
            edges.append(piece.get_mut().expect("no thread panics"));
        }
        for notes in batch.notes() {
            self.coverage.take(&mut notes.coverage);
            for (kind, site) in std::mem::take(&mut notes.sites) {
                if site.is_better(self.sites.get(&kind)) {
                    self.sites.insert(kind, site);
                }
            }
        }
    }

    const IS_KEPT: bool = true;

    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        self.write(out)
    }

    fn level_done(&mut self) -> bool {
        self.unclean = 0;
        !self.keep_going && !self.sites.is_empty()
    }

    fn bytes(&self) -> usize {
        self.edges.bytes() + self.marks.capacity()
    }

    fn buffer_bytes(&self) -> usize {
        self.pieces.iter().map(|piece| piece.lock().expect("no thread panics").bytes()).sum()
    }

    fn notes_bytes(notes: &Notes) -> usize {
        notes.bytes()
    }

    fn make_room(&mut self, states: usize, transitions: usize) -> Result<(), Full> {
        self.edges.make_room(Edges::bytes_for(states, transitions))?;
        if self.marks.capacity() - self.marks.len() >= transitions {
            return Ok(());
        }
        self.marks.try_reserve_exact(transitions.max(self.marks.len() / 8)).map_err(|_| Full)
    }

    fn bytes_for(&self, states: usize, transitions: usize) -> usize {
        // Threads pack transitions separately before they are appended.
        Edges::bytes_for(states, transitions) * if self.pieces.is_empty() { 1 } else { 2 }
    }
}
