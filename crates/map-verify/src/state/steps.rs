//! The successors of a state: the steps of its agents, each put into it.

use std::ops::Range;

use map_ir::{AgentId, PerformativeId};
use map_semantics::{BoundHit, Census, Judgement, Judging, Step, StepKind, Turn};

use super::compose::{Put, Source};
use super::located::{Located, Slot};
use super::scratch::Scratch;
use super::space::Space;
use crate::agents::{After, End, LocalStep};

/// A step out of a global state. The state that it leads to is given as a vector of words.
pub(crate) struct Successor<'s> {
    /// Who makes it; one of those in the slot.
    pub(crate) agent: AgentId,
    pub(crate) step: LocalStep<'s>,
    /// The agent's state after it, if it is made.
    pub(crate) after: Option<After<'s>>,
    /// Whether it rests on an open comparison, its own or one by which some thread counts as waiting.
    pub(crate) compared: bool,
    pub(crate) result: Next<'s>,
    /// The words of fixed agents outside of which the next vector, tails included, is like the one before.
    pub(crate) altered: Range<usize>,
    /// The steps from its state follow: they are merged with it.
    pub(crate) passed: bool,
    /// Messages to agents that have ended.
    pub(crate) dropped: &'s [(PerformativeId, AgentId)],
    /// The parts that something is sent to, as bits; those of more than 64 share some.
    pub(crate) sent_to: u64,
    /// The number of what it, and steps merged with it, send to each part ([`crate::system::Buffers`]).
    pub(crate) weight: u32,
    /// Which copies of the message are lost, as options that follow those of the step.
    pub(crate) losses: &'s [u32],
    /// Whether it is bad luck: a crash, or a send of which some copy is lost. What has to be reachable must be so
    /// without.
    pub(crate) unlucky: bool,
}

impl Successor<'_> {
    /// The step as traces have it.
    pub(crate) fn as_step(&self) -> Step {
        let label = &self.step.label;
        let turn = match label.kind {
            StepKind::Timeout => Turn::Timeout,
            StepKind::Crash => Turn::Crash,
            _ => Turn::Act,
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
    /// The steps of a state that has been located, in the order of slots, threads, acts before timeouts; crashes come last.
    /// Or those of an agent in one of its slots, and then no more is judged than whether all are done and some have failed. If
    /// something is missing in the tables it is left in the scratch, and not all steps were found: after [`Agents::fill`] the
    /// state has to be expanded again.
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

    /// The acts and timeouts of an agent in a slot. All in one slot can do the same, to the same states.
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
            for deed in its_acts {
                steps += composer.compose(slot, locals.step(deed), false);
            }
            judging.acts(steps > 0, thread.act_may_vanish);
            if census.may_time_out(thread.waiting) {
                let doubtful = census.is_doubtful(thread.waiting_compared);
                let mut steps = 0;
                for deed in its_timeouts {
                    steps += composer.compose(slot, locals.step(deed), doubtful);
                }
                judging.timeouts(steps > 0, thread.timeout_may_vanish);
            }
        }
    }

    /// Whether the agent in a slot of a state that has been located, whose steps are an ample set, has one step.
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

/// Puts steps of single agents into the global state that is expanded.
struct Composer<'c, 'a, F: ?Sized> {
    space: &'c Space<'a>,
    scratch: &'c mut Scratch,
    words: &'c [u32],
    /// How many more copies may be lost.
    losses: u32,
    found: &'c mut F,
}

impl<F: FnMut(&mut Successor<'_>) + ?Sized> Composer<'_, '_, F> {
    /// Puts a step into the state, with its deliveries, and hands out what comes of it: once, or once for each choice of the
    /// copies that are lost. Not what leaves the scene as it was, which is no step, nor where something is missing in
    /// the tables. Returns how many steps these are.
    fn compose(&mut self, slot: usize, step: LocalStep<'_>, doubtful: bool) -> usize {
        let source = Source { words: self.words, slot };
        let mut lost = Losses::default();
        let mut steps = usize::from(self.compose_one(source, step, doubtful, &mut lost));
        while self.losses > 0 && lost.advance(self.scratch.copies(), self.losses) {
            steps += usize::from(self.compose_one(source, step, doubtful, &mut lost));
        }
        steps
    }

    /// The same for one choice of the copies that are lost; whether it is a step.
    fn compose_one(
        &mut self,
        source: Source<'_>,
        step: LocalStep<'_>,
        doubtful: bool,
        lost: &mut Losses,
    ) -> bool {
        let Self { space, scratch, found, .. } = self;
        let missing = scratch.missing.len();
        let put = scratch.put(space, source, step, &lost.copies);
        if put == Put::Missing || scratch.missing.len() > missing {
            return false;
        }
        let result = match (put, step.end()) {
            (Put::Made, _) => Next::State(&scratch.next),
            (Put::Overflow, _) => Next::Overflow,
            (_, End::Cut(bound)) => Next::Cut(bound),
            (_, End::Runaway) => Next::Runaway,
            (_, End::RunError) => Next::RunError,
            (_, End::State { .. } | End::TooLong) => Next::TooLong,
        };
        if self.losses > 0 {
            lost.note_options(scratch.copies(), self.losses);
        }
        let &Slot { agent, .. } = scratch.located.slot(source.slot);
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

/// Goes over the ways to lose copies of a message, from none on, in the order of [`map_semantics::scene_steps`]. Which of the
/// copies for agents in one slot are lost makes no difference.
#[derive(Default)]
struct Losses {
    /// How many for each recipient, or slot of recipients.
    copies: Vec<u32>,
    /// For each recipient that has not ended whether its copy is lost, as long as more might have been. Where several are in
    /// one slot it says nothing.
    options: Vec<u32>,
}

impl Losses {
    /// Goes on to the next way to lose at most so many of these copies; false after the last one.
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

    /// Notes the options, if these are the copies, of which at most so many may be lost.
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
