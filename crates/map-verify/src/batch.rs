//! Expanding a batch of states, by several threads side by side.
//!
//! While a batch is expanded the agent tables and all that is known of stored states are only read, and the store gives
//! provisional numbers. A state for which the tables lack something, or for which a table is full, is set aside and done again
//! after they have been filled in or grown. So what comes of a batch does not depend on the threads, but for the
//! provisional numbers; [`crate::search`] makes final ones of them in the order of the states.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use map_store::{KeyCache, Spare, UNNUMBERED};

use crate::agents::Missing;
use crate::coverage::Coverage;
use crate::report::ViolationKind;
use crate::search::{Site, mark};
use crate::space::Next;
use crate::store::{Folder, Store};
use crate::system::{Buffers, System};
pub(crate) use noted::Noted;
use noted::Source;
pub(crate) use noted::step_of;
use targets::{Listed, Targets, are_plain};

mod noted;
mod targets;

/// States that a thread takes at a time; few in debug builds, so that tests see small scenes shared by threads.
const CHUNK: usize = if cfg!(debug_assertions) { 2 } else { 16 };

/// Fewer chunks than these are expanded by one thread.
const WORTH_SHARING: usize = 4;

/// What a batch is expanded in. Nothing of it changes meanwhile.
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

impl Setting<'_> {
    /// Whether so many states are worth being shared by several threads.
    pub(crate) fn is_worth_sharing(&self, states: usize) -> bool {
        states >= WORTH_SHARING * CHUNK
    }
}

/// A state that was expanded.
#[derive(Clone, Copy, Default)]
pub(crate) struct Expanded {
    /// Its place in the batch.
    pub(crate) rank: u32,
    pub(crate) targets: Listed,
    pub(crate) marks: u8,
}

/// A state of the chunk that was expanded.
struct Pending {
    rank: u32,
    marks: u8,
    /// Its steps among the pending ones.
    steps: Range<usize>,
}

/// One thread's part of a batch, and its buffers.
pub(crate) struct Worker {
    pub(crate) expanded: Vec<Expanded>,
    pub(crate) targets: Targets,
    /// How many transitions these states have.
    pub(crate) transitions: usize,
    /// States to be done again, by their places in the batch.
    pub(crate) again: Vec<u32>,
    /// What they lack in the agent tables.
    pub(crate) missing: Vec<(u32, Missing)>,
    pub(crate) noted: Noted,
    /// What the self-check found to be wrong first, and the place of the state in the batch.
    pub(crate) fault: Option<(u32, String)>,
    pub(crate) buffers: Buffers,
    folder: Folder,
    words: Vec<u32>,
    /// Numbers of states that were looked up recently.
    cache: KeyCache,
    /// The numbers of the states that the pending steps lead to.
    numbers: Vec<u32>,
    chunk: Vec<Pending>,
}

/// Expands states of a batch, which are at the given places: those of a thread's own share that no other thread has taken,
/// then what is left of the shares of others. `taken` says of each share how much of it was. States that follow each other
/// are alike, and a thread finds in its cache what it has looked up recently: so shares are not mixed.
pub(crate) fn expand(
    setting: &Setting<'_>,
    worker: &mut Worker,
    todo: &[u32],
    (taken, own): (&[AtomicUsize], usize),
) {
    worker.noted.make_room(setting.system.space.agents.after_count());
    let mut spare = Spare::default();
    let shares = taken.len();
    for share in (0..shares).map(|further| (own + further) % shares) {
        let states = &todo[todo.len() * share / shares..todo.len() * (share + 1) / shares];
        loop {
            let start = taken[share].fetch_add(CHUNK, Ordering::Relaxed);
            let Some(rest) = states.get(start..).filter(|rest| !rest.is_empty()) else { break };
            worker.expand_chunk(setting, &rest[..rest.len().min(CHUNK)], &mut spare);
        }
    }
}

impl Worker {
    pub(crate) fn new(coverage: Coverage) -> Self {
        Self {
            expanded: Vec::new(),
            targets: Targets::default(),
            transitions: 0,
            again: Vec::new(),
            missing: Vec::new(),
            noted: Noted::new(coverage),
            fault: None,
            buffers: Buffers::default(),
            folder: Folder::default(),
            words: Vec::new(),
            cache: KeyCache::default(),
            numbers: Vec::new(),
            chunk: Vec::new(),
        }
    }

