//! The transition system that is searched: the states of a [`Space`], with steps pruned by partial-order reduction
//! ([`crate::partial_order::ample`]) and chains of single steps merged into one. Without these two layers it has all
//! steps of the space.

use map_ir::{AgentId, PerformativeId, Program};
use map_semantics::Judgement;

use crate::agents::Missing;
use crate::partial_order::ample::AmpleSelector;
use crate::partial_order::overflow::{Weight, Weights};
use crate::state::Scratch;
use crate::state::space::Space;
use crate::state::{Next, Successor};

mod self_check;

pub(crate) use self_check::SelfCheck;

/// Maximum number of states that a merged step passes through; the next one is stored.
pub(crate) const MAX_PASSED: usize = 64;

/// A transition system whose states are vectors of words.
pub(crate) struct System<'a> {
    pub(crate) space: Space<'a>,
    layers: Layers<'a>,
}

/// The layers over the states and steps of the space.
#[derive(Default)]
pub(crate) struct Layers<'a> {
    /// Chooses the agent whose steps are expanded; without it all agents' are.
    pub(crate) ample: Option<AmpleSelector>,
    /// Merges a step to a state whose ample set is a single step with that step.
    pub(crate) merging: bool,
    /// Checks every expanded state.
    pub(crate) self_check: Option<SelfCheck<'a>>,
}

/// Buffers of one thread for expanding states.
pub(crate) struct Buffers {
    #[expect(clippy::vec_box, reason = "one is taken out and put back for every state, and is large")]
    free: Vec<Box<Scratch>>,
    /// Entries that the tables lack.
    pub(crate) missing: Vec<Missing>,
    /// The weights of merged steps, numbered as they are found; 0 is the weight of sending nothing.
    pub(crate) weights: Weights,
    /// The number of the weight used last.
    last_weight: u32,
    /// A buffer: by part, the number of messages sent so far. All 0 between two states.
    sent: Weight,
    /// What the self-check found wrong with the state expanded last.
    pub(crate) fault: Option<String>,
}

/// The chain of merged steps being followed.
struct Chain {
    /// Number of states that may still be passed through.
    left: usize,
    /// Whether some step of it depends on an open comparison.
    compared: bool,
    /// Whether some step of it is a fault.
    unlucky: bool,
    /// By part: the number of messages sent so far.
    sent: Weight,
}

impl Default for Buffers {
    fn default() -> Self {
        let weights = Weights::from_iter([Weight::new()]);
        Self {
            free: Vec::new(),
            missing: Vec::new(),
            weights,
            last_weight: 0,
            sent: Weight::new(),
            fault: None,
        }
    }
}

impl Buffers {
    pub(crate) fn take(&mut self) -> Box<Scratch> {
        self.free.pop().unwrap_or_default()
    }

    /// Takes a scratch back, along with its missing entries.
    pub(crate) fn give(&mut self, mut scratch: Box<Scratch>) {
        self.missing.append(&mut scratch.missing);
        self.free.push(scratch);
    }

    /// The number of a weight.
    fn weight(&mut self, sent: &Weight) -> u32 {
        if sent.iter().all(|&sent| sent == 0) {
            return 0;
        }
        if self.weights[self.last_weight as usize] != *sent {
            let known = self.weights.get_index_of(sent);
            self.last_weight = known.unwrap_or_else(|| self.weights.insert_full(sent.clone()).0) as u32;
        }
        self.last_weight
    }
}

impl<'a> System<'a> {
    pub(crate) fn new(space: Space<'a>, layers: Layers<'a>) -> Self {
        Self { space, layers }
    }

    /// Whether its states and steps are exactly those of the scene.
    pub(crate) fn is_plain(&self) -> bool {
        self.layers.ample.is_none() && self.space.agents.only_symbols()
    }

    /// Whether steps are pruned, so that what a run sends must be tracked.
    pub(crate) fn prunes(&self) -> bool {
        self.layers.ample.is_some()
    }

