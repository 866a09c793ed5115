//! What one of several processes records for the labelled graph, and what it tells the first process of a level.

use indexmap::IndexSet;
use map_ir::Program;
use map_semantics::Judgement;
use rustc_hash::FxBuildHasher;

use super::gathering::Gathering;
use super::notes::Notes;
use super::observer::{KeptStep, Labelling, require};
use crate::agents::Missing;
use crate::explore::{Observer, Source};
use crate::state::Successor;
use crate::state::space::Space;
use crate::state::store::Folder;
use crate::system::System;
use crate::together::shard::Shard;
use crate::together::told::SuperstepSummary;
use crate::together::wire::{put, put_bytes, put_words};
use crate::together::{ClusterLost, Explorer, Levels, Link, Records};

/// The records of one process. Transitions are kept with the numbers of their distinct steps.
pub(crate) struct Part<'a> {
    /// The numbers of rows are this process's own; those of events are the same in all processes.
    pub(super) labelling: Labelling<'a>,
    steps: IndexSet<KeptStep, FxBuildHasher>,
    notes: Notes,
    /// What is recorded of states, as [`Notes::write`] puts it, without duplicates.
    visits: IndexSet<Vec<u8>, FxBuildHasher>,
    /// By expanded state the number of what is recorded of it.
    visit_of: Vec<u32>,
    /// Numbers of steps and of visits that the first process knows.
    told: [usize; 2],
    /// By row whether the first process knows it.
    rows_told: Vec<bool>,
    /// Number of levels that were gathered.
    levels: usize,
    /// Whether the letters seen have settled all properties, so that the search ended with a level.
    pub(super) is_decided: bool,
    /// The graph, in the first process.
    gathering: Option<Gathering>,
}

impl<'a> Part<'a> {
    /// For a search that starts with what has been labelled.
    pub(super) fn new(labelling: Labelling<'a>, gathering: Option<Gathering>) -> Self {
        Self {
            told: [0, 0],
            rows_told: vec![true; labelling.row_count()],
            labelling,
            steps: IndexSet::default(),
            notes: Notes::default(),
            visits: IndexSet::default(),
            visit_of: Vec::new(),
            levels: 0,
            is_decided: false,
            gathering,
        }
    }

    /// Where a state of the graph is: its process, and its number there. Only the first process knows.
    pub(super) fn place_of(&self, state: u32) -> Option<(u32, u32)> {
        self.gathering.as_ref().map(|it| it.place_of(state))
    }

    /// What the first process has to know of the level that was expanded last: new steps and visits, words of states
    /// with new rows, the rows of the states found, the targets that were heard of, and the states of the level with
    /// their transitions.
    fn tell(&mut self, space: &Space<'_>, shard: &Shard, expanded: usize, processes: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let [steps, visits] = self.told;
        put(&mut out, (self.steps.len() - steps) as u64);
        for KeptStep { mover, events, flags } in self.steps.iter().skip(steps) {
            [*mover, *events, u32::from(flags.bits())].iter().for_each(|&it| put(&mut out, u64::from(it)));
        }
        put(&mut out, (self.visits.len() - visits) as u64);
        self.visits.iter().skip(visits).for_each(|visit| put_bytes(&mut out, visit));
        self.tell_rows(space, shard, &mut out);
        let level = shard.levels.len() - 1;
        for from in 0..processes {
            let targets: Vec<u32> = shard.heard_in(level, from).collect();
            put_words(&mut out, &targets);
        }
        let states = shard.levels[level].first..expanded;
        put(&mut out, states.len() as u64);
        shard.transitions.for_each(states, |state, transitions, _| {
            put(&mut out, u64::from(self.visit_of[state]));
            put(&mut out, transitions.len() as u64);
            for it in transitions {
                put(&mut out, u64::from(it.label) * processes as u64 + it.owner as u64);
            }
        });
        self.told = [self.steps.len(), self.visits.len()];
        out
    }

    /// The rows of the states that the level has found.
    fn tell_rows(&mut self, space: &Space<'_>, shard: &Shard, out: &mut Vec<u8>) {
        let (mut folder, mut words) = (Folder::default(), Vec::new());
        let (mut rows, mut examples) = (Vec::new(), Vec::new());
        for state in shard.level_end..shard.len() {
            shard.store.load(&mut folder, state as u32, &mut words, |id| space.tail_of(id));
            let row = self.labelling.row_of(space, &words);
            let more = self.rows_told.len().max(row as usize + 1);
            self.rows_told.resize(more, false);
            if !std::mem::replace(&mut self.rows_told[row as usize], true) {
                examples.push((row, words.clone()));
            }
            rows.push(row);
        }
        put(out, examples.len() as u64);
        for (row, words) in &examples {
            put(out, u64::from(*row));
            put_words(out, words);
        }
        put_words(out, &rows);
    }
}

/// Gathers the level that was expanded last, unless that has been done. Whether the letters seen have settled all
/// properties.
pub(super) fn gather(
    explorer: &mut Explorer<'_, Part<'_>>,
    link: &mut Link<'_>,
) -> Result<bool, ClusterLost> {
    let Explorer { system, shard, records, expanded, .. } = explorer;
    if records.levels == shard.levels.len() {
        return Ok(false);
    }
    records.levels = shard.levels.len();
    let own = records.tell(&system.space, shard, *expanded, link.count());
    let told = link.tell_first(&own)?;
    drop(own);
    let Part { labelling, gathering, .. } = records;
    let is_decided = gathering.as_mut().is_some_and(|it| it.take_level(labelling, &system.space, &told));
    Ok(link.sum(u64::from(is_decided))? > 0)
}

impl Records for Part<'_> {
    const KEEPS_ALL: bool = true;

    fn grown(&mut self, space: &Space<'_>) {
        self.labelling.prepare(space);
    }

    fn require(space: &Space<'_>, words: &[u32], missing: &mut Vec<Missing>) {
        require(space, words, missing);
    }

    fn open(&mut self) {
        self.notes.open();
    }

    fn step(&mut self, _: &Program, (source, _): (Source, bool), successor: &Successor<'_>) -> u32 {
        let kept = self.labelling.step(&mut self.notes, source, successor);
        self.steps.insert_full(kept).0 as u32
    }

    fn close(
        &mut self,
        system: &System<'_>,
        (source, _): (Source, bool),
        judgement: Judgement,
        words: &[u32],
    ) -> u8 {
        let visit = self.notes.close(&system.space, judgement, words);
        let mut bytes = Vec::new();
        self.notes.write(visit, &mut bytes);
        self.notes.clear();
        let more = self.visit_of.len().max(source.state as usize + 1);
        self.visit_of.resize(more, 0);
        self.visit_of[source.state as usize] = self.visits.insert_full(bytes).0 as u32;
        0
    }

    fn bytes(&self) -> usize {
        self.visit_of.capacity() * size_of::<u32>()
            + self.labelling.buffer_bytes()
            + self.gathering.as_ref().map_or(0, |it| it.bytes() + self.labelling.bytes())
    }
}

impl Levels for Part<'_> {
    fn level_done(
        explorer: &mut Explorer<'_, Self>,
        link: &mut Link<'_>,
        _: &[SuperstepSummary],
    ) -> Result<bool, ClusterLost> {
        explorer.records.is_decided = gather(explorer, link)?;
        Ok(explorer.records.is_decided)
    }
}
