//! What an agent may do now, in the words of its conversation: the types.

use map_ir::PointId;
use serde_json::Value as Json;

use crate::budgets::Left;
use crate::rules::Moment;

/// What an agent may do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentOffer {
    /// The messages that it may send.
    pub may: Vec<Suggestion>,
    /// Whether it has to send something.
    pub owes: bool,
    /// Whether it may be at rest.
    pub may_rest: bool,
    /// The places at which it waits for something, if it may be at rest.
    pub waits_at: Vec<PointId>,
    /// The moment at which it is given up or taken to be at rest, or at which time runs out for it; if it is known.
    pub until: Option<Moment>,
    /// How many messages it may still send in the conversation, if they are limited.
    pub left: Option<u64>,
    /// What is left of the properties that limit a number.
    pub budgets: Vec<Left>,
    /// Whether what would doom the conversation is left out, or told; `None` if nobody looks ahead.
    pub looks_ahead: Option<bool>,
}

/// A message that an agent may send, or many alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The performative.
    pub performative: String,
    /// What the arguments may be.
    pub arguments: Vec<ArgumentText>,
    /// The names of the recipients.
    pub to: Vec<String>,
    /// Whether every message that fits the description is accepted.
    pub exact: bool,
    /// The send in the source.
    pub point: PointId,
}

/// What an argument may be, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentText {
    /// This value.
    Is(Json),
    /// An integer between these, which belong to it.
    In(i64, i64),
    /// One of these values.
    OneOf(Vec<Json>),
    /// Anything.
    Any,
}
