//! What a state of a scene is judged to be, from what its agents and threads can do (language reference, "Waiting and
//! time" and "Verdicts").
//!
//! The rule is fed with facts, agent by agent and thread by thread, so that it serves everybody who has them:
//! [`crate::scene_steps`] takes them from a plain state, the verifier from its tables. First each agent is counted in a
//! [`Census`], which then says whose time may run out; after that what each thread can do is put into a [`Judging`].
//! Neither allocates.

use crate::agent::Status;
use crate::bounds::{Bounds, Timeouts};

/// What a state is judged to be. Crashes do not count as something that can happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The good end: every agent is done, or has crashed.
    pub good_end: bool,
    /// Some agent has failed.
    pub some_failed: bool,
    /// Every agent has ended, however.
    pub ended: bool,
    /// Every thread that has not ended is waiting, if there is any.
    pub quiescent: bool,
    /// Some thread counts as waiting only if open comparisons come out so.
    pub waiting_compared: bool,
    /// Not all agents have ended, and there is no step.
    pub stands_still: bool,
    /// Not all agents have ended, and there is no step if open comparisons come out so. True if it stands still anyway.
    pub may_stand_still: bool,
    /// Nothing can happen but polls, which may be answered "no" for ever.
    pub only_polls: bool,
}

impl Judgement {
    /// Whether it is a deadlock. It is none once an agent has failed.
    #[must_use]
    pub const fn is_deadlock(self) -> bool {
        self.stands_still && !self.some_failed
    }

    /// Whether it is a deadlock, or a possible one: its steps would not exist if open comparisons came out the other way.
    #[must_use]
    pub const fn may_be_deadlock(self) -> bool {
        self.may_stand_still && !self.some_failed
    }

    /// Whether a run may stay in it for ever: nothing can happen, or nothing but polls.
    #[must_use]
    pub const fn may_stay(self) -> bool {
        self.ended || self.stands_still || self.only_polls
    }
}

/// Who has ended and who waits: what has to be known of all agents before the steps of one.
#[derive(Clone, Copy, Debug)]
pub struct Census {
    timeouts: Timeouts,
    /// How many more agents may crash.
    crashes: u32,
    good_end: bool,
    some_failed: bool,
    ended: bool,
    quiescent: bool,
    waiting_compared: bool,
}

impl Census {
    /// That of no agents.
    #[must_use]
    pub const fn new(bounds: &Bounds) -> Self {
        Self {
            timeouts: bounds.timeouts,
            crashes: bounds.network.crashes,
            good_end: true,
            some_failed: false,
            ended: true,
            quiescent: true,
            waiting_compared: false,
        }
    }

    /// Counts so many agents in the same state: whether all their threads are waiting, and whether some count as waiting only
    /// by open comparisons.
    /// An agent that has ended has no threads, so all of them wait.
    #[inline]
    pub fn count(&mut self, status: Status, agents: u32, all_waiting: bool, waiting_compared: bool) {
        let crashed = if status == Status::Crashed { agents } else { 0 };
        self.crashes = self.crashes.saturating_sub(crashed);
        self.good_end &= matches!(status, Status::Done | Status::Crashed);
        self.some_failed |= status == Status::Failed;
        self.ended &= status != Status::Running;
        self.quiescent &= all_waiting;
        self.waiting_compared |= waiting_compared;
    }

    /// Whether every thread that has not ended is waiting.
    #[must_use]
    pub const fn quiescent(&self) -> bool {
        self.quiescent
    }

    /// Whether an agent that has not ended may still crash.
    #[must_use]
    pub const fn may_crash(&self) -> bool {
        self.crashes > 0
    }

    /// Whether time may run out for a thread, given whether it is waiting.
    #[inline]
    #[must_use]
    pub const fn may_time_out(&self, waiting: bool) -> bool {
        self.timeouts.may_run_out(waiting, self.quiescent)
    }

    /// Whether it rests on an open comparison that time may run out for a thread, given whether it counts as waiting only
    /// by one.
    #[inline]
    #[must_use]
    pub const fn is_doubtful(&self, waiting_compared: bool) -> bool {
        self.timeouts.are_doubtful(waiting_compared, self.waiting_compared)
    }

    /// Goes on to what the threads of these agents can do.
    #[must_use]
    pub const fn judging(self) -> Judging {
        Judging { census: self, acts: false, timeouts: false, may_vanish: true }
    }
}

/// What the threads looked at so far can do.
#[derive(Clone, Copy, Debug)]
pub struct Judging {
    census: Census,
    acts: bool,
    timeouts: bool,
    /// Whether open comparisons may come out so that none of it is a step.
    may_vanish: bool,
}

impl Judging {
    /// Takes note of the acts of a thread: whether there are any, and whether open comparisons may come out so that there
    /// are none ([`crate::ThreadSteps::act_may_vanish`]). Acts that a bound cuts and such as go wrong count.
    #[inline]
    pub fn acts(&mut self, any: bool, may_vanish: bool) {
        self.acts |= any;
        self.may_vanish &= may_vanish || !any;
    }

    /// The same for the timeouts of a thread, provided that time may run out for it ([`Census::may_time_out`]).
    #[inline]
    pub fn timeouts(&mut self, any: bool, may_vanish: bool) {
        self.timeouts |= any;
        self.may_vanish &= may_vanish || !any;
    }

    /// The judgement, when all threads have been looked at.
    #[inline]
    #[must_use]
    pub const fn judgement(self) -> Judgement {
        let Self { census, acts, timeouts, may_vanish } = self;
        Judgement {
            good_end: census.good_end,
            some_failed: census.some_failed,
            ended: census.ended,
            quiescent: census.quiescent,
            waiting_compared: census.waiting_compared,
            stands_still: !census.ended && !acts && !timeouts,
            may_stand_still: !census.ended && may_vanish,
            only_polls: census.quiescent && acts && !timeouts,
        }
    }
}
