//! MCP, calls of tools, behind a proxy that writes `{time, session, client, server, body}` for each of them.

use serde_json::Value as Json;

use super::draft::{Draft, name, wrong};
use crate::record::Fault;

/// The drafts in a line.
pub(super) fn drafts(line: &Json) -> Result<Vec<Draft>, Fault> {
    let needed = |what: &str| {
        name(line.get(what), what)?.ok_or_else(|| wrong(format!("the line of the proxy has no `{what}`")))
    };
    let (session, client, server) = (needed("session")?, needed("client")?, needed("server")?);
    let body = line.get("body").filter(|it| it.is_object());
    let body = body.ok_or_else(|| wrong("the line of the proxy has no `body`"))?;
    let key = format!("{session} {}", body.get("id").unwrap_or(&Json::Null));
    let base = Draft { time: line.get("time").cloned(), conversation: Some(session), ..Draft::default() };
    if body["method"] == "tools/call" {
        let params = &body["params"];
        let tool = name(params.get("name"), "name")?.ok_or_else(|| wrong("the call names no tool"))?;
        // In the order of the names of the arguments.
        let args = params["arguments"].as_object().into_iter().flatten().map(|(_, it)| it.clone()).collect();
        return Ok(vec![Draft {
            from: Some(client),
            to: vec![server],
            performative: Some(tool),
            args,
            remember: Some(key),
            ..base
        }]);
    }
    if body.get("method").is_some() {
        // A request without an id is a notification, which has no answer.
        let remember = body.get("id").is_some().then_some(key);
        return Ok(vec![Draft { is_other: true, remember, ..base }]);
    }
    let result = &body["result"];
    let (performative, text) = match (result["content"].as_array(), body.get("error")) {
        (Some(content), _) if result["isError"] == true => {
            ("failed", content.first().and_then(|it| it.get("text")))
        }
        (Some(content), _) => ("result", content.first().and_then(|it| it.get("text"))),
        (None, Some(error)) if !error.is_null() => ("failed", error.get("message")),
        (None, _) => return Ok(Vec::new()),
    };
    Ok(vec![Draft {
        from: Some(server),
        to: vec![client],
        performative: Some(performative.to_owned()),
        args: text.cloned().into_iter().collect(),
        recall: Some(key),
        ..base
    }])
}
