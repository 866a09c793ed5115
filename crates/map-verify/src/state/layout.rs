//! The layout of a global state as a vector of words.
//!
//! ```text
//! ids of fixed agents | copies lost | monitored | slots of each class | id and count of each slot | tails
//! ```
//!
//! A *fixed* agent is interchangeable with no other; its local state has a word of its own. The members of a class are
//! a bag of local states: each *slot* holds a local state and the number of members in it whose names nobody holds. (A
//! member whose name is held has a slot of its own.) The count of lost copies is present only if the network may lose
//! messages, and what is monitored only if properties look back. The tails follow, in the order of fixed agents and
//! slots. Without classes a vector is the agents' local states, in order, and their tails.

use std::ops::Range;

use map_ir::{AgentId, Program};

use crate::abstraction::symmetry::Symmetry;

/// Where an agent is in a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It has a word of its own.
    Fixed(usize),
    /// It is the member of this rank in a class.
    Member { class: usize, rank: u32 },
}

/// The layout of the vectors of one system.
pub(crate) struct Layout {
    pub(super) fixed: Vec<AgentId>,
    pub(super) place_of: Vec<Place>,
    /// The members of each class.
    pub(super) classes: Vec<Vec<AgentId>>,
    pub(super) counts_losses: bool,
    pub(super) monitors: bool,
}

impl Layout {
    pub(super) fn new(program: &Program, symmetry: &Symmetry, counts_losses: bool, monitors: bool) -> Self {
        let fixed: Vec<AgentId> =
            program.cast().filter(|&agent| symmetry.class_of(agent).is_none()).collect();
        let mut place_of = vec![Place::Fixed(0); program.agents.len()];
        for (place, agent) in fixed.iter().enumerate() {
            place_of[agent.index()] = Place::Fixed(place);
        }
        for (class, members) in symmetry.classes().iter().enumerate() {
            for (rank, agent) in (0..).zip(members) {
                place_of[agent.index()] = Place::Member { class, rank };
            }
        }
        Self { fixed, place_of, classes: symmetry.classes().to_vec(), counts_losses, monitors }
    }

    /// Number of words before the slot counts: the fixed agents and, if present, the count of lost copies and what is
    /// monitored.
    pub(super) fn singles(&self) -> usize {
        self.fixed.len() + usize::from(self.counts_losses) + usize::from(self.monitors)
    }

    /// The place of the number of what is monitored.
    pub(super) fn monitored(&self) -> Option<usize> {
        self.monitors.then(|| self.singles() - 1)
    }

    /// Number of words before the slots.
    pub(super) fn header(&self) -> usize {
        self.singles() + self.classes.len()
    }

    /// The index of the first tail.
    pub(super) fn tails(&self, words: &[u32]) -> usize {
        let slots: u32 = words[self.singles()..self.header()].iter().sum();
        self.header() + 2 * slots as usize
    }

    /// How many copies were lost.
    pub(super) fn lost(&self, words: &[u32]) -> u32 {
        if self.counts_losses { words[self.fixed.len()] } else { 0 }
    }

    /// The range of words of a class's slots: pairs of a local state and a count.
    pub(super) fn slots_of(&self, words: &[u32], class: usize) -> Range<usize> {
        let slots = |classes: Range<usize>| -> usize {
            words[self.singles()..][classes].iter().map(|&slots| 2 * slots as usize).sum()
        };
        let start = self.header() + slots(0..class);
        start..start + slots(class..class + 1)
    }

    /// The local states of a vector, slot by slot, fixed agents first: class, local state, and number of agents.
    pub(super) fn local_states<'w>(
        &'w self,
        words: &'w [u32],
    ) -> impl Iterator<Item = (Option<usize>, u32, u32)> + 'w {
        let fixed = words[..self.fixed.len()].iter().map(|&id| (None, id, 1));
        let members = (0..self.classes.len()).flat_map(move |class| {
            let slots = words[self.slots_of(words, class)].chunks_exact(2);
            slots.map(move |slot| (Some(class), slot[0], slot[1]))
        });
        fixed.chain(members)
    }

    /// The slot of an agent.
    pub(super) fn slot_of(&self, words: &[u32], agent: AgentId) -> usize {
        match self.place_of[agent.index()] {
            Place::Fixed(place) => place,
            Place::Member { class, mut rank } => {
                let all = self.slots_of(words, class);
                let first = self.fixed.len() + (all.start - self.header()) / 2;
                let place = words[all].chunks_exact(2).position(|slot| {
                    let is_here = rank < slot[1];
                    rank = rank.wrapping_sub(slot[1]);
                    is_here
                });
                first + place.expect("the slots have all members of the class")
            }
        }
    }

    /// The fixed agent of a slot, or the agent of this rank in a class.
    pub(super) fn agent(&self, slot: usize, class: Option<usize>, rank: u32) -> AgentId {
        class.map_or_else(|| self.fixed[slot], |class| self.classes[class][rank as usize])
    }
}
