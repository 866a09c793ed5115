//! How conversations are judged.

use std::sync::atomic::AtomicBool;

use map_ir::Visible;

use crate::deadline::Deadlines;
use crate::pending::Arrivals;
use crate::work::MAX_WORK;

/// What the log shows of the beginnings of conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginnings {
    /// All of them.
    Logged,
    /// The log may begin in the middle of some: a first line that fits no beginning shows that only possibly.
    Unsure,
    /// Conversations may have begun before the log.
    Before,
}

/// What is in the right order if the times of a log run back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// One of the two.
    #[default]
    Unknown,
    /// The lines.
    Lines,
    /// The times.
    Times,
}

/// How conversations are judged.
#[derive(Clone, Debug)]
pub struct Settings {
    /// When messages arrive.
    pub arrivals: Arrivals,
    /// What the log shows of the beginnings of conversations. Where agents may join, nobody knows who was there before
    /// the log: conversations are followed from their beginnings, and what does not fit is possibly no violation.
    pub beginnings: Beginnings,
    /// The maximum number of hypotheses of an agent at a line.
    pub limit: usize,
    /// From how many hypotheses on those that are permutations of each other are kept once.
    pub fold_from: usize,
    /// How much may be done for a line, in units of about a thread, value or message that is copied.
    pub work: u64,
    /// Becomes true if the user wants to stop: what is searched then is cut off, and what is not found by then is not
    /// judged.
    pub stop: Option<&'static AtomicBool>,
    /// The number of messages that may be lost.
    pub losses: u32,
    /// Whether the log is whole: whoever owes something at its end is to blame. It is not if the user wants to stop.
    pub complete: bool,
    /// How long, by the times of the log, an agent may owe something.
    pub deadlines: Deadlines,
    /// By how much the clocks of different agents may differ, in nanoseconds.
    pub skew: u64,
    /// Whether the lines are those of several logs, by time: those of equal times have no order then.
    pub merged: bool,
    /// By how much, in nanoseconds, the times of a log may run back.
    pub reorder: u64,
    /// What is in the right order if they do.
    pub order: Order,
    /// Whether conversations keep their lines, so that a run can be shown.
    pub keeps_lines: bool,
    /// What matters of the states of agents besides what they can send.
    pub observed: Visible,
}

impl Settings {
    /// When messages arrive by the times of their recipients.
    pub(crate) fn arrivals_by_clocks(&self) -> Arrivals {
        if self.waits() && self.arrivals == Arrivals::Sent { Arrivals::Late } else { self.arrivals }
    }

    /// Whether lines wait for others that may belong before them. Arrivals that are logged are in the order of their
    /// agent.
    pub(crate) fn waits(&self) -> bool {
        (self.skew > 0 || self.merged) && self.arrivals != Arrivals::Logged
    }
}

/// The default of `--reorder`, in nanoseconds.
const REORDERED: u64 = 5_000_000_000;

/// The default of `--max-hypotheses`.
pub const MAX_HYPOTHESES: usize = 10_000;

/// Few hypotheses are followed faster than they are compared.
const FOLD_FROM: usize = 64;

impl Default for Settings {
    fn default() -> Self {
        Self {
            arrivals: Arrivals::Logged,
            beginnings: Beginnings::Logged,
            limit: MAX_HYPOTHESES,
            fold_from: FOLD_FROM,
            work: MAX_WORK,
            stop: None,
            losses: 0,
            complete: false,
            deadlines: Deadlines::default(),
            skew: 0,
            merged: false,
            reorder: REORDERED,
            order: Order::Unknown,
            keeps_lines: false,
            observed: Visible::default(),
        }
    }
}
