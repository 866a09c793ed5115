//! AutoGen's structured log, logger `autogen_core.events`: an agent is `type/key`, and the key is the conversation.

use serde_json::Value as Json;

use super::draft::{Draft, name, wrong};
use crate::record::Fault;

/// The drafts in a line.
pub(super) fn drafts(line: &Json) -> Result<Vec<Draft>, Fault> {
    if !line.is_object() {
        return Err(wrong("the line is no event of AutoGen"));
    }
    let receiver = name(line.get("receiver"), "receiver")?;
    let (true, Some(receiver)) = (line["type"] == "Message", receiver) else { return Ok(Vec::new()) };
    let (to, conversation) = match receiver.split_once('/') {
        Some((to, key)) => (to.to_owned(), Some(key.split('/').next().unwrap_or_default().to_owned())),
        None => (receiver, None),
    };
    let sender = name(line.get("sender"), "sender")?.unwrap_or_else(|| "user".to_owned());
    let from = sender.split('/').next().unwrap_or_default().to_owned();
    let arrives = match line["delivery_stage"].as_str() {
        Some("DeliveryStage.SEND") => false,
        Some("DeliveryStage.DELIVER") => true,
        _ => return Err(wrong("`delivery_stage` is neither DeliveryStage.SEND nor DeliveryStage.DELIVER")),
    };
    // A payload that is no JSON is that of a message without a performative.
    let payload = line["payload"].as_str().and_then(|it| serde_json::from_str::<Json>(it).ok());
    let payload = payload.unwrap_or_default();
    let said = payload["performative"].as_str().or_else(|| payload["type"].as_str()).unwrap_or("message");
    Ok(vec![Draft {
        time: line.get("time").cloned(),
        arrives,
        conversation,
        from: Some(from),
        to: vec![to],
        performative: Some(said.to_owned()),
        args: payload["args"].as_array().cloned().unwrap_or_default(),
        ..Draft::default()
    }])
}
