//! The labelled graph of several processes, put together at the first one.
//!
//! The others tell it their states and transitions level by level, without the vectors. It numbers the states in the
//! order in which a single process would have found them: so the graph does not depend on who has which states.

use super::letters::RowId;
use super::notes::{Notes, Visit};
use super::observer::{KeptStep, Labelling};
use crate::property::graph::Flags;
use crate::state::space::Space;
use crate::together::wire::Reader;

/// No number yet.
const UNKNOWN: u32 = u32::MAX;

/// What is known of one process.
struct Known {
    steps: Vec<KeptStep>,
    visits: Vec<Visit>,
    /// The numbers here of its rows.
    rows: Vec<RowId>,
    /// The numbers in the graph of its states.
    numbers: Vec<u32>,
    /// How many of these were there before the level that is gathered.
    before: usize,
}

/// The states of the graph.
pub(crate) struct Gathering {
    processes: Vec<Known>,
    /// What is recorded of states, by all processes.
    notes: Notes,
    /// By state: its process, and its number there.
    places: Vec<(u32, u32)>,
    /// Number of states whose transitions are in the graph.
    added: usize,
}

/// What a process has told of its states of a level.
struct Level {
    /// Its first state in it.
    first: usize,
    visits: Vec<u32>,
    /// By state the end of its transitions.
    ends: Vec<usize>,
    /// The process and the number there of the target, and the number of the step.
    transitions: Vec<(u32, u32, u32)>,
    /// The rows of the states that it has found in it, in its own numbers.
    rows: Vec<RowId>,
    /// By process: the targets of its transitions.
    heard: Vec<Vec<u32>>,
}

impl Gathering {
    /// A graph of the initial states; `owners` are their processes, `rows` is the number of rows that all know.
    pub(super) fn new(processes: usize, owners: &[usize], rows: usize) -> Self {
        let known = |_| Known {
            steps: Vec::new(),
            visits: Vec::new(),
            rows: (0..rows as RowId).collect(),
            numbers: Vec::new(),
            before: 0,
        };
        let mut all = Self {
            processes: (0..processes).map(known).collect(),
            notes: Notes::default(),
            places: Vec::new(),
            added: 0,
        };
        for (number, &owner) in owners.iter().enumerate() {
            let numbers = &mut all.processes[owner].numbers;
            all.places.push((owner as u32, numbers.len() as u32));
            numbers.push(number as u32);
        }
        all
    }

    pub(super) fn place_of(&self, state: u32) -> (u32, u32) {
        self.places[state as usize]
    }

    /// Adds a level, as the processes have told it. Whether the letters seen have settled all properties.
    pub(super) fn take_level(
        &mut self,
        labelling: &mut Labelling<'_>,
        space: &Space<'_>,
        told: &[Vec<u8>],
    ) -> bool {
        let firsts: Vec<usize> = self.first_of_level();
        let mut readers: Vec<Reader<'_>> = told.iter().map(|told| Reader(told)).collect();
        let mut levels: Vec<Level> = readers
            .iter_mut()
            .enumerate()
            .map(|(process, from)| self.read_tables(labelling, space, (process, firsts[process]), from))
            .collect();
        for (process, mut from) in readers.into_iter().enumerate() {
            read_transitions(&mut levels, process, &mut from);
        }
        let (first, end) = (self.added, self.places.len());
        for state in first..end {
            self.add_state(labelling, space, state, &levels);
        }
        self.added = end;
        labelling.level_is_decided(self.places.len())
    }

    /// By process: its first state that is not in the graph with its transitions.
    fn first_of_level(&self) -> Vec<usize> {
        let mut firsts: Vec<usize> = self.processes.iter().map(|it| it.numbers.len()).collect();
        for &(process, number) in &self.places[self.added..] {
            let first = &mut firsts[process as usize];
            *first = (*first).min(number as usize);
        }
        firsts
    }

    /// Reads all that comes before the transitions.
    fn read_tables(
        &mut self,
        labelling: &mut Labelling<'_>,
        space: &Space<'_>,
        (process, first): (usize, usize),
        from: &mut Reader<'_>,
    ) -> Level {
        let count = self.processes.len();
        let Self { processes, notes, .. } = self;
        let known = &mut processes[process];
        for _ in 0..from.number() {
            let (mover, events) = (from.word(), from.word());
            known.steps.push(KeptStep { mover, events, flags: Flags::of(from.number() as u8) });
        }
        for _ in 0..from.number() {
            known.visits.push(notes.read(&mut Reader(from.bytes())));
        }
        for _ in 0..from.number() {
            let row = from.number() as usize;
            let more = known.rows.len().max(row + 1);
            known.rows.resize(more, UNKNOWN);
            known.rows[row] = labelling.row_of(space, &from.words());
        }
        let rows = from.words();
        known.before = known.numbers.len();
        known.numbers.resize(known.before + rows.len(), UNKNOWN);
        let heard = (0..count).map(|_| from.words()).collect();
        Level { first, visits: Vec::new(), ends: Vec::new(), transitions: Vec::new(), rows, heard }
    }

    /// Adds the transitions of a state, and numbers the states that it has found.
    fn add_state(
        &mut self,
        labelling: &mut Labelling<'_>,
        space: &Space<'_>,
        state: usize,
        levels: &[Level],
    ) {
        let (process, number) = self.places[state];
        let level = &levels[process as usize];
        let place = number as usize - level.first;
        let Some(&end) = level.ends.get(place) else {
            // A limit was reached before it was expanded.
            labelling.add_cut();
            return;
        };
        let start = place.checked_sub(1).map_or(0, |before| level.ends[before]);
        let mut steps = Vec::with_capacity(end - start);
        for &(owner, target, step) in &level.transitions[start..end] {
            let known = &mut self.processes[owner as usize];
            let number = &mut known.numbers[target as usize];
            if *number == UNKNOWN {
                *number = self.places.len() as u32;
                self.places.push((owner, target));
                let row = levels[owner as usize].rows[target as usize - known.before];
                labelling.push_row(known.rows[row as usize]);
            }
            let number = *number;
            steps.push((number, self.processes[process as usize].steps[step as usize]));
        }
        let visit = self.processes[process as usize].visits[level.visits[place] as usize];
        let monitors = space.agents.monitors.as_ref();
        labelling.add(state as u32, (&self.notes, visit), steps.into_iter(), monitors);
    }

    pub(super) fn bytes(&self) -> usize {
        let numbers: usize = self.processes.iter().map(|it| it.numbers.capacity() * size_of::<u32>()).sum();
        numbers + self.places.capacity() * size_of::<(u32, u32)>() + self.notes.bytes()
    }
}

/// Reads the states of a process and their transitions. The targets are in the order in which their processes have
/// heard of them.
fn read_transitions(levels: &mut [Level], process: usize, from: &mut Reader<'_>) {
    let count = levels.len();
    let mut heard = vec![0; count];
    for _ in 0..from.number() {
        let visit = from.word();
        let mut transitions = std::mem::take(&mut levels[process].transitions);
        for _ in 0..from.number() {
            let number = from.number();
            let (owner, step) = ((number % count as u64) as usize, (number / count as u64) as u32);
            let target = levels[owner].heard[process][heard[owner]];
            heard[owner] += 1;
            transitions.push((owner as u32, target, step));
        }
        let level = &mut levels[process];
        level.transitions = transitions;
        level.visits.push(visit);
        level.ends.push(level.transitions.len());
    }
}
