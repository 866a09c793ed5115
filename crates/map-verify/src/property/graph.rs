//! The labelled graph, on which temporal properties are judged.
//!
//! A run is a word of letters: one for the first moment, then one for each step. A letter is the set of propositions
//! that hold at a moment, of the step and the state it leads to. Every state has a transition, so every path is
//! infinite unless a bound cuts it off. A run that has ended, or polls in vain for ever, stays in its state by a
//! self-loop of no agent. A step that goes wrong leads to a *halt*, a copy of its source with a self-loop; so does
//! the outcome of open comparisons that leaves nothing to do.

use std::ops::Range;

use indexmap::IndexSet;
use map_graph::BitSet;
use map_semantics::Letter;
use rustc_hash::FxBuildHasher;

/// Index of an interned [`Letter`].
pub(crate) type LetterId = u32;

/// Index of a mover together with a letter.
pub(crate) type LabelId = u32;

/// The mover of transitions by which a run stays in its state.
pub(crate) const NOBODY: u32 = u32::MAX;

/// Bytes that a search of the graph takes for each pair of a state and a phase.
pub(crate) const BYTES_PER_PAIR: usize = 8;

/// Marks targets that are halts, as long as the number of states is not known.
const HALT: u32 = 1 << 31;

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Transition {
    /// The number of who makes it ([`super::movers::Movers`]), or [`NOBODY`].
    pub(crate) mover: u32,
    /// The state it leads to.
    pub(crate) target: u32,
    /// The propositions that hold of the step and its target.
    pub(crate) letter: LetterId,
}

impl Transition {
    /// Whether it is the self-loop by which a run stays in this state.
    pub(crate) fn stays(&self, state: u32) -> bool {
        self.mover == NOBODY && self.target == state
    }
}

/// A stored transition: its mover and letter are one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    /// The state it leads to.
    pub(crate) target: u32,
    /// Its mover and letter.
    pub(crate) label: LabelId,
}

/// Properties of a transition that are not part of its letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Flags {
    /// It is a fault: a crash, or a send that loses a copy.
    pub(crate) unlucky: bool,
    /// It exists only for some outcomes of open comparisons.
    pub(crate) open: bool,
    /// It is an answered poll, which does not count as a turn of its agent; neither does a refused one.
    pub(crate) poll: bool,
}

impl Flags {
    /// As a byte.
    pub(crate) fn bits(self) -> u8 {
        u8::from(self.unlucky) | u8::from(self.open) << 1 | u8::from(self.poll) << 2
    }

    /// From a byte.
    pub(crate) fn of(bits: u8) -> Self {
        Self { unlucky: bits & 1 != 0, open: bits & 2 != 0, poll: bits & 4 != 0 }
    }
}

/// The reachable states with their transitions; the initial states come first.
#[derive(Clone, Default)]
pub(crate) struct LabelledGraph {
    letters: IndexSet<Letter, FxBuildHasher>,
    /// The labels of the first moment in the initial states, with mover [`NOBODY`].
    initial: Vec<LabelId>,
    transitions: Vec<Packed>,
    /// Pairs of mover and letter.
    labels: IndexSet<(u32, LetterId), FxBuildHasher>,
    /// By transition, as bits; trailing defaults are omitted.
    all_flags: Vec<u8>,
    /// The end of each state's transitions.
    ends: Vec<usize>,
    /// For each state the movers to which a fair run owes a turn, as an index into `mover_sets`.
    enabled: Vec<u32>,
    mover_sets: IndexSet<BitSet, FxBuildHasher>,
    /// The states in which more movers may be owed a turn, depending on open comparisons, with the largest such set.
    enabled_at_most: Vec<(u32, u32)>,
    /// For each state whether a bound cut off one of its steps, so that a run may continue in unexplored ways.
    cut: Vec<bool>,
    /// The sources of the halts, until [`LabelledGraph::finish`] turns these into states.
    halts: Vec<(u32, LetterId)>,
    /// States from this one on are halts. Set when the graph is finished.
    first_halt: usize,
    /// The states in which a run may stay or go on, ascending, with the index of the self-loop among their
    /// transitions. Set when the graph is finished.
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

