//! Expanding the states of a batch, by several threads side by side.
//!
//! Meanwhile the agent tables and all that is known of stored states are only read, and the store gives provisional
//! numbers. A state for which the tables lack something, or for which a table is full, is set aside and expanded again after
//! they have been filled in or grown. So what comes of a batch does not depend on the threads, but for the provisional
//! numbers.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use map_semantics::BoundHit;
use map_store::{KeyCache, Spare, UNNUMBERED};

use super::observer::{Expanded, Keep, Observer, Part, Setting, Source};
use crate::agents::Missing;
use crate::state::Next;
use crate::state::store::{Folder, Key, Store};
use crate::system::Buffers;

/// A state of the chunk that was expanded.
struct Pending<V> {
    place: u32,
    visit: V,
    /// Its steps among the pending ones.
    steps: Range<usize>,
}

/// A thread: its part of a batch, and its buffers.
pub(super) struct Worker<O: Observer> {
    pub(super) part: Part<O>,
    /// How many transitions these states have.
    pub(super) transitions: usize,
    /// States to be expanded again, by their places in the batch.
    pub(super) again: Vec<u32>,
    /// What they lack in the agent tables.
    pub(super) missing: Vec<(u32, Missing)>,
    pub(super) cut_by: Vec<BoundHit>,
    pub(super) too_long: bool,
    /// What the self-check found to be wrong first, and the place of the state in the batch.
    pub(super) fault: Option<(u32, String)>,
    pub(super) buffers: Buffers,
    folder: Folder,
    words: Vec<u32>,
    /// Numbers of states that were looked up recently.
    cache: KeyCache,
    /// Of the chunk's states: their steps to stored states, the keys of these, and their numbers.
    steps: Vec<O::Step>,
    keys: Vec<Key>,
    /// What the observer misses of the states that the steps of the state at hand lead to.
    required: Vec<Missing>,
    numbers: Vec<u32>,
    chunk: Vec<Pending<O::Visit>>,
}

/// Expands states of a batch, which are at the given places, `chunk` at a time: those of a thread's own share that no other
/// thread has taken, then what is left of the shares of others. `taken` says of each share how much of it was. Neighbouring
/// states are alike, and a thread finds again what it has looked up before: so shares are not mixed.
pub(super) fn expand<O: Observer>(
    setting: &Setting<'_, '_, O>,
    worker: &mut Worker<O>,
    todo: &[u32],
    (taken, own): (&[AtomicUsize], usize),
    chunk: usize,
) {
    setting.observer.begin(&mut worker.part.notes, &setting.system.space);
    let mut spare = Spare::default();
    let shares = taken.len();
    for share in (0..shares).map(|further| (own + further) % shares) {
        let states = &todo[todo.len() * share / shares..todo.len() * (share + 1) / shares];
        loop {
            let start = taken[share].fetch_add(chunk, Ordering::Relaxed);
            let Some(rest) = states.get(start..).filter(|rest| !rest.is_empty()) else { break };
            worker.expand_chunk(setting, &rest[..rest.len().min(chunk)], &mut spare);
        }
    }
}

impl<O: Observer> Worker<O> {
    pub(super) fn new(notes: O::Notes) -> Self {
        Self {
            part: Part::new(notes),
            transitions: 0,
            again: Vec::new(),
            missing: Vec::new(),
            cut_by: Vec::new(),
            too_long: false,
            fault: None,
            buffers: Buffers::default(),
            folder: Folder::default(),
            words: Vec::new(),
            cache: KeyCache::default(),
            steps: Vec::new(),
            keys: Vec::new(),
            required: Vec::new(),
            numbers: Vec::new(),
            chunk: Vec::new(),
        }
    }

    /// Before a batch.
    pub(super) fn clear(&mut self) {
        self.part.expanded.clear();
        self.part.targets.clear();
        self.transitions = 0;
    }

