//! An external program that reads and writes lines, and leaves no processes behind.
//!
//! The program leads a process group of its own. However it or the run ends, the whole group is killed before the
//! leader is reaped, so its process id cannot have been reused. Two threads move the lines, so that neither a program
//! that does not read nor one that does not write can block the run.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use map_procedures::MAX_LINE;

use super::group::{End, Group};

/// How long a program may take to end after its standard input is closed.
const GRACE: Duration = Duration::from_secs(1);

/// How often to look whether the user wants to stop.
const POLL: Duration = Duration::from_millis(50);

/// A running program.
pub struct Process {
    group: Group,
    requests: Option<Sender<String>>,
    lines: Receiver<Heard>,
    /// When its standard input was closed.
    closed: Option<Instant>,
    /// Whether it is given time to end by itself.
    trusted: bool,
}

enum Heard {
    Line(Vec<u8>),
    TooLong,
}

/// Why there is no line.
pub enum Silence {
    /// It took too long.
    TimedOut,
    /// The line is longer than [`MAX_LINE`].
    TooLong,
    /// Its standard output is closed; how the program ended, if it has.
    Ended(Option<End>),
    /// The user wants to stop.
    Interrupted,
}

impl Process {
    /// Starts a program. Its standard error is passed through if `show_errors`, and discarded otherwise.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(words: &[String], show_errors: bool) -> io::Result<Self> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(if show_errors { Stdio::inherit() } else { Stdio::null() });
        let mut group = Group::spawn(&mut command)?;
        let (stdin, stdout) = group.pipes();
        let (requests, to_write) = channel::<String>();
        let (heard, lines) = sync_channel(4);
        thread::Builder::new().spawn(move || {
            let Some(mut stdin) = stdin else { return };
            for request in to_write {
                // A program that does not read will not answer either; `hear` notices.
                if stdin.write_all(request.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        })?;
        thread::Builder::new().spawn(move || {
            let Some(stdout) = stdout else { return };
            let mut stdout = BufReader::new(stdout);
            while let Some(line) = read_line(&mut stdout) {
                let ends = matches!(line, Heard::TooLong);
                if heard.send(line).is_err() || ends {
                    return;
                }
            }
        })?;
        Ok(Self { group, requests: Some(requests), lines, closed: None, trusted: true })
    }

    /// Sends a line, which includes its line end.
    pub fn send(&self, line: String) {
        if let Some(requests) = &self.requests {
            // If the program is gone it will not answer; `hear` notices.
            let _ = requests.send(line);
        }
    }

    /// The next line, without its end.
    ///
    /// # Errors
    /// Why there is none.
    pub fn hear(&self, patience: Duration, stop: &AtomicBool) -> Result<Vec<u8>, Silence> {
        let started = Instant::now();
        loop {
            let left = patience.saturating_sub(started.elapsed());
            match self.lines.recv_timeout(left.min(POLL)) {
                _ if stop.load(Ordering::Relaxed) => return Err(Silence::Interrupted),
                Ok(Heard::Line(line)) => return Ok(line),
                Ok(Heard::TooLong) => return Err(Silence::TooLong),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Silence::Ended(self.group.wait(Duration::from_millis(500))));
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::TimedOut),
                Err(RecvTimeoutError::Timeout) => {
                    // A child that it started may still hold its standard output open.
                    if let Some(how) = self.group.wait(Duration::ZERO) {
                        return Err(Silence::Ended(Some(how)));
                    }
                }
            }
        }
    }

    /// Asks it to end, by closing its standard input.
    pub fn close(&mut self) {
        self.requests = None;
        self.closed.get_or_insert_with(Instant::now);
    }

    /// Marks it as misbehaving: it is killed at once instead of being given time to end.
    pub fn distrust(&mut self) {
        self.trusted = false;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close();
        if self.trusted {
            let waited = self.closed.map_or(Duration::ZERO, |closed| closed.elapsed());
            self.group.wait(GRACE.saturating_sub(waited));
        }
    }
}

fn read_line(from: &mut impl io::BufRead) -> Option<Heard> {
    let mut line = Vec::new();
    let read = from.take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line).ok()?;
    if read == 0 {
        return None;
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if read > MAX_LINE {
        return Some(Heard::TooLong);
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Some(Heard::Line(line))
}
