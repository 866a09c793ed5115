//! The output of `map conform`.

use map_conform::{Arrivals, Kind, Standing, Verdict};
use serde::Serialize;

use crate::word::closed_set;
use crate::{Header, Word};

/// The version of the output of `map conform`. Within it fields and words are only added.
pub const CONFORM_FORMAT: u32 = 2;

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
    /// How the reading of the logs went.
    #[serde(flatten)]
    pub reading: ConformReading,
    /// The conversations, in the order in which they began.
    pub conversations: Vec<ConformConversation>,
}

/// How the reading of the logs went.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformReading {
    /// Whether no message was judged: that says nothing for anybody.
    pub nothing_judged: bool,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// Whether it was to end with the first violation, and did.
    pub stopped_at_first: bool,
    /// The error that stopped it; absent if none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<ConformBadLine>,
    /// What became of the lines.
    pub read: ConformRead,
    /// What was taken for granted about times that do not say it themselves, by log; absent if nothing was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub times: Vec<ConformTimes>,
}

/// What was taken for granted about the times of a log.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformTimes {
    /// The log, as it was named.
    pub log: String,
    /// What its times were taken for, and the first and the last of them.
    pub are: String,
}

/// What became of the lines of the logs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformRead {
    /// How many lines there were, without blank ones.
    pub lines: u64,
    /// How many messages were judged.
    pub messages: u64,
    /// The lines and messages that were passed over, by reason.
    pub passed_over: Vec<ConformPassedOver>,
    /// The lines that cannot be used, by code.
    pub bad: Vec<ConformBadLines>,
}

/// Lines that were passed over for one reason.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformPassedOver {
    /// The reason.
    pub reason: String,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: ConformPlace,
}

/// Lines that cannot be used.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformBadLines {
    /// The code of what is wrong.
    pub code: String,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: ConformPlace,
}

/// A line that cannot be used, or a log that cannot be read.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformBadLine {
    /// The code of what is wrong.
    pub code: String,
    /// The line; 0 if it is about the whole log.
    pub at: ConformPlace,
    /// What is wrong.
    pub text: String,
}

/// A line of a log.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformPlace {
    /// The log, as it was named.
    pub log: String,
    /// Which file of this name it is, if it was rotated or truncated while it was followed; absent for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incarnation: Option<u32>,
    /// The line, from 1.
    pub line: u64,
}

/// A line of `map conform --format ndjson`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ConformLine {
    /// A violation, as soon as it is found.
    Violation {
        /// The conversation.
        conversation: String,
        /// How the protocol was broken.
        violation: Box<ConformBlame>,
    },
    /// A line that cannot be used, as soon as it is read.
    BadLine {
        /// The line.
        bad: ConformBadLine,
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
    /// How the reading of the logs went.
    #[serde(flatten)]
    pub reading: ConformReading,
    /// How many conversations were reported.
    pub conversations: u64,
    /// How many of them conform.
    pub conforms: u64,
    /// How many conform so far.
    pub conforms_so_far: u64,
    /// How many are stuck.
    pub stuck: u64,
    /// How many are violated.
    pub violated: u64,
    /// How many are possibly violated.
    pub possibly_violated: u64,
    /// How many are inconclusive.
    pub inconclusive: u64,
}

/// A conversation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformConversation {
    /// Its name in the log; empty if there is none.
    pub conversation: String,
    /// What else it was called, before its name was known; absent if it had no other name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub aliases: Vec<String>,
    /// The verdict.
    pub verdict: Word<Verdict>,
    /// Whether the verdict rests on what the log does not show: values, or lines that cannot be used.
    pub possibly: bool,
    /// Whether it conforms so far if it began before the log.
    pub fits_mid_way: bool,
    /// How many messages were sent.
    pub messages: u64,
    /// The largest number of states that were kept of one agent.
    pub hypotheses: u64,
    /// Whether it was given up because there were too many.
    pub given_up: bool,
    /// The lines that cannot be used and may belong to it; at most 64.
    pub gaps: Vec<ConformGap>,
    /// How the protocol was broken.
    pub violations: Vec<ConformBlame>,
    /// What each agent is up to at the end of the log, in the order of the cast.
    pub agents: Vec<ConformStanding>,
}

/// A line that cannot be used.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformGap {
    /// The line.
    pub at: ConformPlace,
    /// The agents that it may concern: nothing is certain of them from there on.
    pub agents: Vec<ConformAgent>,
}

/// An agent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformAgent {
    /// Its name in the file; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Its name in the log; absent if the log has not named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A violation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformBlame {
    /// The line at which it was found.
    pub at: ConformPlace,
    /// How the protocol was broken.
    pub kind: Word<Kind>,
    /// Whether it may be no violation, because a line before it cannot be used, or the log may lack the beginning.
    pub possibly: bool,
    /// That line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<ConformPlace>,
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
    pub sent: Option<ConformMessage>,
    /// What is overdue, if it is silence for too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debt: Option<ConformDebt>,
    /// What could have been sent instead; at most 64.
    pub possible: Vec<ConformMessage>,
    /// How many others could have been sent; absent if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(test, schemars(default))]
    pub more: usize,
}

/// What an agent has owed for too long.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformDebt {
    /// The line since which it owes something.
    pub since: ConformPlace,
    /// The time of that line.
    pub since_time: String,
    /// When it was due.
    pub due: String,
    /// The time that the log has come to.
    pub clock: String,
    /// The line with the latest time.
    pub clock_at: ConformPlace,
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

/// A message.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformMessage {
    /// Its performative.
    pub performative: String,
    /// Its arguments. Those of a message that was sent are values as in a record; those of one that could be sent are
    /// descriptions, `{"is": value}` or `{"any": true}`.
    pub args: Vec<serde_json::Value>,
    /// The sender.
    pub from: ConformAgent,
    /// The recipients.
    pub to: Vec<ConformAgent>,
    /// What identifies it in the log, if it was sent and has an id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// When it was sent, if the log says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The line of the log, if it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<ConformPlace>,
    /// Where the file sends it, if it could be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<ConformSource>,
}

/// A line of the file with the dialogue.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformSource {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
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
    /// What it has to send; at most 64.
    pub owes: Vec<ConformMessage>,
    /// What it waits for.
    pub awaits: Vec<String>,
    /// Whether its time may run out while it waits.
    pub timeout: bool,
    /// What it could send then, or has no need to send; at most 64.
    pub may: Vec<ConformMessage>,
    /// How many others it owes, or could send then; absent if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(test, schemars(default))]
    pub more: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
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
            Standing::Waits { .. } => Self::Waits,
            Standing::Owes(_) => Self::Owes,
            Standing::Broke => Self::Violated,
            Standing::Unknown => Self::Unknown,
        }
    }
}
