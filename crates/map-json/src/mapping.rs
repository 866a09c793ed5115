//! What a mapping for `map conform --mapping` may say, for its schema; a mapping is written in TOML.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// How the lines of a log are records, and who in them is who in the file.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct MappingFile {
    /// The unit of times that are numbers, which then may count from any moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_unit: Option<TimeUnitName>,
    /// The zone of times that are texts without one, such as `+02:00`; UTC if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone: Option<String>,
    /// Where the fields of a record stand in a line; lines are records if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Fields>,
    /// By performative, as the lines have it: where its arguments stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<BTreeMap<String, Arguments>>,
    /// By JSON pointer: the value or values that a line has there; other lines are passed over.
    #[serde(skip_serializing_if = "Option::is_none")]
    only: Option<BTreeMap<String, OneOrMany>>,
    /// What words mean that a message was sent, or got into a mailbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<BTreeMap<String, EventName>>,
    /// By name, in which `*` stands for any text: the agent, such as `!Auctioneer`, or the role, such as `%bidder`.
    #[serde(skip_serializing_if = "Option::is_none")]
    cast: Option<BTreeMap<String, String>>,
    /// What a performative is called in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    performatives: Option<BTreeMap<String, String>>,
    /// By topic, in which `*` stands for any text: the agents and roles that hear what is published there.
    #[serde(skip_serializing_if = "Option::is_none")]
    topics: Option<BTreeMap<String, OneOrMany>>,
    /// By role, such as `%human`: how long its agents may take until they have sent what they owe, such as `24h`.
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<BTreeMap<String, String>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TimeUnitName {
    S,
    Ms,
    Us,
    Ns,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum EventName {
    Send,
    Receive,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Fields {
    /// A program in the language of jq makes records of a line.
    Filter(FilterFile),
    /// The fields stand at these places.
    Places(Box<Places>),
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct FilterFile {
    /// The file of the program, relative to the folder of the mapping.
    filter: String,
}

/// JSON pointers; of several, the first that a line has counts.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Places {
    from: OneOrMany,
    to: OneOrMany,
    performative: OneOrMany,
    /// A pointer to a list of the arguments, or a list of pointers, one for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<OneOrMany>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<OneOrMany>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<OneOrMany>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<OneOrMany>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<OneOrMany>,
    /// The key under which the line is remembered.
    #[serde(skip_serializing_if = "Option::is_none")]
    remember: Option<OneOrMany>,
    /// The key of the request that the line answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    recall: Option<OneOrMany>,
    /// Another id of the same conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<OneOrMany>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Arguments {
    /// A pointer to a list of them, or to the only one.
    Together(String),
    /// A pointer for each.
    Each(Vec<String>),
    /// By their names.
    Named(ArgumentNames),
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ArgumentNames {
    /// In the order of the arguments in the file.
    names: Vec<String>,
    /// Those that may be absent: the constant `absent` stands for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    optional: Option<Vec<String>>,
    /// Names that are not listed are passed over; else they are an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    others: Option<OtherArguments>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum OtherArguments {
    Drop,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}
