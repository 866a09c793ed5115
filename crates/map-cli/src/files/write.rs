//! The one place where files are written: as a whole or not at all.
//!
//! A new content is written beside the old one and then put in its place. Ctrl-C waits for that; what a process leaves
//! behind that is killed meanwhile is removed by the next one that writes into the folder.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::stale;
use crate::interrupt::{uninterrupted, while_blocked};

/// How often a temporary file is made anew that somebody else took for a stale one.
const MAX_TRIES: usize = 100;

/// Gives a file this content, whether or not it exists: all of it or nothing. A device or a pipe is written to.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(it) if it.is_file() => replace(path, text),
        Ok(it) if it.is_dir() => Err(io::Error::other("it is a directory")),
        Ok(_) => while_blocked(|| OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes())),
        Err(_) if path.is_symlink() => Err(io::Error::other("it is a link to what is not there")),
        Err(_) => create(path, text),
    }
}

/// Writes a new file; one that exists is an error.
pub(crate) fn create(path: &Path, text: &str) -> io::Result<()> {
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
pub(crate) fn replace(path: &Path, content: &str) -> io::Result<()> {
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
pub(crate) fn put(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
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
