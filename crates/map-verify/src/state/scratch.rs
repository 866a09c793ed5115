//! Buffers for expanding a state.

use std::ops::Range;

use map_ir::{AgentId, PerformativeId};

use super::joining::Joining;
use super::located::Located;
use super::space::Space;
use crate::agents::{Missing, StateId};

/// Buffers for expanding a state.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Entries that the tables lack.
    pub(crate) missing: Vec<Missing>,
    /// The state being expanded, decoded.
    pub(crate) located: Located,
    /// The agents that the step changes or sends to.
    pub(super) changed: Vec<Changed>,
    /// What they hold after it.
    pub(super) tails: Vec<u32>,
    /// By slot: the number of its agents that are unchanged and not singled out.
    pub(super) left: Vec<u32>,
    /// The slots from which agents were singled out, in the order of their tokens.
    pub(super) singled: Vec<usize>,
    /// Names of the agent that takes the step, resolved to tokens.
    pub(super) meanings: Vec<(AgentId, Token)>,
    /// The symbols, then the names, of the message being sent, by their global names.
    pub(super) sent: Vec<u32>,
    pub(super) recipients: Vec<Token>,
    /// By recipient: how many copies could be lost; 0 for those that have ended.
    pub(super) copies: Vec<u32>,
    pub(super) pattern: Vec<u32>,
    /// Symbols and names of the message that the recipient does not hold yet.
    pub(super) new_symbols: Vec<u32>,
    pub(super) new_names: Vec<u32>,
    pub(super) dropped: Vec<(PerformativeId, AgentId)>,
    pub(super) place: u32,
    pub(super) sent_to: u64,
    pub(super) next: Vec<u32>,
    /// The singles that may have changed: outside this range the next state, tails included, equals the one before.
    pub(super) altered: Range<usize>,
    pub(super) renamed: Vec<u32>,
    pub(super) joining: Joining,
}

/// Either a slot, for all of its agents that are not singled out, or, from the number of slots on, one agent singled
/// out of a slot. Held names refer to tokens that are one agent.
pub(super) type Token = u32;

/// Agents that a step changes in the same way.
#[derive(Clone, Copy)]
pub(super) struct Changed {
    pub(super) token: Token,
    pub(super) next: StateId,
    pub(super) count: u32,
    /// Start and end of their new tail.
    pub(super) tail: (u32, u32),
}

impl Changed {
    pub(super) fn tail<'t>(&self, tails: &'t [u32]) -> &'t [u32] {
        &tails[self.tail.0 as usize..self.tail.1 as usize]
    }
}

impl Scratch {
    /// Decodes the state to be expanded; false if the tables lack the steps of some agent.
    pub(crate) fn locate(&mut self, space: &Space<'_>, words: &[u32]) -> bool {
        self.located.locate(space, words, &mut self.missing);
        self.missing.is_empty()
    }
}
