//! Reads logs line by line, merged by time, in a thread of its own, a little ahead of whoever takes the lines.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use map_conform::{Adapter, ArrayProbe, Form, Line, Origin, Piece, Records, Splitter, other_format};

use super::LogFault;
use super::opened::OpenLog;

/// A line with its place.
pub struct LogEntry {
    /// Which log.
    pub log: usize,
    /// Its number, from 1.
    pub line: u64,
    /// What it is.
    pub content: Line,
}

struct Log {
    opened: OpenLog,
    /// How many bytes have been read.
    at: u64,
    bytes: Vec<u8>,
    splitter: Splitter,
    most: usize,
    pieces: VecDeque<Piece>,
    is_over: bool,
    adapter: Adapter,
    /// What is left of the lines that have been read.
    records: Records,
    next: Option<LogEntry>,
}

/// The most lines that are handed over at once.
const LINES: usize = 256;
/// After how many bytes lines are handed over, even if they are few.
const BYTES: u64 = 1 << 18;
/// The most batches that wait to be taken.
const BATCHES: usize = 4;

/// Some logs, merged by time.
pub struct WholeLogs {
    batches: Receiver<Batch>,
    entries: VecDeque<LogEntry>,
    times: Vec<Option<String>>,
    /// What comes behind the entries, once that is known.
    end: Option<Result<(), LogFault>>,
}

/// Some lines, one after the other.
struct Batch {
    entries: VecDeque<LogEntry>,
    /// What has been taken for granted about the times of each log.
    times: Vec<Option<String>>,
    /// Why no further lines come, if none do.
    end: Option<Result<(), LogFault>>,
}

impl WholeLogs {
    /// Reads logs from their beginning; lines have at most `most` bytes.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn new(opened: &[OpenLog], form: &Form, most: usize) -> Result<Self, LogFault> {
        let mut merged = Merged::new(opened, form, most)?;
        let times = merged.times();
        let (sender, batches) = sync_channel(BATCHES);
        thread::spawn(move || merged.send_all(&sender));
        Ok(Self { batches, entries: VecDeque::new(), times, end: None })
    }

    /// What was taken for granted about the times of each log, if anything was.
    #[must_use]
    pub fn times(&self) -> Vec<Option<String>> {
        self.times.clone()
    }

    /// The next line: the earliest of the first ones of all logs. One without a time comes at once.
    ///
    /// # Errors
    /// If a log cannot be read on.
    #[expect(clippy::should_implement_trait, reason = "it may fail")]
    pub fn next(&mut self) -> Result<Option<LogEntry>, LogFault> {
        while self.entries.is_empty() && self.end.is_none() {
            let Batch { entries, times, end } = self.batches.recv().expect("the last batch says that it is");
            (self.entries, self.times, self.end) = (entries, times, end);
        }
        match (self.entries.pop_front(), self.end.take()) {
            (Some(entry), end) => {
                self.end = end;
                Ok(Some(entry))
            }
            (None, Some(Err(fault))) => {
                self.end = Some(Ok(()));
                Err(fault)
            }
            (None, _) => {
                self.end = Some(Ok(()));
                Ok(None)
            }
        }
    }
}

/// The same, read by the thread that asks.
struct Merged {
    logs: Vec<Log>,
}

impl Merged {
    fn new(opened: &[OpenLog], form: &Form, most: usize) -> Result<Self, LogFault> {
        let logs = opened.iter().map(|opened| Log::new(opened, form, most)).collect::<Result<_, _>>()?;
        let mut merged = Self { logs };
        for index in 0..merged.logs.len() {
            merged.advance(index)?;
        }
        Ok(merged)
    }

    fn times(&self) -> Vec<Option<String>> {
        self.logs.iter().map(|log| log.adapter.times_taken_for()).collect()
    }

    /// Hands over all lines, or those before nobody wants more.
    fn send_all(&mut self, batches: &SyncSender<Batch>) {
        loop {
            let batch = self.batch();
            let is_last = batch.end.is_some();
            if batches.send(batch).is_err() || is_last {
                return;
            }
        }
    }

    fn batch(&mut self) -> Batch {
        let read = |logs: &[Log]| logs.iter().map(|log| log.at).sum::<u64>();
        let (mut entries, until) = (VecDeque::new(), read(&self.logs) + BYTES);
        let mut end = None;
        while end.is_none() && entries.len() < LINES && read(&self.logs) < until {
            match self.next() {
                Ok(Some(entry)) => entries.push_back(entry),
                Ok(None) => end = Some(Ok(())),
                Err(fault) => end = Some(Err(fault)),
            }
        }
        Batch { entries, times: self.times(), end }
    }

    fn next(&mut self) -> Result<Option<LogEntry>, LogFault> {
        let time = |entry: &LogEntry| match &entry.content {
            Line::Record(record) => record.time.unwrap_or(0),
            Line::Other(_) | Line::Bad(..) => 0,
        };
        let heads = self.logs.iter().enumerate();
        let earliest = heads.filter_map(|(index, log)| log.next.as_ref().map(|it| (time(it), index))).min();
        let Some((_, index)) = earliest else { return Ok(None) };
        let entry = self.logs[index].next.take();
        self.advance(index)?;
        Ok(entry)
    }

