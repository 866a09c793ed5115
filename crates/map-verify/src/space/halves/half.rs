//! What is known of a half of the scene.

use std::ops::Range;

use map_semantics::{StepKind, Timeouts};

use super::super::{Judgement, Next, Space};
use crate::agents::{LocalEnding, StateId};
use crate::store::Store;

/// No letter, no effect, nothing dropped.
pub(super) const NONE: u32 = u32::MAX;

/// A half, or a part of one, with what its agents can do.
#[derive(Clone, Copy)]
pub(super) struct Half {
    /// How many symbols it holds.
    pub(super) symbols: u32,
    pub(super) outlook: Outlook,
    /// Where its steps are.
    start: u32,
    end: u32,
}

impl Half {
    pub(super) fn new(symbols: usize, outlook: Outlook, steps: Range<usize>) -> Self {
        Self { symbols: symbols as u32, outlook, start: steps.start as u32, end: steps.end as u32 }
    }

    pub(super) fn steps(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A step of an agent as a patch of the half that it is in.
#[derive(Clone, Copy)]
pub(super) struct HalfStep {
    pub(super) agent: u32,
    /// The agent's state, and the step's place among its steps.
    pub(super) id: StateId,
    pub(super) place: u32,
    pub(super) thread: u32,
    pub(super) kind: StepKind,
    pub(super) flags: u8,
    pub(super) ending: Ending,
    /// The word of the half after it, if it leads to a state.
    pub(super) after: u32,
    /// What else it does ([`Effect`]).
    pub(super) effect: u32,
    /// What it sends to agents of the half that have ended.
    pub(super) dropped: u32,
}

/// How a step of a half ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    State,
    /// A mailbox is full.
    Overflow,
    Runaway,
    /// As its agent's step does, whatever the other agents are.
    Own,
}

/// What a step does beside leading to another half.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Effect {
    /// Which symbol of the half before each symbol of the half after is; new ones have the next numbers.
    pub(super) map: u32,
    /// What it sends beyond the half.
    pub(super) letter: u32,
    /// It leads to no state: but recipients are asked all the same, for what is missing, and for a full mailbox.
    pub(super) no_state: bool,
}

impl Effect {
    /// Two numbers that no other one has, if its own are small.
    #[inline]
    pub(super) fn packed(self) -> Option<[u32; 2]> {
        (self.map < SMALL).then_some([self.map << 1 | u32::from(self.no_state), self.letter])
    }
}

/// A message to certain agents, and what its symbols are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Letter {
    pub(super) address: u32,
    pub(super) symbols: u32,
    /// The place of the part that it is delivered to, if that is known.
    pub(super) place: u32,
}

impl Letter {
    /// Two numbers that no other one has, if its own are small.
    #[inline]
    pub(super) fn packed(self) -> Option<[u32; 2]> {
        (self.address < SMALL && self.symbols < SMALL)
            .then_some([self.address << 16 | self.symbols, self.place])
    }
}

/// Numbers below this are small: not all bits of two of them are set.
const SMALL: u32 = (1 << 16) - 1;

/// Flags of steps.
const TIMEOUT: u8 = 1;
const COMPARED: u8 = 1 << 1;
/// The agent fails.
const FAILS: u8 = 1 << 2;
/// What there is to be noted of it has been noted.
const NOTED: u8 = 1 << 3;
/// It sends something beyond the half.
const SENDS: u8 = 1 << 4;
/// After it the half holds the symbols that it held before, in the same places.
const KEEPS: u8 = 1 << 5;

impl HalfStep {
    /// With nothing said yet of what it leads to.
    pub(super) fn new(agent: usize, (id, place): (StateId, usize), (thread, kind): (u32, StepKind)) -> Self {
        Self {
            agent: agent as u32,
            id,
            place: place as u32,
            thread,
            kind,
            flags: 0,
            ending: Ending::Own,
            after: 0,
            effect: NONE,
            dropped: NONE,
        }
    }

    pub(super) fn flagged(self, is_timeout: bool, is_compared: bool, fails: bool) -> Self {
        let flag = |holds, flag| if holds { flag } else { 0 };
        let flags = flag(is_timeout, TIMEOUT) | flag(is_compared, COMPARED) | flag(fails, FAILS);
        Self { flags, ..self }
    }

    /// The same for a larger half, beyond which it sends something, or not.
    pub(super) fn sending(self, sends: bool) -> Self {
        let flags = self.flags & !SENDS | if sends { SENDS } else { 0 };
        Self { flags, ..self }
    }

    /// The same if the symbols that the half held before come first after it, or not.
    pub(super) fn keeping(self, keeps: bool) -> Self {
        let flags = self.flags & !KEEPS | if keeps { KEEPS } else { 0 };
        Self { flags, ..self }
    }

    /// Whether a right half stays as it is by this step of a left one.
    #[inline]
    pub(super) fn leaves(&self, right: u32) -> bool {
        self.flags & SENDS == 0 && (self.flags & KEEPS != 0 || !Store::is_wired(right))
    }

