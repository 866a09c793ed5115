//! Streams of events: those that bring artifacts are held back until the message that hands them in is accepted.

use std::convert::Infallible;

use http_body_util::BodyExt as _;
use http_body_util::channel::Channel;
use http_body_util::combinators::BoxBody;
use hyper::body::{Bytes, Incoming};
use serde_json::Value as Json;

use super::super::super::lines::MAX_REQUEST;
use super::exchange::Exchange;
use super::refusing::{INVALID, rpc_error};

/// How many events wait for a client that does not read them.
const MAX_EVENTS: usize = 16;

/// Splits a stream into events.
#[derive(Default)]
struct Events {
    bytes: Vec<u8>,
}

impl Events {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next event with the blank line that ends it.
    fn next(&mut self) -> Option<Vec<u8>> {
        let mut start = 0;
        while let Some(length) = self.bytes[start..].iter().position(|&byte| byte == b'\n') {
            let line = &self.bytes[start..start + length];
            start += length + 1;
            if line.is_empty() || line == b"\r" {
                return Some(self.bytes.drain(..start).collect());
            }
        }
        None
    }
}

/// What an event says.
fn data(event: &[u8]) -> String {
    let text = String::from_utf8_lossy(event);
    let lines = text.lines().filter_map(|line| line.strip_prefix("data:"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// Whether an event brings a part of an artifact.
fn is_artifact(value: &Json) -> bool {
    let result = &value["result"];
    result.get("artifactUpdate").is_some() || result["kind"] == "artifact-update"
}

fn event(value: &Json) -> Bytes {
    Bytes::from(format!("data: {value}\n\n"))
}

/// The events of a server, as far as they are accepted.
pub(super) fn judged_stream(
    mut exchange: Exchange,
    id: Json,
    mut body: Incoming,
) -> BoxBody<Bytes, Infallible> {
    let (mut sender, passed) = Channel::<Bytes, Infallible>::new(MAX_EVENTS);
    tokio::spawn(async move {
        let mut judging = Judging { held: Vec::new(), length: 0 };
        let mut events = Events::default();
        let most = usize::try_from(MAX_REQUEST).unwrap_or(usize::MAX);
        while let Some(frame) = body.frame().await {
            let Ok(frame) = frame else { break };
            let Some(bytes) = frame.data_ref() else { continue };
            events.add(bytes);
            while let Some(bytes) = events.next() {
                let (passed, ends) = match judging.judge(&mut exchange, &id, bytes).await {
                    Ok(passed) => (passed, false),
                    Err(error) => (vec![event(&error)], true),
                };
                for bytes in passed {
                    // Who has gone is told nothing more, and nothing more is judged.
                    if sender.send_data(bytes).await.is_err() {
                        return;
                    }
                }
                if ends {
                    return;
                }
            }
            if events.bytes.len() + judging.length > most {
                let error = rpc_error(&id, INVALID, "the server sends too much before it has finished");
                let _ = sender.send_data(event(&error)).await;
                return;
            }
        }
        if !judging.held.is_empty() {
            let error = rpc_error(&id, INVALID, "the server has not handed in what it has sent");
            let _ = sender.send_data(event(&error)).await;
        }
    });
    passed.boxed()
}

/// What is held back.
struct Judging {
    held: Vec<Bytes>,
    length: usize,
}

impl Judging {
    /// What may be passed on now that an event has come, or why it ends here.
    async fn judge(
        &mut self,
        exchange: &mut Exchange,
        id: &Json,
        bytes: Vec<u8>,
    ) -> Result<Vec<Bytes>, Json> {
        let text = data(&bytes);
        let bytes = Bytes::from(bytes);
        if text.is_empty() {
            return Ok(vec![bytes]);
        }
        let unusable = |text: &str| rpc_error(id, INVALID, &format!("the answer is unusable: {text}"));
        let value: Json = serde_json::from_str(&text).map_err(|_| unusable("it is no JSON"))?;
        let messages = exchange.read(&value).map_err(|text| unusable(&text))?;
        let is_message = exchange.answer_with(id, messages).await?;
        if !is_message && (is_artifact(&value) || !self.held.is_empty()) {
            self.length += bytes.len();
            self.held.push(bytes);
            return Ok(Vec::new());
        }
        self.length = 0;
        let mut passed = std::mem::take(&mut self.held);
        passed.push(bytes);
        Ok(passed)
    }
}

#[cfg(test)]
mod tests {
    use super::{Events, data};

    #[test]
    fn events_end_with_blank_lines_however_they_come() {
        let stream = b"event: x\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\n: ping\n\ndata:2\n\nda";
        for size in 1..stream.len() {
            let (mut events, mut found) = (Events::default(), Vec::new());
            for bytes in stream.chunks(size) {
                events.add(bytes);
                found.extend(std::iter::from_fn(|| events.next()).map(|event| data(&event)));
            }
            assert_eq!(found, ["{\"a\":\n1}", "", "2"], "{size}");
            assert_eq!(events.bytes, b"da");
        }
    }
}
