//! States that were kept by other processes than those that search now: they move to their new owners.
//!
//! Level by level, whoever has a part tells the new owners its states, and hears their new numbers. Then it tells, for
//! each transition that leads to its states, the new place of the target to whoever has the source's part, who passes
//! the transitions on to the new owner of the source. That one appends them, as if it had expanded the state.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::ops::Range;

use super::Explorer;
use super::part::Old;
use crate::partial_order::overflow::Weight;
use crate::state::space::Space;
use crate::state::store::{Folder, Key};
use crate::together::shard::{Shard, owner_of};
use crate::together::transitions::Transition;
use crate::together::wire::{Reader, put, put_vector, put_words, read_vector};
use crate::together::{ClusterLost, Link};

/// Where a state is now: its owner, and its number there.
type Place = (u32, u32);

/// A transition to such a state.
struct InEdge {
    to: Place,
    weight: u32,
    compared: bool,
    unlucky: bool,
}

/// The move, as one process sees it.
struct Move<'m, 'a> {
    explorer: &'m mut Explorer<'a>,
    /// By part: who has it.
    takers: &'m [usize],
    /// The parts that this process has, in ascending order.
    olds: &'m [&'m Old],
    /// By part that it has: the places of its states, as far as they are known.
    places: Vec<Vec<Place>>,
    folder: Folder,
}

/// Takes over the states of all parts. The explorer's shard is empty, its tables are filled.
///
/// # Errors
/// [`ErrorKind::OutOfMemory`] if a table has no room; within [`ClusterLost`].
pub(super) fn take_over(
    explorer: &mut Explorer<'_>,
    link: &mut Link<'_>,
    takers: &[usize],
    olds: &[&Old],
) -> Result<io::Result<()>, ClusterLost> {
    let places = olds.iter().map(|old| Vec::with_capacity(old.shard.len())).collect();
    let mut all = Move { explorer, takers, olds, places, folder: Folder::default() };
    all.share_weights(link)?;
    let levels = olds.first().map_or(0, |old| old.shard.levels.len());
    let levels = max(link, levels as u64)? as usize;
    for level in 0..=levels {
        if level < levels {
            let start = all.explorer.shard.len();
            all.place(link, |old| {
                let all = old.shard.level(level);
                all.start..all.end.min(old.expanded.max(all.start))
            })?;
            // Those that were expanded come first.
            all.explorer.expanded = if level + 1 == levels { all.explorer.shard.len() } else { start };
            all.place(link, |old| {
                let all = old.shard.level(level);
                all.end.min(old.expanded.max(all.start))..all.end
            })?;
        } else {
            all.place(link, |old| old.shard.level_end..old.shard.len())?;
        }
        if link.sum(u64::from(all.explorer.shard.has_no_room()))? > 0 {
            return Ok(Err(ErrorKind::OutOfMemory.into()));
        }
        if let Some(before) = level.checked_sub(1) {
            all.lead(link, before)?;
        }
        if level < levels {
            all.explorer.shard.begin_level();
        }
    }
    Ok(Ok(()))
}

/// The largest of the numbers that the processes have.
fn max(link: &mut Link<'_>, number: u64) -> Result<u64, ClusterLost> {
    let mut bytes = Vec::new();
    put(&mut bytes, number);
    let told = link.tell(&bytes)?;
    Ok(told.iter().map(|told| Reader(told).number()).max().unwrap_or(0))
}

impl Move<'_, '_> {
    /// All processes get the same numbers for weights.
    fn share_weights(&mut self, link: &mut Link<'_>) -> Result<(), ClusterLost> {
        let mut bytes = Vec::new();
        self.olds.iter().flat_map(|old| &old.weights).for_each(|weight| put_words(&mut bytes, weight));
        for told in link.tell(&bytes)? {
            let mut from = Reader(&told);
            while !from.is_empty() {
                self.explorer.add_weight(from.words());
            }
        }
        for old in self.olds {
            let loops = old.shard.loops.iter().map(|&weight| self.weight(&old.weights, weight));
            let loops = Vec::from_iter(loops);
            self.explorer.shard.loops.extend(loops);
        }
        self.explorer.shard.loops.sort_unstable();
        self.explorer.shard.loops.dedup();
        Ok(())
    }

