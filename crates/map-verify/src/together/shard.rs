//! The states of one process, and their transitions.

use std::hash::Hasher;
use std::io;

use map_store::{Full, KeyCache, Spare};
use rustc_hash::FxHasher;

use super::transitions::{Numbers, Transition, Transitions};
use super::wire::{Reader, read_vector};
use crate::budget::{Limit, Limits};
use crate::mark;
use crate::saved::{In, Out};
use crate::state::space::Space;
use crate::state::store::{Folder, Key, Store};

/// Room for so many more states and tree nodes is made at least.
const ROOM: usize = 1 << 12;

/// The process, of `count`, that has a state. Vectors are the same in all processes.
pub(crate) fn owner_of(words: &[u32], count: usize) -> usize {
    if count == 1 {
        return 0;
    }
    let mut hasher = FxHasher::default();
    for pair in words.chunks(2) {
        hasher.write_u64(u64::from(pair[0]) | u64::from(*pair.last().unwrap_or(&0)) << 32);
    }
    // The high bits are the good ones.
    (((hasher.finish() >> 32) * count as u64) >> 32) as usize
}

/// Where a level begins.
pub(crate) struct LevelStart {
    /// Its first state.
    pub(crate) first: usize,
    /// By process: how many of its transitions had been heard of.
    pub(crate) heard: Vec<usize>,
}

/// The states of this process.
pub(crate) struct Shard {
    pub(crate) store: Store,
    pub(crate) marks: Vec<u8>,
    pub(crate) transitions: Transitions,
    /// By process: the targets of its transitions that lead here, in its order.
    pub(crate) targets: Vec<Numbers>,
    pub(crate) levels: Vec<LevelStart>,
    /// The first state that the level being expanded has found.
    pub(crate) level_end: usize,
    /// Whether some state has a transition to itself, faults apart; by label.
    pub(crate) loops: Vec<u32>,
    memory: usize,
    /// The limit that was reached here.
    pub(crate) limit: Option<Limit>,
    cache: KeyCache,
    folder: Folder,
    keys: Vec<Key>,
    clean: Vec<bool>,
    numbers: Vec<u32>,
}

