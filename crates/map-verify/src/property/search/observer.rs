//! The observer for properties: builds the labelled graph.

use map_graph::BitSet;
use map_ir::{Program, Properties, PropositionId};

use super::exceeded::Exceeded;
use super::letters::{EventsId, Letters, MomentKey, RowId};
use super::notes::{Halt, Notes, Visit};
use super::rows::Rows;
use super::steps::{StepEvents, StepEventsTable};
use map_semantics::{Bounds, Judgement};

use crate::agents::{Missing, Monitors};
use crate::explore::{Finished, Observer, Source};
use crate::property::graph::{BYTES_PER_PAIR, Flags, LabelledGraph, LetterId, NOBODY, Packed, Transition};
use crate::property::movers::Movers;
use crate::property::plan::groups::Group;
use crate::state::Successor;
use crate::state::space::Space;
use crate::state::store::Store;
use crate::system::System;
use crate::tuning::Tuning;

/// Decides whether the letters seen so far settle all properties, given the propositions that stand for costs of which
/// it is known that they come to too much.
pub(crate) type Decided = fn(&LabelledGraph, &Properties, &[PropositionId]) -> bool;

/// The observer that builds the labelled graph.
pub(crate) struct Labelling<'a> {
    properties: &'a Properties,
    movers: Movers,
    decided: Decided,
    exceeded: Exceeded<'a>,
    /// Whether the letters seen have settled all properties.
    pub(super) is_decided: bool,
    pub(super) graph: LabelledGraph,
    letters: Letters<'a>,
    steps: StepEventsTable<'a>,
    rows: Rows<'a>,
    /// Number of states found.
    found: usize,
}

/// What is kept of a step to a stored state.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct KeptStep {
    pub(super) mover: u32,
    pub(super) events: EventsId,
    pub(super) flags: Flags,
}

impl<'a> Labelling<'a> {
    /// For the properties of a group. `decided` is called after every level.
    pub(super) fn new(
        program: &'a Program,
        group: &'a Group,
        bounds: &Bounds,
        tuning: &Tuning,
        decided: Decided,
    ) -> Self {
        let properties = &group.properties;
        let mut letters = Letters::new(properties);
        Self {
            properties,
            movers: Movers::new(program.agents.len(), bounds),
            decided,
            exceeded: Exceeded::new(&group.ceilings),
            is_decided: false,
            graph: LabelledGraph::default(),
            rows: Rows::new(program, properties, tuning.share, &mut letters),
            letters,
            steps: StepEventsTable::new(program, properties),
            found: 0,
        }
    }

    /// Called when the initial states were stored and the steps of their agents are known.
    pub(super) fn begin(&mut self, space: &Space<'_>) {
        self.prepare(space);
    }

    /// Called for each of the initial states, in order.
    pub(super) fn start(&mut self, space: &Space<'_>, words: &[u32]) {
        self.rows.push(space, words, &mut self.letters);
        let key = self.nothing_happens(self.found as u32);
        let letter = self.letters.letter(&mut self.graph, space.agents.monitors.as_ref(), key);
        self.graph.push_initial(letter);
        self.found += 1;
    }

    /// Whether the letters of the first moment decide everything.
    pub(super) fn is_decided_at_first(&self) -> bool {
        (self.decided)(&self.graph, self.properties, self.exceeded.propositions())
    }

    /// Ends the graph. States that were not expanded are marked as cut.
    pub(super) fn finish(&mut self) {
        for _ in self.graph.len()..self.found {
            self.add_cut();
        }
        self.graph.finish(self.movers.count());
    }

    /// Adds the next state, which was not expanded.
    pub(super) fn add_cut(&mut self) {
        self.graph.close_state(&BitSet::new(self.movers.count()), true);
    }

    /// Number of distinct rows.
    pub(super) fn row_count(&self) -> usize {
        self.letters.rows()
    }

    /// The number of the row of a state. The steps of its agents are known.
    pub(super) fn row_of(&mut self, space: &Space<'_>, words: &[u32]) -> RowId {
        self.rows.number(space, words, &mut self.letters)
    }

    /// Adds a found state, whose row is known.
    pub(super) fn push_row(&mut self, row: RowId) {
        self.rows.push_number(row);
    }

    /// Ends a level; `found` states have been found. Whether the letters seen have settled all properties.
    pub(super) fn level_is_decided(&mut self, found: usize) -> bool {
        self.found = found;
        self.level_done()
    }

    /// Whether a step is made by the mover of a transition.
    pub(super) fn is_made_by(&self, successor: &Successor<'_>, mover: u32) -> bool {
        let sender = successor.after.and_then(|after| self.steps.events_of_step(after).sender);
        self.movers.number(successor.agent, sender) == mover as usize
    }

    /// The letter of a step from one stored state to another.
    pub(super) fn letter_of(&self, source: u32, successor: &Successor<'_>, target: u32) -> Option<LetterId> {
        let StepEvents { events, .. } = self.steps.events_of_step(successor.after?);
        let before = self.letters.monitored(self.rows.of(source));
        self.letters.known(MomentKey { events, before, row: self.rows.of(target) })
    }

    /// The moment at which nothing happens in a stored state.
    fn nothing_happens(&self, state: u32) -> MomentKey {
        let row = self.rows.of(state);
        MomentKey { events: Letters::NOTHING, before: self.letters.monitored(row), row }
    }

