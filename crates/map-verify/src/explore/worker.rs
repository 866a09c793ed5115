//! Parallel expansion of the states of a batch.
//!
//! Meanwhile the agent tables and the data of stored states are read-only, and the store hands out provisional
//! numbers. If the tables lack an entry or are full, the state is set aside and expanded again after they have been
//! filled in or have grown. So the result of a batch does not depend on the threads, except for the provisional
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

/// An expanded state of the chunk whose targets have no numbers yet.
struct PendingState<V> {
    place: u32,
    visit: V,
    /// The range of its steps among those of the chunk.
    steps: Range<usize>,
}

/// A thread's part of a batch, and its buffers.
pub(super) struct Worker<O: Observer> {
    pub(super) part: Part<O>,
    /// Number of transitions of these states.
    pub(super) transitions: usize,
    /// States to be expanded again, as places in the batch.
    pub(super) again: Vec<u32>,
    /// Their missing table entries, with these places.
    pub(super) missing: Vec<(u32, Missing)>,
    pub(super) cut_by: Vec<BoundHit>,
    pub(super) too_long: bool,
    /// What the self-check found wrong at the lowest place in the batch, and this place.
    pub(super) fault: Option<(u32, String)>,
    pub(super) buffers: Buffers,
    folder: Folder,
    words: Vec<u32>,
    /// Numbers of states looked up recently.
    cache: KeyCache,
    /// For the chunk: what is kept of steps to stored states, and the keys of these states.
    steps: Vec<O::Step>,
    keys: Vec<Key>,
    /// Entries that the observer needs for the targets of the current state.
    required: Vec<Missing>,
    /// For the chunk: the numbers of its targets.
    numbers: Vec<u32>,
    chunk: Vec<PendingState<O::Visit>>,
}

/// Expands the states of a batch at the places `todo`, `chunk` at a time: first the unclaimed ones of the thread's
/// own share, then those of other threads' shares. `taken` counts how much of each share is claimed. Shares are
/// contiguous because neighbouring states are similar, so a thread's caches hit more often.
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

    /// Resets the results before a batch.
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
                self.chunk.push(PendingState { place, visit, steps: start..self.steps.len() });
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

    /// Expands a state. Returns what is kept of it; `None` if an entry is missing or a table is full.
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

    /// Looks up the targets of the chunk, and keeps the states all of whose targets were numbered; if the store is
    /// full the others are expanded again.
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
        for PendingState { place, visit, steps: range } in self.chunk.drain(..) {
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
