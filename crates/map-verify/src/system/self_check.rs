//! `--self-check`: the reductions re-examined on the states that are visited.
//!
//! A canonical form must be its own, and that of the state with the slots of every class reversed, as far as canonical
//! forms are exact. The steps of an ample set must commute with each step of every other agent: both orders are made, in
//! a space in which no agent stands for another, and must be possible and come to the same.

use std::sync::Mutex;

use map_ir::AgentId;

use super::System;
use crate::abstraction::canonical::{canonical, is_exact, reversed};
use crate::state::Scratch;
use crate::state::space::{Next, Space};

/// A step as found again in another state: thread, how open questions were settled.
type Key = (u32, Vec<u32>);

/// The steps of an agent that are made, with the states they lead to.
struct Made {
    steps: Vec<(Key, Vec<u32>)>,
    /// A mailbox was full.
    overflowed: bool,
}

/// A space in which steps are made again: without symmetry.
pub(crate) struct SelfCheck<'a>(Mutex<Space<'a>>);

impl<'a> SelfCheck<'a> {
    pub(crate) fn new(space: Space<'a>) -> Self {
        Self(Mutex::new(space))
    }

    /// Examines a state that is being expanded, and the slot of its ample set; the result is what is wrong.
    pub(super) fn examine(&self, system: &System<'_>, words: &[u32], ample: Option<usize>) -> Option<String> {
        let scene = system.space.read(words);
        if canonical(scene.clone()) != scene {
            return Some("a canonical form is not its own".to_owned());
        }
        if is_exact(&scene) && canonical(reversed(&scene)) != scene {
            return Some("two canonical forms of one state".to_owned());
        }
        let agent = system.space.agent_in(words, ample?);
        let mut plain = self.0.lock().expect("no thread panics");
        let words = plain.abstracted(&system.space.scene(words));
        examine_ample(&mut plain, &words, agent)
    }
}

fn examine_ample(space: &mut Space<'_>, words: &[u32], ample: AgentId) -> Option<String> {
    let own = made(space, words, ample);
    for other in space.program.cast().filter(|&it| it != ample) {
        let others = made(space, words, other);
        let mut behind_own = Vec::new();
        for (key, after_own) in &own.steps {
            behind_own.push((key, made(space, after_own, other)));
        }
        for (key, after_other) in &others.steps {
            let own_later = made(space, after_other, ample);
            // A mailbox that is full in one of the orders is a violation, found in that order.
            let overflowed = own.overflowed || others.overflowed || own_later.overflowed;
            if own_later.steps.len() != own.steps.len() && !overflowed {
                return Some(format!("the steps of an ample set change: {key:?} of agent {other:?}"));
            }
            for (own_key, other_later) in &behind_own {
                let one = other_later.steps.iter().find(|(it, _)| it == key);
                let two = own_later.steps.iter().find(|(it, _)| it == *own_key);
                match (one, two) {
                    (Some((_, one)), Some((_, two))) if one == two => {}
                    (Some(_), Some(_)) => return Some("a step of an ample set does not commute".to_owned()),
                    _ if overflowed || other_later.overflowed => {}
                    _ => {
                        return Some("a step of an ample set disables another, or is disabled".to_owned());
                    }
                }
            }
        }
    }
    None
}

/// The acts of an agent in a state.
fn made(space: &mut Space<'_>, words: &[u32], agent: AgentId) -> Made {
    let mut scratch = Scratch::default();
    loop {
        let mut made = Made { steps: Vec::new(), overflowed: false };
        if scratch.locate(space, words) {
            // Each agent has a slot of its own.
            space.steps(&mut scratch, words, Some(agent.index()), &mut |successor| match successor.result {
                Next::State(next) => {
                    let key = (successor.step.label.thread, successor.step.label.options.clone());
                    made.steps.push((key, next.to_vec()));
                }
                Next::Overflow => made.overflowed = true,
                _ => {}
            });
        }
        if scratch.missing.is_empty() {
            return made;
        }
        std::mem::take(&mut scratch.missing).into_iter().for_each(|missing| space.agents.fill(missing));
    }
}
