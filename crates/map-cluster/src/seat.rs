//! What a process knows of one of the others while they meet.

use std::io;
use std::time::Duration;

use crate::frames::{Kind, SLICE};
use crate::greeting::{Connection, LIMIT};
use crate::link::beat_for;

/// A process that has come.
pub(crate) struct Seat {
    connection: Connection,
    /// How often it was listened to since something was last heard. Times are not measured, so that a process that was
    /// itself stopped for a while does not think that the others were silent.
    silent: u32,
    /// How often something was heard.
    heard: u64,
    /// It was told that this process waits for nobody any more.
    told: bool,
    /// It waits for nobody any more.
    ready: bool,
}

impl Seat {
    pub(crate) const fn new(connection: Connection) -> Self {
        Self { connection, silent: 0, heard: 0, told: false, ready: false }
    }

    /// Whether both know of each other that they wait for nobody.
    pub(crate) const fn is_ready(&self) -> bool {
        self.told && self.ready
    }

    pub(crate) const fn heard(&self) -> u64 {
        self.heard
    }

    pub(crate) fn into_connection(self) -> Connection {
        self.connection
    }

    /// Hears what has arrived, and gives a sign of life if it is time. Called about once in `pause`.
    ///
    /// # Errors
    /// Why the other process is not there any more.
    pub(crate) fn attend(&mut self, pause: Duration, patience: Duration) -> Result<(), String> {
        let before = self.heard;
        self.hear()?;
        self.silent = if self.heard == before { self.silent + 1 } else { 0 };
        // As long as they meet, each does other things as well.
        if pause * self.silent > patience.max(LIMIT) {
            return Err("does not answer".to_owned());
        }
        if self.connection.outgoing.sent.elapsed() >= beat_for(self.connection.theirs.patience) {
            self.say(Kind::Beat, &[])?;
        }
        Ok(())
    }

    /// Tells the other process, once, that this one waits for nobody any more.
    pub(crate) fn tell_ready(&mut self) -> Result<(), String> {
        if !self.told {
            self.say(Kind::Ready, &[])?;
            self.told = true;
        }
        Ok(())
    }

    /// Tells the other process that this one gives up. One that does not hear the reason hears that the connection
    /// ends.
    pub(crate) fn give_up(&mut self, reason: &str) {
        let _ = self.say(Kind::GaveUp, reason.as_bytes());
    }

    /// Hears what has arrived: what belongs to the meeting, and not what comes after it.
    pub(crate) fn hear(&mut self) -> Result<(), String> {
        let Connection { socket, incoming, .. } = &mut self.connection;
        let arrived = socket.set_nonblocking(true).and_then(|()| incoming.fill());
        socket.set_nonblocking(false).map_err(|error| broke_off(&error))?;
        // The last words of a process come before its end.
        while let Some(kind) = incoming.next().map_err(|error| broke_off(&error))? {
            match kind {
                Kind::Beat => {}
                Kind::Ready => self.ready = true,
                Kind::GaveUp => return Err(format!("gave up: {}", incoming.text())),
                // It has begun to search, which it does when all are ready.
                _ if self.ready => {
                    incoming.put_back();
                    break;
                }
                _ => return Err("sent something unexpected".to_owned()),
            }
        }
        if arrived.map_err(|error| broke_off(&error))? {
            self.heard += 1;
            self.silent = 0;
        }
        Ok(())
    }

    /// Sends something short. It waits only if the other process does not read for a long time.
    fn say(&mut self, kind: Kind, data: &[u8]) -> Result<(), String> {
        let since = std::time::Instant::now();
        let go_on = || if since.elapsed() < SLICE { Ok(()) } else { Err(io::ErrorKind::TimedOut.into()) };
        self.connection.outgoing.put(kind, data, &go_on).map(drop).map_err(|error| broke_off(&error))
    }
}

fn broke_off(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "ended before the search began".to_owned(),
        _ => format!("ended before the search began: {error}"),
    }
}