    /// Whether it leads to a state, if no mailbox is full, and there is nothing to be said of it but where it leads. In doubt a
    /// timeout rests on an open comparison.
    #[inline]
    pub(super) fn is_plain(&self, doubtful: bool) -> bool {
        let timeout = if doubtful { TIMEOUT } else { 0 };
        self.flags & (timeout | COMPARED | FAILS | NOTED) == NOTED
            && self.ending == Ending::State
            && self.dropped == NONE
    }

    pub(super) fn fails(&self) -> bool {
        self.flags & FAILS != 0
    }

    pub(super) fn is_timeout(&self) -> bool {
        self.flags & TIMEOUT != 0
    }

    pub(super) fn is_compared(&self) -> bool {
        self.flags & COMPARED != 0
    }

    pub(super) fn is_noted(&self) -> bool {
        self.flags & NOTED != 0
    }

    pub(super) fn note(&mut self) {
        self.flags |= NOTED;
    }
}

impl Ending {
    pub(super) fn without_state<S>(self, space: &Space<'_>, step: &HalfStep) -> Next<S> {
        match self {
            Self::State => unreachable!("it leads to a state"),
            Self::Overflow => Next::Overflow,
            Self::Runaway => Next::Runaway,
            Self::Own => match space.local(step.id).nth(step.place as usize).ending {
                LocalEnding::Cut(bound) => Next::Cut(bound),
                LocalEnding::RunError => Next::RunError,
                LocalEnding::TooLong => Next::TooLong,
                LocalEnding::State { .. } | LocalEnding::Runaway => unreachable!("told otherwise"),
            },
        }
    }
}

/// What can be said of agents together, as bits: some hold if they hold of all, others if they hold of one.
#[derive(Clone, Copy, Default)]
pub(super) struct Outlook(u16);

/// What has to hold of all agents.
pub(super) const DONE: u16 = 1;
pub(super) const WAITING: u16 = 1 << 1;
pub(super) const NO_THREADS: u16 = 1 << 2;
/// Acts, and timeouts, may vanish if open comparisons come out the other way, or there are none.
pub(super) const ACTS_MAY_VANISH: u16 = 1 << 3;
pub(super) const TIMEOUTS_MAY_VANISH: u16 = 1 << 4;
const OF_ALL: u16 = DONE | WAITING | NO_THREADS | ACTS_MAY_VANISH | TIMEOUTS_MAY_VANISH;
/// What has to hold of one.
pub(super) const FAILED: u16 = 1 << 5;
pub(super) const WAITING_COMPARED: u16 = 1 << 6;
pub(super) const ACTS: u16 = 1 << 7;
pub(super) const TIMEOUTS: u16 = 1 << 8;

impl Outlook {
    pub(super) fn new(bits: impl IntoIterator<Item = (u16, bool)>) -> Self {
        Self(bits.into_iter().filter(|&(_, holds)| holds).fold(0, |all, (bit, _)| all | bit))
    }

    /// Of both together.
    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0 & OF_ALL | (self.0 | other.0) & !OF_ALL)
    }

    fn holds(self, bit: u16) -> bool {
        self.0 & bit != 0
    }

    /// Whether timeouts of these agents may fire if the others wait.
    #[inline]
    pub(super) fn timeouts_may_fire(self, timeouts: Timeouts) -> bool {
        timeouts == Timeouts::Any || self.holds(WAITING)
    }

    pub(super) fn waiting_compared(self) -> bool {
        self.holds(WAITING_COMPARED)
    }

    /// What is judged of a scene of these agents, as `Space::all_steps` does.
    #[inline]
    pub(super) fn judged(self, timeouts: Timeouts) -> Judgement {
        // Most states are of agents that act, and all of that is told by these.
        if self.0 & (DONE | WAITING | ACTS_MAY_VANISH | FAILED | ACTS) == ACTS {
            return Judgement { waiting_compared: self.waiting_compared(), ..Judgement::default() };
        }
        let may_fire = self.timeouts_may_fire(timeouts);
        let has_timeouts = may_fire && self.holds(TIMEOUTS);
        let may_vanish = self.holds(ACTS_MAY_VANISH) && (!may_fire || self.holds(TIMEOUTS_MAY_VANISH));
        let (ended, some_failed) = (self.holds(NO_THREADS), self.holds(FAILED));
        let may_stand_still = may_vanish && !ended;
        Judgement {
            all_done: self.holds(DONE),
            some_failed,
            no_step: !self.holds(ACTS) && !has_timeouts && !ended && !some_failed,
            steps_may_vanish: may_stand_still && !some_failed,
            only_polls: self.holds(WAITING) && self.holds(ACTS) && !has_timeouts,
            waiting_compared: self.waiting_compared(),
            may_stand_still,
        }
    }
}
