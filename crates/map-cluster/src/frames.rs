//! Frames on a socket: a length, and then so many bytes, sealed if the processes share a key.
//!
//! What is sealed has a number in its direction, so that nothing can be left out, repeated or exchanged. Both halves
//! wait for the socket in slices of [`SLICE`], and ask in between whether to go on.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use snow::StatelessTransportState;

/// How long a read or a write waits before it asks whether to go on.
pub(crate) const SLICE: Duration = Duration::from_millis(50);

/// Most bytes of a frame, its length not counted; those of Noise are no longer.
const FRAME: usize = 65_535;

/// Bytes that sealing adds.
const TAG: usize = 16;

/// Most bytes that one frame carries, besides its kind.
pub(crate) const MOST: usize = FRAME - TAG - 1;

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Who is there, and what it is about to search.
    Hello,
    /// The other process has its seat.
    Welcome,
    /// The other process is not let in, with the reason.
    Refused,
    /// Everybody this process waits for has come.
    Ready,
    /// A piece of what timely sends.
    Data,
    /// Nothing but a sign of life.
    Beat,
    /// So many bytes of blocks were taken.
    Credit,
    /// The process leaves after so many supersteps.
    Goodbye,
    /// The process gives up, with the reason.
    GaveUp,
    /// The goodbye, or the giving up, was read.
    Seen,
}

const KINDS: [Kind; 10] = [
    Kind::Hello,
    Kind::Welcome,
    Kind::Refused,
    Kind::Ready,
    Kind::Data,
    Kind::Beat,
    Kind::Credit,
    Kind::Goodbye,
    Kind::GaveUp,
    Kind::Seen,
];

/// What makes bytes unreadable and unalterable for others.
pub(crate) enum Seal {
    /// Nothing: the processes have no key, and are on one machine.
    None,
    /// The keys that a handshake has left.
    Noise(Box<StatelessTransportState>),
}

/// The half of a connection that sends.
pub(crate) struct Outgoing {
    socket: TcpStream,
    seal: Arc<Seal>,
    number: u64,
    plain: Vec<u8>,
    sealed: Vec<u8>,
    /// A frame was begun and not finished, so no other can follow.
    torn: bool,
    /// When something was last sent.
    pub(crate) sent: Instant,
}

/// The half of a connection that receives.
pub(crate) struct Incoming {
    socket: TcpStream,
    seal: Arc<Seal>,
    number: u64,
    raw: Vec<u8>,
    begin: usize,
    end: usize,
    plain: Vec<u8>,
    length: usize,
    /// Bytes that the last frame took.
    last: usize,
    /// Slices of waiting since something last arrived. They are counted, rather than time measured, so that a process
    /// that was itself stopped for a while does not think that the others were silent.
    silent: u32,
}

/// Both halves of a connection.
pub(crate) fn halves(socket: &TcpStream, seal: Seal) -> io::Result<(Outgoing, Incoming)> {
    let seal = Arc::new(seal);
    let outgoing = Outgoing {
        socket: socket.try_clone()?,
        seal: Arc::clone(&seal),
        number: 0,
        plain: Vec::with_capacity(FRAME),
        sealed: vec![0; 2 + FRAME],
        torn: false,
        sent: Instant::now(),
    };
    let incoming = Incoming {
        socket: socket.try_clone()?,
        seal,
        number: 0,
        raw: vec![0; 4 * FRAME],
        begin: 0,
        end: 0,
        plain: vec![0; FRAME],
        length: 0,
        last: 0,
        silent: 0,
    };
    Ok((outgoing, incoming))
}

