//! Reads logs that are still being written: lines come as they are finished.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use map_conform::{Adapter, Form, Piece, Records, Splitter, other_format};
use map_explain::conformance::LogName;
use serde::{Deserialize, Serialize};

use super::opened::{Arrival, arrivals};
use super::resumed::{KeptLog, Place, place_in, tail_of};
use super::whole::LogEntry;
use super::{LogFault, is_stdin, shown_log};

/// How long to wait before looking for more.
const PAUSE: Duration = Duration::from_millis(50);
/// How often nothing is reported while nothing comes.
const IDLE: Duration = Duration::from_millis(200);
/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// What comes next.
pub enum NextLine {
    /// A line.
    Entry(LogEntry),
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
    lost: Option<LogEntry>,
    /// Up to where the log has been read, to messages that have been taken.
    taken: Place,
    /// Where an earlier process stopped, until the log is opened.
    earlier: Option<KeptLog>,
    /// Whether it has to be a file, so that a later process can go on.
    is_kept: bool,
}

/// How far logs have been read.
#[derive(Serialize, Deserialize)]
pub struct KeptLogs {
    /// The names of all files that have been read, with which of that name each is.
    names: Vec<(String, u32)>,
    logs: Vec<KeptLog>,
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
    /// While nobody looked.
    Meanwhile,
}

impl Change {
    fn words(self) -> &'static str {
        match self {
            Self::Replaced => "another file has taken its place",
            Self::Truncated => "it has been truncated",
            Self::Meanwhile => "another file has taken its place, or it has been truncated,",
        }
    }

    /// What may be lost of the file that was read, of which this line has no end.
    fn loss(self, unfinished: Option<u64>) -> Option<&'static str> {
        match (self, unfinished) {
            (Self::Truncated, _) => Some("the log has been truncated: lines may be lost here"),
            (Self::Meanwhile, _) => Some("the log that was read so far is gone: lines may be lost here"),
            (Self::Replaced, Some(_)) => Some("the line has no end, and another file has taken its place"),
            (Self::Replaced, None) => None,
        }
    }
}

/// Logs that are followed. Their lines are taken as they come, not merged by time.
pub struct Follow {
    logs: Vec<Followed>,
    names: Vec<LogName>,
    turn: usize,
    idle_since: Instant,
}

impl Follow {
    /// Opens the logs; lines have at most `most` bytes. If a later process `is_to_go_on`, they have to be files.
    #[must_use]
    pub fn open(paths: &[PathBuf], form: &Form, most: usize, is_to_go_on: bool) -> Self {
        let names = paths.iter().map(|path| LogName::new(&shown_log(path))).collect();
        let logs = paths.iter().enumerate();
        let logs = logs.map(|(log, path)| Followed::open(log, path, form, most, is_to_go_on)).collect();
        Self { logs, names, turn: 0, idle_since: Instant::now() }
    }

    /// Goes on from where an earlier process stopped that read the same logs.
    ///
    /// # Errors
    /// If what was kept is something else.
    pub fn go_on(&mut self, kept: KeptLogs) -> serde_json::Result<()> {
        let KeptLogs { names, logs } = kept;
        self.names = names.into_iter().map(|(name, incarnation)| LogName { name, incarnation }).collect();
        for (log, mut kept) in self.logs.iter_mut().zip(logs) {
            log.log = kept.log.min(self.names.len() - 1);
            log.adapter.remember(kept.adapter.take())?;
            log.taken = kept.place;
            log.earlier = Some(kept);
        }
        Ok(())
    }

    /// How far the logs have been read; to be asked [between lines](Self::is_between_lines).
    ///
    /// # Errors
    /// If a log cannot be read.
    pub fn kept(&mut self) -> io::Result<KeptLogs> {
        let names = self.names.iter().map(|it| (it.name.clone(), it.incarnation)).collect();
        let logs = self.logs.iter_mut().map(Followed::kept).collect::<io::Result<_>>()?;
        Ok(KeptLogs { names, logs })
    }

    /// Whether no line is being read of which there is more to come.
    #[must_use]
    pub fn is_between_lines(&self) -> bool {
        self.logs.iter().all(|log| log.records.is_empty() && log.lost.is_none())
    }

    /// The names of the logs, with those of the files that have taken their places.
    #[must_use]
    pub fn names(&self) -> &[LogName] {
        &self.names
    }

    /// Waits for the next line. It ends when the user wants to stop, or all logs have ended that can.
    ///
    /// # Errors
    /// If a log cannot be read on.
    pub fn next(&mut self, stop: &AtomicBool) -> Result<NextLine, LogFault> {
        // What a line has is taken together.
        if let Some(entry) = self.logs[self.turn].rest_of_line() {
            return Ok(NextLine::Entry(entry));
        }
        while !stop.load(Ordering::Relaxed) {
            let mut all_ended = true;
            let mut some_more = false;
            for _ in 0..self.logs.len() {
                self.turn = (self.turn + 1) % self.logs.len();
                let log = &mut self.logs[self.turn];
                if let Some(entry) = log.take() {
                    self.idle_since = Instant::now();
                    return Ok(NextLine::Entry(entry));
                }
                match log.look(&self.names[log.log])? {
                    Looked::More => some_more = true,
                    Looked::Nothing => {}
                    Looked::Said(text) => return Ok(NextLine::Said(text)),
                    Looked::Another(change) => return Ok(NextLine::Said(self.another(change))),
                    Looked::Ended => continue,
                }
                all_ended = false;
            }
            if all_ended {
                return Ok(NextLine::End);
            }
            if !some_more {
                if self.idle_since.elapsed() >= IDLE {
                    self.idle_since = Instant::now();
                    return Ok(NextLine::Idle);
                }
                thread::sleep(PAUSE);
            }
        }
        Ok(NextLine::End)
    }

