//! Lets one agent speak with a guard that runs, over the Model Context Protocol.

use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use map_mcp::{AskError, Seat, serve_seat};
use serde_json::{Value as Json, json};

/// Which agent speaks with which guard.
pub struct BridgeSettings {
    /// Where the guard listens.
    pub at: SocketAddr,
    /// The name of the agent.
    pub name: String,
    /// Its token.
    pub token: String,
    /// The conversation that is meant if the agent names none.
    pub conversation: String,
}

/// How long to wait for a guard to take a connection.
const CONNECT_TIME: Duration = Duration::from_secs(5);
/// How often to look whether the agent still wants an answer.
const PAUSE: Duration = Duration::from_millis(100);

/// Lets an agent on standard input and output speak with a guard, until it leaves.
///
/// # Errors
/// What is wrong: the guard cannot be reached, or does not admit the agent.
pub fn serve_bridge(settings: BridgeSettings) -> Result<(), String> {
    let BridgeSettings { at, name, token, conversation } = settings;
    let link = Link { at, hello: json!({ "as": name, "token": token }), idle: Mutex::new(Vec::new()) };
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let served = link.connect().and_then(|(line, opening)| {
        link.keep(line);
        let link = Arc::new(link);
        let text = |key: &str| opening[key].as_str().unwrap_or_default().to_owned();
        serve_seat(Seat {
            name,
            conversation,
            file: text("file"),
            scene: text("scene"),
            // Two of an agent at one moment are not started by one process.
            session: format!("{}-{}", since.as_nanos(), std::process::id()),
            ask: Arc::new(move |request, is_cancelled| link.ask(request, is_cancelled)),
        })
        .map_err(AskError::Refused)
    });
    served.map_err(|error| match error {
        AskError::Refused(what) | AskError::Lost(what) => what,
    })
}

/// A connection that has been admitted.
struct Line {
    stream: BufReader<TcpStream>,
}

/// The way to a guard: a request takes a connection that nobody uses, or a new one. So requests that wait for messages
/// hold up no others, and a guard that was started again is found again.
struct Link {
    at: SocketAddr,
    hello: Json,
    idle: Mutex<Vec<Line>>,
}

impl Link {
    /// A new connection, with the first line of the guard.
    fn connect(&self) -> Result<(Line, Json), AskError> {
        let lost =
            |error: std::io::Error| AskError::Lost(format!("there is no guard at {}: {error}", self.at));
        let stream = TcpStream::connect_timeout(&self.at, CONNECT_TIME).map_err(lost)?;
        stream.set_nodelay(true).map_err(lost)?;
        stream.set_read_timeout(Some(PAUSE)).map_err(lost)?;
        let mut line = Line { stream: BufReader::new(stream) };
        let opening = line.ask(&self.hello, &AtomicBool::new(false)).map_err(lost)?;
        match opening["error"]["text"].as_str() {
            Some(text) => Err(AskError::Refused(format!("the guard does not admit the agent: {text}"))),
            None => Ok((line, opening)),
        }
    }

    fn keep(&self, line: Line) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// The answer to a request.
    fn ask(&self, request: &Json, is_cancelled: &AtomicBool) -> Result<Json, AskError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(mut line) = idle
            && let Ok(answer) = line.ask(request, is_cancelled)
        {
            self.keep(line);
            return Ok(answer);
        }
        // All connections may have ended with the guard; what was sent twice has a key, and counts once.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        if is_cancelled.load(Ordering::Relaxed) {
            return Err(AskError::Lost("cancelled".to_owned()));
        }
        let (mut line, _) = self.connect()?;
        let answer = line.ask(request, is_cancelled);
        let answer = answer.map_err(|error| AskError::Lost(format!("the guard has gone: {error}")))?;
        self.keep(line);
        Ok(answer)
    }
}

impl Line {
    /// Writes a line, and reads the next one. After an error the connection is not used again.
    fn ask(&mut self, request: &Json, is_cancelled: &AtomicBool) -> std::io::Result<Json> {
        self.stream.get_mut().write_all(format!("{request}\n").as_bytes())?;
        let mut line = Vec::new();
        loop {
            match self.stream.read_until(b'\n', &mut line) {
                Ok(_) if line.ends_with(b"\n") => return serde_json::from_slice(&line).map_err(Into::into),
                Ok(_) => return Err(ErrorKind::UnexpectedEof.into()),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    if is_cancelled.load(Ordering::Relaxed) {
                        return Err(ErrorKind::Interrupted.into());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
}
