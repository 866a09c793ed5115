//! The labelled graph: everything that temporal properties are judged on.
//!
//! A run is a word of letters: the letter of the first moment, then one for each step. A letter is the set of
//! propositions that hold at a moment: of the step and of the state it leads to. Every state has a transition, so every
//! path is infinite but where a bound cut it: a run that has ended, or is asked in vain for ever, stays where it is by a
//! transition of no agent to itself, and a step that goes wrong leads to a *halt*, a copy of its source that stays as it is.
//! So does a run in which open comparisons come out so that nothing more can happen.

use std::ops::Range;

use indexmap::IndexSet;
use map_graph::BitSet;
use map_semantics::Letter;
use rustc_hash::FxBuildHasher;

/// Index of an interned [`Letter`].
pub(crate) type LetterId = u32;

/// Index of an agent together with a letter.
pub(crate) type LabelId = u32;

/// The agent of transitions that nobody makes: those by which a run stays where it is.
pub(crate) const NOBODY: u32 = u32::MAX;

/// Bytes that a search of the graph takes for each pair of a state and a phase of the search.
pub(crate) const BYTES_PER_PAIR: usize = 8;

/// Marks targets that are halts while the number of states is not yet known.
const HALT: u32 = 1 << 31;

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Transition {
    /// Index of the agent in the cast, or [`NOBODY`].
    pub(crate) agent: u32,
    /// The state it leads to.
    pub(crate) target: u32,
    /// What holds of the step and the state it leads to.
    pub(crate) letter: LetterId,
}

impl Transition {
    /// Whether by it a run stays where it is, in this state.
    pub(crate) fn stays(&self, state: u32) -> bool {
        self.agent == NOBODY && self.target == state
    }
}

/// A transition as it is kept: who makes it and its letter are one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    /// The state it leads to.
    pub(crate) target: u32,
    /// Who makes it, and its letter.
    pub(crate) label: LabelId,
}

/// What a transition rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nature {
    /// A crash, or a send of which some copy is lost.
    pub(crate) unlucky: bool,
    /// It is there only if open comparisons come out so.
    pub(crate) open: bool,
    /// A poll that was answered: it is no turn of its agent's, as one that is refused is none.
    pub(crate) poll: bool,
}

impl Nature {
    fn bits(self) -> u8 {
        u8::from(self.unlucky) | u8::from(self.open) << 1 | u8::from(self.poll) << 2
    }

    fn of(bits: u8) -> Self {
        Self { unlucky: bits & 1 != 0, open: bits & 2 != 0, poll: bits & 4 != 0 }
    }
}

/// The reachable states with their transitions; the first state is 0.
#[derive(Clone, Default)]
pub(crate) struct LabelledGraph {
    letters: IndexSet<Letter, FxBuildHasher>,
    /// That of the first moment, which nobody makes.
    initial: LabelId,
    transitions: Vec<Packed>,
    /// Agents with letters.
    labels: IndexSet<(u32, LetterId), FxBuildHasher>,
    /// What transitions rest on, as bits, up to the last of which there is something to say.
    natures: Vec<u8>,
    /// Where each state's transitions end.
    ends: Vec<usize>,
    /// For each state the agents that have to be given their turn, as an index into `agent_sets`.
    enabled: Vec<u32>,
    agent_sets: IndexSet<BitSet, FxBuildHasher>,
    /// The states in which more agents have to be given their turn if open comparisons come out so, with all of them.
    enabled_at_most: Vec<(u32, u32)>,
    /// For each state whether a bound cut one of its steps: a run may go on there in ways that were not looked at.
    cut: Vec<bool>,
    /// The sources of the halts, until [`LabelledGraph::finish`] makes states of them.
    halts: Vec<(u32, LetterId)>,
    /// The first halt: states from here on are halts. Known when the graph is finished.
    first_halt: usize,
    /// The states in which a run may stay or go on, ascending; and which of its transitions is the one by which it stays.
    /// Known when the graph is finished.
    restless: Vec<(u32, u32)>,
}

