//! Checkpoints: files from which a search goes on later, one for each search behind a verdict.
//!
//! A file has a line with the version of the format; the digest of what is searched, and how; the number of the
//! search; whether it has ended by itself; what the engine needs, with seals of its own; and the SHA-256 digest of all
//! this. It is replaced as a whole, so that there is always one that is complete. A file that is not as it was written,
//! or not for this search, is refused.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use map_verify::{Keep, check_kept};
use sha2::{Digest as _, Sha256};

use crate::files::put;
use crate::names::shown;

/// The first line of each file. The number changes with the format.
const FIRST: &[u8] = b"map checkpoint 2\n";

/// What all versions of the format have in common.
const ANY: &[u8] = b"map checkpoint ";

/// Bytes of a digest.
const DIGEST: usize = 32;

/// Bytes before what the engine needs, and at least in a file.
const HEAD: usize = FIRST.len() + DIGEST + size_of::<u32>() + 1;
const LEAST: u64 = (HEAD + DIGEST) as u64;

/// Bytes read at a time.
const CHUNK: usize = 1 << 16;

/// Checkpoints that several parts of a command use.
pub(crate) type SharedCheckpoints = Rc<RefCell<Checkpoints>>;

/// A folder of checkpoints.
pub(crate) struct Checkpoints {
    folder: PathBuf,
    /// The digest of all that the findings depend on.
    identity: [u8; DIGEST],
    /// The least time between two checkpoints.
    every: Duration,
    /// When the last one was written, or the command began.
    last: Instant,
    /// Those to go on from, in the order of the searches.
    earlier: Vec<File>,
    /// Number of searches begun.
    begun: u32,
    /// Why a checkpoint could not be written.
    problem: Option<String>,
}

/// The digest of the build of this program, and of all that the findings of a search depend on: another build may
/// number states in another order.
pub(crate) fn identity(parts: &[&str]) -> [u8; DIGEST] {
    let mut digest = Sha256::new_with_prefix(concat!(env!("CARGO_PKG_VERSION"), " ", env!("MAP_BUILD")));
    for part in parts {
        // With their lengths, so that no two lists look alike.
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}

impl Checkpoints {
    /// Checkpoints in a folder that has none, and is made if it is missing.
    ///
    /// # Errors
    /// What is wrong with the folder.
    pub(crate) fn begin(folder: &Path, identity: [u8; DIGEST], every: Duration) -> Result<Self, String> {
        let wrong = |what: &dyn std::fmt::Display| format!("--checkpoint {}: {what}", shown(folder));
        if file_of(folder, 1).exists() {
            return Err(wrong(&"there is a checkpoint in it; go on from it with --resume, or remove it"));
        }
        fs::create_dir_all(folder).map_err(|error| wrong(&error))?;
        // Better now than after hours.
        tempfile::tempfile_in(folder).map_err(|error| wrong(&error))?;
        Ok(Self::new(folder, identity, every, Vec::new()))
    }

    /// Checkpoints in a folder, to go on from. All of them are read and checked. Those after a search that has not ended
    /// by itself are removed: when it goes on, other searches may follow.
    ///
    /// # Errors
    /// If there is none, or what is wrong with one of them.
    pub(crate) fn resume(folder: &Path, identity: [u8; DIGEST], every: Duration) -> Result<Self, String> {
        let (mut earlier, mut void, mut is_void) = (Vec::new(), Vec::new(), false);
        for (number, path) in (1..).map(|number| (number, file_of(folder, number))) {
            let opened = File::open(&path);
            if opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
                break;
            }
            let wrong = |what: String| format!("--resume: {}: {what}", shown(&path));
            let mut file = opened.map_err(|error| wrong(error.to_string()))?;
            let finished = check(&mut file, &identity, number).map_err(wrong)?;
            if is_void {
                void.push(path);
            } else {
                earlier.push(file);
            }
            is_void |= !finished;
        }
        // The last one first, so that no gap hides those behind it.
        for path in void.iter().rev() {
            fs::remove_file(path).map_err(|error| format!("--resume: {}: {error}", shown(path)))?;
        }
        match earlier.is_empty() {
            true => Err(format!("--resume {}: there is no checkpoint in it", shown(folder))),
            false => Ok(Self::new(folder, identity, every, earlier)),
        }
    }

    fn new(folder: &Path, identity: [u8; DIGEST], every: Duration, earlier: Vec<File>) -> Self {
        let folder = folder.to_owned();
        Self { folder, identity, every, last: Instant::now(), earlier, begun: 0, problem: None }
    }

    /// Begins the next search: what it is to go on from, if there is anything.
    pub(crate) fn next_search(&mut self) -> Option<Box<dyn Read>> {
        self.begun += 1;
        let file = self.earlier.get(self.begun as usize - 1)?;
        let open = || -> io::Result<Box<dyn Read>> {
            let mut file = file.try_clone()?;
            let len = file.metadata()?.len().saturating_sub(LEAST);
            file.seek(SeekFrom::Start(HEAD as u64))?;
            Ok(Box::new(file.take(len)))
        };
        // A file that cannot be read any more is reported by whoever reads it.
        Some(open().unwrap_or_else(|_| Box::new(io::empty())))
    }

    /// Writes a checkpoint of the search begun last, if it ends or if it is time.
    pub(crate) fn keep(&mut self, content: &Keep<'_>) {
        if !content.ends && self.last.elapsed() < self.every {
            return;
        }
        let path = file_of(&self.folder, self.begun);
        self.problem = put(&path, |file| self.write(content, file))
            .err()
            .map(|error| format!("no checkpoint could be written to {}: {error}", shown(&path)));
        self.last = Instant::now();
    }

    fn write(&self, content: &Keep<'_>, file: &mut File) -> io::Result<()> {
        let mut out = Digesting { out: BufWriter::new(file), digest: Sha256::new() };
        out.write_all(FIRST)?;
        out.write_all(&self.identity)?;
        out.write_all(&self.begun.to_le_bytes())?;
        out.write_all(&[u8::from(content.finished)])?;
        content.write(&mut out)?;
        let Digesting { mut out, digest } = out;
        out.write_all(&digest.finalize())?;
        out.flush()
    }

    /// Why the last checkpoint could not be written.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}

fn file_of(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("search-{number}.checkpoint"))
}

