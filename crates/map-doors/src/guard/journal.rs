//! The journal of a guard: a folder of files with a record in each line.
//!
//! A file that has become long is followed by another one, a segment, which begins with a copy of what open
//! conversations need of the ones before, and with what is left of those that have ended. So only the last segment is
//! read when the guard starts again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use map_guard::{Entry, Guard, Moment, Record, RecordError};

use super::clock::Clock;
use crate::names::shown;

/// The longest line that is read.
const MAX_LINE: u64 = 4 << 20;

/// A journal that is written.
pub struct Journal {
    folder: PathBuf,
    /// Held as long as the journal is written: nobody else may.
    _lock: File,
    file: File,
    settings: JournalSettings,
    /// The digest of the file and of what it is guarded by.
    digest: String,
    number: u32,
    length: u64,
    /// The length from which on another segment begins.
    most: u64,
    places: Places,
}

/// How a journal is written.
#[derive(Clone, Copy, Debug)]
pub struct JournalSettings {
    /// Whether a record is on the disk before anything depends on it; else the system has it.
    pub syncs: bool,
    /// A segment that is longer, in bytes, is followed by another one.
    pub segment: u64,
}

/// Where a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    segment: u32,
    offset: u64,
    length: u32,
}

/// By conversation that goes on: where its records are.
type Places = BTreeMap<String, Vec<Place>>;

/// Why a journal cannot be used.
#[derive(Debug)]
pub struct JournalError {
    /// A file, and its line.
    pub place: String,
    /// What is wrong.
    pub text: String,
    /// What to do about it.
    pub help: Option<&'static str>,
}

/// What the files have.
struct Contents {
    number: u32,
    /// The length of the last file without a record that is torn.
    length: u64,
    last: Option<Moment>,
    note: Option<String>,
    places: Places,
}

fn failure(path: &Path, error: &std::io::Error) -> JournalError {
    JournalError { place: shown(path), text: error.to_string(), help: None }
}

const DAMAGED: &str = "restore the file from a copy, or begin with an empty folder";

impl Journal {
    /// Opens a journal, and does again in the guard what it says; also returns what there is to be told about it. The
    /// digest is of what is guarded: a journal of something else is none.
    ///
    /// # Errors
    /// If it cannot be read or written, or is damaged.
    pub fn open(
        folder: &Path,
        settings: JournalSettings,
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
        let Contents { number, length, note, places, .. } = contents;
        let journal = Self {
            folder: folder.to_owned(),
            _lock: lock,
            file,
            settings,
            digest: digest.to_owned(),
            number,
            length,
            most: settings.segment,
            places,
        };
        journal.sync_folder().map_err(|error| failure(folder, &error))?;
        Ok((journal, note))
    }

