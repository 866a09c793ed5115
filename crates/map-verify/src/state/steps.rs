//! The successors of a state: each step of each agent, applied to it.

use std::ops::Range;

use map_ir::{AgentId, PerformativeId};
use map_semantics::{BoundHit, Census, Judgement, Judging, Step, StepKind, Turn};

use super::compose::{Composed, Origin};
use super::located::{Located, Slot};
use super::scratch::Scratch;
use super::space::Space;
use crate::agents::{After, End, LocalStep};

/// A step of a global state, with the vector of words it leads to.
pub(crate) struct Successor<'s> {
    /// The agent that takes it; one of its slot.
    pub(crate) agent: AgentId,
    pub(crate) step: LocalStep<'s>,
    /// The agent's state after it, if it leads to one.
    pub(crate) after: Option<After<'s>>,
    /// Whether it depends on an open comparison: its own, or one that makes some thread count as waiting.
    pub(crate) compared: bool,
    pub(crate) result: Next<'s>,
    /// The words of fixed agents that may have changed: outside this range the next vector, tails included, equals
    /// the one before.
    pub(crate) altered: Range<usize>,
    /// Its target is passed through: the target's steps follow, merged with this one.
    pub(crate) passed: bool,
    /// Messages to agents that have ended.
    pub(crate) dropped: &'s [(PerformativeId, AgentId)],
    /// The parts that it sends to, as bits. With more than 64 parts some share one.
    pub(crate) sent_to: u64,
    /// Number of the [`Weight`](crate::partial_order::overflow::Weight) that it and the steps merged with it send
    /// ([`crate::system::Buffers`]).
    pub(crate) weight: u32,
    /// Which copies of the message are lost, as options appended to those of the step.
    pub(crate) losses: &'s [u32],
    /// Whether it is a fault: a crash, or a send that loses a copy. Whatever must be reachable must be reachable
    /// without faults.
    pub(crate) unlucky: bool,
}