    /// The transitions of a state; empty only if a bound cut off all of them.
    pub(crate) fn packed(&self, state: u32) -> &[Packed] {
        &self.transitions[self.range(state)]
    }

    /// Unpacks a transition.
    pub(crate) fn unpack(&self, Packed { target, label }: Packed) -> Transition {
        let (mover, letter) = self.labels[label as usize];
        Transition { mover, target, letter }
    }

    /// All pairs of mover and letter, in the order of their numbers.
    pub(crate) fn labels(&self) -> impl ExactSizeIterator<Item = (u32, LetterId)> {
        self.labels.iter().copied()
    }

    /// The letters of first moments and of steps, perhaps repeatedly.
    pub(crate) fn made_letters(&self) -> impl Iterator<Item = LetterId> {
        let steps = self.labels().filter(|(agent, _)| *agent != NOBODY).map(|(_, letter)| letter);
        steps.chain(self.initial_letters().map(|(_, letter)| letter))
    }

    /// The transitions of a state with their flags.
    pub(crate) fn moves(&self, state: u32) -> impl Iterator<Item = (Packed, Flags)> {
        let start = self.range(state).start;
        let flags = move |index: usize| Flags::of(self.all_flags.get(start + index).copied().unwrap_or(0));
        self.packed(state).iter().enumerate().map(move |(index, &it)| (it, flags(index)))
    }

    /// The flags of the `index`th transition of a state.
    pub(crate) fn flags(&self, state: u32, index: usize) -> Flags {
        let start = self.range(state).start;
        Flags::of(self.all_flags.get(start + index).copied().unwrap_or(0))
    }

    /// The transitions of a state that are no faults: whatever must be reachable must be reachable by these.
    pub(crate) fn lucky(&self, state: u32) -> impl Iterator<Item = Packed> {
        self.moves(state).filter(|(_, flags)| !flags.unlucky).map(|(it, _)| it)
    }

    /// The first of the same transitions from an index on among the transitions of the state, with its index.
    pub(crate) fn lucky_from(&self, state: u32, start: usize) -> Option<(usize, Packed)> {
        let mut transitions = self.packed(state).iter().copied().enumerate().skip(start);
        transitions.find(|&(index, _)| !self.flags(state, index).unlucky)
    }

    /// The transitions of a state that a fair run takes again and again: no faults, and it stays in a state only if it
    /// can do nothing else there.
    pub(crate) fn drawn(&self, state: u32) -> impl Iterator<Item = (Packed, Flags)> {
        let in_vain = move |packed: Packed| {
            packed.target == state && self.unpack(packed).stays(state) && self.may_be_left(state)
        };
        self.moves(state).filter(move |(packed, flags)| !flags.unlucky && !in_vain(*packed))
    }

    /// Whether a run can do anything other than stay in a state, possibly beyond a bound. Faults do not count: a run
    /// may have ended although an agent could still crash.
    pub(crate) fn may_be_left(&self, state: u32) -> bool {
        self.is_cut(state) || self.lucky(state).nth(1).is_some()
    }

    /// Whether a transition of a state exists only for some outcomes of open comparisons.
    pub(crate) fn is_open(&self, state: u32, transition: &Transition) -> bool {
        let same = self.moves(state).filter(|(it, _)| self.unpack(*it) == *transition);
        same.map(|(_, flags)| flags).all(|flags| flags.open)
    }

    /// Whether any transition, or any turn owed to a mover, depends on open comparisons.
    pub(crate) fn has_doubts(&self) -> bool {
        !self.enabled_at_most.is_empty() || self.all_flags.iter().any(|&bits| Flags::of(bits).open)
    }

    /// The subgraph that does not depend on open comparisons: its runs are certain. States may lose all their
    /// transitions.
    pub(crate) fn certain(&self) -> Self {
        let mut certain = Self {
            letters: self.letters.clone(),
            labels: self.labels.clone(),
            initial: self.initial.clone(),
            mover_sets: self.mover_sets.clone(),
            enabled: self.enabled.clone(),
            cut: self.cut.clone(),
            first_halt: self.first_halt,
            ..Self::default()
        };
        for state in 0..self.len() as u32 {
            for (transition, flags) in self.moves(state).filter(|(_, flags)| !flags.open) {
                certain.append(transition, flags);
            }
            certain.ends.push(certain.transitions.len());
        }
        for &(state, set) in &self.enabled_at_most {
            certain.enabled[state as usize] = set;
        }
        // A run that stays where it could go on, be that by open transitions, stays for ever.
        let restless = self.restless.iter().filter_map(|&(state, _)| Some((state, certain.stay(state)?)));
        certain.restless = restless.collect();
        certain
    }