    fn weight(&self, old: &[Weight], number: u32) -> u32 {
        let weights = self.explorer.weights();
        weights.get_index_of(&old[number as usize]).expect("everybody has told its weights") as u32
    }

    /// Gives states of the parts to their new owners.
    fn place(
        &mut self,
        link: &mut Link<'_>,
        states: impl Fn(&Old) -> Range<usize>,
    ) -> Result<(), ClusterLost> {
        let count = link.count();
        let Self { explorer, folder, .. } = self;
        let Explorer { shard, system, .. } = &mut **explorer;
        let space = &system.space;
        let mut before = vec![Vec::new(); count];
        let (mut owners, mut numbered) = (Vec::new(), vec![Vec::new(); count]);
        let receive =
            &mut |from: usize, block: &[u8]| store(shard, (space, folder), block, &mut numbered[from]);
        for old in self.olds {
            for state in states(old) {
                let words = old.shard.words(space, state);
                let owner = owner_of(&words, count);
                owners.push(owner);
                let block = link.block(owner);
                put(block, u64::from(old.shard.marks[state]));
                put_vector(block, &mut before[owner], &words, false);
                if link.send_full(owner, receive)? {
                    before[owner].clear();
                }
            }
        }
        link.meet(receive)?;
        let mut answers = vec![VecDeque::new(); count];
        let hear =
            &mut |from: usize, block: &[u8]| each_number(block, |number| answers[from].push_back(number));
        for (to, numbers) in numbered.iter().enumerate() {
            for &number in numbers {
                put(link.block(to), u64::from(number));
                link.send_full(to, hear)?;
            }
        }
        link.meet(hear)?;
        let mut owners = owners.into_iter();
        for (old, places) in self.olds.iter().zip(&mut self.places) {
            for (_, owner) in states(old).zip(&mut owners) {
                // Without an answer there was no room, and the search ends.
                places.push((owner as u32, answers[owner].pop_front().unwrap_or(0)));
            }
        }
        Ok(())
    }

    /// Gives the transitions of the states of a level, as far as they were expanded, to the states' new owners.
    fn lead(&mut self, link: &mut Link<'_>, level: usize) -> Result<(), ClusterLost> {
        let mut targets = self.exchange_targets(link, level)?;
        let mut heard: Vec<(u32, Vec<InEdge>)> = Vec::new();
        let receive = &mut |_: usize, block: &[u8]| read_led(block, &mut heard);
        for (index, old) in self.olds.iter().enumerate() {
            let states = old.shard.level(level);
            let mut sent = Ok(());
            let end = states.end.min(old.shard.transitions.states());
            old.shard.transitions.for_each(states.start..end.max(states.start), |state, transitions, _| {
                if sent.is_err() {
                    return;
                }
                let (owner, number) = self.places[index][state];
                let block = link.block(owner as usize);
                [number, transitions.len() as u32].iter().for_each(|&it| put(block, u64::from(it)));
                for it in transitions {
                    let to = targets[index][it.owner].pop_front().unwrap_or_default();
                    let weight = self.weight(&old.weights, it.label);
                    let flags = u32::from(it.compared) << 1 | u32::from(it.unlucky);
                    [to.0, to.1, weight, flags].iter().for_each(|&it| put(block, u64::from(it)));
                }
                sent = link.send_full(owner as usize, receive).map(|_| ());
            });
            sent?;
        }
        link.meet(receive)?;
        heard.sort_by_key(|it| it.0);
        self.append(link, &heard)
    }

