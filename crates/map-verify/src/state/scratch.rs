//! The buffers with which a state is expanded.

use std::ops::Range;

use map_ir::{AgentId, PerformativeId};

use super::joining::Joining;
use super::located::Located;
use super::space::Space;
use crate::agents::{Missing, StateId};

/// Buffers for expanding a state.
#[derive(Default)]
pub(crate) struct Scratch {
    /// What the tables do not say yet.
    pub(crate) missing: Vec<Missing>,
    /// The state being expanded, taken apart.
    pub(crate) located: Located,
    /// The agents that the step changes, or send something to.
    pub(super) changed: Vec<Changed>,
    /// What they hold after it.
    pub(super) tails: Vec<u32>,
    /// For each slot how many of its agents have no token of their own and are not changed.
    pub(super) left: Vec<u32>,
    /// The slots from which agents were singled out, in the order of their tokens.
    pub(super) singled: Vec<usize>,
    /// What names of the agent that makes the step mean.
    pub(super) meanings: Vec<(AgentId, Token)>,
    /// The symbols, then the names, of the message that is sent, by what they are in the scene.
    pub(super) sent: Vec<u32>,
    pub(super) recipients: Vec<Token>,
    /// How many copies there are for each of them that may be lost: none for those that have ended.
    pub(super) copies: Vec<u32>,
    pub(super) pattern: Vec<u32>,
    /// Symbols and names of the message that are new to a recipient.
    pub(super) new_symbols: Vec<u32>,
    pub(super) new_names: Vec<u32>,
    pub(super) dropped: Vec<(PerformativeId, AgentId)>,
    pub(super) place: u32,
    pub(super) sent_to: u64,
    pub(super) next: Vec<u32>,
    /// Words of the singles outside of which the next state and its tails are like the one before.
    pub(super) altered: Range<usize>,
    pub(super) renamed: Vec<u32>,
    pub(super) joining: Joining,
}

/// A slot of the state being expanded, for all of its agents that are not singled out; or an agent singled out of a slot: from
/// the number of slots on. Names are held of tokens that are one agent.
pub(super) type Token = u32;

/// Agents that a step changes alike.
#[derive(Clone, Copy)]
pub(super) struct Changed {
    pub(super) token: Token,
    pub(super) next: StateId,
    /// How many they are.
    pub(super) count: u32,
    /// Where their new tail is.
    pub(super) tail: (u32, u32),
}

impl Changed {
    pub(super) fn tail<'t>(&self, tails: &'t [u32]) -> &'t [u32] {
        &tails[self.tail.0 as usize..self.tail.1 as usize]
    }
}

impl Scratch {
    /// Takes a state apart that is to be expanded; false if the steps of some agent are missing in the tables.
    pub(crate) fn locate(&mut self, space: &Space<'_>, words: &[u32]) -> bool {
        self.located.locate(space, words, &mut self.missing);
        self.missing.is_empty()
    }
}
