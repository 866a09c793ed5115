//! Messages on standard input and output, one on each line. What is no right message is answered, too, if it says to
//! whom; and the end of the input is told at once: a search ends with it, not only after its answer.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Stdin, Stdout};
use tokio::sync::{Mutex, watch};

use crate::surrogates::without_lone_surrogates;

/// The longest line that is read, in bytes; longer ones are passed over.
const MAX_LINE: usize = 16 << 20;

/// The longest identifier of a request that is repeated if nothing else of it can be read, in bytes.
const MAX_ID: usize = 1_000;

/// Standard input and output.
pub(crate) struct Streams {
    input: BufReader<Stdin>,
    /// What has been read of a line.
    line: Vec<u8>,
    /// Whether the line is too long, and its rest is passed over.
    too_long: bool,
    output: Arc<Mutex<Stdout>>,
    /// A line to write before the next one is read.
    refusal: Option<Vec<u8>>,
    ended: watch::Sender<bool>,
}

/// Becomes true when the input has ended.
#[derive(Clone)]
pub(crate) struct Ended(watch::Receiver<bool>);

/// What a line is.
enum Read {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// Nothing that could be answered, or that wants to be.
    Nothing,
    /// No right message.
    Wrong {
        error: ErrorData,
        id: Option<RequestId>,
    },
}

impl Ended {
    /// Waits for the end.
    pub(crate) async fn wait(mut self) {
        // Without an input it has ended, too.
        let _ = self.0.wait_for(|ended| *ended).await;
    }
}

impl Streams {
    /// Standard input and output, and what tells of the end of the input.
    pub(crate) fn new() -> (Self, Ended) {
        let (ended, receiver) = watch::channel(false);
        let streams = Self {
            input: BufReader::new(tokio::io::stdin()),
            line: Vec::new(),
            too_long: false,
            output: Arc::new(Mutex::new(tokio::io::stdout())),
            refusal: None,
            ended,
        };
        (streams, Ended(receiver))
    }

    /// Reads a line; `None` at the end of the input. If this is given up and called again, nothing is lost: between the
    /// bytes that are taken and those that are kept nothing is waited for.
    async fn next_line(&mut self) -> Option<Vec<u8>> {
        loop {
            let available = match self.input.fill_buf().await {
                Ok(available) if !available.is_empty() => available,
                _ => {
                    self.ended.send_replace(true);
                    return None;
                }
            };
            let end = available.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(available.len(), |end| end + 1);
            if self.line.len() + length > MAX_LINE {
                self.too_long = true;
                self.line.clear();
            }
            if !self.too_long {
                self.line.extend_from_slice(&available[..length]);
            }
            self.input.consume(length);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                if !std::mem::take(&mut self.too_long) {
                    return Some(line);
                }
            }
        }
    }
}

impl Transport<RoleServer> for Streams {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let line = as_line(&item)?;
            let mut output = output.lock().await;
            output.write_all(&line).await?;
            output.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(refusal) = &self.refusal {
                let mut output = self.output.lock().await;
                // It is short, so it is taken over as a whole: giving this up cannot tear it apart.
                output.write_all(refusal).await.ok()?;
                self.refusal = None;
                output.flush().await.ok()?;
            }
            match read(&self.next_line().await?) {
                Read::Message(message) => return Some(*message),
                Read::Nothing => {}
                Read::Wrong { error, id } => {
                    self.refusal = as_line(&JsonRpcMessage::error(error, id)).ok();
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.flush().await
    }
}

fn as_line(message: &TxJsonRpcMessage<RoleServer>) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads a line.
fn read(line: &[u8]) -> Read {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(_) => match without_lone_surrogates(line).map(|line| serde_json::from_slice(&line)) {
            Some(Ok(value)) => value,
            // Without JSON there is nobody to answer, and whoever sent it might take offence at an answer, too.
            _ => return Read::Nothing,
        },
    };
    let id = value.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    let id = id.filter(|id| id.to_string().len() <= MAX_ID);
    let method = value.get("method").is_some_and(Value::is_string);
    let is_notification = method && value.get("id").is_none();
    match serde_json::from_value(value) {
        Ok(message) => Read::Message(Box::new(message)),
        Err(_) if is_notification => Read::Nothing,
        Err(error) if method && id.is_some() => {
            Read::Wrong { error: ErrorData::invalid_params(error.to_string(), None), id }
        }
        Err(_) => Read::Wrong { error: ErrorData::invalid_request("Invalid request", None), id },
    }
}
