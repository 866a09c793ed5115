//! A2A, as JSON-RPC behind a proxy that writes `{time, client, server, body}` for each request and answer; 1.0 and 0.3.

use serde_json::{Map, Value as Json};

use super::draft::{Artifact, Draft, Status, name, wrong};
use super::memory::hash;
use crate::record::Fault;

/// The drafts in a line.
pub(super) fn drafts(line: &Json) -> Result<Vec<Draft>, Fault> {
    let needed = |what: &str| {
        name(line.get(what), what)?.ok_or_else(|| wrong(format!("the line of the proxy has no `{what}`")))
    };
    let (client, server) = (needed("client")?, needed("server")?);
    let body = line.get("body").filter(|it| it.is_object());
    let body = body.ok_or_else(|| wrong("the line of the proxy has no `body`"))?;
    // Each client counts its calls by itself.
    let key = format!("{client} {server} {}", body.get("id").unwrap_or(&Json::Null));
    let base = Draft { time: line.get("time").cloned(), ..Draft::default() };
    let asks = matches!(
        body["method"].as_str(),
        Some("SendMessage" | "SendStreamingMessage" | "message/send" | "message/stream")
    );
    if asks {
        let message = &body["params"]["message"];
        let context = name(message.get("contextId"), "contextId")?;
        return Ok(vec![Draft {
            id: name(message.get("messageId"), "messageId")?,
            alias: context.clone(),
            conversation: context,
            from: Some(client),
            to: vec![server],
            performative: Some(said(message).unwrap_or("ask").to_owned()),
            args: args(message),
            named: named(message),
            remember: Some(key),
            ..base
        }]);
    }
    if body.get("method").is_some() {
        return Ok(vec![Draft { is_other: true, remember: Some(key), ..base }]);
    }
    let answer = Draft { from: Some(server.clone()), to: vec![client], recall: Some(key), ..base };
    let result = &body["result"];
    let is_kind = |kind: &str| result["kind"] == kind;
    if let Some(update) = result.get("artifactUpdate").or(is_kind("artifact-update").then_some(result)) {
        let artifact = artifact(&server, update)?;
        return Ok(vec![Draft { is_other: true, artifact, ..answer }]);
    }
    let of_task = ["task", "statusUpdate"].iter().find_map(|it| result.get(it));
    // The answers about a task are the task itself.
    let is_task = is_kind("task") || is_kind("status-update") || result["status"]["state"].is_string();
    if let Some(task) = of_task.or(is_task.then_some(result)) {
        // An agent whose answers are more than a state says so in the message of the status.
        let message = &task["status"]["message"];
        let state = task["status"]["state"].as_str().ok_or_else(|| wrong("the task has no state"))?;
        let state = state.trim_start_matches("TASK_STATE_").to_ascii_lowercase();
        let said = said(message);
        let id = name(task.get("taskId").or_else(|| task.get("id")), "id of a task")?;
        let status = id.map(|id| Status {
            task: format!("{server} {id}"),
            told: hash(&format!("{state} {message}")),
            since: task["status"]["timestamp"].as_str().map(hash),
            is_event: is_event(result),
            is_final: matches!(state.as_str(), "completed" | "failed" | "canceled" | "rejected"),
            artifacts: task["artifacts"].as_array().map(|all| all.iter().map(held).collect()),
        });
        let context = name(task.get("contextId"), "contextId")?;
        return Ok(vec![Draft {
            alias: context.clone(),
            conversation: context,
            args: if said.is_some() { args(message) } else { Vec::new() },
            named: named(message),
            status,
            performative: Some(said.map_or(state, str::to_owned)),
            ..answer
        }]);
    }
    if let Some(message) = result.get("message").or(is_kind("message").then_some(result)) {
        let context = name(message.get("contextId"), "contextId")?;
        return Ok(vec![Draft {
            id: name(message.get("messageId"), "messageId")?,
            alias: context.clone(),
            conversation: context,
            performative: Some(said(message).unwrap_or("answer").to_owned()),
            args: args(message),
            named: named(message),
            ..answer
        }]);
    }
    if let Some(error) = body.get("error").filter(|it| !it.is_null()) {
        let args = error.get("code").cloned().into_iter().collect();
        return Ok(vec![Draft { performative: Some("error".to_owned()), args, ..answer }]);
    }
    Ok(Vec::new())
}

/// Whether an answer is an event of a stream, and not how a task stands.
fn is_event(result: &Json) -> bool {
    result.get("statusUpdate").is_some() || result["kind"] == "status-update"
}

/// The performative that a message names.
fn said(message: &Json) -> Option<&str> {
    message["metadata"]["performative"].as_str()
}

/// The part of an artifact that an event of a stream brings.
fn artifact(server: &str, update: &Json) -> Result<Option<Artifact>, Fault> {
    let Some(task) = name(update.get("taskId"), "taskId")? else { return Ok(None) };
    let (id, parts) = held(&update["artifact"]);
    let appends = update["append"] == true;
    Ok(Some(Artifact { task: format!("{server} {task}"), id, appends, parts }))
}

/// What an artifact holds, under its id.
fn held(artifact: &Json) -> (String, Vec<Json>) {
    (artifact["artifactId"].as_str().unwrap_or_default().to_owned(), args(artifact))
}

/// The arguments by their names: the only part is an object.
fn named(message: &Json) -> Option<Map<String, Json>> {
    match message["parts"].as_array()?.as_slice() {
        [only] => only.get("data")?.as_object().cloned(),
        _ => None,
    }
}

/// What the parts of a message or an artifact hold: data, text, or where a file is; of a file that is in it, only that
/// it is one.
fn args(message: &Json) -> Vec<Json> {
    let held = |part: &Json| {
        let file = part.pointer("/file/uri");
        let held = ["data", "text", "url"].iter().find_map(|kind| part.get(kind)).or(file);
        held.cloned().unwrap_or_else(|| "file".into())
    };
    message["parts"].as_array().into_iter().flatten().map(held).collect()
}
