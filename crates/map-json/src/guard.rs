//! What `map guard` reads and writes: requests, answers and events, one a line.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::Header;

/// A line that `map guard --stdio` reads.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum GuardRequest {
    /// Opens a conversation.
    Open {
        /// What the answer is known by.
        #[serde(default)]
        id: Json,
        /// The name of the conversation.
        conversation: String,
        /// The agents in the file that names mean, such as `{"alice": "!Bidder1"}`; others are found by the
        /// configuration.
        #[serde(default)]
        cast: std::collections::BTreeMap<String, String>,
    },
    /// Asks what an agent may do now.
    Offer {
        /// What the answer is known by.
        #[serde(default)]
        id: Json,
        /// The name of the conversation.
        conversation: String,
        /// The name of the agent.
        r#as: String,
    },
    /// Sends a message. The first one opens its conversation.
    Send(GuardMessage),
    /// Asks for the answer that `send` would give.
    MayI(GuardMessage),
    /// Fetches messages and events.
    Receive {
        /// What the answer is known by.
        #[serde(default)]
        id: Json,
        /// The name of the conversation.
        conversation: String,
        /// The name of the agent.
        r#as: String,
        /// The number up to which the agent has received everything.
        #[serde(default)]
        after: u64,
        /// How many milliseconds to wait if there is nothing.
        #[serde(default)]
        wait_ms: u64,
        /// Whether the agent has nothing to send until something arrives or time runs out.
        #[serde(default)]
        rest: bool,
    },
    /// Says that the agent has nothing to send until something arrives or time runs out.
    Rest {
        /// What the answer is known by.
        #[serde(default)]
        id: Json,
        /// The name of the conversation.
        conversation: String,
        /// The name of the agent.
        r#as: String,
    },
    /// Asks what an agent owes, and what others owe it.
    Owe {
        /// What the answer is known by.
        #[serde(default)]
        id: Json,
        /// The name of the conversation.
        conversation: String,
        /// The name of the agent.
        r#as: String,
    },
    /// Asks how a conversation stands.
    Status {
        /// What the answer is known by.
        #[serde(default)]
        id: Json,
        /// The name of the conversation.
        conversation: String,
    },
}

impl GuardRequest {
    /// What the answer is known by.
    #[must_use]
    pub const fn id(&self) -> &Json {
        match self {
            Self::Send(GuardMessage { id, .. })
            | Self::MayI(GuardMessage { id, .. })
            | Self::Open { id, .. }
            | Self::Offer { id, .. }
            | Self::Receive { id, .. }
            | Self::Rest { id, .. }
            | Self::Owe { id, .. }
            | Self::Status { id, .. } => id,
        }
    }

    /// The name of the conversation.
    #[must_use]
    pub fn conversation(&self) -> &str {
        match self {
            Self::Send(GuardMessage { conversation, .. })
            | Self::MayI(GuardMessage { conversation, .. })
            | Self::Open { conversation, .. }
            | Self::Offer { conversation, .. }
            | Self::Receive { conversation, .. }
            | Self::Rest { conversation, .. }
            | Self::Owe { conversation, .. }
            | Self::Status { conversation, .. } => conversation,
        }
    }

