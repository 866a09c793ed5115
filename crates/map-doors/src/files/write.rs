//! The one place where files are written: as a whole or not at all.
//!
//! A new content is written beside the old one and then put in its place. Ctrl-C waits for that; what a process leaves
//! behind that is killed meanwhile is removed by the next one that writes into the folder.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, TryLockError};
use std::time::{Duration, Instant};

use tempfile::{Builder, NamedTempFile};

use super::stale;

/// How often a temporary file is made anew that somebody else took for a stale one.
const MAX_TRIES: usize = 100;

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file is being written, at most so long: then the process may end without leaving half a file. Nobody
/// can begin to write one afterwards.
pub fn end_of_writing(longest: Duration) {
    let since = Instant::now();
    let mut writing = WRITING.try_lock();
    while matches!(writing, Err(TryLockError::WouldBlock)) && since.elapsed() < longest {
        std::thread::sleep(Duration::from_millis(5));
        writing = WRITING.try_lock();
    }
    // The process ends: it is never released.
    std::mem::forget(writing);
}

/// Writes a file, with a temporary one beside it, which whoever ends the process waits for.
fn uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock();
    write()
}

/// Writes a new file; one that exists is an error.
///
/// # Errors
/// If it exists, or cannot be written.
pub fn create(path: &Path, text: &str) -> io::Result<()> {
    uninterrupted(|| {
        let folder = folder_of(path);
        let temporary = filled(&mut with_usual_permissions(Builder::new()), folder, text)?;
        temporary.as_file().sync_all()?;
        temporary.persist_noclobber(path).map_err(|error| error.error)?;
        sync(folder);
        Ok(())
    })
}

/// Gives a file a new content. Whoever reads it meanwhile, or after a crash, finds the old or the new one. Behind a
/// symbolic link its target is replaced. The file keeps its permissions, and its owner if that is allowed.
///
/// # Errors
/// If it is no regular file, read-only, or cannot be written.
pub fn replace(path: &Path, content: &str) -> io::Result<()> {
    uninterrupted(|| replace_now(path, content))
}

fn replace_now(path: &Path, content: &str) -> io::Result<()> {
    let target = fs::canonicalize(path)?;
    let metadata = fs::metadata(&target)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    // A new file in its place would be possible, but is not what a read-only file asks for.
    if metadata.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    let folder = target.parent().ok_or_else(|| io::Error::other("it is in no folder"))?;
    let temporary = filled(&mut Builder::new(), folder, content)?;
    keep_owner(temporary.as_file(), &metadata);
    temporary.as_file().set_permissions(metadata.permissions())?;
    temporary.as_file().sync_all()?;
    temporary.persist(&target).map_err(|error| error.error)?;
    sync(folder);
    Ok(())
}

/// Puts a file in its place, whatever is there, once `fill` has written all of it.
///
/// # Errors
/// Those of `fill`, and if the file cannot be written.
pub fn put(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    uninterrupted(|| {
        let folder = folder_of(path);
        let mut temporary = claimed(&mut with_usual_permissions(Builder::new()), folder)?;
        fill(temporary.as_file_mut())?;
        temporary.as_file().sync_all()?;
        temporary.persist(path).map_err(|error| error.error)?;
        sync(folder);
        Ok(())
    })
}

fn filled(builder: &mut Builder<'_, '_>, folder: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut temporary = claimed(builder, folder)?;
    temporary.write_all(text.as_bytes())?;
    Ok(temporary)
}

/// A new temporary file, locked.
fn claimed(builder: &mut Builder<'_, '_>, folder: &Path) -> io::Result<NamedTempFile> {
    stale::sweep(folder);
    let builder = builder.prefix(stale::PREFIX).rand_bytes(stale::RANDOM).suffix(stale::SUFFIX);
    for _ in 0..MAX_TRIES {
        let temporary = builder.tempfile_in(folder)?;
        if stale::claim(temporary.as_file()) {
            return Ok(temporary);
        }
    }
    Err(io::Error::other("its temporary file is removed again and again"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The content is safe by then; only that the name leads to it may be lost with the power.
fn sync(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// What the user's mask leaves of reading and writing for all: nothing here is secret.
#[cfg(unix)]
fn with_usual_permissions<'p, 's>(mut builder: Builder<'p, 's>) -> Builder<'p, 's> {
    use std::os::unix::fs::PermissionsExt as _;

    builder.permissions(fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn with_usual_permissions<'p, 's>(builder: Builder<'p, 's>) -> Builder<'p, 's> {
    builder
}

/// Before the permissions are set: a change of owner may take some away.
#[cfg(unix)]
fn keep_owner(file: &File, metadata: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    // Refused to all but the superuser if the owner is another: then the file changes hands.
    let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}
