//! What is said of a conversation.

use std::sync::Arc;

use map_ir::{AgentId, PointId};
use map_semantics::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::blame::{Kind, PossibleSends};
use crate::monitor::LoggedMessage;
use crate::unfit::UnfitAnswer;

/// Where and when a line of the log is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Its number, from 1.
    pub line: u64,
    /// Its time in nanoseconds.
    pub time: Option<u64>,
    /// Which log it is in, from 0.
    pub log: usize,
}

/// A message that nobody in the scene sends, in the words of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMessage {
    /// The message.
    pub message: String,
    /// The real names of its recipients.
    pub to: Vec<String>,
    /// What identifies it in the log.
    pub id: Option<String>,
    /// Its performative.
    pub performative: String,
    /// Its arguments.
    pub args: Vec<Json>,
    /// With how many arguments its sender may say it, if only their number is wrong.
    pub arities: Vec<usize>,
}

/// The offending message, or that it is silence that offends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offence {
    /// Silence: what is owed does not come.
    Nothing,
    /// A message.
    Message(LoggedMessage),
    /// Something that nobody in the scene says.
    Unknown(Arc<UnknownMessage>),
}

/// A violation.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Where it is.
    pub mark: Mark,
    /// How the protocol is broken.
    pub kind: Kind,
    /// Who broke it, if an agent did.
    pub agent: Option<AgentId>,
    /// The answer that it is put down to, if it is.
    pub unfit: Option<UnfitAnswer>,
    /// What was said.
    pub offence: Offence,
    /// What could have been sent instead.
    pub possible: PossibleSends,
    /// The agent's last line before, with its message.
    pub before: Option<(Mark, LoggedMessage)>,
    /// A line before that cannot be used and may have been the agent's: it is possibly no violation then.
    pub gap: Option<Mark>,
    /// What the agent owes, if it is silent for too long.
    pub debt: Option<Debt>,
}

/// What an agent has owed for too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Debt {
    /// The line since which it owes something.
    pub since: Mark,
    /// When it was due, in nanoseconds since 1970.
    pub due: u64,
    /// The clock that shows it is overdue: the line with the latest time, or a later time.
    pub clock: Mark,
}

/// A line that cannot be used, in a conversation that it may belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The line.
    pub mark: Mark,
    /// The agents that it may concern.
    pub agents: Vec<AgentId>,
}

impl Violation {
    /// Whether this agent broke the protocol, or what answered it did.
    pub(crate) fn is_of(&self, agent: AgentId) -> bool {
        self.agent == Some(agent) || self.unfit.as_ref().is_some_and(|unfit| unfit.agent == agent)
    }
}

/// The verdict about a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A run explains the log, and all have ended.
    Conforms,
    /// The log is the beginning of what a run explains.
    SoFar,
    /// The same, and nothing can happen, though not all have ended.
    Stuck,
    /// No run explains it.
    Violated,
    /// A limit came first.
    Inconclusive,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 5] = [Self::Conforms, Self::SoFar, Self::Stuck, Self::Violated, Self::Inconclusive];

    /// The words for it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Conforms => "conforms",
            Self::SoFar => "conforms so far",
            Self::Stuck => "stuck",
            Self::Violated => "violated",
            Self::Inconclusive => "inconclusive",
        }
    }

    /// The word for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SoFar => "conforms_so_far",
            Self::Conforms | Self::Stuck | Self::Violated | Self::Inconclusive => self.words(),
        }
    }
}

/// What an agent is up to at the end of the log.
#[derive(Clone, Debug)]
pub enum Standing {
    /// It may have ended.
    Ended,
    /// It waits.
    Waits {
        /// The points at which it does.
        at: Vec<PointId>,
        /// What it could send without hearing anything, such as when its time runs out.
        may: PossibleSends,
    },
    /// It has to send one of these.
    Owes(PossibleSends),
    /// It has broken the protocol, or was given an answer that breaks it.
    Broke,
    /// Too much was cut off to tell.
    Unknown,
}

/// Messages to an agent whose arrivals the log does not show: each may have been there or not when it looked.
#[derive(Clone, Debug, Default)]
pub struct UnloggedArrivals {
    /// How many there are.
    pub count: u64,
    /// The first of them, with the lines that send them.
    pub first: Vec<(Mark, Arc<Message>)>,
}

impl UnloggedArrivals {
    /// The maximum number that is listed.
    const MAX_LISTED: usize = 4;

    pub(crate) fn add(&mut self, mark: Mark, message: &Arc<Message>) {
        self.count += 1;
        if self.first.len() < Self::MAX_LISTED {
            self.first.push((mark, Arc::clone(message)));
        }
    }
}

/// The report of a conversation.
#[derive(Clone, Debug)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the verdict rests on what the log does not show: values, or lines that cannot be used.
    pub possibly: bool,
    /// The lines that cannot be used and may belong to the conversation: the first of them.
    pub gaps: Vec<Gap>,
    /// The first line that is earlier than one before it, if the log contradicts itself so.
    pub runs_back: Option<Mark>,
    /// The violations, in the order in which they were found.
    pub violations: Vec<Violation>,
    /// What each agent is up to.
    pub standings: Vec<Standing>,
    /// The number of messages sent.
    pub messages: u64,
    /// The largest number of hypotheses of an agent.
    pub hypotheses: usize,
    /// The largest number of states of an agent that were explored for a line.
    pub explored: usize,
    /// Messages that never arrived, though the log shows arrivals: the line of the send, and the recipient.
    pub never_arrived: Vec<(Mark, AgentId)>,
    /// Whether some states were not looked at: there may be ends that were not found.
    pub incomplete: bool,
    /// Whether the conversation conforms so far if it began before the log: then its first line need not fit.
    pub fits_mid_way: bool,
    /// Where something was first cut off: agent and line.
    pub cut_at: Option<(AgentId, Mark)>,
    /// The messages to that agent whose arrivals are not logged.
    pub unlogged: UnloggedArrivals,
}
