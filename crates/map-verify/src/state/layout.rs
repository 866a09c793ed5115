//! How a global state is laid out as a vector of words.
//!
//! ```text
//! ids of fixed agents | copies lost | slots of each class | id and count of each slot | tails
//! ```
//!
//! A *fixed* agent is one that no other can stand for; its local state has a word of its own. The members of a class are a bag of
//! local states: for each *slot*, members in the same local state whose names nobody holds, there is the local state and
//! how many they are. The number of lost copies is there only where copies may be lost. The tails follow in the order of
//! fixed agents and slots. Without classes a vector is the agents' local states, in order, and their tails.

use std::ops::Range;

use map_ir::{AgentId, Program};

use crate::abstraction::symmetry::Symmetry;

/// Where an agent is in a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It has a word of its own.
    Fixed(usize),
    /// It is the member of that rank of a class.
    Member { class: usize, rank: u32 },
}

/// Where what is in the vectors of one system.
pub(crate) struct Layout {
    pub(super) fixed: Vec<AgentId>,
    pub(super) place_of: Vec<Place>,
    /// The members of each class.
    pub(super) classes: Vec<Vec<AgentId>>,
    pub(super) counts_losses: bool,
}

impl Layout {
    pub(super) fn new(program: &Program, symmetry: &Symmetry, counts_losses: bool) -> Self {
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
        Self { fixed, place_of, classes: symmetry.classes().to_vec(), counts_losses }
    }

    /// Words before the numbers of slots: those of fixed agents and, if there is one, that of lost copies.
    pub(super) fn singles(&self) -> usize {
        self.fixed.len() + usize::from(self.counts_losses)
    }

    /// Words before the slots.
    pub(super) fn header(&self) -> usize {
        self.singles() + self.classes.len()
    }

    /// Where the tails start.
    pub(super) fn tails(&self, words: &[u32]) -> usize {
        let slots: u32 = words[self.singles()..self.header()].iter().sum();
        self.header() + 2 * slots as usize
    }

    /// How many copies were lost.
    pub(super) fn lost(&self, words: &[u32]) -> u32 {
        if self.counts_losses { words[self.fixed.len()] } else { 0 }
    }

    /// The words of the slots of a class: pairs of a local state and a count.
    pub(super) fn slots_of(&self, words: &[u32], class: usize) -> Range<usize> {
        let slots = |classes: Range<usize>| -> usize {
            words[self.singles()..][classes].iter().map(|&slots| 2 * slots as usize).sum()
        };
        let start = self.header() + slots(0..class);
        start..start + slots(class..class + 1)
    }

    /// The local states of a vector, slot by slot, fixed agents first, each with its class and how many agents are in it.
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

    /// The slot in which an agent is.
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

    /// An agent of the class, or the fixed agent, that is in a slot: the one of that rank in the class.
    pub(super) fn agent(&self, slot: usize, class: Option<usize>, rank: u32) -> AgentId {
        class.map_or_else(|| self.fixed[slot], |class| self.classes[class][rank as usize])
    }
}