    /// Calls `found` for the steps of a state, and judges the state. A step to a state that is passed through is
    /// followed by the steps from there. Returns `None` if the tables lack an entry: it is left in the buffers, and
    /// the state must be expanded again after [`crate::agents::Agents::fill`]. Also if the work was stopped.
    pub(crate) fn expand(
        &self,
        buffers: &mut Buffers,
        state: &[u32],
        found: &mut dyn FnMut(&mut Successor<'_>),
    ) -> Option<Judgement> {
        buffers.fault = None;
        let mut scratch = buffers.take();
        let judgement = scratch.locate(&self.space, state).then(|| {
            let ample = self.ample(&scratch, state);
            if let Some(self_check) = &self.layers.self_check {
                buffers.fault = self_check.examine(self, state, ample);
            }
            let left = if self.layers.merging { MAX_PASSED } else { 0 };
            let parts = if self.prunes() { self.space.program.parts.len() } else { 0 };
            let mut sent = std::mem::take(&mut buffers.sent);
            sent.resize(parts, 0);
            let mut chain = Chain { left, compared: false, unlucky: false, sent };
            let judgement = self.follow(buffers, &mut scratch, state, ample, &mut chain, found);
            buffers.sent = chain.sent;
            judgement
        });
        buffers.give(scratch);
        judgement.filter(|_| buffers.missing.is_empty() && !self.space.stop.is_raised())
    }

    /// The unread messages of a state: performative and owner.
    pub(crate) fn unread<'s>(
        &'s self,
        state: &'s [u32],
    ) -> impl Iterator<Item = (PerformativeId, AgentId)> + 's {
        self.space.local_states(state).flat_map(|(agent, id, _)| {
            self.space.agents.unread(id).map(move |performative| (performative, agent))
        })
    }

    /// The agents that an agent is interchangeable with, itself included.
    pub(crate) fn orbit(&self, agent: AgentId) -> Vec<AgentId> {
        let symmetry = self.space.agents.symmetry();
        symmetry.class_of(agent).map_or_else(|| vec![agent], |class| symmetry.classes()[class].clone())
    }

    /// The slot of an agent whose steps are an ample set of a located state, if there is one.
    pub(crate) fn ample(&self, scratch: &Scratch, words: &[u32]) -> Option<usize> {
        self.layers.ample.as_ref()?.choose(&self.space, &scratch.located, words)
    }

    /// The slot of an agent with a single step that is an ample set of the state, if there is one. Locates the state.
    fn only_step(&self, scratch: &mut Scratch, words: &[u32]) -> Option<usize> {
        if !scratch.locate(&self.space, words) {
            return None;
        }
        self.ample(scratch, words).filter(|&slot| self.space.has_one_step(&scratch.located, words, slot))
    }

    /// Whether merging passes through a located state with this ample set.
    pub(crate) fn is_passed(&self, scratch: &Scratch, words: &[u32], ample: Option<usize>) -> bool {
        let is_single = |slot| self.space.has_one_step(&scratch.located, words, slot);
        self.layers.merging && ample.is_some_and(is_single)
    }

    /// Calls `found` for the steps of a located state, or for those of the slot `only`, merged with the steps that
    /// follow.
    fn follow(
        &self,
        buffers: &mut Buffers,
        scratch: &mut Scratch,
        state: &[u32],
        only: Option<usize>,
        chain: &mut Chain,
        found: &mut dyn FnMut(&mut Successor<'_>),
    ) -> Judgement {
        if !self.prunes() {
            return self.space.steps(scratch, state, only, found);
        }
        self.space.steps(scratch, state, only, &mut |successor| {
            self.count(&mut chain.sent, successor.sent_to, 1);
            let (sent_to, before) = (successor.sent_to, (chain.compared, chain.unlucky));
            chain.compared |= successor.compared;
            chain.unlucky |= successor.unlucky;
            (successor.compared, successor.unlucky) = (chain.compared, chain.unlucky);
            // The state may be passed through, and is then not the one that the folder has loaded.
            successor.altered = 0..self.space.singles();
            successor.weight = buffers.weight(&chain.sent);
            match successor.result {
                Next::State(next) if chain.left > 0 => {
                    let mut inner = buffers.take();
                    let behind = self.only_step(&mut inner, next);
                    successor.passed = behind.is_some();
                    found(successor);
                    if behind.is_some() {
                        chain.left -= 1;
                        self.follow(buffers, &mut inner, next, behind, chain, found);
                        chain.left += 1;
                    }
                    buffers.give(inner);
                }
                _ => found(successor),
            }
            (chain.compared, chain.unlucky) = before;
            self.count(&mut chain.sent, sent_to, -1);
        })
    }

    /// Adds `by` to the message count of each part in `sent_to`.
    fn count(&self, sent: &mut [u32], sent_to: u64, by: i32) {
        if sent_to != 0 {
            for (part, sent) in sent.iter_mut().enumerate() {
                if sent_to >> (part % 64) & 1 != 0 {
                    *sent = sent.wrapping_add_signed(by);
                }
            }
        }
    }

    pub(crate) fn program(&self) -> &'a Program {
        self.space.program
    }
}
