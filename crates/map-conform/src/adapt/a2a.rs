//! A2A, as JSON-RPC behind a proxy that writes `{time, client, server, body}` for each request and answer; 1.0 and 0.3.

use serde_json::Value as Json;

use super::draft::{Draft, name, wrong};
use crate::record::Fault;

/// The drafts in a line.
pub(super) fn drafts(line: &Json) -> Result<Vec<Draft>, Fault> {
    let needed = |what: &str| {
        name(line.get(what), what)?.ok_or_else(|| wrong(format!("the line of the proxy has no `{what}`")))
    };
    let (client, server) = (needed("client")?, needed("server")?);
    let body = line.get("body").filter(|it| it.is_object());
    let body = body.ok_or_else(|| wrong("the line of the proxy has no `body`"))?;
    let key = format!("{server} {}", body.get("id").unwrap_or(&Json::Null));
    let base = Draft { time: line.get("time").cloned(), ..Draft::default() };
    let asks = matches!(
        body["method"].as_str(),
        Some("SendMessage" | "SendStreamingMessage" | "message/send" | "message/stream")
    );
    if asks {
        let message = &body["params"]["message"];
        return Ok(vec![Draft {
            id: name(message.get("messageId"), "messageId")?,
            conversation: name(message.get("contextId"), "contextId")?,
            from: Some(client),
            to: vec![server],
            performative: Some(said(message).unwrap_or("ask").to_owned()),
            args: args(message),
            remember: Some(key),
            ..base
        }]);
    }
    if body.get("method").is_some() {
        return Ok(vec![Draft { is_other: true, remember: Some(key), ..base }]);
    }
    let answer = Draft { from: Some(server), to: vec![client], recall: Some(key), ..base };
    let result = &body["result"];
    let is_kind = |it: &str| result["kind"] == it;
    let of_task = ["task", "statusUpdate"].iter().find_map(|it| result.get(it));
    if let Some(task) = of_task.or((is_kind("task") || is_kind("status-update")).then_some(result)) {
        // An agent whose answers are more than a state says so in the message of the status.
        let message = &task["status"]["message"];
        let state = task["status"]["state"].as_str().ok_or_else(|| wrong("the task has no state"))?;
        let state = state.trim_start_matches("TASK_STATE_").to_ascii_lowercase();
        let said = said(message);
        return Ok(vec![Draft {
            conversation: name(task.get("contextId"), "contextId")?,
            args: if said.is_some() { args(message) } else { Vec::new() },
            performative: Some(said.map_or(state, str::to_owned)),
            ..answer
        }]);
    }
    if let Some(message) = result.get("message").or(is_kind("message").then_some(result)) {
        return Ok(vec![Draft {
            id: name(message.get("messageId"), "messageId")?,
            conversation: name(message.get("contextId"), "contextId")?,
            performative: Some(said(message).unwrap_or("answer").to_owned()),
            args: args(message),
            ..answer
        }]);
    }
    if let Some(error) = body.get("error").filter(|it| !it.is_null()) {
        let args = error.get("code").cloned().into_iter().collect();
        return Ok(vec![Draft { performative: Some("error".to_owned()), args, ..answer }]);
    }
    Ok(Vec::new())
}

/// The performative that a message names.
fn said(message: &Json) -> Option<&str> {
    message["metadata"]["performative"].as_str()
}

/// What the parts of a message hold: data, or else text.
fn args(message: &Json) -> Vec<Json> {
    let parts = message["parts"].as_array().into_iter().flatten();
    parts.filter_map(|it| it.get("data").or_else(|| it.get("text"))).cloned().collect()
}
