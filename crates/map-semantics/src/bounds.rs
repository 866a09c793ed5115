//! The bounds under which a scene is run, and its weather: when time runs out, what the network does (language
//! reference, "Time", "Networks" and "Bounds"). They are part of every verdict.

use map_ir::Value;

/// When a timeout can fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeouts {
    /// When every thread that has not ended is waiting: time is long compared with talking.
    Quiescent,
    /// Whenever its own thread is waiting: messages may be slow.
    Any,
}

impl Timeouts {
    /// Whether time may run out for a thread (language reference, "Waiting and time"): `waiting` says it of the thread
    /// itself, `all_waiting` of every thread of the scene that has not ended.
    #[inline]
    #[must_use]
    pub const fn may_run_out(self, waiting: bool, all_waiting: bool) -> bool {
        match self {
            Self::Quiescent => all_waiting,
            Self::Any => waiting,
        }
    }

    /// Whether it rests on an open comparison that time may run out for a thread: `own` says whether the thread itself
    /// counts as waiting only by one, `some` whether some thread of the scene does.
    #[inline]
    #[must_use]
    pub const fn are_doubtful(self, own: bool, some: bool) -> bool {
        match self {
            Self::Quiescent => some,
            Self::Any => own,
        }
    }
}

/// What the network does to messages, and to agents (language reference, "Networks"). The default is the instant one:
/// messages arrive at once and in order, none is lost, nobody crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Network {
    /// Mailboxes are bags: a receive may take any message that matches, not only the oldest.
    pub unordered: bool,
    /// The most copies of messages that are lost in one run.
    pub losses: u32,
    /// The most agents that stop for ever in one run.
    pub crashes: u32,
}

impl Network {
    /// Messages arrive at once and in order, none is lost, nobody crashes.
    pub const INSTANT: Self = Self { unordered: false, losses: 0, crashes: 0 };
}

impl std::fmt::Display for Network {
    /// As on the command line: `instant`, `unordered`, `lossy:1`, `crash:1`, or several with commas between.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { unordered, losses, crashes } = *self;
        let mut words = Vec::new();
        if unordered {
            words.push("unordered".to_owned());
        }
        if losses > 0 {
            words.push(format!("lossy:{losses}"));
        }
        if crashes > 0 {
            words.push(format!("crash:{crashes}"));
        }
        if words.is_empty() {
            words.push("instant".to_owned());
        }
        f.write_str(&words.join(","))
    }
}

/// Bounds of one run or search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most activations one thread may hold open; the entry clause is the first.
    pub depth: u32,
    /// The most calls each agent makes in all.
    pub rounds: Option<u32>,
    /// The most calls each agent makes whose first argument is this constant.
    pub rounds_of: Vec<(Value, u32)>,
    /// The longest mailbox; a send that would exceed it is a mailbox overflow.
    pub mailbox: u32,
    /// When a timeout can fire.
    pub timeouts: Timeouts,
    /// What the network does.
    pub network: Network,
}

impl Bounds {
    /// Those of a command without flags.
    pub const USUAL: Self = Self {
        depth: 50,
        rounds: None,
        rounds_of: Vec::new(),
        mailbox: 50,
        timeouts: Timeouts::Quiescent,
        network: Network::INSTANT,
    };

    /// How many call counters an agent state has: one for all calls if they are bounded, one for each bounded constant.
    #[must_use]
    pub fn counters(&self) -> usize {
        usize::from(self.rounds.is_some()) + self.rounds_of.len()
    }

    /// Counts a call with these arguments; false if a bound is exceeded.
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