    /// Number of transitions.
    pub(crate) fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// The initial states, each with the label of the first moment in it.
    pub(crate) fn initial_labels(&self) -> impl Iterator<Item = (u32, LabelId)> {
        (0..).zip(self.initial.iter().copied())
    }

    /// The initial states, each with the letter of the first moment in it.
    pub(crate) fn initial_letters(&self) -> impl Iterator<Item = (u32, LetterId)> {
        self.initial_labels().map(|(state, label)| (state, self.labels[label as usize].1))
    }

    /// The letter of the first moment in an initial state.
    pub(crate) fn initial_letter(&self, state: u32) -> LetterId {
        self.labels[self.initial[state as usize] as usize].1
    }

    /// Number of distinct letters.
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

    /// Whether a fair run owes a mover a turn in a state: it has a step there that is not a poll, even one
    /// that is cut off or goes wrong. A poll may be answered "no" whenever an agent has its turn.
    pub(crate) fn is_enabled(&self, state: u32, mover: usize) -> bool {
        self.mover_sets[self.enabled[state as usize] as usize].contains(mover)
    }

    /// Whether a bound cut off some step of the state.
    pub(crate) fn is_cut(&self, state: u32) -> bool {
        self.cut[state as usize]
    }
}

/// Construction, state by state in the order of their numbers.
impl LabelledGraph {
    pub(crate) fn intern(&mut self, letter: impl Into<Letter>) -> LetterId {
        self.letters.insert_full(letter.into()).0 as LetterId
    }

    /// Adds an initial state, which is the next state.
    pub(crate) fn push_initial(&mut self, letter: LetterId) {
        let label = self.label(NOBODY, letter);
        self.initial.push(label);
    }

    /// The number of a pair of mover and letter.
    pub(crate) fn label(&mut self, mover: u32, letter: LetterId) -> LabelId {
        self.labels.insert_full((mover, letter)).0 as LabelId
    }

    /// Adds a transition of the current state. Equal transitions with comparable flags are merged, keeping the weaker
    /// flags.
    pub(crate) fn push(&mut self, transition: Transition, flags: Flags) {
        let Transition { mover, target, letter } = transition;
        let label = self.label(mover, letter);
        self.push_packed(Packed { target, label }, flags);
    }

    /// The same for a packed transition.
    pub(crate) fn push_packed(&mut self, packed: Packed, flags: Flags) {
        let start = self.ends.last().copied().unwrap_or(0);
        let bits = |graph: &Self, index: usize| graph.all_flags.get(index).copied().unwrap_or(0);
        let new = flags.bits();
        let same = (start..self.transitions.len()).filter(|&index| self.transitions[index] == packed);
        let mut comparable = same.filter(|&index| {
            let both = bits(self, index) & new;
            both == new || both == bits(self, index)
        });
        match comparable.next() {
            Some(known) => {
                let both = bits(self, known) & new;
                if let Some(bits) = self.all_flags.get_mut(known) {
                    *bits = both;
                }
            }
            None => self.append(packed, flags),
        }
    }

    fn append(&mut self, packed: Packed, flags: Flags) {
        make_room(&mut self.transitions, 1);
        self.transitions.push(packed);
        if flags != Flags::default() {
            let more = self.transitions.len() - self.all_flags.len();
            make_room(&mut self.all_flags, more);
            self.all_flags.resize(self.transitions.len(), 0);
            self.all_flags[self.transitions.len() - 1] = flags.bits();
        }
    }

    /// Adds a step of the current state to a halt. `letter` is the letter of staying there.
    pub(crate) fn push_halt(&mut self, mover: u32, letter: LetterId, flags: Flags) {
        let source = self.ends.len() as u32;
        if self.halts.last().is_none_or(|&(last, _)| last != source) {
            self.halts.push((source, letter));
        }
        let target = HALT | (self.halts.len() - 1) as u32;
        self.push(Transition { mover, target, letter }, flags);
    }

