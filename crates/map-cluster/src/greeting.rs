//! How two processes that have a connection find out whether they belong together.
//!
//! Each sends who it is in the clear: that it is `map`, which version of this protocol it speaks, and whether it has a
//! key. With a key, a handshake of the Noise framework follows (T. Perrin, *The Noise Protocol Framework*, 2018;
//! pattern NNpsk0), which fails unless both have the same one, and leaves fresh keys for everything else. Then, sealed,
//! each says its number and what it is about to search.

use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use snow::{Builder, HandshakeState};

use crate::frames::{Incoming, Kind, MOST, Outgoing, SLICE, Seal, halves, read_all, shown, write_all};
use crate::key::Key;

/// The first bytes of every connection.
const MAGIC: [u8; 8] = *b"\0map-bsp";

/// Version of everything that is sent between processes.
const VERSION: u8 = 1;

const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s";

/// Most bytes of a message of the handshake: a key of 32 and a tag of 16 bytes are sent.
const HANDSHAKE: usize = 96;

/// How long a whole greeting may take.
pub(crate) const LIMIT: Duration = Duration::from_secs(5);

/// What a process says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hello {
    /// Its number.
    pub(crate) own: u32,
    /// How many processes it expects.
    pub(crate) count: u32,
    /// For how long it bears silence.
    pub(crate) patience: Duration,
    /// What all have to agree on.
    pub(crate) identity: Vec<(String, String)>,
}

/// A connection over which the two have got to know each other.
pub(crate) struct Connection {
    pub(crate) socket: TcpStream,
    pub(crate) outgoing: Outgoing,
    pub(crate) incoming: Incoming,
    pub(crate) theirs: Hello,
}

/// Why a greeting came to nothing.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Whatever is there, it is not a process of this search, or it was interrupted: perhaps the next one is.
    Stranger(String),
    /// A process of `map` that does not belong to this search. Says what it has, as in "process 1 has another key".
    Other(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Stranger(format!("broke off: {error}"))
    }
}

/// Which end of the connection this process is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Connects,
    Accepts,
}

/// Greets the other end, until each knows what the other says of itself.
pub(crate) fn greet(
    socket: TcpStream,
    side: Side,
    key: Option<&Key>,
    own: &Hello,
) -> Result<Connection, Trouble> {
    let deadline = Instant::now() + LIMIT;
    let go_on = || if Instant::now() < deadline { Ok(()) } else { Err(io::ErrorKind::TimedOut.into()) };
    socket.set_nodelay(true)?;
    socket.set_read_timeout(Some(SLICE))?;
    socket.set_write_timeout(Some(SLICE))?;
    let prologue = introduce(&socket, key.is_some(), &go_on)?;
    let seal = match key {
        None => Seal::None,
        Some(key) => handshake(&socket, side, key, &prologue, &go_on)?,
    };
    let (mut outgoing, mut incoming) = halves(&socket, seal)?;
    outgoing.put(Kind::Hello, &own.encode()?, &go_on)?;
    let kind = incoming.take(&|_| go_on())?;
    let theirs = Some(incoming.data()).filter(|_| kind == Kind::Hello).and_then(Hello::decode);
    let theirs = theirs.ok_or_else(|| Trouble::Stranger("sent something that is no greeting".to_owned()))?;
    Ok(Connection { socket, outgoing, incoming, theirs })
}

/// Exchanges what is said in the clear, and returns all of it.
fn introduce(
    socket: &TcpStream,
    keyed: bool,
    go_on: &dyn Fn() -> io::Result<()>,
) -> Result<Vec<u8>, Trouble> {
    let own = [&MAGIC[..], &[VERSION, u8::from(keyed)]].concat();
    write_all(socket, &own, go_on)?;
    let mut theirs = vec![0; own.len()];
    read_all(socket, &mut theirs, go_on)?;
    if theirs[..MAGIC.len()] != MAGIC {
        return Err(Trouble::Stranger("is something other than `map`".to_owned()));
    }
    match (theirs[MAGIC.len()], theirs[MAGIC.len() + 1] != 0) {
        (VERSION, theirs) if theirs == keyed => Ok(own),
        (VERSION, true) => Err(Trouble::Other("has a key, and this process has none".to_owned())),
        (VERSION, false) => Err(Trouble::Other("has no key, and this process has one".to_owned())),
        (other, _) => Err(Trouble::Other(format!(
            "is another version of `map` (it speaks version {other} of the protocol between processes, this one \
             version {VERSION})"
        ))),
    }
}

/// Agrees on keys for this connection.
fn handshake(
    socket: &TcpStream,
    side: Side,
    key: &Key,
    prologue: &[u8],
    go_on: &dyn Fn() -> io::Result<()>,
) -> Result<Seal, Trouble> {
    let internal = |error: snow::Error| Trouble::Stranger(format!("could not be talked to: {error}"));
    let params = PATTERN.parse().map_err(internal)?;
    let builder =
        Builder::new(params).psk(0, key.bytes()).and_then(|b| b.prologue(prologue)).map_err(internal)?;
    let mut state = match side {
        Side::Connects => builder.build_initiator(),
        Side::Accepts => builder.build_responder(),
    }
    .map_err(internal)?;
    if side == Side::Connects {
        tell(socket, &mut state, go_on)?;
        hear(socket, &mut state, go_on)?;
    } else {
        hear(socket, &mut state, go_on)?;
        tell(socket, &mut state, go_on)?;
    }
    Ok(Seal::Noise(Box::new(state.into_stateless_transport_mode().map_err(internal)?)))
}

