//! The transition system that is searched: the scene's states, of whose steps partial order leaves out what can be made
//! later ([`crate::partial_order::ample`]), and which merging makes into longer ones. Without these two it is the scene's states
//! with all their steps. What a state stands for is up to [`Space`].

use map_ir::{AgentId, PerformativeId, Program};
use map_semantics::{Judgement, Outcome};

use crate::agents::Missing;
use crate::partial_order::ample::Orders;
use crate::partial_order::overflow::{Weight, Weights};
use crate::state::Scratch;
use crate::state::space::Space;
use crate::state::{Next, Successor};

mod self_check;

pub(crate) use self_check::SelfCheck;

/// The most states that one step passes; what lies behind is stored.
pub(crate) const MAX_PASSED: usize = 64;

/// A transition system whose states are vectors of words.
pub(crate) struct System<'a> {
    pub(crate) space: Space<'a>,
    layers: Layers<'a>,
}

/// What is put over the states and steps of the scene.
#[derive(Default)]
pub(crate) struct Layers<'a> {
    /// Chooses whose steps are expanded; without it all are.
    pub(crate) orders: Option<Orders>,
    /// A step to a state whose ample set is a single step is followed by that.
    pub(crate) merging: bool,
    /// Examines every state that is expanded.
    pub(crate) self_check: Option<SelfCheck<'a>>,
}

/// Buffers of one thread for expanding states.
pub(crate) struct Buffers {
    #[expect(clippy::vec_box, reason = "one is taken out and put back for every state, and is large")]
    free: Vec<Box<Scratch>>,
    /// What the tables do not say yet.
    pub(crate) missing: Vec<Missing>,
    /// What merged steps send, numbered as it is found; nothing at all is number 0.
    pub(crate) weights: Weights,
    /// The number of the one that was asked for last.
    last_weight: u32,
    /// How many messages were sent to each part so far: all none between two states.
    sent: Weight,
    /// What the self-check has found to be wrong with the state that was expanded last.
    pub(crate) fault: Option<String>,
}

/// A way of merged steps.
struct Way {
    /// How many more states may be passed.
    left: usize,
    /// Some step on it rests on an open comparison.
    compared: bool,
    /// Some step on it is bad luck.
    unlucky: bool,
    /// How many messages each part was sent so far.
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

    /// Takes a scratch back, with what was found to be missing.
    pub(crate) fn give(&mut self, mut scratch: Box<Scratch>) {
        self.missing.append(&mut scratch.missing);
        self.free.push(scratch);
    }

    /// The number of what a way sends.
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

    /// The first state, if there is one, and what the agents did on their ways to it; nothing if that was stopped.
    pub(crate) fn start(&mut self) -> Option<(Option<Vec<u32>>, Vec<Outcome>)> {
        self.space.start()
    }

    /// Whether its states and steps are those of the scene.
    pub(crate) fn is_plain(&self) -> bool {
        self.layers.orders.is_none() && self.space.agents.only_symbols()
    }

    /// Whether it leaves out steps, so that what a run sends is of interest.
    pub(crate) fn has_orders(&self) -> bool {
        self.layers.orders.is_some()
    }

    /// Calls `found` for the steps of a state, and says what kind of state it is. Behind a step to a state that is passed come
    /// the steps from there. Nothing is returned if something is missing in the tables: it is left in the buffers, and after
    /// [`crate::agents::Agents::fill`] the state has to be expanded again. So it is if the work was stopped.
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
            let parts = if self.has_orders() { self.space.program.parts.len() } else { 0 };
            let mut sent = std::mem::take(&mut buffers.sent);
            sent.resize(parts, 0);
            let mut way = Way { left, compared: false, unlucky: false, sent };
            let judgement = self.follow(buffers, &mut scratch, state, ample, &mut way, found);
            buffers.sent = way.sent;
            judgement
        });
        buffers.give(scratch);
        judgement.filter(|_| buffers.missing.is_empty() && !self.space.stop.is_raised())
    }

    /// What lies in the mailboxes of a state: performative and owner.
    pub(crate) fn unread<'s>(
        &'s self,
        state: &'s [u32],
    ) -> impl Iterator<Item = (PerformativeId, AgentId)> + 's {
        self.space.local_states(state).flat_map(|(agent, id, _)| {
            self.space.agents.unread(id).map(move |performative| (performative, agent))
        })
    }

    /// The agents that an agent of a state may stand for.
    pub(crate) fn orbit(&self, agent: AgentId) -> Vec<AgentId> {
        let symmetry = self.space.agents.symmetry();
        symmetry.class_of(agent).map_or_else(|| vec![agent], |class| symmetry.classes()[class].clone())
    }

    /// The slot of an agent whose steps are enough, if there is one, in a state that has been located.
    pub(crate) fn ample(&self, scratch: &Scratch, words: &[u32]) -> Option<usize> {
        self.layers.orders.as_ref()?.choose(&self.space, &scratch.located, words)
    }

    /// The slot of the agent whose only step is an ample set of the state, if there is one. Locates the state.
    fn only_step(&self, scratch: &mut Scratch, words: &[u32]) -> Option<usize> {
        if !scratch.locate(&self.space, words) {
            return None;
        }
        self.ample(scratch, words).filter(|&slot| self.space.has_one_step(&scratch.located, words, slot))
    }

    /// Whether merging passes a state that has been located and has this ample set.
    pub(crate) fn is_passed(&self, scratch: &Scratch, words: &[u32], ample: Option<usize>) -> bool {
        let is_single = |slot| self.space.has_one_step(&scratch.located, words, slot);
        self.layers.merging && ample.is_some_and(is_single)
    }

    /// Hands out the steps of a state that has been located, or those of one of its agents; merged with what follows.
    fn follow(
        &self,
        buffers: &mut Buffers,
        scratch: &mut Scratch,
        state: &[u32],
        only: Option<usize>,
        way: &mut Way,
        found: &mut dyn FnMut(&mut Successor<'_>),
    ) -> Judgement {
        if !self.has_orders() {
            return self.space.steps(scratch, state, only, found);
        }
        self.space.steps(scratch, state, only, &mut |successor| {
            self.count(&mut way.sent, successor.sent_to, 1);
            let (sent_to, before) = (successor.sent_to, (way.compared, way.unlucky));
            way.compared |= successor.compared;
            way.unlucky |= successor.unlucky;
            (successor.compared, successor.unlucky) = (way.compared, way.unlucky);
            // The state may be one that is passed.
            successor.altered = 0..self.space.singles();
            successor.weight = buffers.weight(&way.sent);
            match successor.result {
                Next::State(next) if way.left > 0 => {
                    let mut inner = buffers.take();
                    let behind = self.only_step(&mut inner, next);
                    successor.passed = behind.is_some();
                    found(successor);
                    if behind.is_some() {
                        way.left -= 1;
                        self.follow(buffers, &mut inner, next, behind, way, found);
                        way.left += 1;
                    }
                    buffers.give(inner);
                }
                _ => found(successor),
            }
            (way.compared, way.unlucky) = before;
            self.count(&mut way.sent, sent_to, -1);
        })
    }

    /// Counts the messages of a step.
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
