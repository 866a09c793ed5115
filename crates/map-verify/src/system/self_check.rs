//! `--self-check`: checks the conditions of the reductions on every expanded state.
//!
//! Canonicalisation must be idempotent and, where canonical forms are exact, invariant under reversing the slots of
//! every class. The steps of an ample set must commute with each step of every other agent; both orders are executed,
//! in a space without symmetry. A step of the set that is possible after another agent's step must have been possible
//! before it, must leave that step possible, and must lead to the same state in both orders. A step of the set that
//! is no fault must stay possible.

use std::sync::Mutex;

use map_ir::AgentId;
use map_semantics::{Judgement, StepKind};

use super::System;
use crate::abstraction::canonical::{canonical, is_exact, reversed};
use crate::agents::End;
use crate::state::Next;
use crate::state::Scratch;
use crate::state::space::Space;

/// Identifies a step across states, regardless of lost copies: thread, kind, and how open choices were resolved.
type StepKey = (u32, StepKind, Vec<u32>);

/// A step of an agent.
struct Step {
    key: StepKey,
    /// The state it leads to.
    next: Vec<u32>,
    unlucky: bool,
    /// Whether it ends the agent, by a crash or otherwise.
    ends: bool,
}

/// The steps of an agent that lead to a state.
struct Executed {
    steps: Vec<Step>,
    /// Whether some step found a mailbox full.
    overflowed: bool,
}

/// The space without symmetry, in which steps are executed again.
pub(crate) struct SelfCheck<'a>(Mutex<Space<'a>>);

impl<'a> SelfCheck<'a> {
    pub(crate) fn new(space: Space<'a>) -> Self {
        Self(Mutex::new(space))
    }

    /// Checks a state being expanded, and the slot of its ample set; returns what is wrong, if anything.
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
    let own = executed(space, words, ample);
    for other in space.program.cast().filter(|&it| it != ample) {
        let others = executed(space, words, other);
        let behind_own: Vec<Executed> =
            own.steps.iter().map(|own| executed(space, &own.next, other)).collect();
        for step in &others.steps {
            let own_later = executed(space, &step.next, ample);
            // An overflow in one of the orders is a violation that is reported for that order.
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
                let commutes = |(own, behind): (&Step, &Executed)| {
                    // No copy to an agent that has ended can be lost.
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

/// Whether two states differ only in the count of lost copies, which is lower in the first.
fn loses_less(space: &Space<'_>, (one, other): (&[u32], &[u32])) -> bool {
    space.losses_left(one) > space.losses_left(other)
        && space.without_losses(one) == space.without_losses(other)
}

/// Judges a state.
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
fn executed(space: &mut Space<'_>, words: &[u32], agent: AgentId) -> Executed {
    let mut scratch = Scratch::default();
    loop {
        let mut executed = Executed { steps: Vec::new(), overflowed: false };
        if scratch.locate(space, words) {
            // Each agent has a slot of its own.
            space.steps(&mut scratch, words, Some(agent.index()), &mut |successor| match successor.result {
                Next::State(next) => {
                    let label = successor.step.label;
                    let key = (label.thread, label.kind, label.options.clone());
                    let ended = matches!(successor.step.end(), End::State { ended: Some(_), .. });
                    executed.steps.push(Step {
                        key,
                        next: next.to_vec(),
                        unlucky: successor.unlucky,
                        ends: ended || label.kind == StepKind::Crash,
                    });
                }
                Next::Overflow => executed.overflowed = true,
                _ => {}
            });
        }
        if scratch.missing.is_empty() {
            return executed;
        }
        std::mem::take(&mut scratch.missing).into_iter().for_each(|missing| space.agents.fill(missing));
    }
}
