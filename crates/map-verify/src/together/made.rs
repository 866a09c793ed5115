//! What is made of states when they are expanded, before it is taken over.

use std::collections::VecDeque;
use std::ops::Range;

use map_semantics::StepKind;

use crate::state::store::Key;

/// A step of the state being expanded that leads to a state.
#[derive(Clone, Copy)]
pub(super) struct ExpandedStep {
    pub(super) agent: u32,
    pub(super) thread: u32,
    pub(super) kind: StepKind,
    /// What [`Records::step`](super::records::Records::step) made of it.
    pub(super) label: u32,
    pub(super) compared: bool,
    pub(super) unlucky: bool,
    pub(super) owner: usize,
    /// The end of its target's words in the arena.
    pub(super) end: usize,
    /// The key of the target, if this process owns it.
    pub(super) key: Key,
}

/// The next states, as far as they were looked at.
#[derive(Default)]
pub(super) struct Ahead {
    /// By state where the steps and the words of their targets are; `None` if it lacks an entry.
    states: VecDeque<Option<(Range<usize>, Range<usize>)>>,
    made: Vec<ExpandedStep>,
    arena: Vec<u32>,
}

impl Ahead {
    /// Whether a state is expanded, by its place among the next ones.
    pub(super) fn has(&self, place: usize) -> bool {
        self.states.get(place).is_some_and(Option::is_some)
    }

    /// A state lacks an entry.
    pub(super) fn lack(&mut self, place: usize) {
        self.set(place, None);
    }

    /// Keeps what was made of a state.
    pub(super) fn keep(&mut self, place: usize, made: &mut Vec<ExpandedStep>, arena: &mut Vec<u32>) {
        let ranges =
            (self.made.len()..self.made.len() + made.len(), self.arena.len()..self.arena.len() + arena.len());
        self.made.append(made);
        self.arena.append(arena);
        self.set(place, Some(ranges));
    }

    fn set(&mut self, place: usize, ranges: Option<(Range<usize>, Range<usize>)>) {
        match self.states.get_mut(place) {
            Some(known) => *known = ranges,
            None => self.states.push_back(ranges),
        }
    }

    /// Hands the first state over, if it is expanded.
    pub(super) fn give(&mut self, made: &mut Vec<ExpandedStep>, arena: &mut Vec<u32>) -> bool {
        let Some(Some((steps, words))) = self.states.front().cloned() else { return false };
        let before = arena.len();
        arena.extend_from_slice(&self.arena[words]);
        made.extend(self.made[steps].iter().map(|it| ExpandedStep { end: before + it.end, ..*it }));
        self.done();
        true
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<Option<(Range<usize>, Range<usize>)>>()
            + self.made.capacity() * size_of::<ExpandedStep>()
            + self.arena.capacity() * size_of::<u32>()
    }

    /// The first state has been handed over, or is expanded now.
    pub(super) fn done(&mut self) {
        self.states.pop_front();
        if self.states.is_empty() {
            self.made.clear();
            self.arena.clear();
        }
    }
}
