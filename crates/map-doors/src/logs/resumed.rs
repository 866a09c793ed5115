//! Where in a log an earlier process stopped, and whether it is the same log.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

/// A place in a log: how many bytes and lines are before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) bytes: u64,
    pub(super) lines: u64,
}

/// How far a log has been read.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct KeptLog {
    /// The number of the log, and of the file that is read now.
    pub(super) log: usize,
    /// What tells the file from others; `None` if the system does not, or it was not there yet.
    pub(super) file: Option<(u64, u64)>,
    pub(super) place: Place,
    /// The digest of what is before that place.
    pub(super) tail: String,
    /// What the adapter remembers.
    pub(super) adapter: Json,
}

/// How much before a place is compared.
const TAIL: u64 = 1 << 12;
/// The maximum number of files that are looked through for a log that was renamed.
const MAX_FILES: usize = 10_000;

/// The digest of what is before a place in a file, which then stands `at` where it stood.
pub(super) fn tail_of(file: &mut File, place: Place, at: u64) -> io::Result<String> {
    let from = place.bytes.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    (&*file).take(place.bytes - from).read_to_end(&mut tail)?;
    file.seek(SeekFrom::Start(at))?;
    Ok(Sha256::digest(&tail).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The file of which an earlier process has read something, at the place to go on from: this one, or one in the folder
/// of the log that had its name before. Else this one, at its beginning.
pub(super) fn place_in(
    mut file: File,
    folder: &Path,
    earlier: &KeptLog,
    is_it: impl Fn(&Metadata) -> bool,
) -> io::Result<Result<File, File>> {
    let place = earlier.place;
    let goes_on = |file: &mut File| -> io::Result<bool> {
        Ok(file.metadata()?.len() >= place.bytes && tail_of(file, place, place.bytes)? == earlier.tail)
    };
    // Of one of which nothing was read nothing is missed.
    if place.bytes == 0 || is_it(&file.metadata()?) && goes_on(&mut file)? {
        return Ok(Ok(file));
    }
    for entry in fs::read_dir(folder)?.take(MAX_FILES).flatten() {
        let is_its = entry.metadata().is_ok_and(|it| it.is_file() && earlier.file.is_some() && is_it(&it));
        if is_its
            && let Ok(mut renamed) = File::open(entry.path())
            && goes_on(&mut renamed)?
        {
            return Ok(Ok(renamed));
        }
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(Err(file))
}