fn tell(
    socket: &TcpStream,
    state: &mut HandshakeState,
    go_on: &dyn Fn() -> io::Result<()>,
) -> Result<(), Trouble> {
    let mut message = [0; 1 + HANDSHAKE];
    let length = state
        .write_message(&[], &mut message[1..])
        .map_err(|error| Trouble::Stranger(format!("could not be talked to: {error}")))?;
    message[0] = u8::try_from(length).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    Ok(write_all(socket, &message[..=length], go_on)?)
}

/// Reads a message of the handshake. One that was made with another key cannot be read; the other end is told so by a
/// message of no length.
fn hear(
    socket: &TcpStream,
    state: &mut HandshakeState,
    go_on: &dyn Fn() -> io::Result<()>,
) -> Result<(), Trouble> {
    let mut length = [0];
    read_all(socket, &mut length, go_on)?;
    let mut message = [0; HANDSHAKE];
    let other_key = || Trouble::Other("has another key".to_owned());
    let message = message.get_mut(..usize::from(length[0])).ok_or_else(other_key)?;
    read_all(socket, message, go_on)?;
    if message.is_empty() || state.read_message(message, &mut [0; HANDSHAKE]).is_err() {
        // That it cannot be told changes nothing.
        let _ = write_all(socket, &[0], go_on);
        return Err(other_key());
    }
    Ok(())
}

impl Hello {
    fn encode(&self) -> io::Result<Vec<u8>> {
        let mut bytes = [self.own.to_le_bytes(), self.count.to_le_bytes()].concat();
        bytes.extend(u64::try_from(self.patience.as_millis()).unwrap_or(u64::MAX).to_le_bytes());
        for text in self.identity.iter().flat_map(|(name, text)| [name, text]) {
            bytes.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        if bytes.len() > MOST {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is too much to agree on"));
        }
        Ok(bytes)
    }

    fn decode(mut bytes: &[u8]) -> Option<Self> {
        let number = |bytes: &mut &[u8]| {
            let (number, rest) = bytes.split_first_chunk::<4>()?;
            *bytes = rest;
            Some(u32::from_le_bytes(*number))
        };
        let text = |bytes: &mut &[u8]| {
            let length = usize::try_from(number(bytes)?).ok()?;
            let (text, rest) = bytes.split_at_checked(length)?;
            *bytes = rest;
            String::from_utf8(text.to_vec()).ok()
        };
        let own = number(&mut bytes)?;
        let count = number(&mut bytes)?;
        let (patience, rest) = bytes.split_first_chunk::<8>()?;
        let patience = Duration::from_millis(u64::from_le_bytes(*patience));
        bytes = rest;
        let mut identity = Vec::new();
        while !bytes.is_empty() {
            identity.push((text(&mut bytes)?, text(&mut bytes)?));
        }
        Some(Self { own, count, patience, identity })
    }

    /// In what the other process differs first.
    pub(crate) fn difference(&self, theirs: &Self) -> Option<String> {
        if self.count != theirs.count {
            return Some(format!("knows of {} processes, this one of {}", theirs.count, self.count));
        }
        let other = |name: &str| format!("has another {}", shown(name, 40));
        for ((name, own), (their_name, text)) in self.identity.iter().zip(&theirs.identity) {
            if name != their_name {
                return Some(other("list of what to agree on"));
            }
            if own != text {
                return Some(format!("{} (`{}`, here `{}`)", other(name), shown(text, 24), shown(own, 24)));
            }
        }
        (self.identity.len() != theirs.identity.len()).then(|| other("list of what to agree on"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(text: &str) -> Hello {
        Hello {
            own: 1,
            count: 3,
            patience: Duration::from_millis(1234),
            identity: vec![("build".to_owned(), String::new()), ("text".to_owned(), text.to_owned())],
        }
    }

    #[test]
    fn greetings_are_read_as_written_and_never_beyond_their_end() {
        let bytes = hello("abc").encode().unwrap();
        assert_eq!(Hello::decode(&bytes), Some(hello("abc")));
        // What is cut off between two parts is a greeting with fewer of them.
        let whole: Vec<usize> =
            (0..bytes.len()).filter(|&end| Hello::decode(&bytes[..end]).is_some()).collect();
        assert_eq!(whole, [16, 16 + 4 + 5 + 4]);
        assert!(hello(&"x".repeat(MOST)).encode().is_err());
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(hello("abc").difference(&hello("abc")), None);
        assert_eq!(
            hello("abc").difference(&hello("\u{1b}[1m")),
            Some("has another text (`\\u{1b}[1m`, here `abc`)".to_owned())
        );
        let fewer = Hello { identity: vec![], ..hello("abc") };
        assert_eq!(hello("abc").difference(&fewer), Some("has another list of what to agree on".to_owned()));
        let more = Hello { count: 4, ..hello("abc") };
        assert_eq!(hello("abc").difference(&more), Some("knows of 4 processes, this one of 3".to_owned()));
    }
}