    /// The name of the agent that asks; `None` for what no agent asks for.
    #[must_use]
    pub fn agent(&self) -> Option<&str> {
        match self {
            Self::Send(GuardMessage { r#as, .. })
            | Self::MayI(GuardMessage { r#as, .. })
            | Self::Offer { r#as, .. }
            | Self::Receive { r#as, .. }
            | Self::Rest { r#as, .. }
            | Self::Owe { r#as, .. } => Some(r#as),
            Self::Open { .. } | Self::Status { .. } => None,
        }
    }
}

/// A message to send.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GuardMessage {
    /// What the answer is known by.
    #[serde(default)]
    pub id: Json,
    /// The name of the conversation.
    pub conversation: String,
    /// The name of the sender.
    pub r#as: String,
    /// The performative.
    pub performative: String,
    /// The arguments, as in the records of `map conform`.
    #[serde(default)]
    pub args: Vec<Json>,
    /// All recipients; may be left out if there is only one choice.
    #[serde(default)]
    pub to: Option<Vec<String>>,
    /// A second request with the same key gets the same answer, and sends nothing.
    #[serde(default)]
    pub key: Option<String>,
}

/// A line that `map guard --stdio` writes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum GuardLine {
    /// The first line.
    Opening(GuardHeader),
    /// The answer to a request.
    Answer(GuardAnswer),
    /// Something that nobody asked for.
    Event(GuardEvent),
}

/// What the first line says.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardHeader {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The file, as it was named.
    pub file: String,
    /// The scene.
    pub scene: String,
    /// The agents.
    pub agents: Vec<GuardedAgent>,
    /// The properties that are enforced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub enforces: Vec<String>,
    /// The properties that are not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_enforced: Vec<NotEnforced>,
    /// What becomes of messages after which no good end can be reached: `refuse` or `warn`; absent if nobody looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_doomed: Option<String>,
    /// What is known of what lies ahead, if somebody looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<GuardOutlook>,
    /// The command that verifies what is assumed here; absent if nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<String>,
    /// The agents that the guard plays; of those that anybody may speak for, until somebody does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub played: Vec<String>,
    /// The address at which agents are listened to; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The address at which agents and operators are listened to over HTTP; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<String>,
    /// The folder of the journal; absent if nothing survives a restart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
}

/// What is known of what lies ahead.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardOutlook {
    /// How much.
    pub known: GuardOutlookWord,
    /// The states of the scene, up to what makes no difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// Those from which no good end can be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doomed: Option<usize>,
    /// Why nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// How much is known of what lies ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GuardOutlookWord {
    /// The scene is being searched: nothing yet.
    Pending,
    /// A good end can be reached from everywhere: looking ahead is needless.
    Bright,
    /// Where a good end can be reached.
    Mixed,
    /// Nothing.
    Blind,
}

/// A property that is not enforced.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NotEnforced {
    /// The property.
    pub property: String,
    /// Why, in words that continue its name.
    pub why: String,
}

/// An agent, as the first line tells of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardedAgent {
    /// Its name in the file.
    pub agent: String,
    /// Its role.
    pub role: String,
    /// When messages to it arrive: `strict`, `fetched` or `pushed`.
    pub arrivals: String,
}

/// The answer to a request.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardAnswer {
    /// That of the request.
    #[serde(skip_serializing_if = "Json::is_null")]
    pub id: Json,
    /// What came of it.
    #[serde(flatten)]
    pub result: GuardResult,
}

/// What came of a request.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GuardResult {
    /// The conversation is open.
    Opened(GuardDone),
    /// The message was delivered, or would be.
    Accepted(GuardAcceptance),
    /// It was not, and changes nothing.
    Refused(GuardRefusal),
    /// What the agent may do.
    Offer(GuardOffer),
    /// Messages and events.
    Received(GuardDelivery),
    /// The agent is at rest.
    Rested(GuardDone),
    /// Who owes what.
    Owed(GuardDebts),
    /// How the conversation stands.
    Status(GuardStatus),
    /// The request cannot be understood.
    Error(GuardError),
}

/// Nothing more is said.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardDone {}

/// A message that was accepted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardAcceptance {
    /// Its number; absent if it was only asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// False if it rests on values that nobody has seen.
    pub certain: bool,
    /// True if it was delivered without having been judged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unguarded: bool,
    /// True if it depends on what nobody sees whether the conversation can still end well.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_risk: bool,
    /// True if it cannot.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub doomed: bool,
    /// Whether it is known if it can; absent if nobody looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looked_ahead: Option<bool>,
}

/// A message that was refused.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardRefusal {
    /// Why.
    pub kind: GuardRefusalKind,
    /// A sentence.
    pub text: String,
    /// What the agent may do instead.
    #[serde(flatten)]
    pub offer: Option<GuardOffer>,
    /// The messages and events that it had not fetched, if that is why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<GuardItem>,
    /// Whom time waits for, if it has not run out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<String>,
    /// The earliest moment at which time can run out, in nanoseconds since 1970, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earliest: Option<u64>,
}

/// Why a message is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GuardRefusalKind {
    /// The conversation has ended or expired.
    Closed,
    /// The agent was given up.
    Silenced,
    /// The agent is at rest.
    Rested,
    /// It would fit had messages not arrived that the agent has not fetched.
    Stale,
    /// It would fit if time had run out.
    Early,
    /// The agent never says that.
    NotItsWord,
    /// The agent has ended.
    AfterItsEnd,
    /// The agent has just said that.
    Repeated,
    /// It may say that to somebody else.
    WrongRecipient,
    /// It may say that with other arguments.
    WrongContent,
    /// It is not its turn to say that.
    OutOfTurn,
    /// An answer is computed with, and is no number or too large.
    UnfitAnswer,
    /// The agent owes a message, and is not at rest.
    Owes,
    /// There may not be so many messages.
    Budget,
    /// No good end could be reached any more.
    Doomed,
    /// More would be kept than may be.
    Limit,
    /// It is not known whether it fits.
    Unsure,
}

/// What an agent may do.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardOffer {
    /// The messages that it may send.
    pub may: Vec<GuardSuggestion>,
    /// Whether it has to send one.
    pub owes: bool,
    /// Whether it may be at rest.
    pub may_rest: bool,
    /// The messages that it waits for, if it may be at rest.
    pub waits_for_messages: Vec<String>,
    /// When it is given up, taken to be at rest, or its time runs out, in nanoseconds since 1970, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// How many messages it may still send, if they are limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    /// What may still be counted before a property is violated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<GuardBudget>,
    /// Whether it is known what lies ahead; absent if nobody looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks_ahead: Option<bool>,
}