    pub(super) fn bytes(&self) -> usize {
        self.part.expanded.capacity() * size_of::<Expanded<O::Visit>>()
            + self.part.targets.bytes()
            + O::notes_bytes(&self.part.notes)
            + self.cache.bytes()
            + self.folder.bytes()
    }

    fn expand_chunk(&mut self, setting: &Setting<'_, '_, O>, places: &[u32], spare: &mut Spare) {
        self.steps.clear();
        self.keys.clear();
        self.chunk.clear();
        let mut buffers = std::mem::take(&mut self.buffers);
        for &place in places {
            let start = self.steps.len();
            if let Some(visit) = self.expand_state(setting, place, &mut buffers) {
                self.chunk.push(Pending { place, visit, steps: start..self.steps.len() });
            } else {
                self.steps.truncate(start);
                self.keys.truncate(start);
                self.again.push(place);
                self.missing.extend(buffers.missing.drain(..).map(|missing| (place, missing)));
            }
        }
        self.buffers = buffers;
        self.look_up(setting.store, spare);
    }

    /// Finds the steps of a state; what is kept of it, unless something is missing.
    fn expand_state(
        &mut self,
        setting: &Setting<'_, '_, O>,
        place: u32,
        buffers: &mut Buffers,
    ) -> Option<O::Visit> {
        let Setting { system, store, observer, first, depth } = *setting;
        let source = Source { state: first + place, depth };
        let space = &system.space;
        let Self { part, folder, words, steps, keys, required, cut_by, too_long, .. } = self;
        let notes = &mut part.notes;
        store.load(folder, source.state, words, |id| space.tail_of(id));
        observer.open(notes);
        let mut full = false;
        let judgement = system.expand(buffers, words, &mut |successor| {
            let step = observer.step(notes, source, successor);
            match successor.result {
                Next::State(next) if !successor.passed => {
                    observer.require(space, next, required);
                    let altered = successor.altered.clone();
                    match store.key(folder, next, altered, |id| space.tail_of(id)) {
                        Ok(key) => {
                            steps.push(step);
                            keys.push(key);
                        }
                        Err(map_store::Full) => full = true,
                    }
                }
                Next::Cut(bound) if !cut_by.contains(&bound) => cut_by.push(bound),
                Next::TooLong => *too_long = true,
                _ => {}
            }
        });
        buffers.missing.append(required);
        let judgement = judgement.filter(|_| !full && buffers.missing.is_empty())?;
        let earlier = self.fault.as_ref().is_none_or(|(known, _)| place < *known);
        if let Some(fault) = buffers.fault.take().filter(|_| earlier) {
            self.fault = Some((place, fault));
        }
        Some(observer.close(notes, system, source, judgement, words))
    }

    /// Looks up the targets of the chunk's states, and takes over the steps of those of which all targets have numbers: all
    /// have unless the store is full.
    fn look_up(&mut self, store: &Store, spare: &mut Spare) {
        let keys = self.keys.iter().map(|key| key.0);
        let is_full = self.cache.insert_batch(&store.keys, keys, &mut self.numbers, spare).is_err();
        let Self {
            steps: all_steps,
            numbers: all_numbers,
            part: Part { targets, expanded, .. },
            transitions: all,
            ..
        } = self;
        let start = targets.take_all(all_numbers);
        for Pending { place, visit, steps: range } in self.chunk.drain(..) {
            let (steps, numbers) = (&all_steps[range.clone()], &all_numbers[range.clone()]);
            if is_full && numbers.contains(&UNNUMBERED) {
                self.again.push(place);
                continue;
            }
            let taken = start + range.start..start + range.end;
            let (listed, transitions) = match O::keep(steps, numbers) {
                Keep::All => (targets.listed_with(taken, steps), steps.len()),
                Keep::Targets => (targets.listed(taken), steps.len()),
                Keep::Some => targets.take(steps, numbers, O::select, O::is_kept),
            };
            *all += transitions;
            expanded.push(Expanded { place, targets: listed, visit });
        }
    }
}
