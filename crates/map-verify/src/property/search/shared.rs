//! The search for a labelled graph by several processes, as one of them has it.

use std::collections::{BTreeSet, HashMap};

use map_semantics::BoundHit;
use rustc_hash::FxBuildHasher;

use super::gathering::Gathering;
use super::observer::Labelling;
use super::part::{Part, gather};
use crate::budget::{Limit, Limits, Progress, Snapshot};
use crate::explore;
use crate::together::shard::owner_of;
use crate::together::wire::{Reader, put, put_words};
use crate::together::{ClusterLost, Explorer, Initial, Link, run};

/// A search by several processes, complete or not.
pub(super) struct Shared<'a> {
    pub(super) explorer: Explorer<'a, Part<'a>>,
    pub(super) initial: Vec<Initial>,
    /// The words of states of the graph that were asked for.
    pub(super) brought: HashMap<u32, Vec<u32>, FxBuildHasher>,
}

/// How far a search went: the same in all processes, but for the memory.
pub(super) struct Outcome {
    pub(super) is_complete: bool,
    pub(super) limit: Option<Limit>,
    /// Whether some act made too many calls.
    pub(super) too_long: bool,
    pub(super) cut_by: BTreeSet<BoundHit>,
    pub(super) statistics: Snapshot,
    /// Bytes that this process has in use.
    pub(super) memory: usize,
}

const BOUNDS: [BoundHit; 2] = [BoundHit::Depth, BoundHit::Rounds];

impl<'a> Shared<'a> {
    /// Goes on from the initial states, which every process has made and labelled.
    pub(super) fn explore(
        started: explore::Explorer<'a, Labelling<'a>>,
        link: &mut Link<'_>,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Result<Self, ClusterLost> {
        let initial: Vec<Initial> = (0..started.initial_states as u32)
            .map(|state| Initial { words: started.words(state), options: started.initial_options(state) })
            .collect();
        let (own, count) = (link.own(), link.count());
        let explore::Explorer { system, observer: labelling, cut_by, too_long, .. } = started;
        let owners: Vec<usize> = initial.iter().map(|it| owner_of(&it.words, count)).collect();
        let gathering = (own == 0).then(|| Gathering::new(count, &owners, labelling.row_count()));
        let mut explorer = Explorer::new(system, limits, count, Part::new(labelling, gathering));
        explorer.cut_by = cut_by;
        explorer.too_long = too_long;
        let words: Vec<Vec<u32>> = initial.iter().map(|it| it.words.clone()).collect();
        explorer.store_initial(&words, own, count);
        run(&mut explorer, link, limits, progress)?;
        // Without room some process lacks states, and then the search has found nothing that can be relied on.
        if !explorer.is_torn && explorer.limit != Some(Limit::NoRoom) {
            gather(&mut explorer, link)?;
        }
        explorer.records.labelling.finish();
        Ok(Self { explorer, initial, brought: HashMap::default() })
    }

    /// How far the search went.
    pub(super) fn outcome(&self, link: &mut Link<'_>) -> Result<Outcome, ClusterLost> {
        let Explorer { limit, is_complete, records, too_long, cut_by, statistics, .. } = &self.explorer;
        let mut flags = vec![u8::from(*too_long)];
        flags.extend(BOUNDS.map(|bound| u8::from(cut_by.contains(&bound))));
        let told = link.tell(&flags)?;
        let is_told = |flag: usize| told.iter().any(|it| it[flag] != 0);
        let cut = BOUNDS.into_iter().enumerate().filter(|&(place, _)| is_told(place + 1));
        // If a level decided everything, no further one was begun, but its states have successors one step further.
        let depth = statistics.depth + usize::from(records.is_decided);
        Ok(Outcome {
            is_complete: *is_complete,
            limit: *limit,
            too_long: is_told(0),
            cut_by: cut.map(|(_, bound)| bound).collect(),
            statistics: Snapshot { depth, ..*statistics },
            memory: self.explorer.bytes(),
        })
    }

    /// Brings the words of states of the graph to the first process, which says which ones.
    pub(super) fn bring(&mut self, states: &[u32], link: &mut Link<'_>) -> Result<(), ClusterLost> {
        let Self { explorer, brought, .. } = self;
        let mut asked = Vec::new();
        for &state in states {
            let (process, number) = explorer.records.place_of(state).unwrap_or_default();
            [process, number].iter().for_each(|&it| put(&mut asked, u64::from(it)));
        }
        let asked = link.tell(&asked)?.swap_remove(0);
        let (mut from, mut own, mut processes) = (Reader(&asked), Vec::new(), Vec::new());
        while !from.is_empty() {
            let (process, number) = (from.number() as usize, from.number() as usize);
            processes.push(process);
            if process == link.own() {
                put_words(&mut own, &explorer.shard.words(&explorer.system.space, number));
            }
        }
        let told = link.tell_first(&own)?;
        let mut readers: Vec<Reader<'_>> = told.iter().map(|told| Reader(told)).collect();
        // Others than the first have asked for nothing.
        for (&state, &process) in states.iter().zip(&processes) {
            brought.insert(state, readers[process].words());
        }
        Ok(())
    }
}
