//! AutoGen's structured log, logger `autogen_core.events`: an agent is `type/key`, and the key is the conversation.
//!
//! Whoever asks from outside the runtime has no name. What is published is for the topic, and deliveries of it do not
//! say to whom: so its arrivals are not logged.

use serde_json::Value as Json;

use super::draft::{Draft, name, wrong};
use super::mapping::Mapping;
use crate::record::{ANYBODY, Fault, OUTSIDE};

/// The payload of what cannot be written; so also of the answer of a handler that returns nothing.
const UNWRITTEN: &str = "Message could not be serialized";

/// The drafts in a line.
pub(super) fn drafts(line: &Json, mapping: Option<&Mapping>) -> Result<Vec<Draft>, Fault> {
    if !line.is_object() {
        return Err(wrong("the line is no event of AutoGen"));
    }
    if line["type"] != "Message" {
        return Ok(Vec::new());
    }
    let arrives = match line["delivery_stage"].as_str() {
        Some("DeliveryStage.SEND") => false,
        Some("DeliveryStage.DELIVER") => true,
        _ => return Err(wrong("`delivery_stage` is neither DeliveryStage.SEND nor DeliveryStage.DELIVER")),
    };
    let is_published = line["kind"] == "MessageKind.PUBLISH";
    let payload = line["payload"].as_str().unwrap_or_default();
    let is_empty_answer = payload == UNWRITTEN && line["kind"] == "MessageKind.RESPOND";
    if is_published && arrives || is_empty_answer {
        return Ok(Vec::new());
    }
    let sender = name(line.get("sender"), "sender")?;
    let receiver = name(line.get("receiver"), "receiver")?;
    // The key is the same on both sides, but that nobody outside has one.
    let key = receiver.as_ref().or(sender.as_ref()).and_then(|it| it.split_once('/'));
    let conversation = key.map(|(_, key)| key.split('/').next().unwrap_or_default().to_owned());
    let to = match receiver.as_deref().map(kind) {
        None if is_published => return Err(wrong("what is published names no topic")),
        None => vec![OUTSIDE.to_owned()],
        Some(topic) if is_published => match mapping.and_then(|it| it.hearers(topic)) {
            Some(hearers) => hearers.to_vec(),
            None => vec![ANYBODY.to_owned()],
        },
        Some(agent) => vec![agent.to_owned()],
    };
    let payload: Json = serde_json::from_str(payload).map_err(|_| wrong("the payload is no JSON"))?;
    let said = payload["performative"].as_str().or_else(|| payload["type"].as_str());
    let said = said.ok_or_else(|| wrong("the payload has neither `performative` nor `type`"))?;
    Ok(vec![Draft {
        time: line.get("time").cloned(),
        arrives,
        arrives_unlogged: is_published,
        conversation,
        from: Some(sender.as_deref().map_or(OUTSIDE, kind).to_owned()),
        to,
        performative: Some(said.to_owned()),
        args: payload["args"].as_array().cloned().unwrap_or_default(),
        named: named(&payload),
        ..Draft::default()
    }])
}

/// The type of an agent or topic.
fn kind(id: &str) -> &str {
    id.split('/').next().unwrap_or_default()
}

/// The fields of a payload, but for that which says what it is.
fn named(payload: &Json) -> Option<serde_json::Map<String, Json>> {
    let fields = payload.as_object()?.iter();
    let own = fields.filter(|(name, _)| !matches!(name.as_str(), "performative" | "type"));
    Some(own.map(|(name, value)| (name.clone(), value.clone())).collect())
}
