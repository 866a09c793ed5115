//! The judgement of a scene's state, from what its agents and threads can do (language reference, "Waiting and time"
//! and "Verdicts").
//!
//! The rule is an accumulator fed agent by agent and thread by thread, so that any engine can use it:
//! [`crate::scene_steps`] takes the facts from a plain state, the verifier from its tables. First each agent is counted
//! in a [`Census`], which then tells which threads may time out; then what each thread can do is added to a
//! [`Judging`]. Neither allocates.

use crate::agent::Status;
use crate::bounds::{Bounds, Timeouts};

/// The judgement of a state. Crashes do not count as possible steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The good end: every agent is done, or has crashed.
    pub good_end: bool,
    /// Some agent has failed.
    pub some_failed: bool,
    /// Every agent has ended, whether done, failed or crashed.
    pub ended: bool,
    /// Every thread that has not ended is waiting; true if there is none.
    pub quiescent: bool,
    /// Some thread counts as waiting only under some outcomes of open comparisons.
    pub waiting_compared: bool,
    /// Not all agents have ended, and there is no step.
    pub stands_still: bool,
    /// Not all agents have ended, and some outcomes of the open comparisons leave no step. Implied by `stands_still`.
    pub may_stand_still: bool,
    /// The only steps are polls: acts of waiting threads, which may come to nothing for ever. Some outcomes of the open
    /// comparisons are enough.
    pub only_polls: bool,
    /// If so, whether under other outcomes there are other steps, or some thread does not wait.
    pub polls_compared: bool,
}

impl Judgement {
    /// Whether it is a deadlock. A state with a failed agent is not.
    #[must_use]
    pub const fn is_deadlock(self) -> bool {
        self.stands_still && !self.some_failed
    }

    /// Whether it is a deadlock, or a possible one: under other outcomes of the open comparisons its steps would not
    /// exist.
    #[must_use]
    pub const fn may_be_deadlock(self) -> bool {
        self.may_stand_still && !self.some_failed
    }

    /// Whether a run may stay in it for ever: nothing can happen, or only polls.
    #[must_use]
    pub const fn may_stay(self) -> bool {
        self.ended || self.stands_still || self.only_polls
    }
}

/// Which agents have ended and which wait: what must be known of all agents before the steps of any.
#[derive(Clone, Copy, Debug)]
pub struct Census {
    timeouts: Timeouts,
    /// The number of agents that may still crash.
    crashes: u32,
    good_end: bool,
    some_failed: bool,
    ended: bool,
    quiescent: bool,
    waiting_compared: bool,
}

impl Census {
    /// The census of no agents.
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

    /// Counts `agents` agents that are in the same state: whether all their threads are waiting, and whether some count
    /// as waiting only because of open comparisons. An agent that has ended has no threads, so all of them wait.
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

    /// Whether the possibility of a timeout rests on an open comparison, given whether its thread counts as waiting
    /// only because of one.
    #[inline]
    #[must_use]
    pub const fn is_doubtful(&self, waiting_compared: bool) -> bool {
        self.timeouts.are_doubtful(waiting_compared, self.waiting_compared)
    }

    /// Moves on to the threads of these agents.
    #[must_use]
    pub const fn judging(self) -> Judging {
        Judging { census: self, acts: false, timeouts: false, surely_times_out: false, may_vanish: true }
    }
}

/// What the threads seen so far can do.
#[derive(Clone, Copy, Debug)]
pub struct Judging {
    census: Census,
    acts: bool,
    timeouts: bool,
    /// Whether every outcome of the open comparisons leaves a timeout.
    surely_times_out: bool,
    /// Whether some outcomes of the open comparisons leave none of these steps.
    may_vanish: bool,
}

impl Judging {
    /// Adds the acts of a thread: whether there are any, and whether some outcomes of the open comparisons leave none
    /// ([`crate::ThreadSteps::act_may_vanish`]). Acts that are cut by a bound or go wrong count.
    #[inline]
    pub fn acts(&mut self, any: bool, may_vanish: bool) {
        self.acts |= any;
        self.may_vanish &= may_vanish || !any;
    }

    /// Adds the timeouts of a thread for which time may run out ([`Census::may_time_out`]).
    #[inline]
    pub fn timeouts(&mut self, any: bool, may_vanish: bool) {
        self.timeouts |= any;
        self.surely_times_out |= any && !may_vanish;
        self.may_vanish &= may_vanish || !any;
    }

    /// The judgement, once all threads have been added.
    #[inline]
    #[must_use]
    pub const fn judgement(self) -> Judgement {
        let Self { census, acts, timeouts, surely_times_out, may_vanish } = self;
        Judgement {
            good_end: census.good_end,
            some_failed: census.some_failed,
            ended: census.ended,
            quiescent: census.quiescent,
            waiting_compared: census.waiting_compared,
            stands_still: !census.ended && !acts && !timeouts,
            may_stand_still: !census.ended && may_vanish,
            only_polls: census.quiescent && acts && !surely_times_out,
            polls_compared: census.waiting_compared || timeouts,
        }
    }
}
