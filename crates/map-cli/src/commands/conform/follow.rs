//! Reads logs that are still being written: lines come as they are finished.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

use map_conform::{Adapter, Form, MAX_LINE, Records};
use map_diagnostics::Code;

use super::logs::{Entry, Next, unreadable};
use super::{Bad, shown_log};
use crate::input::is_stdin;
use crate::interrupt::Interrupt;

/// How long to wait before looking for more.
const PAUSE: Duration = Duration::from_millis(50);
/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// Where the bytes of a log come from.
enum From {
    /// A file, with what has been read of it.
    File { path: PathBuf, file: File, at: u64 },
    /// Standard input, which another thread reads, so that Ctrl-C is heard meanwhile.
    Stdin { chunks: Receiver<io::Result<Vec<u8>>>, ended: bool },
}

/// A log that is followed.
struct Followed {
    name: String,
    from: From,
    /// The beginning of a line that is not finished.
    half: Vec<u8>,
    /// Finished lines.
    lines: VecDeque<Vec<u8>>,
    /// The number of lines taken.
    line: u64,
    adapter: Adapter,
    /// What is left of the lines that have been taken.
    records: Records,
}

/// What a look at a log has brought.
enum Looked {
    More,
    Nothing,
    Said(String),
    Ended,
}

/// Logs that are followed. Their lines are taken as they come, not merged by time.
pub(super) struct Follow {
    logs: Vec<Followed>,
    turn: usize,
}

impl Follow {
    /// Opens the logs.
    pub(super) fn open(paths: &[PathBuf], form: &Form) -> Result<Self, Bad> {
        let logs = paths.iter().map(|path| Followed::open(path, form)).collect::<Result<_, _>>()?;
        Ok(Self { logs, turn: 0 })
    }

    /// The name of a log.
    pub(super) fn name(&self, log: usize) -> &str {
        &self.logs[log].name
    }

    /// Waits for the next line. It ends when the user wants to stop, or standard input ends and there are no files.
    pub(super) fn next(&mut self, interrupt: &Interrupt) -> Result<Next, Bad> {
        while !interrupt.is_set() {
            let mut all_ended = true;
            let mut some_more = false;
            for _ in 0..self.logs.len() {
                self.turn = (self.turn + 1) % self.logs.len();
                let turn = self.turn;
                let log = &mut self.logs[turn];
                if let Some(entry) = log.take(turn) {
                    return Ok(Next::Entry(entry));
                }
                match log.look()? {
                    Looked::More => some_more = true,
                    Looked::Nothing => {}
                    Looked::Said(text) => return Ok(Next::Said(text)),
                    Looked::Ended => continue,
                }
                all_ended = false;
            }
            if all_ended {
                return Ok(Next::End);
            }
            if !some_more {
                thread::sleep(PAUSE);
            }
        }
        Ok(Next::End)
    }
}

impl Followed {
    fn open(path: &Path, form: &Form) -> Result<Self, Bad> {
        let from = if is_stdin(path) {
            From::Stdin { chunks: read_stdin(), ended: false }
        } else {
            let file = File::open(path).map_err(|error| unreadable(path, &error))?;
            From::File { path: path.to_owned(), file, at: 0 }
        };
        let (half, lines) = (Vec::new(), VecDeque::new());
        let (adapter, records) = (Adapter::new(form), Records::new());
        Ok(Self { name: shown_log(path), from, half, lines, line: 0, adapter, records })
    }

    /// The next record of the finished lines.
    fn take(&mut self, log: usize) -> Option<Entry> {
        loop {
            if let Some((line, record)) = self.records.pop_front() {
                return Some(Entry { log, line, record });
            }
            let Some(mut bytes) = self.lines.pop_front() else {
                if matches!(self.from, From::Stdin { ended: true, .. }) {
                    self.adapter.end(&mut self.records);
                }
                let (line, record) = self.records.pop_front()?;
                return Some(Entry { log, line, record });
            };
            self.line += 1;
            while bytes.last().is_some_and(|it| b"\r\n".contains(it)) {
                bytes.pop();
            }
            self.adapter.line(self.line, &bytes, &mut self.records);
        }
    }

    /// Reads more, if there is more.
    fn look(&mut self) -> Result<Looked, Bad> {
        let bytes = match &mut self.from {
            From::Stdin { ended: true, .. } => return Ok(Looked::Ended),
            From::Stdin { chunks, ended } => match chunks.try_recv() {
                Ok(chunk) => chunk,
                Err(TryRecvError::Empty) => return Ok(Looked::Nothing),
                Err(TryRecvError::Disconnected) => {
                    *ended = true;
                    // The last line may lack its end.
                    if !self.half.is_empty() {
                        self.lines.push_back(std::mem::take(&mut self.half));
                    }
                    return Ok(Looked::More);
                }
            },
            From::File { file, at, .. } => {
                let mut chunk = vec![0; CHUNK];
                file.read(&mut chunk).map(|length| {
                    chunk.truncate(length);
                    *at += length as u64;
                    chunk
                })
            }
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(Looked::Nothing),
            Err(error) => return Err(self.broken(&error)),
        };
        if bytes.is_empty() {
            return self.look_for_another();
        }
        for part in bytes.split_inclusive(|&it| it == b'\n') {
            // What is too long is an error when it is finished; no more of it than shows that is kept.
            let room = (MAX_LINE + 2).saturating_sub(self.half.len());
            self.half.extend_from_slice(&part[..part.len().min(room)]);
            if part.ends_with(b"\n") {
                self.lines.push_back(std::mem::take(&mut self.half));
            }
        }
        Ok(Looked::More)
    }

    /// At the end of a file: whether it has been truncated, or another one has taken its place.
    fn look_for_another(&mut self) -> Result<Looked, Bad> {
        let From::File { path, file, at } = &mut self.from else { return Ok(Looked::Nothing) };
        // Between two files there may be none.
        let Ok(named) = std::fs::metadata(&*path) else { return Ok(Looked::Nothing) };
        let what = if file.metadata().is_ok_and(|it| !is_same(&it, &named)) {
            let Ok(next) = File::open(&*path) else { return Ok(Looked::Nothing) };
            *file = next;
            "another file has taken its place"
        } else if named.len() < *at {
            if let Err(error) = file.seek(SeekFrom::Start(0)) {
                return Err(self.broken(&error));
            }
            "it has been truncated"
        } else {
            return Ok(Looked::Nothing);
        };
        *at = 0;
        self.half.clear();
        let before = std::mem::take(&mut self.line);
        Ok(Looked::Said(format!("{}: {what} after line {before}; it is read from its start", self.name)))
    }

    fn broken(&self, error: &io::Error) -> Bad {
        Bad {
            log: self.name.clone(),
            line: self.line + 1,
            code: Code::ConformRecord,
            text: format!("the log cannot be read: {error}"),
            help: None,
        }
    }
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

/// Starts to read standard input.
fn read_stdin() -> Receiver<io::Result<Vec<u8>>> {
    let (sender, chunks) = sync_channel(16);
    thread::spawn(move || {
        loop {
            let mut chunk = vec![0; CHUNK];
            let length = io::stdin().lock().read(&mut chunk);
            let is_last = !matches!(length, Ok(1..));
            let chunk = length.map(|length| {
                chunk.truncate(length);
                chunk
            });
            if matches!(&chunk, Ok(it) if it.is_empty()) || sender.send(chunk).is_err() || is_last {
                return;
            }
        }
    });
    chunks
}
