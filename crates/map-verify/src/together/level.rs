//! The exploration, level by level, each level in several supersteps.
//!
//! In a superstep every process expands some of its states and sends the targets to their owners. If the tables of
//! agents lack an entry for a state, all processes are told the state, and all fill their tables for it, in the same
//! order: so vectors mean the same everywhere. Transitions are in the order of the states that they start from.

use std::collections::BTreeSet;

use map_semantics::BoundHit;

use super::link::{ClusterLost, Link};
use super::made::{Ahead, ExpandedStep};
use super::records::Records;
use super::shard::{Shard, owner_of};
use super::told::{DUE, NO_ROOM, SuperstepSummary, TORN, VIOLATED};
use super::transitions::Transition;
use super::wire::{put, put_vector, put_words};
use crate::agents::Missing;
use crate::budget::{Limit, Limits, Progress, Snapshot};
use crate::explore::Source;
use crate::mark;
use crate::partial_order::overflow::{Weight, Weights};
use crate::state::Next;
use crate::state::store::{Folder, Key};
use crate::system::{Buffers, System};

/// Numbers of states that a process expands in a superstep: at first, and at most. With as few that lack an entry it
/// ends.
pub(crate) const FEW: usize = 64;
pub(crate) const MANY: usize = 1 << 14;

/// States whose targets are numbered together.
const CHUNK: usize = 32;

/// How the expansion of a state ended.
#[derive(PartialEq, Eq)]
enum Expansion {
    Done,
    /// An entry is missing.
    Lacking,
    /// There is no room, or the work is to end.
    Stopped,
}

/// A process's part of the search.
pub(crate) struct Explorer<'a, R> {
    pub(crate) system: System<'a>,
    pub(crate) shard: Shard,
    pub(crate) records: R,
    pub(crate) cut_by: BTreeSet<BoundHit>,
    pub(crate) too_long: bool,
    pub(crate) limit: Option<Limit>,
    /// Number of its states that were expanded and taken over.
    pub(crate) expanded: usize,
    ahead: Ahead,
    pub(crate) transitions: usize,
    /// The extent of the whole search.
    pub(crate) statistics: Snapshot,
    /// Whether a table could not be filled, so that the tables differ.
    pub(crate) is_torn: bool,
    pub(crate) is_complete: bool,
    buffers: Buffers,
    folder: Folder,
    words: Vec<u32>,
    /// For the chunk: the steps of its states, where those of each state end, and the words of their targets.
    made: Vec<ExpandedStep>,
    ends: Vec<usize>,
    arena: Vec<u32>,
    /// By process: the vector sent last in the current block.
    pub(crate) before: Vec<Vec<u32>>,
    /// Entries that the targets of the state being expanded lack.
    required: Vec<Missing>,
    /// The states of this superstep that lack an entry.
    lacking: Vec<Vec<u32>>,
    /// Round by round the number of states that lacked an entry, then their words; `None` if the search is not kept.
    pub(crate) fills: Option<Vec<u8>>,
    /// The number of the last cut, even if it could not be kept.
    pub(crate) cuts: u64,
}

impl<'a, R: Records> Explorer<'a, R> {
    pub(crate) fn new(system: System<'a>, limits: &Limits, processes: usize, records: R) -> Self {
        Self {
            shard: Shard::new(&system.space, limits, processes, R::KEEPS_ALL || system.prunes()),
            system,
            records,
            cut_by: BTreeSet::new(),
            too_long: false,
            limit: None,
            expanded: 0,
            ahead: Ahead::default(),
            transitions: 0,
            statistics: Snapshot::default(),
            is_torn: false,
            is_complete: false,
            buffers: Buffers::default(),
            folder: Folder::default(),
            words: Vec::new(),
            made: Vec::new(),
            ends: Vec::new(),
            arena: Vec::new(),
            before: vec![Vec::new(); processes],
            required: Vec::new(),
            lacking: Vec::new(),
            fills: None,
            cuts: 0,
        }
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        let tables = self.system.space.agents.bytes() + self.folder.bytes();
        self.shard.bytes() + self.records.bytes() + self.ahead.bytes() + tables
    }