    /// Adds the transitions of the next state: what is recorded of it, and its steps with their targets.
    pub(super) fn add(
        &mut self,
        state: u32,
        (notes, visit): (&Notes, Visit),
        steps: impl Iterator<Item = (u32, KeptStep)>,
        monitors: Option<&Monitors<'_>>,
    ) {
        let staying = self.nothing_happens(state);
        let monitored = staying.before;
        let Self { graph, letters, rows, .. } = self;
        // Only actual moments of runs get letters, because single letters may decide properties.
        let staying = visit.has_staying_run().then(|| letters.letter(graph, monitors, staying));
        let mut halts = notes.halts(visit).iter().peekable();
        let push_halt = |graph: &mut LabelledGraph, halt: &Halt| {
            staying.iter().for_each(|&letter| graph.push_halt(halt.agent(), letter, halt.flags));
        };
        for (before, (target, KeptStep { mover, events, flags })) in (0..).zip(steps) {
            while let Some(halt) = halts.next_if(|halt| halt.before == before) {
                push_halt(graph, halt);
            }
            let key = MomentKey { events, before: monitored, row: rows.of(target) };
            let label = letters.label(graph, monitors, mover, key);
            graph.push_packed(Packed { target, label }, flags);
        }
        halts.for_each(|halt| push_halt(graph, halt));
        if let Some(letter) = staying {
            push_stays(graph, state, letter, visit);
        }
        let (enabled, at_most) = notes.turns(visit);
        at_most.into_iter().for_each(|agents| graph.enable_at_most(agents));
        graph.close_state(enabled, visit.cut);
    }
}

/// Adds the transitions that make a run stay in a state.
fn push_stays(graph: &mut LabelledGraph, state: u32, letter: LetterId, visit: Visit) {
    if let Some(open) = visit.stays {
        let stays = Transition { mover: NOBODY, target: state, letter };
        graph.push(stays, Flags { open, ..Flags::default() });
    }
    if visit.halts_there {
        graph.push_halt(NOBODY, letter, Flags { open: true, ..Flags::default() });
    }
}

/// Atoms may depend on whether agents are waiting, which their steps tell.
pub(super) fn require(space: &Space<'_>, words: &[u32], missing: &mut Vec<Missing>) {
    let ids = space.local_states(words).map(|(_, id, _)| id);
    let lacking = ids.filter(|&id| !space.agents.brief(id).expanded);
    missing.extend(lacking.map(Missing::Locals));
}

impl Observer for Labelling<'_> {
    type Notes = Notes;
    type Step = KeptStep;
    type Visit = Visit;

    fn notes(&self) -> Notes {
        Notes::default()
    }

    fn prepare(&mut self, space: &Space<'_>) {
        let Self { steps, letters, rows, .. } = self;
        steps.learn(space, letters, |id| rows.learn(space, id));
    }

    fn open(&self, notes: &mut Notes) {
        notes.open();
    }

    fn step(&self, notes: &mut Notes, _: Source, successor: &Successor<'_>) -> KeptStep {
        notes.step(successor);
        let step_events = successor.after.map(|after| self.steps.events_of_step(after));
        let StepEvents { events, poll, sender } = step_events.unwrap_or_default();
        let flags = Flags { unlucky: successor.unlucky, open: successor.compared, poll };
        KeptStep { mover: self.movers.number(successor.agent, sender) as u32, events, flags }
    }

    fn require(&self, space: &Space<'_>, words: &[u32], missing: &mut Vec<Missing>) {
        require(space, words, missing);
    }

    fn close(
        &self,
        notes: &mut Notes,
        system: &System<'_>,
        _: Source,
        judgement: Judgement,
        words: &[u32],
    ) -> Visit {
        notes.close(&system.space, judgement, words)
    }

    fn admit(&mut self, batch: &Finished<Self>) {
        self.found = batch.found().end as usize;
        self.rows.make_room(batch.found().len());
    }

    fn shares(&self, batch: &Finished<Self>) -> usize {
        self.rows.shares(batch.found().len())
    }

    fn digest(&self, system: &System<'_>, store: &Store, batch: &Finished<Self>, share: usize) {
        self.rows.compute(&system.space, store, batch.found(), share);
    }

    fn commit(&mut self, system: &System<'_>, batch: &mut Finished<Self>) {
        self.rows.merge(batch.found().len(), &mut self.letters);
        let monitors = system.space.agents.monitors.as_ref();
        for place in 0..batch.len() {
            let recorded = (batch.notes_of(batch.thread(place)), batch.visit(place));
            let (targets, steps) = batch.targets(place);
            let steps = targets.iter().copied().zip(steps.unwrap_or_default().iter().copied());
            self.add((batch.first + place) as u32, recorded, steps, monitors);
        }
        batch.notes().for_each(Notes::clear);
    }

    fn level_done(&mut self) -> bool {
        self.exceeded.look(&self.graph, self.found);
        self.is_decided = (self.decided)(&self.graph, self.properties, self.exceeded.propositions());
        self.is_decided
    }

    fn bytes(&self) -> usize {
        self.graph.bytes() + self.rows.bytes()
    }

    fn buffer_bytes(&self) -> usize {
        self.letters.bytes() + self.steps.bytes()
    }

    fn notes_bytes(notes: &Notes) -> usize {
        notes.bytes()
    }

    /// Includes what a later search of the graph takes.
    fn bytes_for(&self, states: usize, transitions: usize) -> usize {
        let reserve = 2 * BYTES_PER_PAIR * (self.found + transitions);
        reserve + self.graph.bytes_for(states, transitions) + size_of::<u32>() * transitions
    }
}
