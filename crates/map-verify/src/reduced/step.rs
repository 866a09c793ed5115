//! Steps of the reduced transition system, and what its states are.

use map_ir::{AgentId, PerformativeId};
use map_semantics::{BoundHit, Step, StepKind, Turn};

use super::tables::LocalStep;

/// A step out of a state.
pub(crate) struct Successor<'s> {
    pub(crate) agent: AgentId,
    pub(crate) step: &'s LocalStep,
    /// Whether it rests on an open comparison, its own or one by which some thread counts as waiting.
    pub(crate) compared: bool,
    pub(crate) result: Next<'s>,
    /// Messages to agents that have ended.
    pub(crate) dropped: &'s [(PerformativeId, AgentId)],
    /// The number of what it sends to each part.
    pub(crate) weight: u32,
}

impl Successor<'_> {
    /// The step, as the agent that stands for its class makes it.
    pub(crate) fn to_step(&self) -> Step {
        let turn = if self.step.kind == StepKind::Timeout { Turn::Timeout } else { Turn::Act };
        Step {
            agent: self.agent,
            thread: self.step.thread as usize,
            turn,
            options: self.step.options.clone(),
        }
    }
}

pub(crate) enum Next<'s> {
    State(&'s [u32]),
    /// It is made, and the steps from there follow: they are merged with it.
    Passed,
    Cut(BoundHit),
    Overflow,
    Runaway,
    RunError,
    TooLong,
}

/// What kind of state it is, judged from its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) all_done: bool,
    pub(crate) some_failed: bool,
    /// Not all have ended, none failed, and no step: a deadlock.
    pub(crate) no_step: bool,
    /// The same if open comparisons come out the other way.
    pub(crate) steps_may_vanish: bool,
    /// Nothing can happen but polls, which may be answered "no" for ever.
    pub(crate) only_polls: bool,
}
