//! `--self-check`: the reductions re-examined on the states that are visited.
//!
//! The representative of a state must be its own, and that of the state with its agents reversed in every class, as far
//! as representatives are exact. The steps of an ample set must commute with each step of every other agent: both orders
//! are made, and must be possible and come to the same.

use map_ir::AgentId;

use super::{Buffers, System};
use crate::abstraction::canonical::{Scene, canonical, is_exact, reversed};
use crate::state::space::Next;

/// A step as found again in another state: thread, how open questions were settled.
type Key = (u32, Vec<u32>);

/// The steps of an agent that are made, with the states they lead to as they come.
struct Made {
    steps: Vec<(Key, Vec<u32>)>,
    /// A mailbox was full.
    overflowed: bool,
}

/// Why a state was not examined to the end: something is missing in the tables, and left in the buffers.
struct Missing;

impl System<'_> {
    /// Examines a state that is being expanded; the result is what is wrong, as far as the tables let it be seen.
    pub(crate) fn examine(
        &self,
        buffers: &mut Buffers,
        state: &[u32],
        ample: Option<AgentId>,
    ) -> Option<String> {
        let symmetry = self.space.agents.symmetry();
        let scene = self.space.read(state);
        if canonical(symmetry, scene.clone()) != scene {
            return Some("a representative is not its own".to_owned());
        }
        if is_exact(symmetry, &scene) && canonical(symmetry, reversed(symmetry, &scene)) != scene {
            return Some("two representatives of one state".to_owned());
        }
        self.examine_ample(buffers, state, ample?).unwrap_or(None)
    }

    fn examine_ample(
        &self,
        buffers: &mut Buffers,
        state: &[u32],
        ample: AgentId,
    ) -> Result<Option<String>, Missing> {
        let own = self.made(buffers, state, ample)?;
        for other in self.program().cast().filter(|&it| it != ample) {
            let others = self.made(buffers, state, other)?;
            let mut behind_own = Vec::new();
            for (key, after_own) in &own.steps {
                behind_own.push((key, self.made(buffers, after_own, other)?));
            }
            for (key, after_other) in &others.steps {
                let own_later = self.made(buffers, after_other, ample)?;
                // A mailbox that is full in one of the orders is a violation, found in that order.
                let overflowed = own.overflowed || others.overflowed || own_later.overflowed;
                if own_later.steps.len() != own.steps.len() && !overflowed {
                    return Ok(Some(format!("the steps of an ample set change: {key:?} of agent {other:?}")));
                }
                for (own_key, other_later) in &behind_own {
                    let one = other_later.steps.iter().find(|(it, _)| it == key);
                    let two = own_later.steps.iter().find(|(it, _)| it == *own_key);
                    let is_same = |(_, one): &(Key, Vec<u32>), (_, two): &(Key, Vec<u32>)| {
                        self.representative(one) == self.representative(two)
                    };
                    let fault = match (one, two) {
                        (Some(one), Some(two)) if is_same(one, two) => continue,
                        (Some(_), Some(_)) => "a step of an ample set does not commute",
                        _ if overflowed || other_later.overflowed => continue,
                        _ => "a step of an ample set disables another, or is disabled",
                    };
                    // An answer that is a name has another number where the agent has come to hold that name.
                    let mut behind = behind_own.iter().flat_map(|(_, made)| &made.steps);
                    if !self.has_names() || !two.is_some_and(|two| behind.any(|one| is_same(one, two))) {
                        return Ok(Some(fault.to_owned()));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether agents hold names by number.
    fn has_names(&self) -> bool {
        !self.space.agents.symmetry().classes().is_empty()
    }

    fn representative(&self, state: &[u32]) -> Scene {
        canonical(self.space.agents.symmetry(), self.space.read(state))
    }

    /// The acts of an agent in a state.
    fn made(&self, buffers: &mut Buffers, state: &[u32], agent: AgentId) -> Result<Made, Missing> {
        let mut scratch = buffers.take();
        scratch.raw = true;
        let mut made = Made { steps: Vec::new(), overflowed: false };
        if scratch.locate(&self.space, state) {
            self.space.steps(&mut scratch, state, Some(agent), &mut |successor| match successor.result {
                Next::State(next) => {
                    let key = (successor.step.label.thread, successor.step.label.options.clone());
                    made.steps.push((key, next.to_vec()));
                }
                Next::Overflow => made.overflowed = true,
                _ => {}
            });
        }
        scratch.raw = false;
        let missing = !scratch.missing.is_empty();
        buffers.give(scratch);
        if missing { Err(Missing) } else { Ok(made) }
    }
}