    /// By part that this process has, and part that has the targets: the new places of the targets of a level's
    /// transitions.
    fn exchange_targets(
        &self,
        link: &mut Link<'_>,
        level: usize,
    ) -> Result<Vec<Vec<VecDeque<Place>>>, ClusterLost> {
        let parts = self.takers.len();
        let own: Vec<usize> = (0..parts).filter(|&part| self.takers[part] == link.own()).collect();
        let mut targets = vec![vec![VecDeque::new(); parts]; self.olds.len()];
        let receive = &mut |_: usize, block: &[u8]| {
            let mut from = Reader(block);
            while !from.is_empty() {
                let (source, target) = (from.number() as usize, from.number() as usize);
                let place = (from.word(), from.word());
                let index = own.binary_search(&source).expect("this process has the part");
                targets[index][target].push_back(place);
            }
        };
        for (index, old) in self.olds.iter().enumerate() {
            for (source, &taker) in self.takers.iter().enumerate() {
                for number in old.shard.heard_in(level, source) {
                    let (owner, now) = self.places[index][number as usize];
                    let block = link.block(taker);
                    [source as u32, own[index] as u32, owner, now]
                        .iter()
                        .for_each(|&it| put(block, u64::from(it)));
                    link.send_full(taker, receive)?;
                }
            }
        }
        link.meet(receive)?;
        Ok(targets)
    }

    /// Appends the transitions of the next states.
    fn append(&mut self, link: &mut Link<'_>, heard: &[(u32, Vec<InEdge>)]) -> Result<(), ClusterLost> {
        let shard = &mut self.explorer.shard;
        let mut kept = Vec::new();
        for (state, led) in heard {
            debug_assert_eq!(*state as usize, shard.transitions.states(), "none is left out");
            kept.clear();
            for &InEdge { to: (owner, number), weight, compared, unlucky } in led {
                let owner = owner as usize;
                kept.push(Transition { owner, label: weight, compared, unlucky });
                put(link.block(owner), u64::from(number));
            }
            shard.push_transitions(&kept);
            for to in 0..link.count() {
                link.send_full(to, &mut |from, block| hear(shard, from, block))?;
            }
        }
        link.meet(&mut |from, block| hear(shard, from, block))
    }
}

fn hear(shard: &mut Shard, from: usize, block: &[u8]) {
    each_number(block, |number| shard.targets[from].push(number));
}

fn each_number(block: &[u8], mut see: impl FnMut(u32)) {
    let mut from = Reader(block);
    while !from.is_empty() {
        see(from.word());
    }
}

/// Stores the states in a block; appends their numbers, unless there is no room.
fn store(
    shard: &mut Shard,
    (space, folder): (&Space<'_>, &mut Folder),
    block: &[u8],
    numbered: &mut Vec<u32>,
) {
    let (mut from, mut words) = (Reader(block), Vec::new());
    let (mut keys, mut marks) = (Vec::<Key>::new(), Vec::new());
    while !from.is_empty() {
        marks.push(from.number() as u8);
        read_vector(&mut from, &mut words);
        let Some(key) = shard.key(space, folder, &words, 0..space.singles()) else { return };
        keys.push(key);
    }
    let Some(numbers) = shard.number(&keys) else { return };
    numbers.iter().zip(marks).for_each(|(&number, marks)| shard.marks[number as usize] = marks);
    numbered.extend_from_slice(&numbers);
    shard.give(numbers);
}

fn read_led(block: &[u8], heard: &mut Vec<(u32, Vec<InEdge>)>) {
    let mut from = Reader(block);
    while !from.is_empty() {
        let (state, count) = (from.word(), from.number());
        let led = (0..count).map(|_| {
            let (to, weight, flags) = ((from.word(), from.word()), from.word(), from.word());
            InEdge { to, weight, compared: flags & 2 != 0, unlucky: flags & 1 != 0 }
        });
        heard.push((state, led.collect()));
    }
}