impl LabelledGraph {
    /// Number of states, halts included.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    fn range(&self, state: u32) -> Range<usize> {
        let state = state as usize;
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        start..self.ends[state]
    }

    /// The transitions of a state; none only if a bound cut all that can happen in it.
    pub(crate) fn packed(&self, state: u32) -> &[Packed] {
        &self.transitions[self.range(state)]
    }

    /// What a transition says.
    pub(crate) fn unpack(&self, Packed { target, label }: Packed) -> Transition {
        let (agent, letter) = self.labels[label as usize];
        Transition { agent, target, letter }
    }

    /// Agents with letters, in the order of their numbers.
    pub(crate) fn labels(&self) -> impl ExactSizeIterator<Item = (u32, LetterId)> {
        self.labels.iter().copied()
    }

    /// The transitions of a state with what they rest on.
    pub(crate) fn moves(&self, state: u32) -> impl Iterator<Item = (Packed, Nature)> {
        let start = self.range(state).start;
        let nature = move |index: usize| Nature::of(self.natures.get(start + index).copied().unwrap_or(0));
        self.packed(state).iter().enumerate().map(move |(index, &it)| (it, nature(index)))
    }

    /// What the transition of that index out of a state rests on.
    pub(crate) fn nature(&self, state: u32, index: usize) -> Nature {
        let start = self.range(state).start;
        Nature::of(self.natures.get(start + index).copied().unwrap_or(0))
    }

    /// The transitions of a state that are neither crashes nor lose anything: what has to be reachable must be so by
    /// these.
    pub(crate) fn lucky(&self, state: u32) -> impl Iterator<Item = Packed> {
        self.moves(state).filter(|(_, nature)| !nature.unlucky).map(|(it, _)| it)
    }

    /// Whether a transition out of a state is there only if open comparisons come out so.
    pub(crate) fn is_open(&self, state: u32, transition: &Transition) -> bool {
        let same = self.moves(state).filter(|(it, _)| self.unpack(*it) == *transition);
        same.map(|(_, nature)| nature).all(|nature| nature.open)
    }

    /// Whether anything rests on open comparisons: what happens, or whether an agent has to be given its turn.
    pub(crate) fn has_doubts(&self) -> bool {
        !self.enabled_at_most.is_empty() || self.natures.iter().any(|&bits| Nature::of(bits).open)
    }

    /// The same states with what rests on no open comparison: what runs of it show is certain. Where a transition is
    /// left out there may be none.
    pub(crate) fn certain(&self) -> Self {
        let mut certain = Self {
            letters: self.letters.clone(),
            labels: self.labels.clone(),
            initial: self.initial,
            agent_sets: self.agent_sets.clone(),
            enabled: self.enabled.clone(),
            cut: self.cut.clone(),
            first_halt: self.first_halt,
            ..Self::default()
        };
        for state in 0..self.len() as u32 {
            for (transition, nature) in self.moves(state).filter(|(_, nature)| !nature.open) {
                certain.append(transition, nature);
            }
            certain.ends.push(certain.transitions.len());
        }
        for &(state, set) in &self.enabled_at_most {
            certain.enabled[state as usize] = set;
        }
        certain.find_restless();
        certain
    }

    /// Number of transitions.
    pub(crate) fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// The letter of the first moment.
    pub(crate) fn initial(&self) -> LetterId {
        self.labels[self.initial as usize].1
    }

    /// The same as a label.
    pub(crate) fn initial_label(&self) -> LabelId {
        self.initial
    }

    /// Number of different letters.
    pub(crate) fn letter_count(&self) -> usize {
        self.letters.len()
    }

    /// The letter itself.
    pub(crate) fn letter(&self, id: LetterId) -> &Letter {
        &self.letters[id as usize]
    }

    /// Whether a proposition is in a letter.
    pub(crate) fn holds(&self, letter: LetterId, proposition: usize) -> bool {
        self.letters[letter as usize].contains(proposition)
    }

    /// Whether an agent has to be given its turn in a state if the run is to be fair: it has a step there, made, cut or
    /// going wrong, that is not a poll. A poll may be answered "no" whenever the agent has its turn.
    pub(crate) fn is_enabled(&self, state: u32, agent: usize) -> bool {
        self.agent_sets[self.enabled[state as usize] as usize].contains(agent)
    }

    /// Whether a bound cut some step of the state.
    pub(crate) fn is_cut(&self, state: u32) -> bool {
        self.cut[state as usize]
    }
}

/// Building, state after state in the order of their numbers.
impl LabelledGraph {
    pub(crate) fn intern(&mut self, letter: Letter) -> LetterId {
        self.letters.insert_full(letter).0 as LetterId
    }

    pub(crate) fn set_initial(&mut self, letter: LetterId) {
        self.initial = self.label(NOBODY, letter);
    }

    /// The number of an agent with a letter.
    pub(crate) fn label(&mut self, agent: u32, letter: LetterId) -> LabelId {
        self.labels.insert_full((agent, letter)).0 as LabelId
    }

    /// Adds a transition of the state at hand, unless it is there and rests on no more.
    pub(crate) fn push(&mut self, transition: Transition, nature: Nature) {
        let Transition { agent, target, letter } = transition;
        let label = self.label(agent, letter);
        self.push_packed(Packed { target, label }, nature);
    }

    /// The same.
    pub(crate) fn push_packed(&mut self, packed: Packed, nature: Nature) {
        let start = self.ends.last().copied().unwrap_or(0);
        let bits = |graph: &Self, index: usize| graph.natures.get(index).copied().unwrap_or(0);
        let new = nature.bits();
        let same = (start..self.transitions.len()).filter(|&index| self.transitions[index] == packed);
        let mut comparable = same.filter(|&index| {
            let both = bits(self, index) & new;
            both == new || both == bits(self, index)
        });
        match comparable.next() {
            Some(known) => {
                let both = bits(self, known) & new;
                if let Some(bits) = self.natures.get_mut(known) {
                    *bits = both;
                }
            }
            None => self.append(packed, nature),
        }
    }

