//! From requests and answers to messages, as `map conform --from a2a` reads them.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use map_conform::{Adapter, Form, Line, Record, Records, without_results};
use map_ir::Program;
use serde_json::{Value as Json, json};

/// Reads what passes.
pub(super) struct Reading {
    adapter: Adapter,
    program: Arc<Program>,
    number: u64,
}

impl Reading {
    pub(super) fn new(form: &Form, program: Arc<Program>) -> Self {
        Self { adapter: Adapter::new(form), program, number: 0 }
    }

    /// The messages of a request or an answer.
    ///
    /// # Errors
    /// If it is a message, and cannot be read.
    pub(super) fn messages(
        &mut self,
        client: &str,
        server: &str,
        body: &Json,
    ) -> Result<Vec<Record>, String> {
        self.number += 1;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = u64::try_from(since.as_nanos()).unwrap_or(u64::MAX);
        let line = json!({ "time": time, "client": client, "server": server, "body": named(body) });
        let mut records = Records::new();
        self.adapter.line(self.number, line.to_string().as_bytes(), &mut records);
        let mut messages = Vec::new();
        for (_, line) in records {
            match line {
                Line::Record(record) => {
                    messages.push(without_results(&self.program, &record).into_owned());
                }
                Line::Other(_) => {}
                Line::Bad(fault, _) => return Err(fault.text),
            }
        }
        Ok(messages)
    }
}

/// A request with a name for its conversation: that of its message, where it has none yet. What a server is sent stays
/// as it is.
fn named(body: &Json) -> Json {
    let mut body = body.clone();
    if let Some(message) = body.pointer_mut("/params/message").and_then(Json::as_object_mut)
        && message.get("contextId").is_none_or(Json::is_null)
        && message.get("taskId").is_none_or(Json::is_null)
        && let Some(id) = message.get("messageId").cloned()
    {
        message.insert("contextId".to_owned(), id);
    }
    body
}
