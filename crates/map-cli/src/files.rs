//! Writes files: atomically, and never over an input.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::uninterrupted;

/// The extensions of files that people write by hand; no flag overwrites them.
const HAND_WRITTEN: [(&str, &str); 2] = [("map", "dialogues"), ("maptest", "tests")];

/// Checks the name of a file to write before any work is done. A shell pattern may have put a dialogue after the flag,
/// one of the inputs or another.
///
/// # Errors
/// What is wrong with the name.
pub(crate) fn check_target(
    flag: &str,
    target: &Path,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), String> {
    check_place(flag, target, inputs)?;
    let shown = target.display();
    let ending = target.extension().unwrap_or_default();
    match HAND_WRITTEN.iter().find(|(it, _)| ending.eq_ignore_ascii_case(it)) {
        Some((it, what)) => Err(format!("{flag} {shown}: .{it} is the ending of {what}; choose another")),
        None => Ok(()),
    }
}

/// Like [`check_target`], but allows any extension.
pub(crate) fn check_place(
    flag: &str,
    target: &Path,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), String> {
    let shown = target.display();
    if target.as_os_str().is_empty() || target.as_os_str() == "-" {
        return Err(format!("{flag} takes the name of a file, and is not for standard output"));
    }
    if target.is_dir() {
        return Err(format!("{flag} {shown}: this is a directory"));
    }
    if let Ok(whole) = fs::canonicalize(target) {
        let is_read = |input: &Path| fs::canonicalize(input).is_ok_and(|it| it == whole);
        if inputs.into_iter().any(|input| is_read(input.as_ref())) {
            return Err(format!("{flag} {shown}: this is a file to be read, and would be lost"));
        }
    }
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("{flag} {shown}: there is no directory {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Writes a file in addition to what is printed; returns whether that succeeded. A failure is reported on standard
/// error and sets [`Exit::Source`], but the command goes on, since its result does not depend on the file.
pub(crate) fn write_besides(
    what: &str,
    target: &Path,
    text: &str,
    console: &mut Console,
) -> Result<bool, Failure> {
    if let Err(error) = write_whole(target, text) {
        console.set_exit(Exit::Source);
        console.complain(&format!("error: {what} cannot be saved to {}: {error}\n", target.display()))?;
        return Ok(false);
    }
    Ok(true)
}

/// Creates or replaces a file atomically. Devices and pipes are written to in place.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(it) if it.is_file() => replace(path, text),
        Ok(it) if it.is_dir() => Err(io::Error::other("it is a directory")),
        Ok(_) => OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes()),
        Err(_) if path.is_symlink() => Err(io::Error::other("it is a link to what is not there")),
        Err(_) => create(path, text),
    }
}

/// Writes a new file atomically; it is an error if one exists.
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

/// Replaces the content of a file atomically: a reader, even after a crash, finds the old content or the new. Symbolic
/// links are followed. The file keeps its permissions, and its owner if the system allows it.
pub(crate) fn replace(path: &Path, content: &str) -> io::Result<()> {
    uninterrupted(|| replace_now(path, content))
}

fn replace_now(path: &Path, content: &str) -> io::Result<()> {
    let target = fs::canonicalize(path)?;
    let metadata = fs::metadata(&target)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    // Renaming over a read-only file would succeed, but would defy the user's intention.
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

fn filled(builder: &mut Builder<'_, '_>, folder: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut temporary = builder.prefix(".map-").suffix(".tmp").tempfile_in(folder)?;
    temporary.write_all(text.as_bytes())?;
    Ok(temporary)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Flushes the directory entry, without which a power failure may lose the new name. The content has been flushed
/// already, so errors are ignored.
fn sync(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Permissions 0666 less the user's umask, instead of the 0600 of temporary files: nothing here is secret.
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

/// Must run before the permissions are set: a change of owner may clear some of them.
#[cfg(unix)]
fn keep_owner(file: &File, metadata: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    // Only the superuser may keep another user's ownership; otherwise the file becomes ours.
    let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}
