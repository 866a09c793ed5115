//! OTLP in JSON, spans of A2A clients: a span is a request and its answer. Contents are not in it.

use serde_json::{Map, Value as Json};

use super::draft::{Draft, name, wrong};
use crate::record::Fault;

/// The drafts in a line, each with its time.
pub(super) fn drafts(line: &Json) -> Result<Vec<Draft>, Fault> {
    let resources = line.get("resourceSpans").and_then(Json::as_array);
    let resources = resources.ok_or_else(|| wrong("the line has no `resourceSpans`"))?;
    let mut drafts = Vec::new();
    for resource in resources {
        let of_resource = attributes(&resource["resource"]);
        for scope in resource["scopeSpans"].as_array().into_iter().flatten() {
            for span in scope["spans"].as_array().into_iter().flatten() {
                let own = attributes(span);
                // The name of a service belongs to the resource.
                let get = |key: &str| name(own.get(key).or_else(|| of_resource.get(key)), key);
                let is_client = span["kind"] == 3 || span["kind"] == "SPAN_KIND_CLIENT";
                if is_client && get("a2a.method.name")?.as_deref() == Some("SendMessage") {
                    drafts.extend(exchange(span, get)?);
                }
            }
        }
    }
    Ok(drafts)
}

fn exchange(span: &Json, get: impl Fn(&str) -> Result<Option<String>, Fault>) -> Result<[Draft; 2], Fault> {
    let client = get("service.name")?.unwrap_or_else(|| "client".to_owned());
    let server = get("gen_ai.agent.name")?.ok_or_else(|| wrong("the span has no `gen_ai.agent.name`"))?;
    let conversation = get("gen_ai.conversation.id")?;
    let state = get("a2a.task.state")?.unwrap_or_else(|| "answer".to_owned());
    let time = |key: &str| {
        let found = name(span.get(key), key)?.and_then(|it| it.parse::<u64>().ok());
        found.map(|it| Some(it.into())).ok_or_else(|| wrong(format!("the span has no `{key}`")))
    };
    let ask = Draft {
        time: time("startTimeUnixNano")?,
        id: get("a2a.message.id")?,
        conversation: conversation.clone(),
        from: Some(client.clone()),
        to: vec![server.clone()],
        performative: Some("ask".to_owned()),
        ..Draft::default()
    };
    let answer = Draft {
        time: time("endTimeUnixNano")?,
        conversation,
        from: Some(server),
        to: vec![client],
        performative: Some(state.trim_start_matches("TASK_STATE_").to_ascii_lowercase()),
        ..Draft::default()
    };
    Ok([ask, answer])
}

/// The attributes that are texts or numbers.
fn attributes(of: &Json) -> Map<String, Json> {
    let mut all = Map::new();
    for attribute in of["attributes"].as_array().into_iter().flatten() {
        let value = &attribute["value"];
        let value = value.get("stringValue").or_else(|| value.get("intValue"));
        if let (Some(key), Some(value)) = (attribute["key"].as_str(), value) {
            all.insert(key.to_owned(), value.clone());
        }
    }
    all
}