/// What is left of a property that limits a number.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardBudget {
    /// The property.
    pub property: String,
    /// What may still be counted.
    pub left: u64,
}

/// A message that an agent may send, or many alike.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardSuggestion {
    /// The performative.
    pub performative: String,
    /// What the arguments may be.
    pub args: Vec<GuardArgument>,
    /// The recipients: all of them.
    pub to: Vec<String>,
    /// Whether every message of this description is accepted; else more is required.
    pub exact: bool,
    /// The send in the file, as file and line.
    pub place: String,
}

/// What an argument may be.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GuardArgument {
    /// This value.
    Is(Json),
    /// An integer between these, which belong to it.
    In(i64, i64),
    /// One of these values.
    OneOf(Vec<Json>),
    /// Anything, if true.
    Any(bool),
}

/// What is handed over.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardDelivery {
    /// Messages and events, by number.
    pub items: Vec<GuardItem>,
    /// What the agent owes, if there is nothing for it and that is why nobody waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debt: Option<GuardOffer>,
}

/// A message or an event for an agent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardItem {
    /// Its number.
    pub seq: u64,
    /// What it is.
    #[serde(flatten)]
    pub kind: GuardItemKind,
}

/// What is handed over to an agent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum GuardItemKind {
    /// A message.
    Message {
        /// The sender.
        from: String,
        /// The performative.
        performative: String,
        /// The arguments, as the sender gave them.
        args: Vec<Json>,
    },
    /// Time has run out for the agent.
    Timeout {
        /// Where, as file and line. If the agent does not wait there, nothing has happened to it.
        timeout: String,
    },
}

/// What an agent owes, and what others owe it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardDebts {
    /// What it owes itself; absent if that is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mine: Option<GuardDebt>,
    /// What others owe it, in the order of the cast.
    pub to_me: Vec<GuardDebt>,
}

/// That an agent owes a message.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardDebt {
    /// The name of the agent.
    pub agent: String,
    /// The performatives, of which it owes one; of what others owe, those that they may send to who asks.
    pub performatives: Vec<String>,
    /// Whether it may send something to others instead.
    pub or_to_others: bool,
    /// When it is given up or reported, in nanoseconds since 1970, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
}

/// How a conversation stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardStatus {
    /// `open`, `stuck`, `ended`, `expired` or `failed`.
    pub state: String,
    /// How many messages were accepted.
    pub messages: u64,
    /// Whether an acceptance rested on values that nobody had seen.
    pub possibly: bool,
    /// Whether messages are delivered without being judged.
    pub unguarded: bool,
    /// The agents.
    pub agents: Vec<GuardMember>,
}

/// How an agent stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardMember {
    /// Its name in the file.
    pub agent: String,
    /// Its name in the conversation.
    pub name: String,
    /// `ended`, `waits`, `free`, `owes`, `silent`, `given_up` or `unknown`.
    pub state: String,
    /// Since when, in nanoseconds since 1970.
    pub since: u64,
    /// Until when, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// The messages that it waits for, if it may be at rest.
    pub waits_for_messages: Vec<String>,
    /// How many messages and events it has not acknowledged.
    pub undelivered: u64,
}

/// A request that cannot be understood.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardError {
    /// `bad_request`, `unknown_conversation`, `known_conversation`, `unknown_agent`, `no_value`, `no_recipient`,
    /// `not_handed_over`, `too_many_waiting`, `too_many_requests`, `not_admitted`, `not_yours` or `journal`.
    pub kind: String,
    /// A sentence.
    pub text: String,
}

/// Something that nobody asked for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum GuardEvent {
    /// Time has run out for an agent, which is told when it fetches.
    Timeout {
        /// The conversation.
        conversation: String,
        /// The agent.
        r#as: String,
        /// Where, as file and line.
        places: Vec<String>,
        /// The number of the event.
        seq: u64,
    },
    /// An agent owes a message for too long.
    Silent {
        /// The conversation.
        conversation: String,
        /// The agent.
        r#as: String,
        /// Whether it is given up.
        gave_up: bool,
        /// The number of the event.
        seq: u64,
    },
    /// Nothing can happen any more, and not all have ended.
    Stuck {
        /// The conversation.
        conversation: String,
        /// The number of the event.
        seq: u64,
    },
    /// A conversation is over.
    Closed {
        /// The conversation.
        conversation: String,
        /// `ended`, `expired` or `failed`.
        why: String,
        /// The number of the event.
        seq: u64,
    },
}