    /// Writes records, all of them at once; they are on the disk afterwards. They are all that the guard has recorded
    /// since the last ones.
    pub(super) fn write(&mut self, records: &[Record], guard: &mut Guard) -> io::Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        let mut text = String::new();
        for record in records {
            let line = record.to_line();
            let offset = self.length + text.len() as u64;
            let place = Place { segment: self.number, offset, length: line.len() as u32 };
            note_place(&mut self.places, record, place, guard);
            text.push_str(&line);
        }
        self.file.write_all(text.as_bytes())?;
        self.length += text.len() as u64;
        if self.settings.syncs {
            self.file.sync_data()?;
        }
        if self.length > self.most {
            let begun = self.next_segment(guard);
            // If that fails, this one goes on, and it is tried again later.
            self.most = match begun {
                Ok(()) => self.settings.segment.max(2 * self.length),
                Err(_) => self.length + self.settings.segment,
            };
        }
        Ok(())
    }

    /// Begins another segment with all that is needed of those before. It has its name once it is whole.
    fn next_segment(&mut self, guard: &mut Guard) -> io::Result<()> {
        self.places.retain(|name, _| guard.is_live(name));
        let carried = guard.carry_over(Clock::default().now(), self.digest.clone());
        let number = self.number + 1;
        let unfinished = self.folder.join("next");
        let mut options = OpenOptions::new();
        options.create(true).truncate(true).write(true);
        private(&mut options);
        let mut out = BufWriter::new(options.open(&unfinished)?);
        let first = carried.first.to_line();
        out.write_all(first.as_bytes())?;
        let mut length = first.len() as u64;
        let places = self.copy(number, &mut length, &mut out)?;
        for record in &carried.ended {
            let line = record.to_line();
            out.write_all(line.as_bytes())?;
            length += line.len() as u64;
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if self.settings.syncs {
            file.sync_all()?;
        }
        std::fs::rename(&unfinished, segment(&self.folder, number))?;
        (self.file, self.number, self.length, self.places) = (file, number, length, places);
        self.sync_folder()
    }

    /// Copies the records of conversations that go on, in their order; returns where they are now.
    fn copy(&self, number: u32, length: &mut u64, out: &mut impl io::Write) -> io::Result<Places> {
        let named = |(name, places): (&String, &Vec<Place>)| {
            places.iter().map(|place| (*place, name.clone())).collect::<Vec<_>>()
        };
        let mut all: Vec<(Place, String)> = self.places.iter().flat_map(named).collect();
        all.sort_unstable();
        let mut copied = Places::new();
        let mut source: Option<(u32, File)> = None;
        for (place, name) in all {
            let file = match &mut source {
                Some((segment, file)) if *segment == place.segment => file,
                other => {
                    &mut other.insert((place.segment, File::open(segment(&self.folder, place.segment))?)).1
                }
            };
            file.seek(SeekFrom::Start(place.offset))?;
            let mut line = vec![0; place.length as usize];
            file.read_exact(&mut line)?;
            let whole = line.strip_suffix(b"\n").is_some_and(|record| Record::parse(record).is_ok());
            if !whole {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a record was damaged"));
            }
            out.write_all(&line)?;
            copied.entry(name).or_default().push(Place { segment: number, offset: *length, ..place });
            *length += line.len() as u64;
        }
        Ok(copied)
    }

    /// Lets the names of the files be on the disk, too.
    fn sync_folder(&self) -> std::io::Result<()> {
        if cfg!(unix) && self.settings.syncs { File::open(&self.folder)?.sync_all() } else { Ok(()) }
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

fn segment(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number:06}.jsonl"))
}

/// Notes where a record is, if it is needed after the segment.
fn note_place(places: &mut Places, record: &Record, place: Place, guard: &Guard) {
    let Some(name) = record.entry.conversation() else { return };
    // One with the name of another that had ended begins anew.
    if matches!(record.entry, Entry::Opened { .. }) {
        places.remove(name);
    }
    if !guard.is_live(name) {
        places.remove(name);
        return;
    }
    match places.get_mut(name) {
        Some(its) => its.push(place),
        None => drop(places.insert(name.to_owned(), vec![place])),
    }
}

/// The number of the last segment; 1 if there is none.
fn last_segment(folder: &Path) -> io::Result<u32> {
    let mut last = 1;
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".jsonl")?.parse().ok());
        last = last.max(number.unwrap_or(1));
    }
    Ok(last)
}

/// Whether a segment has all that is needed of those before. One of which that cannot be told is read, and so found
/// to be damaged.
fn is_first_to_read(path: &Path) -> io::Result<bool> {
    let mut line = Vec::new();
    let mut reader = BufReader::new(File::open(path)?.take(MAX_LINE));
    reader.read_until(b'\n', &mut line)?;
    let record = Record::parse(line.strip_suffix(b"\n").unwrap_or(&line));
    Ok(record.map_or(true, |record| matches!(record.entry, Entry::Carried { .. })))
}

fn read_all(folder: &Path, guard: &mut Guard, digest: &str) -> Result<Contents, JournalError> {
    let last = last_segment(folder).map_err(|error| failure(folder, &error))?;
    let mut contents = Contents { number: last, length: 0, last: None, note: None, places: Places::new() };
    let mut first = last;
    while first > 1 {
        let path = segment(folder, first);
        if is_first_to_read(&path).map_err(|error| failure(&path, &error))? {
            break;
        }
        first -= 1;
    }
    for number in first..=last {
        let path = segment(folder, number);
        if number == 1 && last == 1 && !path.exists() {
            return Ok(contents);
        }
        let is_last = number == last;
        contents.number = number;
        contents.length = read_segment(&path, is_last, guard, digest, &mut contents)?;
    }
    Ok(contents)
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
        number += 1;
        let damaged = |text: String| JournalError {
            place: format!("{}:{number}", shown(path)),
            text,
            help: Some(DAMAGED),
        };
        // Segments after the first one are whole from their beginning on.
        let begins = contents.number > 1 && number == 1;
        if read == 0 {
            return match begins {
                true => Err(damaged("the file is empty".to_owned())),
                false => Ok(length),
            };
        }
        let Some(text) = line.strip_suffix(b"\n") else {
            return match is_last && !begins && is_torn(&line) {
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
        let place = Place { segment: contents.number, offset: length, length: read as u32 };
        note_place(&mut contents.places, &record, place, guard);
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
        *flipped.last_mut().expect("it has bytes") ^= 1;
        assert!(!is_torn(&flipped));
        assert!(!is_torn(&line[..line.len() - 1]));
    }
}
