//! Expanding a batch of states, by several threads side by side.
//!
//! While a batch is expanded the agent tables and all that is known of stored states are only read, and the store gives
//! provisional numbers. A state for which the tables lack something, or for which a table is full, is set aside and done again
//! after they have been filled in or grown. So what comes of a batch does not depend on the threads, but for the
//! provisional numbers; [`crate::search`] makes final ones of them in the order of the states.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use map_ir::AgentId;
use map_semantics::{BoundHit, Step, StepKind, Turn};
use map_store::Spare;

use crate::agents::{LocalEnding, Missing};
use crate::coverage::Coverage;
use crate::frontier::Kept;
use crate::report::ViolationKind;
use crate::search::{Site, mark};
use crate::space::{Judgement, Next, Successor};
use crate::store::{Folder, Key, Store};
use crate::system::{Buffers, System};

/// States that a thread takes at a time; few in debug builds, so that tests see small scenes shared by threads.
const CHUNK: usize = if cfg!(debug_assertions) { 2 } else { 64 };

/// Fewer states than these are expanded by one thread.
const WORTH_SHARING: usize = 4 * CHUNK;

/// What a batch is expanded in. Nothing of it changes meanwhile.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'s> {
    pub(crate) system: &'s System<'s>,
    pub(crate) store: &'s Store,
    pub(crate) marks: &'s [u8],
    pub(crate) sites: &'s BTreeMap<ViolationKind, Site>,
    /// Number of the batch's first state.
    pub(crate) first: u32,
    /// Length of the shortest traces to its states.
    pub(crate) depth: usize,
}

/// A step to a stored state.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// Its number, perhaps a provisional one.
    pub(crate) number: u32,
    /// Whether the step rests on an open comparison.
    pub(crate) compared: bool,
    /// Whether it is bad luck.
    pub(crate) unlucky: bool,
    /// The number of its weight, as the thread numbers them.
    pub(crate) weight: u32,
}

/// A state that was expanded.
#[derive(Clone)]
pub(crate) struct Expanded {
    /// Its place in the batch.
    pub(crate) rank: u32,
    pub(crate) marks: u8,
    pub(crate) transitions: u32,
    /// Where its targets are.
    pub(crate) targets: Range<usize>,
}

/// One thread's part of a batch, and its buffers.
pub(crate) struct Worker {
    pub(crate) expanded: Vec<Expanded>,
    pub(crate) targets: Vec<Target>,
    /// If the store forgets vectors: those of the targets that may be new.
    pub(crate) kept: Kept,
    pub(crate) vectors: Vec<Range<usize>>,
    /// States to be done again, by their places in the batch.
    pub(crate) again: Vec<u32>,
    /// What they lack in the agent tables.
    pub(crate) missing: Vec<(u32, Missing)>,
    pub(crate) coverage: Coverage,
    pub(crate) sites: BTreeMap<ViolationKind, Site>,
    pub(crate) cut_by: Vec<BoundHit>,
    pub(crate) too_long: bool,
    /// What the self-check found to be wrong first, and the place of the state in the batch.
    pub(crate) fault: Option<(u32, String)>,
    pub(crate) buffers: Buffers,
    /// Violations at the state being expanded: they count when all its steps are known, for the first one found is shown.
    offers: BTreeMap<ViolationKind, Site>,
    /// States after a step of an agent whose step is in the coverage, by their ids.
    seen: Vec<bool>,
    folder: Folder,
    words: Vec<u32>,
    pending: Vec<Pending>,
    /// If the store forgets vectors: those of the pending steps.
    pending_kept: Kept,
    pending_vectors: Vec<Range<usize>>,
    chunk: Vec<Expanded>,
}

/// A step to a state that has not been looked up.
struct Pending {
    key: Key,
    agent: AgentId,
    thread: u32,
    kind: StepKind,
    compared: bool,
    unlucky: bool,
    weight: u32,
    number: u32,
}

/// Expands the states of a batch that are at the given places.
pub(crate) fn expand(setting: Setting<'_>, workers: &mut [Worker], todo: &[u32]) {
    for worker in workers.iter_mut() {
        worker.seen.resize(setting.system.space.agents.after_count(), false);
    }
    let next = AtomicUsize::new(0);
    let work = |worker: &mut Worker| {
        let mut spare = Spare::default();
        loop {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            let Some(rest) = todo.get(start..).filter(|rest| !rest.is_empty()) else { return };
            worker.expand_chunk(setting, &rest[..rest.len().min(CHUNK)], &mut spare);
        }
    };
    let (own, others) = workers.split_first_mut().expect("there is a worker");
    if todo.len() < WORTH_SHARING || others.is_empty() {
        return work(own);
    }
    std::thread::scope(|scope| {
        for other in others {
            scope.spawn(|| work(other));
        }
        work(own);
    });
}

