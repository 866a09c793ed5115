//! What identifies a step, so that it can be repeated.

use map_ir::AgentId;

/// Identifies a step of a state, so that it can be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The agent.
    pub agent: AgentId,
    /// The thread: an index into the threads of the agent's control, from 0.
    pub thread: usize,
    /// What it does.
    pub turn: Turn,
    /// The options that resolve its open questions: those of the act, then for each copy that could be lost whether it
    /// is.
    pub options: Vec<u32>,
}

/// What a thread, or its agent, does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// The thread acts.
    Act,
    /// The thread's time runs out.
    Timeout,
    /// The agent crashes; the thread is then always 0.
    Crash,
    /// A message that was under way to the agent arrives. Its ways ([`crate::UnderWay::ways`]) are counted like
    /// threads, behind those of its control.
    Arrive,
}

impl Turn {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Act, Self::Timeout, Self::Crash, Self::Arrive];

    /// The word for it where steps are written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Act => "act",
            Self::Timeout => "timeout",
            Self::Crash => "crash",
            Self::Arrive => "arrive",
        }
    }
}
