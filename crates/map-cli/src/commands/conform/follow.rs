//! Reads logs that are still being written: lines come as they are finished.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use map_conform::{Adapter, Form, Piece, Records, Splitter, other_format};
use map_explain::conformance::LogName;

use super::logs::Entry;
use super::opened::{Arrival, arrivals};
use super::{Bad, shown_log};
use crate::input::is_stdin;
use crate::interrupt::Interrupt;

/// How long to wait before looking for more.
const PAUSE: Duration = Duration::from_millis(50);
/// How often nothing is reported while nothing comes.
const IDLE: Duration = Duration::from_millis(200);
/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// What comes next.
pub(super) enum Next {
    /// A line.
    Entry(Entry),
    /// Something that the user should know.
    Said(String),
    /// Nothing for now: all that has been written is known.
    Idle,
    /// Nothing any more.
    End,
}

/// Where the bytes of a log come from.
enum From {
    /// It does not exist yet; whether the user knows.
    Nowhere { is_told: bool },
    /// What another thread opens, and reads if it is no file, so that Ctrl-C is heard meanwhile.
    Thread(Receiver<io::Result<Arrival>>),
    /// A file, with what has been read of it.
    File { file: File, at: u64 },
    /// It has ended.
    Nothing,
}

/// A log that is followed.
struct Followed {
    path: PathBuf,
    /// The number of the log, and of the file that is read now.
    log: usize,
    from: From,
    splitter: Splitter,
    most: usize,
    /// Finished lines.
    pieces: VecDeque<Piece>,
    /// Whether nothing of the file has been read.
    is_new: bool,
    adapter: Adapter,
    /// What is left of the lines that have been taken.
    records: Records,
    /// What may be lost of the file that was read before.
    lost: Option<Entry>,
}

/// What a look at a log has brought.
enum Looked {
    More,
    Nothing,
    Said(String),
    /// Another file is read now.
    Another(Change),
    Ended,
}

/// Why another file is read.
#[derive(Clone, Copy)]
enum Change {
    Replaced,
    Truncated,
}

impl Change {
    fn words(self) -> &'static str {
        match self {
            Self::Replaced => "another file has taken its place",
            Self::Truncated => "it has been truncated",
        }
    }

    /// What may be lost of the file that was read, of which this line has no end.
    fn loss(self, unfinished: Option<u64>) -> Option<&'static str> {
        match (self, unfinished) {
            (Self::Truncated, _) => Some("the log has been truncated: lines may be lost here"),
            (Self::Replaced, Some(_)) => Some("the line has no end, and another file has taken its place"),
            (Self::Replaced, None) => None,
        }
    }
}

/// Logs that are followed. Their lines are taken as they come, not merged by time.
pub(super) struct Follow {
    logs: Vec<Followed>,
    names: Vec<LogName>,
    turn: usize,
    idle_since: Instant,
}

impl Follow {
    /// Opens the logs; lines have at most `most` bytes.
    pub(super) fn open(paths: &[PathBuf], form: &Form, most: usize) -> Self {
        let names = paths.iter().map(|path| LogName::new(&shown_log(path))).collect();
        let logs = paths.iter().enumerate();
        let logs = logs.map(|(log, path)| Followed::open(log, path, form, most)).collect();
        Self { logs, names, turn: 0, idle_since: Instant::now() }
    }

    /// The names of the logs, with those of the files that have taken their places.
    pub(super) fn names(&self) -> &[LogName] {
        &self.names
    }

    /// Waits for the next line. It ends when the user wants to stop, or all logs have ended that can.
    pub(super) fn next(&mut self, interrupt: &Interrupt) -> Result<Next, Bad> {
        while !interrupt.is_set() {
            let mut all_ended = true;
            let mut some_more = false;
            for _ in 0..self.logs.len() {
                self.turn = (self.turn + 1) % self.logs.len();
                let log = &mut self.logs[self.turn];
                if let Some(entry) = log.take() {
                    self.idle_since = Instant::now();
                    return Ok(Next::Entry(entry));
                }
                match log.look(&self.names[log.log])? {
                    Looked::More => some_more = true,
                    Looked::Nothing => {}
                    Looked::Said(text) => return Ok(Next::Said(text)),
                    Looked::Another(change) => return Ok(Next::Said(self.another(change))),
                    Looked::Ended => continue,
                }
                all_ended = false;
            }
            if all_ended {
                return Ok(Next::End);
            }
            if !some_more {
                if self.idle_since.elapsed() >= IDLE {
                    self.idle_since = Instant::now();
                    return Ok(Next::Idle);
                }
                thread::sleep(PAUSE);
            }
        }
        Ok(Next::End)
    }

    /// The log whose turn it is goes on in another file.
    fn another(&mut self, change: Change) -> String {
        let log = &mut self.logs[self.turn];
        let LogName { name, incarnation } = self.names[log.log].clone();
        let (what, lines) = (change.words(), log.splitter.lines());
        let text = format!("{name}: {what} after line {lines}; it is read from its start");
        let loss = change.loss(log.splitter.start_again());
        let content = loss.map(|why| log.adapter.cut_off(why));
        log.lost = content.map(|content| Entry { log: log.log, line: lines + 1, content });
        log.is_new = true;
        log.log = self.names.len();
        self.names.push(LogName { name, incarnation: incarnation + 1 });
        text
    }
}