impl Successor<'_> {
    /// The step in the form used by traces.
    pub(crate) fn as_step(&self) -> Step {
        let label = &self.step.label;
        let turn = match label.kind {
            StepKind::Timeout => Turn::Timeout,
            StepKind::Crash => Turn::Crash,
            StepKind::Arrival => Turn::Arrive,
            StepKind::Ask | StepKind::Send | StepKind::Receive | StepKind::Move => Turn::Act,
        };
        let mut options = label.options.clone();
        options.extend_from_slice(self.losses);
        Step { agent: self.agent, thread: label.thread as usize, turn, options }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next<'s> {
    State(&'s [u32]),
    Cut(BoundHit),
    Overflow,
    Runaway,
    RunError,
    TooLong,
}

impl Space<'_> {
    /// Enumerates the steps of a located state: by slot, then thread, acts before timeouts; crashes come last. With
    /// `only`, the steps of that slot alone; then the judgement covers only whether all agents are done and whether
    /// some have failed. If the tables lack an entry, it is left in `scratch.missing` and the enumeration is
    /// incomplete: the state must be expanded again after [`crate::agents::Agents::fill`].
    pub(crate) fn steps(
        &self,
        scratch: &mut Scratch,
        words: &[u32],
        only: Option<usize>,
        found: &mut (impl FnMut(&mut Successor<'_>) + ?Sized),
    ) -> Judgement {
        let census = scratch.located.census(self);
        let losses = self.losses_left(words);
        let slots = scratch.located.slots().len();
        let mut composer = Composer { space: self, scratch, words, losses, found };
        let mut judging = census.judging();
        match only {
            Some(slot) => self.steps_of(&mut composer, slot, &census, &mut judging),
            None => (0..slots).for_each(|slot| self.steps_of(&mut composer, slot, &census, &mut judging)),
        }
        if census.may_crash() {
            for slot in only.map_or(0..slots, |slot| slot..slot + 1) {
                if let Some(crash) = self.local(composer.scratch.located.slot(slot).id).crash() {
                    composer.compose(slot, crash, false);
                }
            }
        }
        let judgement = judging.judgement();
        match only {
            Some(_) => {
                let Judgement { good_end, some_failed, .. } = judgement;
                Judgement { good_end, some_failed, ..Judgement::default() }
            }
            None => judgement,
        }
    }

    /// The acts and timeouts of an agent in a slot. All agents of a slot have the same steps to the same states.
    fn steps_of<F: FnMut(&mut Successor<'_>) + ?Sized>(
        &self,
        composer: &mut Composer<'_, '_, F>,
        slot: usize,
        census: &Census,
        judging: &mut Judging,
    ) {
        let locals = self.local(composer.scratch.located.slot(slot).id);
        for (thread, its_acts, its_timeouts) in locals.threads() {
            if self.stop.is_raised() {
                // Whoever asked for the steps throws away what it has.
                return;
            }
            let mut steps = 0;
            for template in its_acts {
                steps += composer.compose(slot, locals.step(template), false);
            }
            judging.acts(steps > 0, thread.act_may_vanish);
            if census.may_time_out(thread.waiting) {
                let doubtful = census.is_doubtful(thread.waiting_compared);
                let mut steps = 0;
                for template in its_timeouts {
                    steps += composer.compose(slot, locals.step(template), doubtful);
                }
                judging.timeouts(steps > 0, thread.timeout_may_vanish);
            }
        }
    }

    /// Whether the agent of a slot, whose steps are an ample set of the located state, has exactly one step.
    pub(crate) fn has_one_step(&self, located: &Located, words: &[u32], slot: usize) -> bool {
        let summary = &self.agents.brief(located.slot(slot).id).summary;
        let timeouts = match self.bounds.timeouts.may_run_out(true, false) {
            true => summary.waiting_timeouts,
            false => 0,
        };
        summary.acts + timeouts == 1
            && !(summary.crashes && located.census(self).may_crash())
            && !(summary.footprint.sends && self.losses_left(words) > 0)
    }
}

/// Applies steps of single agents to the global state being expanded.
struct Composer<'c, 'a, F: ?Sized> {
    space: &'c Space<'a>,
    scratch: &'c mut Scratch,
    words: &'c [u32],
    /// How many more copies may be lost.
    losses: u32,
    found: &'c mut F,
}

impl<F: FnMut(&mut Successor<'_>) + ?Sized> Composer<'_, '_, F> {
    /// Applies a step and its deliveries and passes each result to `found`: one, or one for each choice of lost
    /// copies. Results for which the tables lack an entry are skipped. Returns the number of steps passed on.
    fn compose(&mut self, slot: usize, step: LocalStep<'_>, doubtful: bool) -> usize {
        let origin = Origin { words: self.words, slot };
        let mut lost = Losses::default();
        let mut steps = usize::from(self.compose_one(origin, step, doubtful, &mut lost));
        while self.losses > 0 && lost.advance(self.scratch.copies(), self.losses) {
            steps += usize::from(self.compose_one(origin, step, doubtful, &mut lost));
        }
        steps
    }

    /// The same for one choice of lost copies; whether a step was passed on.
    fn compose_one(
        &mut self,
        origin: Origin<'_>,
        step: LocalStep<'_>,
        doubtful: bool,
        lost: &mut Losses,
    ) -> bool {
        let Self { space, scratch, found, .. } = self;
        let missing = scratch.missing.len();
        let composed = scratch.compose(space, origin, step, &lost.copies);
        if composed == Composed::Missing || scratch.missing.len() > missing {
            return false;
        }
        let result = match (composed, step.end()) {
            (Composed::Next, _) => Next::State(&scratch.next),
            (Composed::Overflow, _) => Next::Overflow,
            (_, End::Cut(bound)) => Next::Cut(bound),
            (_, End::Runaway) => Next::Runaway,
            (_, End::RunError) => Next::RunError,
            (_, End::State { .. } | End::TooLong) => Next::TooLong,
        };
        if self.losses > 0 {
            lost.note_options(scratch.copies(), self.losses);
        }
        let &Slot { agent, .. } = scratch.located.slot(origin.slot);
        found(&mut Successor {
            agent,
            step,
            after: scratch.place().map(|place| step.after(place)),
            compared: step.label.compared || doubtful,
            result,
            altered: scratch.altered.clone(),
            passed: false,
            dropped: scratch.dropped(),
            sent_to: scratch.sent_to(),
            weight: 0,
            losses: &lost.options,
            unlucky: step.label.kind == StepKind::Crash || lost.copies.iter().any(|&lost| lost > 0),
        });
        true
    }
}

/// Iterates over the ways to lose copies of a message, starting with none, in the order of
/// [`map_semantics::scene_steps`]. Only the number of lost copies matters among the agents of one slot.
#[derive(Default)]
struct Losses {
    /// Number lost for each recipient, or slot of recipients.
    copies: Vec<u32>,
    /// For each recipient that has not ended: whether its copy is lost, as long as more could have been. Meaningless
    /// if a slot has several recipients.
    options: Vec<u32>,
}

impl Losses {
    /// Advances to the next way to lose at most `most` of these copies; false after the last one.
    fn advance(&mut self, copies: &[u32], most: u32) -> bool {
        self.copies.resize(copies.len(), 0);
        let mut lost: u32 = self.copies.iter().sum();
        for (chosen, &all) in self.copies.iter_mut().zip(copies).rev() {
            if *chosen < all && lost < most {
                *chosen += 1;
                return true;
            }
            lost -= *chosen;
            *chosen = 0;
        }
        false
    }

    /// Writes the options of the current choice, with at most `most` copies lost.
    fn note_options(&mut self, copies: &[u32], most: u32) {
        self.options.clear();
        let mut left = most;
        let lost = self.copies.iter().copied().chain(std::iter::repeat(0));
        for (_, lost) in copies.iter().zip(lost).filter(|(all, _)| **all > 0) {
            if left > 0 {
                self.options.push(lost);
                left -= lost;
            }
        }
    }
}
