//! MCP, calls of tools, behind a proxy that writes `{time, session, client, server, body}` for each of them. The server
//! may ask, too (`elicitation/create`, `sampling/createMessage`, `roots/list`, `ping`): each side counts its requests
//! by itself, so that an id may mean two of them at once. A line may say `from`, else its shape tells who said it.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::draft::{Draft, name, wrong};
use super::memory::Bounded;
use crate::record::Fault;

/// What only servers ask.
const OF_SERVERS: [&str; 3] = ["elicitation/create", "sampling/createMessage", "roots/list"];

/// The requests that are open, by session and id.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Calls {
    of_client: Bounded<bool>,
    of_server: Bounded<bool>,
}

/// A side of a session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}

impl Calls {
    /// The drafts in a line.
    pub(super) fn drafts(&mut self, line: &Json) -> Result<Vec<Draft>, Fault> {
        let needed = |what: &str| {
            name(line.get(what), what)?.ok_or_else(|| wrong(format!("the line of the proxy has no `{what}`")))
        };
        let (session, client, server) = (needed("session")?, needed("client")?, needed("server")?);
        let body = line.get("body").filter(|it| it.is_object());
        let body = body.ok_or_else(|| wrong("the line of the proxy has no `body`"))?;
        let said_by = match name(line.get("from"), "from")? {
            None => None,
            Some(from) if from == client => Some(Side::Client),
            Some(from) if from == server => Some(Side::Server),
            Some(from) => return Err(wrong(format!("`from` is {from:?}, and neither client nor server"))),
        };
        let key_of = |id: &Json| format!("{session} {id}");
        let key = key_of(body.get("id").unwrap_or(&Json::Null));
        let base = Draft {
            time: line.get("time").cloned(),
            conversation: Some(session.clone()),
            from: Some(client.clone()),
            to: vec![server.clone()],
            ..Draft::default()
        };
        let params = &body["params"];
        match body["method"].as_str() {
            Some("tools/call") => {
                let tool =
                    name(params.get("name"), "name")?.ok_or_else(|| wrong("the call names no tool"))?;
                self.of_client.insert(&key, true);
                let named = params["arguments"].as_object().cloned().unwrap_or_default();
                // In the order of their names.
                let args = named.values().cloned().collect();
                // Once the server has what it asked for, the call is made again.
                let is_repeated =
                    ["inputResponses", "requestState"].iter().any(|it| params.get(it).is_some());
                let (performative, remember) = (Some(tool), Some(key));
                Ok(vec![Draft { performative, args, named: Some(named), is_repeated, remember, ..base }])
            }
            Some("notifications/cancelled") => {
                let key = key_of(params.get("requestId").unwrap_or(&Json::Null));
                match self.asker(&key, said_by)? {
                    Side::Server => {
                        self.of_server.insert(&key, false);
                        Ok(Vec::new())
                    }
                    // The call may be answered all the same: the answer was on its way.
                    Side::Client => {
                        let cancelled = Some("cancelled".to_owned());
                        Ok(vec![Draft { performative: cancelled, recall: Some(key), ..base }])
                    }
                }
            }
            Some(method) => {
                if body.get("id").is_none() {
                    // A notification, which has no answer.
                    return Ok(Vec::new());
                }
                let of_server = OF_SERVERS.contains(&method)
                    // Both sides may say this one. No side uses an id again while it is open.
                    || method == "ping" && is_open(&self.of_client, &key);
                if said_by.unwrap_or(if of_server { Side::Server } else { Side::Client }) == Side::Server {
                    self.of_server.insert(&key, true);
                    return Ok(Vec::new());
                }
                self.of_client.insert(&key, true);
                Ok(vec![Draft { is_other: true, remember: Some(key), ..base }])
            }
            None => {
                let answered_by = said_by.or_else(|| self.answerer(body, &key));
                // Who answers was asked by the other side.
                let asker = self.asker(&key, answered_by.map(Side::other))?;
                match asker {
                    Side::Server => {
                        self.of_server.insert(&key, false);
                        Ok(Vec::new())
                    }
                    Side::Client => {
                        let answer = answer(body);
                        self.of_client.insert(&key, false);
                        Ok(answer
                            .map(|(performative, args)| Draft {
                                from: Some(server),
                                to: vec![client],
                                performative: Some(performative.to_owned()),
                                args,
                                recall: Some(key),
                                ..base
                            })
                            .into_iter()
                            .collect())
                    }
                }
            }
        }
    }

    /// Whose request an id means: that of this side if it is known, else of the side that has it open.
    fn asker(&self, key: &str, known: Option<Side>) -> Result<Side, Fault> {
        let both = is_open(&self.of_client, key) && is_open(&self.of_server, key);
        match known {
            Some(side) => Ok(side),
            None if both => Err(wrong(format!(
                "client and server both have the request {key:?} open, and nothing tells which is meant: \
                 the proxy can say it with `from`"
            ))),
            None if is_open(&self.of_server, key) => Ok(Side::Server),
            None => Ok(Side::Client),
        }
    }

    /// Who gives this answer, if its shape tells.
    fn answerer(&self, body: &Json, key: &str) -> Option<Side> {
        let result = &body["result"];
        let of_client = ["action", "roots", "model"].iter().any(|it| result.get(it).is_some());
        if of_client && is_open(&self.of_server, key) {
            return Some(Side::Client);
        }
        (result["content"].is_array() && result.get("role").is_none()).then_some(Side::Server)
    }
}

impl Side {
    const fn other(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

fn is_open(calls: &Bounded<bool>, key: &str) -> bool {
    calls.get(key).is_some_and(|it| *it)
}

/// The performative and the arguments of a server's answer; nothing if it is no message.
fn answer(body: &Json) -> Option<(&'static str, Vec<Json>)> {
    let result = &body["result"];
    if let Some(content) = result["content"].as_array() {
        let performative = if result["isError"] == true { "failed" } else { "result" };
        return Some((performative, content.iter().map(part).collect()));
    }
    let error = body.get("error").filter(|it| !it.is_null())?;
    Some(("failed", error.get("message").cloned().into_iter().collect()))
}

/// A part of a result: its text, that of the resource in it, or the address of one; of anything else, its kind.
fn part(part: &Json) -> Json {
    let resource = part.pointer("/resource/text").or_else(|| part.pointer("/resource/uri"));
    let held = part.get("text").or(resource).or_else(|| part.get("uri")).or_else(|| part.get("type"));
    held.cloned().unwrap_or_else(|| "part".into())
}
