//! The journal of a guard: the messages that it has let through, with the names of the file.

use serde_json::Value as Json;

use super::draft::{Draft, wrong};
use crate::record::Fault;

/// The drafts in a line: a send, and its arrivals if they were with it.
pub(super) fn drafts(line: &Json) -> Result<Vec<Draft>, Fault> {
    let Some(event) = line["event"].as_str() else { return Err(wrong("the line is no record of a guard")) };
    if event != "send" {
        return Ok(Vec::new());
    }
    let text = |name: &str| line[name].as_str().map(str::to_owned);
    let missing = |name: &str| wrong(format!("the record does not say `{name}`"));
    let names = line["for"].as_array().ok_or_else(|| missing("for"))?;
    let to: Vec<String> = names.iter().filter_map(Json::as_str).map(str::to_owned).collect();
    let args = line.get("values").unwrap_or(&line["args"]).as_array().ok_or_else(|| missing("args"))?;
    let send = Draft {
        time: line.get("time").cloned(),
        conversation: text("conversation"),
        // Two messages that are equal are two.
        id: Some(line["seq"].to_string()),
        from: Some(text("by").ok_or_else(|| missing("by"))?),
        to,
        performative: Some(text("performative").ok_or_else(|| missing("performative"))?),
        args: args.clone(),
        ..Draft::default()
    };
    let has_arrived = line["arrived"] == true;
    let arrivals = has_arrived.then(|| Draft { arrives: true, ..send.clone() });
    Ok(std::iter::once(send).chain(arrivals).collect())
}
