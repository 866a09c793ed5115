//! `--self-check`: the reductions re-examined on the states that are visited.
//!
//! The representative of a state must be its own, and that of the state with its agents reversed in every class, as far
//! as representatives are exact. The steps of an ample set must commute with each step of every other agent: both orders
//! are made, and must be possible and come to the same.

use map_ir::AgentId;

use super::canonical::{canonical, is_exact, reversed};
use super::quotient::{Batch, Quotient, Result, write};
use super::step::Judgement;
use super::tables::StateId;

/// A step as found again in another state: thread, how open questions were settled.
type Key = (usize, Vec<u32>);

impl Quotient<'_> {
    /// Examines a state that is being expanded; the result is what is wrong.
    pub(crate) fn examine(&mut self, state: &[u32], ample: Option<AgentId>) -> Option<String> {
        let scene = self.read(state);
        let symmetry = self.agents.symmetry();
        let mut again = Vec::new();
        write(&canonical(symmetry, scene.clone()), &mut again);
        if again != state {
            return Some("a representative is not its own".to_owned());
        }
        if is_exact(symmetry, &scene) {
            let mut again = Vec::new();
            write(&canonical(symmetry, reversed(symmetry, &scene)), &mut again);
            if again != state {
                return Some("two representatives of one state".to_owned());
            }
        }
        self.raw = true;
        let fault = ample.and_then(|ample| self.examine_ample(state, ample));
        self.raw = false;
        fault
    }

    fn examine_ample(&mut self, state: &[u32], ample: AgentId) -> Option<String> {
        let own = self.made(state, ample);
        for other in self.program.cast().filter(|&it| it != ample) {
            for (key, after_other) in self.made(state, other) {
                let own_later = self.made(&after_other, ample);
                // A mailbox that is full in one of the orders is a violation, found in that order.
                if own_later.len() != own.len() && !self.overflowed {
                    return Some(format!("the steps of an ample set change: {key:?} of agent {other:?}"));
                }
                for (own_key, after_own) in &own {
                    let other_later = self.made(after_own, other);
                    let one = other_later.into_iter().find(|(it, _)| *it == key);
                    let two = own_later.iter().find(|(it, _)| it == own_key);
                    let (Some((_, one)), Some((_, two))) = (one, two) else {
                        if self.overflowed {
                            continue;
                        }
                        return Some("a step of an ample set disables another, or is disabled".to_owned());
                    };
                    let symmetry = self.agents.symmetry();
                    if canonical(symmetry, self.read(&one)) != canonical(symmetry, self.read(two)) {
                        return Some("a step of an ample set does not commute".to_owned());
                    }
                }
            }
        }
        None
    }

    /// The steps of an agent that are made, its timeouts left out, with the states they lead to as they come.
    fn made(&mut self, state: &[u32], agent: AgentId) -> Vec<(Key, Vec<u32>)> {
        let ids: &[StateId] = &state[..self.program.agents.len()];
        ids.iter().for_each(|&id| self.ensure_locals(id));
        let mut batch = Batch::default();
        self.steps(state, Some(agent), &mut Judgement::default(), &mut batch);
        self.overflowed |= batch.entries.iter().any(|entry| entry.result == Result::Overflow);
        let made = batch.entries.iter().filter(|entry| entry.result == Result::State);
        made.map(|entry| {
            let key = (entry.thread, self.step(entry).options.clone());
            (key, batch.words[entry.words.clone()].to_vec())
        })
        .collect()
    }
}