    /// A shard without states.
    pub(crate) fn empty_shard(&self, limits: &Limits, processes: usize) -> Shard {
        Shard::new(&self.system.space, limits, processes, R::KEEPS_ALL || self.system.prunes())
    }

    /// Stores the initial states that this process owns; `all` are those of the scene.
    pub(crate) fn store_initial(&mut self, all: &[Vec<u32>], own: usize, count: usize) {
        for words in all.iter().filter(|words| owner_of(words, count) == own) {
            let mut folder = Folder::default();
            let key = self.shard.key(&self.system.space, &mut folder, words, 0..self.system.space.singles());
            if let Some(numbers) = key.and_then(|key| self.shard.number(&[key])) {
                self.shard.give(numbers);
            }
        }
        self.shard.marks.fill(mark::CLEAN);
        self.shard.begin_level();
    }

    /// Tells the others how far this process is.
    pub(crate) fn tell(
        &mut self,
        link: &mut Link<'_>,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Result<Vec<SuperstepSummary>, ClusterLost> {
        let memory = self.bytes();
        let full = (memory > limits.memory).then_some(Limit::Memory);
        let limit = self.limit.or(progress.tick(&self.statistics)).or(self.shard.limit).or(full);
        let limit = limit.or(self.is_torn.then_some(Limit::NoRoom));
        let told = SuperstepSummary {
            limit: limit.or_else(|| self.system.space.stop.is_raised().then_some(Limit::Interrupted)),
            left: self.shard.level_end - self.expanded,
            snapshot: Snapshot {
                states: self.shard.len(),
                transitions: self.transitions,
                memory,
                states_memory: self.shard.states_bytes(),
                sent: link.sent(),
                ..Snapshot::default()
            },
            expanded: self.expanded,
            found: self.shard.len() - self.shard.level_end,
            flags: self.flags(progress),
            lacking: std::mem::take(&mut self.lacking),
        };
        let told: Vec<SuperstepSummary> =
            link.tell(&told.write())?.iter().map(|told| SuperstepSummary::read(told)).collect();
        let depth = self.statistics.depth;
        self.statistics = Snapshot { depth, ..Snapshot::default() };
        for SuperstepSummary { snapshot, expanded, .. } in &told {
            self.statistics.states += snapshot.states;
            self.statistics.transitions += snapshot.transitions;
            self.statistics.frontier += snapshot.states - expanded;
            self.statistics.memory += snapshot.memory;
            self.statistics.states_memory += snapshot.states_memory;
            self.statistics.sent += snapshot.sent;
        }
        self.is_torn |= told.iter().any(|it| it.flags & TORN != 0);
        Ok(told)
    }

    fn flags(&self, progress: &dyn Progress) -> u64 {
        let flag = |holds: bool, flag: u64| if holds { flag } else { 0 };
        flag(self.records.is_violated(), VIOLATED)
            | flag(self.is_torn, TORN)
            | flag(self.shard.has_no_room(), NO_ROOM)
            | flag(self.fills.is_some() && progress.is_due(), DUE)
    }