    /// The log whose turn it is goes on in another file.
    fn another(&mut self, change: Change) -> String {
        let log = &mut self.logs[self.turn];
        let LogName { name, incarnation } = self.names[log.log].clone();
        let (what, lines) = (change.words(), log.splitter.lines());
        let text = format!("{name}: {what} after line {lines}; it is read from its start");
        let loss = change.loss(log.splitter.start_again());
        let content = loss.map(|why| log.adapter.cut_off(why));
        log.lost = content.map(|content| LogEntry { log: log.log, line: lines + 1, content });
        log.is_new = true;
        log.taken = Place::default();
        log.log = self.names.len();
        self.names.push(LogName { name, incarnation: incarnation + 1 });
        text
    }
}

impl Followed {
    fn open(log: usize, path: &Path, form: &Form, most: usize, is_kept: bool) -> Self {
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
            taken: Place::default(),
            earlier: None,
            is_kept,
        }
    }

    fn kept(&mut self) -> io::Result<KeptLog> {
        // One that was not there yet is as it was left.
        if let Some(earlier) = &self.earlier {
            let adapter = self.adapter.remembered()?;
            return Ok(KeptLog { adapter, ..earlier.clone() });
        }
        let (file, tail) = match &mut self.from {
            From::File { file, at } => (identity_of(&file.metadata()?), tail_of(file, self.taken, *at)?),
            From::Nowhere { .. } | From::Thread(_) | From::Nothing => (None, String::new()),
        };
        let adapter = self.adapter.remembered()?;
        Ok(KeptLog { log: self.log, file, place: self.taken, tail, adapter })
    }

    /// A log has been opened. It may be one of which an earlier process has read something.
    fn begin(&mut self, file: File) -> io::Result<Looked> {
        let Some(earlier) = self.earlier.take() else {
            self.from = From::File { file, at: 0 };
            return Ok(Looked::More);
        };
        let Place { bytes, lines } = earlier.place;
        self.splitter = Splitter::behind(bytes, lines, self.most);
        let is_it = |it: &std::fs::Metadata| earlier.file.is_none() || identity_of(it) == earlier.file;
        let folder = self.path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match place_in(file, folder, &earlier, is_it)? {
            Ok(file) => {
                self.is_new = bytes == 0;
                self.from = From::File { file, at: bytes };
                Ok(Looked::More)
            }
            Err(file) => {
                self.from = From::File { file, at: 0 };
                Ok(Looked::Another(Change::Meanwhile))
            }
        }
    }

    /// What is left of the line that was read last.
    fn rest_of_line(&mut self) -> Option<LogEntry> {
        let (line, content) = self.records.pop_front()?;
        Some(LogEntry { log: self.log, line, content })
    }

    /// The next line of those that are finished.
    fn take(&mut self) -> Option<LogEntry> {
        if let Some(lost) = self.lost.take() {
            return Some(lost);
        }
        loop {
            if let Some(entry) = self.rest_of_line() {
                return Some(entry);
            }
            let piece = self.pieces.pop_front()?;
            let behind = Place { bytes: piece.end, lines: piece.line };
            piece.adapt(&mut self.adapter, self.most, &mut self.records);
            if !self.adapter.is_within_a_message() {
                self.taken = behind;
            }
        }
    }

    /// Reads more, if there is more.
    fn look(&mut self, name: &LogName) -> Result<Looked, LogFault> {
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
                Ok(Ok(Arrival::Bytes(_))) if self.is_kept => return Err(LogFault::no_file(&name.name)),
                Ok(Ok(Arrival::Bytes(bytes))) => bytes,
                Ok(Ok(Arrival::File(file))) => {
                    return self.begin(file).map_err(|error| LogFault::unreadable(&self.path, &error));
                }
                Ok(Err(error)) => return Err(LogFault::unreadable(&self.path, &error)),
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
                    Err(error) => {
                        return Err(LogFault::broken(&name.name, self.splitter.lines() + 1, &error));
                    }
                }
            }
        };
        if bytes.is_empty() {
            return self.look_for_another(name);
        }
        if std::mem::take(&mut self.is_new)
            && let Some((what, command)) = other_format(&bytes)
        {
            return Err(LogFault::no_text(&name.name, what, command));
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
    fn look_for_another(&mut self, name: &LogName) -> Result<Looked, LogFault> {
        let From::File { file, at } = &mut self.from else { return Ok(Looked::Nothing) };
        // Standard input has no name by which another file could take its place: it ends with its file.
        if is_stdin(&self.path) {
            return Ok(self.end());
        }
        // Between two files there may be none.
        let Ok(named) = std::fs::metadata(&self.path) else { return Ok(Looked::Nothing) };
        let change = if file.metadata().is_ok_and(|it| identity_of(&it) != identity_of(&named)) {
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
                return Err(LogFault::broken(&name.name, self.splitter.lines() + 1, &error));
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

/// What tells a file from others, whatever its name.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there is none")]
fn identity_of(file: &std::fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((file.dev(), file.ino()))
}

/// Elsewhere only a truncated file is noticed.
#[cfg(not(unix))]
fn identity_of(_: &std::fs::Metadata) -> Option<(u64, u64)> {
    None
}
