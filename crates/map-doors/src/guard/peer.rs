//! Who speaks to a guard: whoever started it, and agents and operators over connections of their own.

use std::io::Write as _;
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use map_json::guard::{GuardAnswer, GuardRequest};

/// The number of a connection.
pub(super) type ConnectionId = u64;

/// The number of a single request over HTTP.
pub(super) type CallId = u64;

/// For whom somebody may speak.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Speaker {
    /// For all agents, and as an operator.
    Anybody,
    /// As an operator with this name: it opens conversations and sees how they stand.
    Operator(String),
    /// For the agent with this name.
    Agent(String),
}

/// A single request of somebody who waits for its answer.
pub(super) struct Call {
    pub(super) speaker: Speaker,
    /// Takes the answer.
    pub(super) reply: Box<dyn FnOnce(GuardAnswer) + Send>,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    /// Whoever started the process, on standard input and output: it may speak as any agent.
    Starter,
    /// One agent.
    Agent(ConnectionId),
    /// Who waits for the answer to a single request.
    Call(CallId),
}

/// What somebody says.
pub(super) enum Input {
    /// A line; an error if it cannot be read.
    Line(Peer, Result<Vec<u8>, String>),
    /// An agent that has shown its token.
    Joined(ConnectionId, Connection),
    /// A single request.
    #[cfg_attr(
        not(any(feature = "http", feature = "mcp")),
        expect(dead_code, reason = "single requests come over HTTP, and from the seat of an agent")
    )]
    Called(CallId, Call, Box<GuardRequest>),
    /// Nothing more comes.
    Left(Peer),
}

/// The most answers to an agent that wait to be read, and their bytes.
const MAX_LINES: usize = 256;
const MAX_BYTES: usize = 8 << 20;

/// How long a write to an agent may take.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// A connection of an agent that was admitted.
pub(super) struct Connection {
    /// The agent.
    pub(super) speaker: Speaker,
    stream: TcpStream,
    lines: SyncSender<Vec<u8>>,
    waiting_bytes: Arc<AtomicUsize>,
}

impl Connection {
    /// Begins to write to an agent.
    pub(super) fn new(speaker: Speaker, stream: TcpStream) -> std::io::Result<Self> {
        stream.set_write_timeout(Some(WRITE_TIME))?;
        let output = stream.try_clone()?;
        let (lines, receiver) = sync_channel(MAX_LINES);
        let waiting_bytes = Arc::new(AtomicUsize::new(0));
        let written = Arc::clone(&waiting_bytes);
        std::thread::Builder::new().spawn(move || write(output, &receiver, &written))?;
        Ok(Self { speaker, stream, lines, waiting_bytes })
    }

    /// Writes a line as soon as the agent reads it; false if too much waits for it already.
    pub(super) fn tell(&self, line: Vec<u8>) -> bool {
        let waiting = self.waiting_bytes.fetch_add(line.len(), Ordering::Relaxed);
        waiting < MAX_BYTES && self.lines.try_send(line).is_ok()
    }

    /// Ends it at once, whatever was to be written.
    pub(super) fn cut(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn write(mut output: TcpStream, lines: &Receiver<Vec<u8>>, waiting: &AtomicUsize) {
    for line in lines {
        if output.write_all(&line).is_err() {
            break;
        }
        waiting.fetch_sub(line.len(), Ordering::Relaxed);
    }
    let _ = output.shutdown(Shutdown::Both);
}