    fn advance(&mut self, index: usize) -> Result<(), LogFault> {
        let log = &mut self.logs[index];
        log.next = log.next()?.map(|(line, content)| LogEntry { log: index, line, content });
        Ok(())
    }
}

impl Log {
    fn new(opened: &OpenLog, form: &Form, most: usize) -> Result<Self, LogFault> {
        // What FIPA's texts have are parentheses.
        let splitter = match form.origin != Origin::FipaAcl && is_array(opened)? {
            true => Splitter::of_array(most),
            false => Splitter::new(most),
        };
        Ok(Self {
            opened: opened.clone(),
            at: 0,
            bytes: Vec::new(),
            splitter,
            most,
            pieces: VecDeque::new(),
            is_over: false,
            adapter: Adapter::new(form),
            records: Records::new(),
            next: None,
        })
    }

    fn next(&mut self) -> Result<Option<(u64, Line)>, LogFault> {
        loop {
            if let Some(record) = self.records.pop_front() {
                return Ok(Some(record));
            }
            if let Some(piece) = self.pieces.pop_front() {
                piece.adapt(&mut self.adapter, self.most, &mut self.records);
                continue;
            }
            if self.is_over {
                return Ok(None);
            }
            let broken =
                |error: io::Error| LogFault::broken(&self.opened.name, self.splitter.lines() + 1, &error);
            self.opened.read(self.at, &mut self.bytes).map_err(broken)?;
            self.at += self.bytes.len() as u64;
            self.splitter.add(&self.bytes, &mut self.pieces);
            if self.bytes.is_empty() {
                self.is_over = true;
                self.splitter.end(&mut self.pieces);
                for piece in self.pieces.drain(..) {
                    piece.adapt(&mut self.adapter, self.most, &mut self.records);
                }
                self.adapter.end(&mut self.records);
            }
        }
    }
}

/// Whether a log is one array of objects, so that these are its lines.
fn is_array(opened: &OpenLog) -> Result<bool, LogFault> {
    let broken = |error: io::Error| LogFault::broken(&opened.name, 1, &error);
    let (mut probe, mut at, mut bytes) = (ArrayProbe::default(), 0, Vec::new());
    loop {
        opened.read(at, &mut bytes).map_err(broken)?;
        if at == 0
            && let Some((what, command)) = other_format(&bytes)
        {
            return Err(LogFault::no_text(&opened.name, what, command));
        }
        if bytes.is_empty() {
            return Ok(probe.end());
        }
        if let Some(is_array) = probe.add(&bytes, at == 0) {
            return Ok(is_array);
        }
        at += bytes.len() as u64;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::io::Write as _;
    use std::os::fd::AsRawFd as _;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::AtomicBool;

    use map_conform::{Form, Line, Origin};

    use super::super::opened::OpenLog;
    use super::WholeLogs;

    /// The recorded logs of real systems.
    fn recorded() -> Vec<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/recorded");
        let below = |folder: &Path| {
            let entries = fs::read_dir(folder).expect("it can be read");
            entries.map(|entry| entry.expect("it can be read").path()).collect::<Vec<_>>()
        };
        let folders = below(&root).into_iter().filter(|path| path.is_dir());
        let files = folders.flat_map(|folder| below(&folder));
        files.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")).collect()
    }

    fn read(path: &Path, origin: Origin) -> Vec<(u64, Line)> {
        let Ok((log, is_cut)) = OpenLog::open(path, u64::MAX, &AtomicBool::new(false)) else {
            panic!("{} cannot be opened", path.display())
        };
        assert!(!is_cut);
        let form = Form { origin, ..Form::default() };
        let Ok(mut logs) = WholeLogs::new(&[log], &form, 1 << 24) else {
            panic!("{} cannot be read", path.display())
        };
        std::iter::from_fn(|| logs.next().unwrap_or_else(|_| panic!("{} cannot be read", path.display())))
            .map(|entry| (entry.line, entry.content))
            .collect()
    }

    /// What is read of a log that somebody writes meanwhile into what no positions has.
    fn read_while(path: &Path, origin: Origin, write: impl FnOnce() + Send) -> Vec<(u64, Line)> {
        std::thread::scope(|scope| {
            scope.spawn(write);
            read(path, origin)
        })
    }

    #[test]
    fn a_file_a_pipe_and_a_fifo_are_read_alike() {
        let folder = tempfile::tempdir().expect("a folder");
        let fifo = folder.path().join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs");
        assert!(made.success());
        let origins =
            [Origin::Native, Origin::A2a, Origin::Mcp, Origin::Autogen, Origin::FipaAcl, Origin::Otel];
        let logs = recorded();
        assert!(logs.len() >= 30, "{logs:?}");
        for log in logs {
            let bytes = fs::read(&log).expect("it can be read");
            for origin in origins {
                let expected = read(&log, origin);
                let by_fifo =
                    read_while(&fifo, origin, || fs::write(&fifo, &bytes).expect("it can be written"));
                assert!(by_fifo == expected, "{} {}", log.display(), origin.word());
                let (reader, mut writer) = std::io::pipe().expect("a pipe");
                let name = PathBuf::from(format!("/dev/fd/{}", reader.as_raw_fd()));
                let bytes = &bytes;
                let write = move || writer.write_all(bytes).expect("it can be written");
                assert!(read_while(&name, origin, write) == expected, "{} {}", log.display(), origin.word());
            }
        }
    }
}