impl Shard {
    pub(crate) fn new(space: &Space<'_>, limits: &Limits, processes: usize, has_labels: bool) -> Self {
        Self {
            store: Store::new(space.shape(), std::num::NonZeroUsize::MIN, limits.tuning.store),
            marks: Vec::new(),
            transitions: Transitions::new(processes, has_labels),
            targets: (0..processes).map(|_| Numbers::default()).collect(),
            levels: Vec::new(),
            level_end: 0,
            loops: Vec::new(),
            memory: limits.memory,
            limit: None,
            cache: KeyCache::default(),
            folder: Folder::default(),
            keys: Vec::new(),
            clean: Vec::new(),
            numbers: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.store.len()
    }

    /// Begins the level of the states that have been found since the last one began.
    pub(crate) fn begin_level(&mut self) {
        let heard = self.targets.iter().map(Numbers::len).collect();
        self.levels.push(LevelStart { first: self.level_end, heard });
        self.level_end = self.len();
    }

    /// The states of a level.
    pub(crate) fn level(&self, level: usize) -> std::ops::Range<usize> {
        let end = self.levels.get(level + 1).map_or(self.level_end, |next| next.first);
        self.levels[level].first..end
    }

    /// The targets of the transitions of a process's states of a level that lead here.
    pub(crate) fn heard_in(&self, level: usize, from: usize) -> impl Iterator<Item = u32> {
        let start = self.levels[level].heard[from];
        let end = self.levels.get(level + 1).map_or(self.targets[from].len(), |next| next.heard[from]);
        self.targets[from].from(start).take(end - start)
    }

    /// The key of a vector that may differ from the one loaded into the folder only within `altered`.
    pub(crate) fn key(
        &mut self,
        space: &Space<'_>,
        folder: &mut Folder,
        words: &[u32],
        altered: std::ops::Range<usize>,
    ) -> Option<Key> {
        loop {
            match self.store.key(folder, words, altered.clone(), |id| space.tail_of(id)) {
                Ok(key) => return Some(key),
                Err(Full) => self.make_room(words.len())?,
            }
        }
    }

    /// Numbers keys, in order; new ones are the next states. `None` if there is no room.
    pub(crate) fn number(&mut self, keys: &[Key]) -> Option<Vec<u32>> {
        let mut numbers = std::mem::take(&mut self.numbers);
        loop {
            let keys = keys.iter().map(|key| key.0);
            let more = keys.len();
            match self.cache.insert_batch(&self.store.keys, keys, &mut numbers, &mut Spare::default()) {
                Ok(()) => break,
                Err(Full) => self.make_room(more)?,
            }
        }
        self.store.keys.commit(|provisional| Some(provisional as u32));
        if self.marks.capacity() < self.len() {
            self.marks.reserve_exact(self.len() / 8 + ROOM);
        }
        self.marks.resize(self.len(), 0);
        Some(numbers)
    }

    /// Gives the list of numbers back.
    pub(crate) fn give(&mut self, numbers: Vec<u32>) {
        self.numbers = numbers;
    }

    fn make_room(&mut self, more: usize) -> Option<()> {
        let more = more.max(ROOM);
        if self.bytes() - self.store.bytes() + self.store.bytes_with_room(more, more) > self.memory {
            // What is under way still has to arrive.
            self.limit.get_or_insert(Limit::Memory);
        }
        let made = self.store.make_room(more, more).ok();
        if made.is_none() {
            self.limit = Some(Limit::NoRoom);
        }
        made
    }

    /// Whether a table could not grow, so that something is missing.
    pub(crate) fn has_no_room(&self) -> bool {
        self.limit == Some(Limit::NoRoom)
    }

    /// Takes in a transition of a process's state to a state of this one. `clean` if the source and the transition
    /// depend on no open comparison.
    pub(crate) fn hear(&mut self, from: usize, number: u32, clean: bool) {
        if clean && number as usize >= self.level_end {
            self.marks[number as usize] |= mark::CLEAN;
        }
        self.targets[from].push(number);
    }

    /// Takes in the block that a process has sent.
    pub(crate) fn arrive(&mut self, space: &Space<'_>, from: usize, block: &[u8]) {
        let (mut reader, mut words) = (Reader(block), Vec::new());
        let mut keys = std::mem::take(&mut self.keys);
        let mut clean = std::mem::take(&mut self.clean);
        let mut folder = std::mem::take(&mut self.folder);
        keys.clear();
        clean.clear();
        while !reader.is_empty() {
            clean.push(read_vector(&mut reader, &mut words));
            let Some(key) = self.key(space, &mut folder, &words, 0..space.singles()) else { break };
            keys.push(key);
        }
        if let Some(numbers) = self.number(&keys) {
            numbers.iter().zip(&clean).for_each(|(&number, &clean)| self.hear(from, number, clean));
            self.give(numbers);
        }
        (self.keys, self.clean, self.folder) = (keys, clean, folder);
    }

    pub(crate) fn push_transitions(&mut self, transitions: &[Transition]) {
        self.transitions.push(transitions);
    }

    /// Writes all but the caches.
    pub(crate) fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        self.store.save(out)?;
        out.bytes(&self.marks)?;
        self.transitions.save(out)?;
        out.number(self.targets.len())?;
        self.targets.iter().try_for_each(|numbers| numbers.save(out))?;
        out.number(self.levels.len())?;
        for LevelStart { first, heard } in &self.levels {
            out.number(*first)?;
            out.numbers(heard)?;
        }
        out.number(self.level_end)?;
        out.words(&self.loops)
    }

    /// Fills an empty shard with what [`Shard::save`] wrote.
    ///
    /// # Errors
    /// Those of the reader; [`io::ErrorKind::OutOfMemory`] if a table has no room.
    pub(crate) fn restore(&mut self, from: &mut In<'_>) -> io::Result<()> {
        self.store.restore(from)?;
        self.marks = from.bytes()?;
        self.transitions.restore(from)?;
        self.targets = (0..from.number()?).map(|_| Numbers::restore(from)).collect::<io::Result<_>>()?;
        let level = |from: &mut In<'_>| Ok(LevelStart { first: from.number()?, heard: from.numbers()? });
        self.levels = (0..from.number()?).map(|_| level(from)).collect::<io::Result<_>>()?;
        self.level_end = from.number()?;
        self.loops = from.words()?;
        Ok(())
    }

    pub(crate) fn states_bytes(&self) -> usize {
        let targets: usize = self.targets.iter().map(Numbers::bytes).sum();
        self.store.bytes() + self.marks.capacity() + self.transitions.bytes() + targets
    }

    pub(crate) fn bytes(&self) -> usize {
        self.states_bytes() + self.cache.bytes() + self.folder.bytes()
    }

    /// The words of a state.
    pub(crate) fn words(&self, space: &Space<'_>, state: usize) -> Vec<u32> {
        let mut words = Vec::new();
        self.store.load(&mut Folder::default(), state as u32, &mut words, |id| space.tail_of(id));
        words
    }

    pub(crate) fn is_clean(&self, state: usize) -> bool {
        self.marks[state] & mark::CLEAN != 0
    }

    /// The number of a state, if it is one of this process's. Otherwise it may not be used any more: it is inserted.
    pub(crate) fn find(&self, space: &Space<'_>, words: &[u32]) -> Option<u32> {
        let mut folder = Folder::default();
        let key = self.store.key(&mut folder, words, 0..space.singles(), |id| space.tail_of(id));
        let number = self.store.number(key.ok()?, &mut Spare::default()).ok()?;
        Some(number).filter(|&number| (number as usize) < self.len())
    }
}
