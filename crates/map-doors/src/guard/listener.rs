//! The door on loopback: connections of agents, each of which first shows its token.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use map_json::guard::{GuardAnswer, GuardError, GuardResult};
use serde::Deserialize;
use serde_json::Value as Json;

use super::lines::{Read, next_line};
use super::peer::{Connection, ConnectionId, Input, Peer, Speaker};
use super::tokens::Tokens;

/// How long an agent may take to show its token.
const HELLO_TIME: Duration = Duration::from_secs(10);
/// The longest first line.
const MAX_HELLO: usize = 4 << 10;
/// The most connections that have not shown a token.
const MAX_STRANGERS: usize = 64;
/// The most connections of an agent.
const MAX_CONNECTIONS: usize = 16;
/// How long to wait if no connection can be accepted, for want of file descriptors, say.
const PAUSE: Duration = Duration::from_millis(100);

/// The first line of a connection.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    r#as: String,
    token: String,
}

/// What connections have in common.
struct Shared {
    tokens: Tokens,
    inputs: SyncSender<Input>,
    /// The last number that was given to a connection.
    last: AtomicU64,
    strangers: AtomicUsize,
    /// How many connections agents have.
    agents: Mutex<BTreeMap<String, usize>>,
}

/// Listens for agents, on threads of their own; returns the address.
pub(super) fn listen(
    at: SocketAddr,
    tokens: Tokens,
    inputs: SyncSender<Input>,
) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind(at)?;
    let address = listener.local_addr()?;
    let shared = Shared {
        tokens,
        inputs,
        last: AtomicU64::new(0),
        strangers: AtomicUsize::new(0),
        agents: Mutex::new(BTreeMap::new()),
    };
    let shared = Arc::new(shared);
    std::thread::Builder::new().spawn(move || accept(&listener, &shared))?;
    Ok(address)
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept() else {
            std::thread::sleep(PAUSE);
            continue;
        };
        if shared.strangers.fetch_add(1, Ordering::SeqCst) >= MAX_STRANGERS {
            shared.strangers.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let of_thread = Arc::clone(shared);
        let started = std::thread::Builder::new().spawn(move || serve(&of_thread, stream));
        if started.is_err() {
            shared.strangers.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Serves a connection until it ends.
fn serve(shared: &Shared, stream: TcpStream) {
    let mut input = BufReader::new(stream);
    let admitted = admit(shared, &mut input);
    shared.strangers.fetch_sub(1, Ordering::SeqCst);
    let name = match admitted {
        Ok(name) => name,
        Err(text) => return refuse(input.get_mut(), text),
    };
    if shared.take_place(&name) {
        // A connection that fails has ended.
        let _ = pass_on(shared, &name, &mut input);
        shared.leave_place(&name);
    } else {
        let text = format!("{name:?} has {MAX_CONNECTIONS} connections already");
        refuse(input.get_mut(), text);
    }
}

/// Whose token is shown.
fn admit(shared: &Shared, input: &mut BufReader<TcpStream>) -> Result<String, String> {
    let line = first_line(input).map_err(|error| format!("no first line: {error}"))?;
    let hello: Hello = serde_json::from_slice(&line)
        .map_err(|_| r#"the first line has to be {"as": "NAME", "token": "TOKEN"}"#.to_owned())?;
    match shared.tokens.admit(&hello.r#as, &hello.token) {
        true => Ok(hello.r#as),
        false => Err("that is not the token of this agent".to_owned()),
    }
}

/// The first line, which has to be short and come soon.
fn first_line(input: &mut BufReader<TcpStream>) -> std::io::Result<Vec<u8>> {
    let deadline = Instant::now() + HELLO_TIME;
    let mut line = Vec::new();
    while !line.ends_with(b"\n") {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || line.len() > MAX_HELLO {
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        input.get_ref().set_read_timeout(Some(left))?;
        let available = input.fill_buf()?;
        if available.is_empty() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let length = available.iter().position(|&byte| byte == b'\n').map_or(available.len(), |at| at + 1);
        line.extend_from_slice(&available[..length]);
        input.consume(length);
    }
    input.get_ref().set_read_timeout(None)?;
    Ok(line)
}

fn refuse(stream: &mut TcpStream, text: String) {
    let error = GuardError { kind: "not_admitted".to_owned(), text };
    let answer = GuardAnswer { id: Json::Null, result: GuardResult::Error(error) };
    let Ok(line) = map_json::to_line(&answer) else { return };
    // Whoever does not read it knows nothing of it.
    let _ = stream.set_write_timeout(Some(PAUSE)).and_then(|()| stream.write_all(line.as_bytes()));
}

/// Passes the lines of an agent on.
fn pass_on(shared: &Shared, name: &str, input: &mut BufReader<TcpStream>) -> std::io::Result<()> {
    let id: ConnectionId = shared.last.fetch_add(1, Ordering::SeqCst) + 1;
    let peer = Peer::Agent(id);
    let connection = Connection::new(Speaker::Agent(name.to_owned()), input.get_ref().try_clone()?)?;
    let mut goes_on = shared.inputs.send(Input::Joined(id, connection)).is_ok();
    while goes_on {
        let line = match next_line(input) {
            Ok(Read::Line(line)) => Ok(line),
            Ok(Read::TooLong(text)) => Err(text),
            Ok(Read::End) | Err(_) => break,
        };
        goes_on = shared.inputs.send(Input::Line(peer, line)).is_ok();
    }
    let _ = shared.inputs.send(Input::Left(peer));
    Ok(())
}

impl Shared {
    /// Whether there is a place for one more connection of an agent, which then is taken.
    fn take_place(&self, name: &str) -> bool {
        let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        let count = agents.entry(name.to_owned()).or_default();
        let is_free = *count < MAX_CONNECTIONS;
        *count += usize::from(is_free);
        is_free
    }

    fn leave_place(&self, name: &str) {
        let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = agents.get_mut(name) {
            *count = count.saturating_sub(1);
        }
    }
}