impl Followed {
    fn open(log: usize, path: &Path, form: &Form, most: usize) -> Self {
        // To open a FIFO waits for whoever writes to it.
        let exists = is_stdin(path) || !is_absent(path);
        let from = if exists { From::Thread(arrivals(path)) } else { From::Nowhere { is_told: false } };
        Self {
            path: path.to_owned(),
            log,
            from,
            splitter: Splitter::new(most),
            most,
            pieces: VecDeque::new(),
            is_new: true,
            adapter: Adapter::new(form),
            records: Records::new(),
            lost: None,
        }
    }

    /// The next line of those that are finished.
    fn take(&mut self) -> Option<Entry> {
        if let Some(lost) = self.lost.take() {
            return Some(lost);
        }
        loop {
            if let Some((line, content)) = self.records.pop_front() {
                return Some(Entry { log: self.log, line, content });
            }
            self.pieces.pop_front()?.adapt(&mut self.adapter, self.most, &mut self.records);
        }
    }

    /// Reads more, if there is more.
    fn look(&mut self, name: &LogName) -> Result<Looked, Bad> {
        let bytes = match &mut self.from {
            From::Nothing => return Ok(Looked::Ended),
            From::Nowhere { is_told } => {
                if !is_absent(&self.path) {
                    self.from = From::Thread(arrivals(&self.path));
                    return Ok(Looked::More);
                }
                if std::mem::replace(is_told, true) {
                    return Ok(Looked::Nothing);
                }
                return Ok(Looked::Said(format!("{} does not exist yet; it is waited for", name.name)));
            }
            From::Thread(arrivals) => match arrivals.try_recv() {
                Ok(Ok(Arrival::Bytes(bytes))) => bytes,
                Ok(Ok(Arrival::File(file))) => {
                    self.from = From::File { file, at: 0 };
                    return Ok(Looked::More);
                }
                Ok(Err(error)) => return Err(Bad::unreadable(&self.path, &error)),
                Err(TryRecvError::Empty) => return Ok(Looked::Nothing),
                Err(TryRecvError::Disconnected) => return Ok(self.end()),
            },
            From::File { file, at, .. } => {
                let mut chunk = vec![0; CHUNK];
                match file.read(&mut chunk) {
                    Ok(length) => {
                        chunk.truncate(length);
                        *at += length as u64;
                        chunk
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(Looked::Nothing),
                    Err(error) => return Err(Bad::broken(&name.name, self.splitter.lines() + 1, &error)),
                }
            }
        };
        if bytes.is_empty() {
            return self.look_for_another(name);
        }
        if std::mem::take(&mut self.is_new)
            && let Some((what, command)) = other_format(&bytes)
        {
            return Err(Bad::no_text(&name.name, what, command));
        }
        self.splitter.add(&bytes, &mut self.pieces);
        Ok(Looked::More)
    }

    /// Nothing can come any more. The last line may lack its end.
    fn end(&mut self) -> Looked {
        self.from = From::Nothing;
        self.splitter.end(&mut self.pieces);
        for piece in self.pieces.drain(..) {
            piece.adapt(&mut self.adapter, self.most, &mut self.records);
        }
        self.adapter.end(&mut self.records);
        Looked::More
    }

    /// At the end of a file: whether it has been truncated, or another one has taken its place.
    fn look_for_another(&mut self, name: &LogName) -> Result<Looked, Bad> {
        let From::File { file, at } = &mut self.from else { return Ok(Looked::Nothing) };
        // Standard input has no name by which another file could take its place: it ends with its file.
        if is_stdin(&self.path) {
            return Ok(self.end());
        }
        // Between two files there may be none.
        let Ok(named) = std::fs::metadata(&self.path) else { return Ok(Looked::Nothing) };
        let change = if file.metadata().is_ok_and(|it| !is_same(&it, &named)) {
            if !named.is_file() {
                return Ok(Looked::Nothing);
            }
            // What came before it was replaced belongs to it.
            if file.metadata().is_ok_and(|it| it.len() > *at) {
                return Ok(Looked::More);
            }
            let Ok(next) = File::open(&self.path) else { return Ok(Looked::Nothing) };
            *file = next;
            Change::Replaced
        } else if named.len() < *at {
            if let Err(error) = file.seek(SeekFrom::Start(0)) {
                return Err(Bad::broken(&name.name, self.splitter.lines() + 1, &error));
            }
            Change::Truncated
        } else {
            return Ok(Looked::Nothing);
        };
        *at = 0;
        Ok(Looked::Another(change))
    }
}

fn is_absent(path: &Path) -> bool {
    std::fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

#[cfg(unix)]
fn is_same(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Elsewhere only a truncated file is noticed.
#[cfg(not(unix))]
fn is_same(_: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    true
}
