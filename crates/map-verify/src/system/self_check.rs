//! `--self-check`: the reductions re-examined on the states that are visited.
//!
//! A canonical form must be its own, and that of the state with the slots of every class reversed, as far as canonical
//! forms are exact. The steps of an ample set must commute with each step of every other agent: both orders are made, in
//! a space in which no agent stands for another. A step of the set that is possible behind the other's must have been
//! possible before, with the other's behind it, and must come to the same; one that is no bad luck must stay possible.

use std::sync::Mutex;

use map_ir::AgentId;
use map_semantics::{Judgement, StepKind};

use super::System;
use crate::abstraction::canonical::{canonical, is_exact, reversed};
use crate::agents::End;
use crate::state::Next;
use crate::state::Scratch;
use crate::state::space::Space;

/// A step as found again in another state, whatever copies are lost: thread, kind, how open questions were settled.
type Key = (u32, StepKind, Vec<u32>);

/// A step of an agent.
struct Step {
    key: Key,
    /// The state it leads to.
    next: Vec<u32>,
    unlucky: bool,
    /// Whether the agent ends by it, or crashes.
    ends: bool,
}

/// The steps of an agent that are made.
struct Made {
    steps: Vec<Step>,
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
    let judgement = judged(space, words);
    if judgement.may_stand_still || judgement.only_polls {
        return Some("an ample set in a state in which perhaps nothing happens any more".to_owned());
    }
    let own = made(space, words, ample);
    for other in space.program.cast().filter(|&it| it != ample) {
        let others = made(space, words, other);
        let behind_own: Vec<Made> = own.steps.iter().map(|own| made(space, &own.next, other)).collect();
        for step in &others.steps {
            let own_later = made(space, &step.next, ample);
            // A mailbox that is full in one of the orders is a violation, found in that order.
            let overflowed = own.overflowed || others.overflowed || own_later.overflowed;
            let stays = |own: &Step| {
                let mut later = own_later.steps.iter().filter(|later| !later.unlucky);
                own.unlucky || later.any(|later| later.key == own.key)
            };
            if !overflowed && !own.steps.iter().all(stays) {
                return Some(format!(
                    "a step of an ample set is disabled by {:?} of agent {other:?}",
                    step.key
                ));
            }
            for later in &own_later.steps {
                let mut now = own.steps.iter().zip(&behind_own).filter(|(own, _)| own.key == later.key);
                let commutes = |(own, behind): (&Step, &Made)| {
                    // Whoever has ended can lose no copy any more.
                    let is_same = |it: &Step| {
                        it.next == later.next || own.ends && loses_less(space, (&it.next, &later.next))
                    };
                    behind.overflowed || behind.steps.iter().any(is_same)
                };
                if !overflowed && !now.any(commutes) {
                    return Some(format!(
                        "a step of an ample set and {:?} of agent {other:?} do not commute",
                        step.key
                    ));
                }
            }
        }
    }
    None
}

/// Whether two states differ in nothing but how many copies were lost, fewer in the first one.
fn loses_less(space: &Space<'_>, (one, other): (&[u32], &[u32])) -> bool {
    space.losses_left(one) > space.losses_left(other)
        && space.without_losses(one) == space.without_losses(other)
}

/// What a state is judged to be.
fn judged(space: &mut Space<'_>, words: &[u32]) -> Judgement {
    let mut scratch = Scratch::default();
    loop {
        if scratch.locate(space, words) {
            let judgement = space.steps(&mut scratch, words, None, &mut |_| {});
            if scratch.missing.is_empty() {
                return judgement;
            }
        }
        std::mem::take(&mut scratch.missing).into_iter().for_each(|missing| space.agents.fill(missing));
    }
}

/// The steps of an agent in a state.
fn made(space: &mut Space<'_>, words: &[u32], agent: AgentId) -> Made {
    let mut scratch = Scratch::default();
    loop {
        let mut made = Made { steps: Vec::new(), overflowed: false };
        if scratch.locate(space, words) {
            // Each agent has a slot of its own.
            space.steps(&mut scratch, words, Some(agent.index()), &mut |successor| match successor.result {
                Next::State(next) => {
                    let label = successor.step.label;
                    let key = (label.thread, label.kind, label.options.clone());
                    let ended = matches!(successor.step.end(), End::State { ended: Some(_), .. });
                    made.steps.push(Step {
                        key,
                        next: next.to_vec(),
                        unlucky: successor.unlucky,
                        ends: ended || label.kind == StepKind::Crash,
                    });
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
