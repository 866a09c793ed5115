//! The journal of a guard: a folder of files with a record in each line.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use map_guard::{Guard, Moment, Record, RecordError};

use super::clock::Clock;
use crate::names::shown;

/// A file that is larger is followed by another one.
const MAX_SEGMENT: u64 = 64 << 20;

/// The longest line that is read.
const MAX_LINE: u64 = 4 << 20;

/// A journal that is written.
pub(super) struct Journal {
    folder: PathBuf,
    /// Held as long as the journal is written: nobody else may.
    _lock: File,
    file: File,
    number: u64,
    length: u64,
    syncs: bool,
}

/// Why a journal cannot be used.
#[derive(Debug)]
pub(super) struct JournalError {
    /// A file, and its line.
    pub(super) place: String,
    pub(super) text: String,
    pub(super) help: Option<&'static str>,
}

/// What the files have.
struct Contents {
    number: u64,
    /// The length of the last file without a record that is torn.
    length: u64,
    last: Option<Moment>,
    note: Option<String>,
}

fn failure(path: &Path, error: &std::io::Error) -> JournalError {
    JournalError { place: shown(path), text: error.to_string(), help: None }
}

const DAMAGED: &str = "restore the file from a copy, or begin with an empty folder";

impl Journal {
    /// Opens a journal, and does again in the guard what it says; also returns what there is to be told about it.
    pub(super) fn open(
        folder: &Path,
        syncs: bool,
        guard: &mut Guard,
        digest: &str,
    ) -> Result<(Self, Option<String>), JournalError> {
        std::fs::create_dir_all(folder).map_err(|error| failure(folder, &error))?;
        let lock = lock(folder)?;
        let contents = read_all(folder, guard, digest)?;
        if let Some(last) = contents.last {
            guard.resume(last, Clock::default().now());
        }
        let path = segment(folder, contents.number);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        private(&mut options);
        let mut file = options.open(&path).map_err(|error| failure(&path, &error))?;
        // What is torn is cut off.
        let ready = file.set_len(contents.length).and_then(|()| file.seek(SeekFrom::End(0)));
        ready.map_err(|error| failure(&path, &error))?;
        let (number, length) = (contents.number, contents.length);
        let journal = Self { folder: folder.to_owned(), _lock: lock, file, number, length, syncs };
        journal.sync_folder().map_err(|error| failure(folder, &error))?;
        Ok((journal, contents.note))
    }

    /// Writes records, all of them at once; they are on the disk afterwards.
    pub(super) fn write(&mut self, records: &[Record]) -> std::io::Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        if self.length > MAX_SEGMENT {
            self.next_segment()?;
        }
        let text: String = records.iter().map(Record::to_line).collect();
        self.file.write_all(text.as_bytes())?;
        self.length += text.len() as u64;
        if self.syncs { self.file.sync_data() } else { Ok(()) }
    }

    fn next_segment(&mut self) -> std::io::Result<()> {
        let mut options = OpenOptions::new();
        options.create_new(true).write(true);
        private(&mut options);
        self.file = options.open(segment(&self.folder, self.number + 1))?;
        self.number += 1;
        self.length = 0;
        self.sync_folder()
    }

    /// Lets the names of the files be on the disk, too.
    fn sync_folder(&self) -> std::io::Result<()> {
        if cfg!(unix) && self.syncs { File::open(&self.folder)?.sync_all() } else { Ok(()) }
    }
}

/// Only who writes it may read it.
fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

fn lock(folder: &Path) -> Result<File, JournalError> {
    let path = folder.join("lock");
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    private(&mut options);
    let file = options.open(&path).map_err(|error| failure(&path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(JournalError {
            place: shown(folder),
            text: "another guard writes this journal".to_owned(),
            help: Some("end it, or use another folder"),
        }),
        Err(std::fs::TryLockError::Error(error)) => Err(failure(&path, &error)),
    }
}

fn segment(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:06}.jsonl"))
}

fn read_all(folder: &Path, guard: &mut Guard, digest: &str) -> Result<Contents, JournalError> {
    let mut contents = Contents { number: 1, length: 0, last: None, note: None };
    let mut number = 1;
    loop {
        let path = segment(folder, number);
        let is_last = !segment(folder, number + 1).exists();
        if !path.exists() {
            return Ok(contents);
        }
        contents.number = number;
        contents.length = read_segment(&path, is_last, guard, digest, &mut contents)?;
        if is_last {
            return Ok(contents);
        }
        number += 1;
    }
}

/// Reads a file; returns its length without what is torn.
fn read_segment(
    path: &Path,
    is_last: bool,
    guard: &mut Guard,
    digest: &str,
    contents: &mut Contents,
) -> Result<u64, JournalError> {
    let file = File::open(path).map_err(|error| failure(path, &error))?;
    let mut reader = BufReader::new(file);
    let (mut line, mut number, mut length) = (Vec::new(), 0, 0);
    loop {
        line.clear();
        let mut limited = std::io::Read::take(&mut reader, MAX_LINE);
        let read = limited.read_until(b'\n', &mut line).map_err(|error| failure(path, &error))?;
        if read == 0 {
            return Ok(length);
        }
        number += 1;
        let damaged = |text: String| JournalError {
            place: format!("{}:{number}", shown(path)),
            text,
            help: Some(DAMAGED),
        };
        let Some(text) = line.strip_suffix(b"\n") else {
            return match is_last && is_torn(&line) {
                true => {
                    let place = format!("{}:{number}", shown(path));
                    contents.note = Some(format!("{place}: the last record was torn, and is cut off"));
                    Ok(length)
                }
                false => Err(damaged("the record is damaged".to_owned())),
            };
        };
        let record = Record::parse(text).map_err(|error| match error {
            RecordError::Checksum => damaged("the record is damaged: its checksum is wrong".to_owned()),
            RecordError::Form(error) => damaged(format!("the line is no record: {error}")),
        })?;
        guard.replay(&record, digest).map_err(|error| damaged(error.text))?;
        contents.last = Some(contents.last.unwrap_or(0).max(record.time));
        length += read as u64;
    }
}

/// Whether a line without an end is the beginning of a record, and not a record whose end was damaged.
fn is_torn(line: &[u8]) -> bool {
    (0..2).all(|damaged| line.len() < damaged || Record::parse(&line[..line.len() - damaged]).is_err())
}

#[cfg(test)]
mod tests {
    use map_guard::{Entry, Record};

    use super::is_torn;

    #[test]
    fn a_record_without_its_end_is_torn_and_one_with_another_end_is_not() {
        let entry = Entry::Stuck { conversation: "c".to_owned() };
        let line = Record { seq: 1, time: 2, entry }.to_line();
        let line = line.as_bytes();
        for length in 1..line.len() - 1 {
            assert!(is_torn(&line[..length]), "{length}");
        }
        let mut flipped = line.to_vec();
        *flipped.last_mut().unwrap() ^= 1;
        assert!(!is_torn(&flipped));
        assert!(!is_torn(&line[..line.len() - 1]));
    }
}