/// Checks that a file is as it was written, and for this search. Returns whether the search has ended by itself. The
/// error says what is wrong.
fn check(file: &mut File, identity: &[u8; DIGEST], number: u32) -> Result<bool, String> {
    let mut head = [0; HEAD];
    let text = |error: io::Error| error.to_string();
    let len = file.metadata().map_err(text)?.len();
    let read = file.read(&mut head[..ANY.len()]).map_err(text)?;
    if !ANY.starts_with(&head[..read]) || read == 0 && len > 0 {
        return Err("this is no checkpoint".to_owned());
    }
    if len < LEAST {
        return Err("this checkpoint is damaged: it is too short".to_owned());
    }
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_exact(&mut head)).map_err(text)?;
    let (first, rest) = head.split_at(FIRST.len());
    if first != FIRST {
        return Err("this checkpoint is in the format of another version of map".to_owned());
    }
    if !is_whole(file, len - DIGEST as u64).map_err(text)? {
        return Err("this checkpoint is damaged: it does not have its checksum".to_owned());
    }
    let (its_identity, its_number) = rest.split_at(DIGEST);
    if its_identity != identity {
        return Err(
            "this checkpoint is of another text, of other flags or of another version of map".to_owned()
        );
    }
    let (its_number, finished) = its_number.split_at(size_of::<u32>());
    if its_number != number.to_le_bytes() {
        return Err("this checkpoint has the name of another one".to_owned());
    }
    file.seek(SeekFrom::Start(HEAD as u64)).map_err(text)?;
    check_kept(&mut BufReader::new(file.take(len - LEAST)))
        .map_err(|error| format!("this checkpoint is damaged: {error}"))?;
    match finished {
        [0] => Ok(false),
        [1] => Ok(true),
        _ => Err("this checkpoint is damaged: nothing says whether its search has ended".to_owned()),
    }
}

/// Whether the digest at the end of a file is that of the `len` bytes before it.
fn is_whole(file: &mut File, len: u64) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let (mut digest, mut left, mut chunk) = (Sha256::new(), len, vec![0; CHUNK]);
    while left > 0 {
        let part = &mut chunk[..usize::try_from(left).unwrap_or(CHUNK).min(CHUNK)];
        file.read_exact(part)?;
        digest.update(&*part);
        left -= part.len() as u64;
    }
    let mut expected = [0; DIGEST];
    file.read_exact(&mut expected)?;
    Ok(<[u8; DIGEST]>::from(digest.finalize()) == expected)
}

/// Computes the digest of what passes through.
struct Digesting<W> {
    out: W,
    digest: Sha256,
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
