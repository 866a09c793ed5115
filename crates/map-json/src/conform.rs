//! The output of `map conform`.

use map_conform::{Arrivals, Kind, Standing, Verdict};
use serde::Serialize;

use crate::word::closed_set;
use crate::{Header, Word};

/// `map conform --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The file, as it was named.
    pub file: String,
    /// When messages arrive.
    pub arrivals: Word<Arrivals>,
    /// The conversations, in the order in which they began.
    pub conversations: Vec<ConformConversation>,
}

/// A line of `map conform --format ndjson`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum ConformLine {
    /// A violation, as soon as it is found.
    Violation {
        /// The conversation.
        conversation: String,
        /// How the protocol was broken.
        violation: ConformBlame,
    },
    /// A conversation, as soon as it has ended.
    Conversation {
        /// The conversation.
        conversation: String,
        /// What is said of it.
        report: ConformConversation,
    },
    /// The last line.
    End {
        /// All conversations.
        summary: ConformEnd,
    },
}

/// How many conversations have which verdict.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformEnd {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The file, as it was named.
    pub file: String,
    /// When messages arrive.
    pub arrivals: Word<Arrivals>,
    /// How many conversations were reported.
    pub conversations: u64,
    /// How many of them conform.
    pub conforms: u64,
    /// How many conform so far.
    pub so_far: u64,
    /// How many are stuck.
    pub stuck: u64,
    /// How many are violated.
    pub violated: u64,
    /// How many are inconclusive.
    pub inconclusive: u64,
}

/// A conversation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformConversation {
    /// Its name in the log; empty if there is none.
    pub conversation: String,
    /// The verdict.
    pub verdict: Word<Verdict>,
    /// Whether the verdict rests on values that the log does not show.
    pub possibly: bool,
    /// How many messages were sent.
    pub messages: u64,
    /// The largest number of states that were kept of one agent.
    pub hypotheses: u64,
    /// Whether it was given up because there were too many.
    pub given_up: bool,
    /// How the protocol was broken.
    pub violations: Vec<ConformBlame>,
    /// What each agent is up to at the end of the log, in the order of the cast.
    pub agents: Vec<ConformStanding>,
}

/// A violation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformBlame {
    /// The line of the log, from 1.
    pub line: u64,
    /// How the protocol was broken.
    pub kind: Word<Kind>,
    /// The agent that is to blame, as in the file; absent if none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Its name in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The answer that it is put down to, if it is; then no agent is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<ConformAnswers>,
    /// The message, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<String>,
    /// What could have been sent instead; at most eight.
    pub possible: Vec<ConformMessage>,
}

/// An answer that a violation is put down to: the file computes with it or orders it, and it is no number, or too
/// large.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformAnswers {
    /// The procedures that may have been answered so: what answers one of them is to blame.
    pub asked: Vec<ConformAsked>,
    /// Whether it is not known which of them it is, or whether it is one of them.
    pub possibly: bool,
    /// The answer; absent if it is too large a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The agent that goes wrong because of it, as in the file.
    pub agent: String,
}

/// A procedure that an agent asks.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformAsked {
    /// The procedure, as in the file.
    pub procedure: String,
    /// The agent, as in the file.
    pub agent: String,
    /// Its name in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A message that an agent can or must send.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformMessage {
    /// The message in source form; `_` is an open argument.
    pub message: String,
    /// Its performative.
    pub performative: String,
    /// Its arguments in source form; `_` is an open one.
    pub arguments: Vec<String>,
    /// The recipients, as in the file.
    pub to: Vec<String>,
    /// The line of the send in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

/// What an agent is up to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformStanding {
    /// The agent, as in the file.
    pub agent: String,
    /// Its name in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it has ended.
    pub state: Word<StandingState>,
    /// What it has to send.
    pub owes: Vec<ConformMessage>,
    /// What it waits for.
    pub awaits: Vec<String>,
}

closed_set! {
    /// Whether an agent has ended.
    StandingState {
        /// It may have ended.
        Ended = "ended",
        /// It waits for something.
        Waits = "waits",
        /// It has to send something.
        Owes = "owes",
        /// It has broken the protocol, or was given an answer that breaks it.
        Violated = "violated",
        /// Too much was cut off to tell.
        Unknown = "unknown",
    }
}

impl From<&Standing> for StandingState {
    fn from(standing: &Standing) -> Self {
        match standing {
            Standing::Ended => Self::Ended,
            Standing::Waits(_) => Self::Waits,
            Standing::Owes(_) => Self::Owes,
            Standing::Broke => Self::Violated,
            Standing::Unknown => Self::Unknown,
        }
    }
}