    fn append(&mut self, packed: Packed, nature: Nature) {
        make_room(&mut self.transitions, 1);
        self.transitions.push(packed);
        if nature != Nature::default() {
            let more = self.transitions.len() - self.natures.len();
            make_room(&mut self.natures, more);
            self.natures.resize(self.transitions.len(), 0);
            self.natures[self.transitions.len() - 1] = nature.bits();
        }
    }

    /// Adds a step of the state at hand by which the run ends where it is. `letter` is that of staying there.
    pub(crate) fn push_halt(&mut self, agent: u32, letter: LetterId, nature: Nature) {
        let source = self.ends.len() as u32;
        if self.halts.last().is_none_or(|&(last, _)| last != source) {
            self.halts.push((source, letter));
        }
        let target = HALT | (self.halts.len() - 1) as u32;
        self.push(Transition { agent, target, letter }, nature);
    }

    /// Says of the state at hand, before it is closed, who has to be given a turn if open comparisons come out so that as
    /// many agents as can be have to.
    pub(crate) fn enable_at_most(&mut self, agents: &BitSet) {
        let (state, set) = (self.ends.len() as u32, self.agent_set(agents));
        self.enabled_at_most.push((state, set));
    }

    fn agent_set(&mut self, agents: &BitSet) -> u32 {
        // Mostly that of the state before.
        if let Some(&last) = self.enabled.last()
            && self.agent_sets[last as usize] == *agents
        {
            return last;
        }
        let known = self.agent_sets.get_index_of(agents);
        known.unwrap_or_else(|| self.agent_sets.insert_full(agents.clone()).0) as u32
    }

    /// Ends the transitions of the state at hand.
    pub(crate) fn close_state(&mut self, enabled: &BitSet, cut: bool) {
        let set = self.agent_set(enabled);
        make_room(&mut self.enabled, 1);
        make_room(&mut self.ends, 1);
        make_room(&mut self.cut, 1);
        self.enabled.push(set);
        self.ends.push(self.transitions.len());
        self.cut.push(cut);
    }

    /// Makes states of the halts.
    pub(crate) fn finish(&mut self, agents: usize) {
        let states = self.ends.len();
        self.first_halt = states;
        for transition in &mut self.transitions {
            if transition.target & HALT != 0 {
                transition.target = states as u32 + (transition.target & !HALT);
            }
        }
        let nobody = BitSet::new(agents);
        for (index, (_, letter)) in std::mem::take(&mut self.halts).into_iter().enumerate() {
            let target = (states + index) as u32;
            self.push(Transition { agent: NOBODY, target, letter }, Nature::default());
            self.close_state(&nobody, false);
        }
        self.find_restless();
    }

    fn find_restless(&mut self) {
        let stays: Vec<bool> = self.labels().map(|(agent, _)| agent == NOBODY).collect();
        let restless = (0..self.len() as u32).filter_map(|state| {
            let transitions = self.packed(state);
            let stay = transitions.iter().position(|it| it.target == state && stays[it.label as usize])?;
            (transitions.len() > 1).then_some((state, stay as u32))
        });
        self.restless = restless.collect();
    }

    /// The states in which a run may stay or go on, ascending; and which of its transitions is the one by which it stays.
    pub(crate) fn restless(&self) -> &[(u32, u32)] {
        &self.restless
    }

    /// Whether a state is a halt.
    pub(crate) fn is_halt(&self, state: u32) -> bool {
        state as usize >= self.first_halt
    }

    /// Bytes that so many more states with so many transitions may add.
    pub(crate) fn bytes_for(&self, states: usize, transitions: usize) -> usize {
        room_for(&self.transitions, transitions)
            + room_for(&self.natures, transitions)
            + room_for(&self.ends, states)
            + room_for(&self.enabled, states)
            + room_for(&self.cut, states)
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        let words: usize = self.letters.first().map_or(0, |letter| 48 + 8 * letter.bound().div_ceil(64));
        self.transitions.capacity() * size_of::<Packed>()
            + self.natures.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.enabled.capacity() * size_of::<u32>()
            + self.cut.capacity()
            + self.letters.len() * words
            + self.labels.len() * 24
    }
}

/// By how much a list grows that has no room for so many more: not to twice its length, for these lists are most of what a
/// search keeps.
fn growth<T>(list: &[T], more: usize) -> usize {
    more.max(LEAST_ROOM).max(list.len() / 8)
}

/// So many at least are made room for.
const LEAST_ROOM: usize = 1 << 8;

fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(growth(list, more));
    }
}

/// Bytes that making room for so many more may add.
fn room_for<T>(list: &Vec<T>, more: usize) -> usize {
    if list.capacity() - list.len() < more { growth(list, more) * size_of::<T>() } else { 0 }
}