    /// Before a batch.
    pub(crate) fn clear(&mut self) {
        self.expanded.clear();
        self.targets.clear();
        self.transitions = 0;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.expanded.capacity() * size_of::<Expanded>()
            + self.targets.bytes()
            + self.noted.bytes()
            + self.cache.bytes()
            + self.folder.bytes()
    }

    fn expand_chunk(&mut self, setting: &Setting<'_>, ranks: &[u32], spare: &mut Spare) {
        self.noted.pending.clear();
        self.chunk.clear();
        let mut buffers = std::mem::take(&mut self.buffers);
        for &rank in ranks {
            let start = self.noted.pending.len();
            if let Some(marks) = self.expand_state(setting, rank, &mut buffers) {
                let steps = start..self.noted.pending.len();
                self.chunk.push(Pending { rank, marks, steps });
            } else {
                self.noted.pending.truncate(start);
                self.again.push(rank);
                self.missing.extend(buffers.missing.drain(..).map(|missing| (rank, missing)));
            }
        }
        self.buffers = buffers;
        self.look_up(setting.store, spare);
    }

    /// Finds the steps of a state; its marks, unless something is missing.
    fn expand_state(&mut self, setting: &Setting<'_>, rank: u32, buffers: &mut Buffers) -> Option<u8> {
        let state = setting.first + rank;
        let clean = setting.marks[state as usize] & mark::CLEAN != 0;
        let source = Source { state, rank, clean, depth: setting.depth };
        self.noted.decline();
        let marks = self.expand_vector(setting, source, buffers);
        if marks.is_some() {
            self.noted.accept();
        }
        marks
    }

    /// Finds the steps of a state from its vector.
    fn expand_vector(&mut self, setting: &Setting<'_>, source: Source, buffers: &mut Buffers) -> Option<u8> {
        let Setting { system, store, .. } = *setting;
        let space = &system.space;
        let Self { folder, words, noted, .. } = self;
        store.load(folder, source.state, words, |place, id| space.tail_of(place, id));
        let (mut marks, mut full) = (0, false);
        let judgement = system.expand(buffers, words, &mut |successor| match successor.result {
            Next::State(_) if successor.passed => noted.happened(setting, source, &successor),
            Next::State(next) => {
                let altered = successor.altered.clone();
                match store.key(folder, next, altered, |place, id| space.tail_of(place, id)) {
                    Ok(key) => noted.made(setting, source, &successor, key),
                    Err(map_store::Full) => full = true,
                }
            }
            _ => marks |= noted.not_made(setting, source, &successor),
        });
        let judgement = judgement.filter(|_| !full);
        if let Some(judgement) = judgement {
            marks |= noted.judge(setting, source, judgement, || &**words);
            let earlier = self.fault.as_ref().is_none_or(|(known, _)| source.rank < *known);
            if let Some(fault) = buffers.fault.take().filter(|_| earlier) {
                self.fault = Some((source.rank, fault));
            }
        }
        judgement.map(|_| marks)
    }

    /// Looks up the targets of the chunk's states.
    fn look_up(&mut self, store: &Store, spare: &mut Spare) {
        let targets = self.noted.pending.iter().map(|made| made.key.0);
        let result = self.cache.insert_batch(&store.keys, targets, &mut self.numbers, spare);
        self.take_chunk(result.is_err());
    }

    /// Takes over the steps of the chunk's states, as far as all targets of a state have numbers: all do unless it is full.
    fn take_chunk(&mut self, is_full: bool) {
        let Self { noted, numbers, targets, .. } = self;
        let start = targets.take_all(numbers);
        for Pending { rank, marks, steps } in self.chunk.drain(..) {
            let (made, numbers) = (&noted.pending[steps.clone()], &numbers[steps.clone()]);
            if is_full && numbers.contains(&UNNUMBERED) {
                self.again.push(rank);
                continue;
            }
            let (listed, transitions) = if are_plain(made, numbers) {
                (targets.listed(start + steps.start..start + steps.end), made.len())
            } else {
                targets.take(made, numbers)
            };
            self.transitions += transitions;
            self.expanded.push(Expanded { rank, targets: listed, marks });
        }
    }
}