impl Outgoing {
    /// Sends a frame, and returns the bytes that this took.
    pub(crate) fn put(
        &mut self,
        kind: Kind,
        data: &[u8],
        go_on: &dyn Fn() -> io::Result<()>,
    ) -> io::Result<usize> {
        if self.torn {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.plain.clear();
        self.plain.push(kind as u8);
        self.plain.extend_from_slice(data);
        let length = match &*self.seal {
            Seal::None => {
                let body = self.sealed.get_mut(2..2 + self.plain.len()).ok_or(io::ErrorKind::InvalidInput)?;
                body.copy_from_slice(&self.plain);
                self.plain.len()
            }
            Seal::Noise(noise) => noise
                .write_message(self.number, &self.plain, &mut self.sealed[2..])
                .map_err(|error| io::Error::other(error.to_string()))?,
        };
        self.number += 1;
        let bytes = u16::try_from(length).map_err(|_| io::ErrorKind::InvalidInput)?;
        self.sealed[..2].copy_from_slice(&bytes.to_le_bytes());
        self.torn = true;
        write_all(&self.socket, &self.sealed[..2 + length], go_on)?;
        self.torn = false;
        self.sent = Instant::now();
        Ok(2 + length)
    }
}

impl Incoming {
    /// Waits for a frame, and returns its kind. `go_on` is told for how long nothing has arrived.
    pub(crate) fn take(&mut self, go_on: &dyn Fn(Duration) -> io::Result<()>) -> io::Result<Kind> {
        loop {
            if let Some(kind) = self.next()? {
                return Ok(kind);
            }
            if self.raw.len() - self.begin < 2 + FRAME {
                self.make_room();
            }
            match self.socket.read(&mut self.raw[self.end..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => {
                    self.end += read;
                    self.silent = 0;
                }
                Err(error) if is_pause(&error) => self.silent += 1,
                Err(error) => return Err(error),
            }
            go_on(SLICE * self.silent)?;
        }
    }

    /// Reads what has arrived, as far as there is room. Whether anything has, or could not be read. The socket must not
    /// block.
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        let mut arrived = false;
        loop {
            if self.end == self.raw.len() {
                self.make_room();
            }
            if self.end == self.raw.len() {
                return Ok(true);
            }
            match self.socket.read(&mut self.raw[self.end..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => {
                    self.end += read;
                    arrived = true;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if is_pause(&error) => return Ok(arrived),
                Err(error) => return Err(error),
            }
        }
    }

    /// The kind of the next frame, if all of it has been read.
    pub(crate) fn next(&mut self) -> io::Result<Option<Kind>> {
        let Some(whole) = self.whole() else { return Ok(None) };
        self.open(self.begin + 2..self.begin + whole)?;
        self.begin += whole;
        self.last = whole;
        let kind = KINDS.get(usize::from(self.plain[0])).ok_or(io::ErrorKind::InvalidData)?;
        Ok(Some(*kind))
    }

    /// Makes the last frame the next one again. Nothing may have been read since.
    pub(crate) fn put_back(&mut self) {
        self.begin -= self.last;
        self.number -= 1;
        self.last = 0;
    }

    fn make_room(&mut self) {
        self.raw.copy_within(self.begin..self.end, 0);
        self.end -= self.begin;
        self.begin = 0;
    }

    /// What the last frame carried.
    pub(crate) fn data(&self) -> &[u8] {
        self.plain.get(1..self.length).unwrap_or_default()
    }

    /// What the last frame carried, as text that is safe to show.
    pub(crate) fn text(&self) -> String {
        shown(&String::from_utf8_lossy(self.data()), 500)
    }

    /// What the last frame carried, as a number.
    pub(crate) fn value(&self) -> io::Result<u64> {
        let bytes = self.data().try_into().map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// The length of the frame at the front, with the bytes that say so, if all of it has arrived.
    fn whole(&self) -> Option<usize> {
        let arrived = &self.raw[self.begin..self.end];
        let length = 2 + usize::from(u16::from_le_bytes([*arrived.first()?, *arrived.get(1)?]));
        (arrived.len() >= length).then_some(length)
    }

    fn open(&mut self, frame: std::ops::Range<usize>) -> io::Result<()> {
        let frame = &self.raw[frame];
        self.length = match &*self.seal {
            Seal::None => {
                self.plain[..frame.len()].copy_from_slice(frame);
                frame.len()
            }
            Seal::Noise(noise) => noise.read_message(self.number, frame, &mut self.plain).map_err(|_| {
                io::Error::new(io::ErrorKind::InvalidData, "what arrived was altered on the way")
            })?,
        };
        self.number += 1;
        if self.length == 0 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(())
    }
}

/// Writes all bytes, and asks after each slice of waiting whether to go on.
pub(crate) fn write_all(
    mut socket: &TcpStream,
    mut bytes: &[u8],
    go_on: &dyn Fn() -> io::Result<()>,
) -> io::Result<()> {
    while !bytes.is_empty() {
        match socket.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if is_pause(&error) => go_on()?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Fills `bytes`, and asks after each slice of waiting whether to go on.
pub(crate) fn read_all(
    mut socket: &TcpStream,
    mut bytes: &mut [u8],
    go_on: &dyn Fn() -> io::Result<()>,
) -> io::Result<()> {
    while !bytes.is_empty() {
        match socket.read(bytes) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                bytes = &mut bytes[read..];
                go_on()?;
            }
            Err(error) if is_pause(&error) => go_on()?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether a slice of waiting has ended without anything else.
fn is_pause(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

/// A text from elsewhere, made safe to show, and not too long.
pub(crate) fn shown(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).flat_map(char::escape_debug).collect();
    if text.chars().nth(most).is_some() {
        shown.push_str("..");
    }
    shown
}
