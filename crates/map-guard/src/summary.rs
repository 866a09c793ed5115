//! What is kept of conversations that are over, as it stands in records.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A conversation that is over. What its agents have not acknowledged, and the answers that keys were given, are
/// records of their own: so none is long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndedConversation {
    /// Its name.
    pub conversation: String,
    /// Why it is over.
    pub why: String,
    /// How many messages were accepted.
    pub messages: u64,
    /// Whether an acceptance was not certain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub doubtful: bool,
    /// Whether a message was delivered without having been judged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unguarded: bool,
    /// The agents, in the order of the cast.
    pub agents: Vec<EndedMember>,
}

/// An agent of a conversation that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndedMember {
    /// Its name in the file.
    pub agent: String,
    /// Its name in the conversation, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many messages it has sent.
    pub sent: u64,
    /// Whether it may have ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
    /// Whether it owed a message.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub owes: bool,
    /// Whether it was given up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gave_up: bool,
    /// The number of the last message or event that was handed over to it.
    pub handed: u64,
}

/// What an agent has not acknowledged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EndedItem {
    /// A message.
    Message {
        /// Its number.
        seq: u64,
        /// The name of the sender.
        from: String,
        /// The performative.
        performative: String,
        /// The arguments, as they were given.
        args: Vec<Json>,
    },
    /// Time has run out.
    Timeout {
        /// Its number.
        seq: u64,
        /// The number of the place.
        place: u32,
    },
}

/// The answer to a request with a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EndedKey {
    /// It was refused.
    Refused {
        /// The key.
        key: String,
        /// The kind.
        kind: String,
        /// The sentence.
        text: String,
    },
    /// The message was accepted.
    Accepted {
        /// The key.
        key: String,
        /// The number of the message.
        seq: Option<u64>,
        /// Whether it surely fits.
        certain: bool,
        /// Whether it was delivered without having been judged.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unguarded: bool,
    },
}