impl Worker {
    pub(crate) fn new(coverage: Coverage) -> Self {
        Self {
            expanded: Vec::new(),
            targets: Vec::new(),
            kept: Kept::default(),
            vectors: Vec::new(),
            again: Vec::new(),
            missing: Vec::new(),
            coverage,
            sites: BTreeMap::new(),
            cut_by: Vec::new(),
            too_long: false,
            fault: None,
            buffers: Buffers::default(),
            offers: BTreeMap::new(),
            seen: Vec::new(),
            folder: Folder::default(),
            words: Vec::new(),
            pending: Vec::new(),
            pending_kept: Kept::default(),
            pending_vectors: Vec::new(),
            chunk: Vec::new(),
        }
    }

    /// Before a batch.
    pub(crate) fn clear(&mut self) {
        self.expanded.clear();
        self.targets.clear();
        self.kept.clear();
        self.vectors.clear();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.expanded.capacity() * size_of::<Expanded>()
            + self.targets.capacity() * size_of::<Target>()
            + self.kept.bytes()
            + self.vectors.capacity() * size_of::<Range<usize>>()
            + self.seen.capacity()
    }

    fn expand_chunk(&mut self, setting: Setting<'_>, ranks: &[u32], spare: &mut Spare) {
        self.pending.clear();
        self.pending_kept.clear();
        self.pending_vectors.clear();
        self.chunk.clear();
        let mut buffers = std::mem::take(&mut self.buffers);
        for &rank in ranks {
            let start = self.pending.len();
            if let Some(marks) = self.expand_state(setting, rank, &mut buffers) {
                let targets = start..self.pending.len();
                self.chunk.push(Expanded { rank, marks, transitions: 0, targets });
            } else {
                self.pending.truncate(start);
                self.pending_vectors.truncate(start);
                self.again.push(rank);
                self.missing.extend(buffers.missing.drain(..).map(|missing| (rank, missing)));
            }
        }
        self.buffers = buffers;
        self.look_up(setting.store, spare);
    }

    /// Finds the steps of a state; its marks, unless something is missing.
    fn expand_state(&mut self, setting: Setting<'_>, rank: u32, buffers: &mut Buffers) -> Option<u8> {
        let Setting { system, store, .. } = setting;
        let space = &system.space;
        let state = setting.first + rank;
        let mut words = std::mem::take(&mut self.words);
        store.load(&mut self.folder, state, &mut words, |place, id| space.tail_of(place, id));
        let source =
            Source { state, clean: setting.marks[state as usize] & mark::CLEAN != 0, depth: setting.depth };
        let (mut marks, mut full) = (0, false);
        self.offers.clear();
        let judgement = system.expand(buffers, &words, &mut |successor| match successor.result {
            Next::State(_) if successor.passed => self.happened(setting, source, &successor),
            Next::State(next) => {
                let altered = successor.altered.clone();
                match store.key(&mut self.folder, next, altered, |place, id| space.tail_of(place, id)) {
                    Ok(key) => {
                        self.made(setting, source, &successor, key);
                        if store.forgets() {
                            self.pending_vectors.push(self.pending_kept.push(next));
                        }
                    }
                    Err(map_store::Full) => full = true,
                }
            }
            _ => marks |= self.not_made(setting, source, &successor),
        });
        let judgement = judgement.filter(|_| !full);
        if let Some(judgement) = judgement {
            marks |= self.judge(setting, source, judgement, &words);
            if !self.offers.is_empty() {
                self.sites.append(&mut self.offers);
            }
            let earlier = self.fault.as_ref().is_none_or(|(known, _)| rank < *known);
            if let Some(fault) = buffers.fault.take().filter(|_| earlier) {
                self.fault = Some((rank, fault));
            }
        }
        self.words = words;
        judgement.map(|_| marks)
    }

    /// A step to a state that is stored.
    fn made(&mut self, setting: Setting<'_>, source: Source, successor: &Successor<'_>, key: Key) {
        let Successor { agent, step, compared, unlucky, weight, .. } = *successor;
        let (thread, kind) = (step.label.thread, step.label.kind);
        self.pending.push(Pending { key, agent, thread, kind, compared, unlucky, weight, number: 0 });
        self.happened(setting, source, successor);
    }

    /// Notes what a step that is made has shown.
    fn happened(&mut self, setting: Setting<'_>, source: Source, successor: &Successor<'_>) {
        let Successor { agent, step, .. } = *successor;
        if let Some(after) = successor.after.filter(|after| !self.seen[after.id as usize]) {
            self.seen[after.id as usize] = true;
            self.coverage.record(&step.label.ran, step.label.entered.iter().copied());
            self.coverage.record_act(agent, step.label.kind);
            for &performative in &after.kept.left {
                self.coverage.record_unread(performative, agent);
            }
        }
        for &(performative, recipient) in successor.dropped {
            self.coverage.record_unread(performative, recipient);
        }
        if let LocalEnding::State { ended: Some(false), .. } = step.ending {
            self.offer_step(setting, source, ViolationKind::Failure, successor);
        }
    }

