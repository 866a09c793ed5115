//! The door on standard input and output: JSON lines from and to whoever started the process.

use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::time::Duration;

use map_diagnostics::escaped;

use super::lines::{Read, next_line};
use super::peer::{Input, Peer};

/// The most bytes that wait for whoever started the process to read them.
pub(super) const MAX_BYTES: usize = 8 << 20;
/// How often to look whether the user wants to stop.
const PAUSE: Duration = Duration::from_millis(50);

/// Whoever started the process, as somebody who is written to. A thread writes, so that nobody else waits for a reader
/// that never reads.
pub(super) struct Starter {
    lines: Sender<String>,
    waiting_bytes: Arc<AtomicUsize>,
    /// How the writing ended, if it has.
    ended: Receiver<io::Result<()>>,
}

/// Reads lines, on a thread of its own, until standard input ends or nobody listens; and writes on another.
pub(super) fn open(inputs: SyncSender<Input>) -> io::Result<Starter> {
    let (lines, to_write) = channel();
    let (tells_end, ended) = sync_channel(1);
    let waiting_bytes = Arc::new(AtomicUsize::new(0));
    let waiting = Arc::clone(&waiting_bytes);
    std::thread::Builder::new().spawn(move || {
        let _ = tells_end.send(write(&to_write, &waiting));
    })?;
    std::thread::Builder::new().spawn(move || {
        read(&inputs);
        let _ = inputs.send(Input::Left(Peer::Starter));
    })?;
    Ok(Starter { lines, waiting_bytes, ended })
}

fn read(inputs: &SyncSender<Input>) {
    let mut input = io::stdin().lock();
    loop {
        let line = match next_line(&mut input) {
            Ok(Read::Line(line)) => Ok(line),
            Ok(Read::TooLong(text)) => Err(text),
            Ok(Read::End) => return,
            Err(error) => {
                let text = format!("standard input cannot be read: {error}");
                let _ = inputs.send(Input::Line(Peer::Starter, Err(text)));
                return;
            }
        };
        if inputs.send(Input::Line(Peer::Starter, line)).is_err() {
            return;
        }
    }
}

/// Writes lines until there are no more. Only a terminal is not sent what it would obey.
fn write(lines: &Receiver<String>, waiting: &AtomicUsize) -> io::Result<()> {
    let is_terminal = io::stdout().is_terminal();
    // Whoever else writes to standard output does not wait while this does.
    let mut output = stdout()?;
    for line in lines {
        let text = if is_terminal { escaped(&line) } else { line.as_str().into() };
        output.write_all(text.as_bytes())?;
        waiting.fetch_sub(line.len(), Ordering::Relaxed);
    }
    Ok(())
}

#[cfg(unix)]
fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

/// What was written to somebody who does not read it.
#[cfg(all(test, feature = "http"))]
pub(super) struct Unread {
    lines: Receiver<String>,
    _tells_end: SyncSender<io::Result<()>>,
}

#[cfg(all(test, feature = "http"))]
impl Unread {
    /// The lines so far.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        self.lines.try_iter()
    }
}

impl Starter {
    /// Somebody who does not read.
    #[cfg(all(test, feature = "http"))]
    pub(super) fn without_reader() -> (Self, Unread) {
        let (lines, unread) = channel();
        let (tells_end, ended) = sync_channel(1);
        let starter = Self { lines, waiting_bytes: Arc::default(), ended };
        (starter, Unread { lines: unread, _tells_end: tells_end })
    }

    /// Whether so much waits to be read that no more can be written for now.
    pub(super) fn is_behind(&self) -> bool {
        self.waiting_bytes.load(Ordering::Relaxed) >= MAX_BYTES
    }

    /// Waits until more can be written, or the user wants to stop.
    ///
    /// # Errors
    /// If the writing has failed.
    pub(super) fn wait(&self, stop: &AtomicBool) -> io::Result<()> {
        while self.is_behind() && !stop.load(Ordering::Relaxed) {
            match self.ended.recv_timeout(PAUSE) {
                Ok(ended) => return ended,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
            }
        }
        Ok(())
    }

    /// Writes a line as soon as those before it have been read.
    ///
    /// # Errors
    /// If the writing has failed.
    pub(super) fn tell(&self, line: String) -> io::Result<()> {
        match self.ended.try_recv() {
            Ok(Err(error)) => return Err(error),
            Ok(Ok(())) | Err(TryRecvError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
            Err(TryRecvError::Empty) => {}
        }
        self.waiting_bytes.fetch_add(line.len(), Ordering::Relaxed);
        self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Waits until all has been written, or the user wants to stop.
    ///
    /// # Errors
    /// If the writing has failed.
    pub(super) fn close(self, stop: &AtomicBool) -> io::Result<()> {
        drop(self.lines);
        while !stop.load(Ordering::Relaxed) {
            match self.ended.recv_timeout(PAUSE) {
                Ok(ended) => return ended,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
        Ok(())
    }
}