    /// Fills the tables for states that lack an entry.
    pub(crate) fn fill<'w>(&mut self, lacking: impl Iterator<Item = &'w Vec<u32>> + Clone) {
        if let Some(fills) = &mut self.fills {
            let count = lacking.clone().count();
            if count > 0 {
                put(fills, count as u64);
                lacking.clone().for_each(|words| put_words(fills, words));
            }
        }
        // Done wholly or not at all, since all processes must have the same tables.
        let stop = std::mem::take(&mut self.system.space.stop);
        let mut missing: Vec<Missing> = Vec::new();
        for words in lacking {
            self.find_missing(words);
            missing.append(&mut self.buffers.missing);
        }
        for missing in missing {
            if self.system.space.agents.make_room().is_err() {
                self.is_torn = true;
                break;
            }
            self.system.space.agents.fill(missing);
        }
        self.records.grown(&self.system.space);
        self.system.space.stop = stop;
    }

    /// Finds the entries that a state lacks.
    fn find_missing(&mut self, words: &[u32]) {
        let Self { system, buffers, required, .. } = self;
        system.expand(buffers, words, &mut |successor| {
            if let Next::State(next) = successor.result
                && !successor.passed
            {
                R::require(&system.space, next, required);
            }
        });
        buffers.missing.append(required);
    }

    /// Takes over at most `window` states of the level, up to the first one that lacks an entry. Those behind that one
    /// are expanded ahead, until some more lack an entry, too.
    pub(crate) fn expand_some(&mut self, link: &mut Link<'_>, window: usize) -> Result<(), ClusterLost> {
        let end = self.shard.level_end.min(self.expanded + window);
        while self.expanded < end && self.shard.limit.is_none() {
            let first = self.expanded;
            let mut is_done = true;
            while self.expanded < end.min(first + CHUNK) && is_done {
                is_done = self.take_next(link);
                self.expanded += usize::from(is_done);
            }
            self.commit(link, first)?;
            if self.system.space.stop.is_raised() {
                break;
            }
            if !is_done {
                self.look_ahead(link, end);
                break;
            }
        }
        Ok(())
    }

    /// Takes over the next state, which is expanded unless that has been done.
    fn take_next(&mut self, link: &Link<'_>) -> bool {
        let Self { ahead, made, arena, ends, .. } = self;
        if ahead.give(made, arena) {
            ends.push(made.len());
            return true;
        }
        let is_done = self.expand(link, self.expanded) == Expansion::Done;
        if is_done {
            self.ahead.done();
        }
        is_done
    }

    /// Expands the states up to `end` that are not expanded yet, until some lack an entry. Nothing is taken over.
    fn look_ahead(&mut self, link: &Link<'_>, end: usize) {
        for place in 0..end - self.expanded {
            if self.ahead.has(place) {
                continue;
            }
            let expansion = self.expand(link, self.expanded + place);
            self.ends.clear();
            match expansion {
                Expansion::Done => self.ahead.keep(place, &mut self.made, &mut self.arena),
                Expansion::Lacking => {
                    self.ahead.lack(place);
                    self.lacking.push(self.words.clone());
                }
                Expansion::Stopped => break,
            }
            if self.lacking.len() == FEW {
                break;
            }
        }
    }

    /// Expands a state.
    fn expand(&mut self, link: &Link<'_>, state: usize) -> Expansion {
        let Self { system, shard, records, buffers, folder, words, made, arena, required, .. } = self;
        let (own, count) = (link.own(), link.count());
        let space = &system.space;
        shard.store.load(folder, state as u32, words, |id| space.tail_of(id));
        let source = (Source { state: state as u32, depth: shard.levels.len() - 1 }, shard.is_clean(state));
        records.open();
        let (start, arena_start) = (made.len(), arena.len());
        let (cut_by, too_long) = (&mut self.cut_by, &mut self.too_long);
        let mut is_full = false;
        let judgement = system.expand(buffers, words, &mut |successor| {
            let label = records.step(system.program(), source, successor);
            match successor.result {
                Next::State(next) if !successor.passed => {
                    R::require(space, next, required);
                    let owner = owner_of(next, count);
                    let mut key = Key(0);
                    if owner == own {
                        match shard.key(space, folder, next, successor.altered.clone()) {
                            Some(found) => key = found,
                            None => is_full = true,
                        }
                    }
                    arena.extend_from_slice(next);
                    made.push(ExpandedStep {
                        agent: successor.agent.index() as u32,
                        thread: successor.step.label.thread,
                        kind: successor.step.label.kind,
                        label,
                        compared: successor.compared,
                        unlucky: successor.unlucky,
                        owner,
                        end: arena.len(),
                        key,
                    });
                }
                Next::Cut(bound) => _ = cut_by.insert(bound),
                Next::TooLong => *too_long = true,
                _ => {}
            }
        });
        let is_lacking = !required.is_empty() || !buffers.missing.is_empty();
        buffers.missing.clear();
        required.clear();
        let Some(judgement) = judgement.filter(|_| !is_full && !is_lacking) else {
            made.truncate(start);
            arena.truncate(arena_start);
            return if is_lacking { Expansion::Lacking } else { Expansion::Stopped };
        };
        shard.marks[state] |= records.close(system, source, judgement, words);
        self.ends.push(made.len());
        Expansion::Done
    }

    /// Numbers the targets of the chunk that this process owns, sends the others, and keeps the transitions.
    fn commit(&mut self, link: &mut Link<'_>, first: usize) -> Result<(), ClusterLost> {
        let own = link.own();
        let made = std::mem::take(&mut self.made);
        let arena = std::mem::take(&mut self.arena);
        let ends = std::mem::take(&mut self.ends);
        let keys: Vec<Key> = made.iter().filter(|it| it.owner == own).map(|it| it.key).collect();
        let Some(numbers) = self.shard.number(&keys) else {
            // No room: the search ends.
            self.expanded = first;
            return Ok(());
        };
        let words = |step: usize| {
            let start = step.checked_sub(1).map_or(0, |before| made[before].end);
            &arena[start..made[step].end]
        };
        let mut numbered = numbers.iter();
        let (mut start, mut kept) = (0, Vec::new());
        for (state, &end) in (first..).zip(&ends) {
            let is_clean = self.shard.is_clean(state);
            kept.clear();
            let mut group = start;
            for step in start..end {
                let it = &made[step];
                let number = if it.owner == own { *numbered.next().expect("each has one") } else { 0 };
                if (it.agent, it.thread) != (made[group].agent, made[group].thread) {
                    group = step;
                }
                let is_same = |&other: &usize| {
                    let other_step = &made[other];
                    (other_step.kind, other_step.label) == (it.kind, it.label) && words(other) == words(step)
                };
                let is_known = !R::KEEPS_ALL && (group..step).any(|other| is_same(&other));
                self.transitions += usize::from(!is_known);
                if is_known && it.compared {
                    continue;
                }
                if !R::KEEPS_ALL && it.owner == own && number as usize == state {
                    if !it.unlucky {
                        self.shard.marks[state] |= mark::LOOP;
                        self.shard.loops.push(it.label);
                    }
                    continue;
                }
                let clean = is_clean && !it.compared;
                match it.owner == own {
                    true => self.shard.hear(own, number, clean),
                    false => put_vector(link.block(it.owner), &mut self.before[it.owner], words(step), clean),
                }
                let &ExpandedStep { owner, label, compared, unlucky, .. } = it;
                kept.push(Transition { owner, label, compared, unlucky });
            }
            self.shard.push_transitions(&kept);
            start = end;
        }
        self.shard.loops.sort_unstable();
        self.shard.loops.dedup();
        self.shard.give(numbers);
        let (mut made, mut arena, mut ends) = (made, arena, ends);
        made.clear();
        arena.clear();
        ends.clear();
        (self.made, self.arena, self.ends) = (made, arena, ends);
        for to in (0..link.count()).filter(|&to| to != own) {
            let Self { shard, system, before, .. } = self;
            if link.send_full(to, &mut |from, block| shard.arrive(&system.space, from, block))? {
                before[to].clear();
            }
        }
        Ok(())
    }

    pub(crate) fn set_weights(&mut self, weights: Weights) {
        self.buffers.weights = weights;
    }

    pub(crate) fn add_weight(&mut self, weight: Weight) {
        self.buffers.weights.insert(weight);
    }

    /// The weights that the numbers in transitions stand for.
    pub(crate) fn weights(&self) -> &Weights {
        &self.buffers.weights
    }
}