    /// A step that goes wrong or is cut; what it makes of its state.
    fn not_made(&mut self, setting: Setting<'_>, source: Source, successor: &Successor<'_>) -> u8 {
        let wrong = match successor.result {
            Next::State(_) => return 0,
            Next::Cut(bound) => {
                if !self.cut_by.contains(&bound) {
                    self.cut_by.push(bound);
                }
                return mark::CUT;
            }
            Next::TooLong => {
                self.too_long = true;
                return mark::CUT;
            }
            Next::Overflow => ViolationKind::MailboxOverflow,
            Next::Runaway => ViolationKind::RunawayRecursion,
            Next::RunError => ViolationKind::RunError,
        };
        self.coverage.record_act(successor.agent, successor.step.label.kind);
        self.offer_step(setting, source, wrong, successor);
        mark::WRONG
    }

    /// What is judged of a state when all its steps are known.
    fn judge(&mut self, setting: Setting<'_>, source: Source, judgement: Judgement, words: &[u32]) -> u8 {
        let deadlock = judgement.no_step || judgement.steps_may_vanish;
        if deadlock {
            let clean = source.clean && judgement.no_step;
            let site = Site { steps: source.depth, clean, state: Some(source.state), step: None };
            if self.is_best(setting, ViolationKind::Deadlock, &site) {
                self.offers.insert(ViolationKind::Deadlock, site);
            }
            for (performative, agent) in setting.system.unread(words) {
                self.coverage.record_unread(performative, agent);
            }
        }
        let bits = [
            (judgement.all_done, mark::GOOD_END),
            (judgement.some_failed, mark::FAILED),
            (judgement.only_polls, mark::ONLY_POLLS),
            (deadlock, mark::DEADLOCK),
        ];
        bits.iter().filter(|(holds, _)| *holds).fold(0, |marks, (_, bit)| marks | bit)
    }

    /// Offers a violation that is a step out of the state being expanded.
    fn offer_step(
        &mut self,
        setting: Setting<'_>,
        source: Source,
        kind: ViolationKind,
        successor: &Successor<'_>,
    ) {
        let clean = source.clean && !successor.compared;
        let steps = source.depth + 1;
        let mut site = Site { steps, clean, state: Some(source.state), step: None };
        if self.is_best(setting, kind, &site) {
            site.step = Some(step_of(successor));
            self.offers.insert(kind, site);
        }
    }

    /// Whether a violation is better than any that is known.
    fn is_best(&self, setting: Setting<'_>, kind: ViolationKind, site: &Site) -> bool {
        [&self.offers, &self.sites, setting.sites].iter().all(|known| site.is_better(known.get(&kind)))
    }

    /// Looks up the targets of the chunk's states. Cache misses, which are most of what it costs, overlap: first all
    /// places are touched, then they are looked at.
    fn look_up(&mut self, store: &Store, spare: &mut Spare) {
        let touched = self.pending.iter().fold(0, |sum, pending| sum ^ store.prefetch(pending.key));
        std::hint::black_box(touched);
        for mut state in self.chunk.drain(..) {
            let first = state.targets.start;
            let pending = &mut self.pending[state.targets.clone()];
            let start = self.targets.len();
            let mut group = 0;
            let mut full = false;
            for index in 0..pending.len() {
                let Ok(number) = store.number(pending[index].key, spare) else {
                    full = true;
                    break;
                };
                pending[index].number = number;
                let Pending { agent, thread, kind, compared, unlucky, weight, .. } = pending[index];
                if (agent, thread) != (pending[group].agent, pending[group].thread) {
                    group = index;
                }
                let is_known = |it: &Pending| (it.number, it.kind, it.weight) == (number, kind, weight);
                let known = pending[group..index].iter().any(is_known);
                state.transitions += u32::from(!known);
                if !known || !compared {
                    self.targets.push(Target { number, compared, unlucky, weight });
                    if store.forgets() {
                        let words = self.pending_kept.get(self.pending_vectors[first + index].clone());
                        let may_be_new = number >= store.keys.settled();
                        self.vectors.push(if may_be_new { self.kept.push(words) } else { 0..0 });
                    }
                }
            }
            if full {
                self.targets.truncate(start);
                self.vectors.truncate(start);
                self.again.push(state.rank);
            } else {
                state.targets = start..self.targets.len();
                self.expanded.push(state);
            }
        }
    }
}

/// The state being expanded.
#[derive(Clone, Copy)]
struct Source {
    state: u32,
    /// Some shortest trace to it is free of open comparisons.
    clean: bool,
    /// Length of the shortest traces to it.
    depth: usize,
}

pub(crate) fn step_of(successor: &Successor<'_>) -> Step {
    let label = &successor.step.label;
    let turn = match label.kind {
        StepKind::Timeout => Turn::Timeout,
        StepKind::Crash => Turn::Crash,
        _ => Turn::Act,
    };
    let mut options = label.options.clone();
    options.extend_from_slice(successor.losses);
    Step { agent: successor.agent, thread: label.thread as usize, turn, options }
}
