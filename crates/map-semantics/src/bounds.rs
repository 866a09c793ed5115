//! The bounds of a run, and its environment: when timeouts fire and what the network does (language reference, "Time",
//! "Networks" and "Bounds"). They are part of every verdict.

use std::sync::Arc;

use map_ir::Value;

use crate::{Network, Prefix};

/// When a timeout can fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeouts {
    /// When every thread that has not ended is waiting: timeouts are long compared with communication.
    Quiescent,
    /// Whenever its own thread is waiting: messages may be slow.
    Any,
}

impl Timeouts {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::Quiescent, Self::Any];

    /// The word for it in flags and JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Quiescent => "quiescent",
            Self::Any => "any",
        }
    }

    /// Whether time may run out for a thread (language reference, "Waiting and time"), given whether the thread itself
    /// is waiting and whether every thread of the scene that has not ended is.
    #[inline]
    #[must_use]
    pub const fn may_run_out(self, waiting: bool, all_waiting: bool) -> bool {
        match self {
            Self::Quiescent => all_waiting,
            Self::Any => waiting,
        }
    }

    /// Whether the possibility of a timeout rests on an open comparison. `own`: the thread itself counts as waiting
    /// only because of one; `some`: some thread of the scene does.
    #[inline]
    #[must_use]
    pub const fn are_doubtful(self, own: bool, some: bool) -> bool {
        match self {
            Self::Quiescent => some,
            Self::Any => own,
        }
    }
}

/// Bounds of one run or search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The maximum number of activations that one thread may hold open; the entry clause is the first.
    pub depth: u32,
    /// The maximum number of calls each agent makes in all.
    pub rounds: Option<u32>,
    /// For each constant, the maximum number of calls each agent makes with it as first argument.
    pub rounds_of: Vec<(Value, u32)>,
    /// The capacity of each mailbox; a send that would exceed it is a mailbox overflow.
    pub mailbox: u32,
    /// When a timeout can fire.
    pub timeouts: Timeouts,
    /// What the network does.
    pub network: Network,
    /// The steps that are behind a run when it begins; `None` if it begins at the start of the dialogue.
    pub after: Option<Arc<Prefix>>,
}

impl Bounds {
    /// The defaults of the command line.
    pub const USUAL: Self = Self {
        depth: 50,
        rounds: None,
        rounds_of: Vec::new(),
        mailbox: 50,
        timeouts: Timeouts::Quiescent,
        network: Network::INSTANT,
        after: None,
    };

    /// The same for runs that begin at the start of the dialogue.
    #[must_use]
    pub fn without_prefix(&self) -> Self {
        Self { after: None, ..self.clone() }
    }

    /// The number of call counters in an agent state: one for all calls if they are bounded, one for each bounded
    /// constant.
    #[must_use]
    pub fn counters(&self) -> usize {
        usize::from(self.rounds.is_some()) + self.rounds_of.len()
    }

    /// Counts a call with these arguments; false if that exceeds a bound.
    pub(crate) fn count_call(&self, counters: &mut [u32], arguments: &[Value]) -> bool {
        let constants =
            self.rounds_of.iter().map(|&(constant, limit)| (arguments.first() == Some(&constant), limit));
        let bounded = self.rounds.iter().map(|&limit| (true, limit)).chain(constants);
        let mut within = true;
        for (counter, (counts, limit)) in counters.iter_mut().zip(bounded) {
            if counts {
                *counter += 1;
                within &= *counter <= limit;
            }
        }
        within
    }
}
