//! Reads logs line by line, merged by time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use map_conform::{Adapter, Fault, FaultKind, Form, MAX_LINE, Record, Records};
use map_diagnostics::Code;

use super::{Bad, shown_log};
use crate::input::is_stdin;

/// A record with its place.
pub(super) struct Entry {
    /// Which log.
    pub(super) log: usize,
    /// The line, from 1.
    pub(super) line: u64,
    /// What it says.
    pub(super) record: Result<Record, Fault>,
}

/// What comes next.
pub(super) enum Next {
    /// A record.
    Entry(Entry),
    /// Something that the user should know.
    Said(String),
    /// Nothing.
    End,
}

struct Log {
    name: String,
    reader: Box<dyn BufRead>,
    line: u64,
    adapter: Adapter,
    /// What is left of the lines that have been read.
    records: Records,
    next: Option<Entry>,
}

/// Some logs, merged by time.
pub(super) struct Logs {
    logs: Vec<Log>,
}

impl Logs {
    /// Opens the logs.
    pub(super) fn open(paths: &[PathBuf], form: &Form) -> Result<Self, Bad> {
        let mut logs = Vec::new();
        for path in paths {
            let reader: Box<dyn BufRead> = if is_stdin(path) {
                Box::new(BufReader::new(io::stdin()))
            } else {
                Box::new(BufReader::with_capacity(
                    1 << 16,
                    File::open(path).map_err(|error| unreadable(path, &error))?,
                ))
            };
            let (adapter, records) = (Adapter::new(form), Records::new());
            logs.push(Log { name: shown_log(path), reader, line: 0, adapter, records, next: None });
        }
        let mut logs = Self { logs };
        for index in 0..logs.logs.len() {
            logs.advance(index)?;
        }
        Ok(logs)
    }

    /// The name of a log.
    pub(super) fn name(&self, log: usize) -> &str {
        &self.logs[log].name
    }

    /// The next record: the earliest of the first ones of all logs. One without a time comes at once.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, Bad> {
        let time = |entry: &Entry| entry.record.as_ref().ok().and_then(|it| it.time).unwrap_or(0);
        let heads = self.logs.iter().enumerate();
        let earliest = heads.filter_map(|(index, log)| log.next.as_ref().map(|it| (time(it), index))).min();
        let Some((_, index)) = earliest else { return Ok(None) };
        let entry = self.logs[index].next.take();
        self.advance(index)?;
        Ok(entry)
    }

    fn advance(&mut self, index: usize) -> Result<(), Bad> {
        let log = &mut self.logs[index];
        let broken = |line: u64, name: &str, error: &io::Error| Bad {
            log: name.to_owned(),
            line,
            code: Code::ConformRecord,
            text: format!("the log cannot be read: {error}"),
            help: None,
        };
        loop {
            if let Some((line, record)) = log.records.pop_front() {
                log.next = Some(Entry { log: index, line, record });
                return Ok(());
            }
            let mut bytes = Vec::new();
            log.line += 1;
            let length = (&mut log.reader).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes);
            match length {
                Ok(0) => {
                    log.adapter.end(&mut log.records);
                    if log.records.is_empty() {
                        return Ok(());
                    }
                    continue;
                }
                Ok(_) => {}
                Err(error) => return Err(broken(log.line, &log.name, &error)),
            }
            let is_whole = bytes.last() == Some(&b'\n');
            if !is_whole && bytes.len() > MAX_LINE {
                skip_line(&mut log.reader).map_err(|error| broken(log.line, &log.name, &error))?;
            }
            let end = bytes.iter().rposition(|it| !b"\r\n".contains(it)).map_or(0, |it| it + 1);
            bytes.truncate(end);
            log.adapter.line(log.line, &bytes, &mut log.records);
        }
    }
}

/// Passes over the rest of a line that is too long.
fn skip_line(reader: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let (used, ends) = {
            let buffer = reader.fill_buf()?;
            match buffer.iter().position(|&it| it == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            }
        };
        reader.consume(used);
        if ends {
            return Ok(());
        }
    }
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> Bad {
    Bad {
        log: shown_log(path),
        line: 0,
        code: Code::ConformRecord,
        text: format!("the log cannot be opened: {error}"),
        help: None,
    }
}

/// The code for what is wrong with a line.
pub(super) fn code_of(kind: FaultKind) -> Code {
    match kind {
        FaultKind::NoRecord => Code::ConformRecord,
        FaultKind::NoValue => Code::ConformValue,
        FaultKind::NoRole => Code::ConformRole,
        FaultKind::BeyondCast => Code::ConformCast,
        FaultKind::OutOfOrder => Code::ConformOrder,
        FaultKind::Unadapted => Code::ConformAdapter,
    }
}

/// What to do about a line that cannot be used.
pub(super) fn help_for(kind: FaultKind) -> Option<&'static str> {
    match kind {
        FaultKind::NoRecord | FaultKind::NoValue | FaultKind::Unadapted => {
            Some("--skip-bad N passes over N such lines")
        }
        FaultKind::NoRole => {
            Some("Name the agent as in the file, or let it say something only one role says")
        }
        FaultKind::BeyondCast => Some("Give the number of agents with --agents, such as bidder=3"),
        FaultKind::OutOfOrder => Some("Sort the log by time"),
    }
}