    /// Sets the largest set of movers that may be owed a turn in the current state, before it is closed.
    pub(crate) fn enable_at_most(&mut self, movers: &BitSet) {
        let (state, set) = (self.ends.len() as u32, self.mover_set(movers));
        self.enabled_at_most.push((state, set));
    }

    fn mover_set(&mut self, movers: &BitSet) -> u32 {
        // Usually the set of the previous state.
        if let Some(&last) = self.enabled.last()
            && self.mover_sets[last as usize] == *movers
        {
            return last;
        }
        let known = self.mover_sets.get_index_of(movers);
        known.unwrap_or_else(|| self.mover_sets.insert_full(movers.clone()).0) as u32
    }

    /// Completes the current state.
    pub(crate) fn close_state(&mut self, enabled: &BitSet, cut: bool) {
        let set = self.mover_set(enabled);
        make_room(&mut self.enabled, 1);
        make_room(&mut self.ends, 1);
        make_room(&mut self.cut, 1);
        self.enabled.push(set);
        self.ends.push(self.transitions.len());
        self.cut.push(cut);
    }

    /// Completes the graph: turns halts into states.
    pub(crate) fn finish(&mut self, movers: usize) {
        let states = self.ends.len();
        self.first_halt = states;
        for transition in &mut self.transitions {
            if transition.target & HALT != 0 {
                transition.target = states as u32 + (transition.target & !HALT);
            }
        }
        let nobody = BitSet::new(movers);
        for (index, (_, letter)) in std::mem::take(&mut self.halts).into_iter().enumerate() {
            let target = (states + index) as u32;
            self.push(Transition { mover: NOBODY, target, letter }, Flags::default());
            self.close_state(&nobody, false);
        }
        self.find_restless();
    }

    fn find_restless(&mut self) {
        let several = (0..self.len() as u32).filter(|&state| self.range(state).len() > 1);
        self.restless = several.filter_map(|state| Some((state, self.stay(state)?))).collect();
    }

    /// The index of the self-loop by which a run stays in a state among the transitions of the state.
    fn stay(&self, state: u32) -> Option<u32> {
        let mut transitions = self.packed(state).iter();
        transitions
            .position(|packed| packed.target == state && self.unpack(*packed).stays(state))
            .map(|index| index as u32)
    }

    /// The states in which a run may stay or go on, ascending, with the index of the self-loop among their
    /// transitions.
    pub(crate) fn restless(&self) -> &[(u32, u32)] {
        &self.restless
    }

    /// Whether a state is a halt.
    pub(crate) fn is_halt(&self, state: u32) -> bool {
        state as usize >= self.first_halt
    }

    /// Bytes that `states` more states with `transitions` transitions may add.
    pub(crate) fn bytes_for(&self, states: usize, transitions: usize) -> usize {
        room_for(&self.transitions, transitions)
            + room_for(&self.all_flags, transitions)
            + room_for(&self.ends, states)
            + room_for(&self.enabled, states)
            + room_for(&self.cut, states)
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        let words: usize = self
            .letters
            .first()
            .map_or(0, |letter| 64 + 8 * (letter.propositions.bound().div_ceil(64) + letter.costs.len()));
        self.transitions.capacity() * size_of::<Packed>()
            + self.all_flags.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.enabled.capacity() * size_of::<u32>()
            + self.cut.capacity()
            + self.letters.len() * words
            + self.labels.len() * 24
    }
}

/// The number of items by which a full list grows to hold `more` more: an eighth, not twofold, since these lists are
/// most of the memory of a search.
fn growth<T>(list: &[T], more: usize) -> usize {
    more.max(LEAST_ROOM).max(list.len() / 8)
}

/// Minimum number of items reserved at once.
const LEAST_ROOM: usize = 1 << 8;

fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(growth(list, more));
    }
}

/// Bytes that making room for `more` more items may add.
fn room_for<T>(list: &Vec<T>, more: usize) -> usize {
    if list.capacity() - list.len() < more { growth(list, more) * size_of::<T>() } else { 0 }
}
