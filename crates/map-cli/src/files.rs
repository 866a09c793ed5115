//! Files that are written: as a whole or not at all, and never over one that is read.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::undisturbed;

/// The endings of what people write, and no flag replaces.
const OF_PEOPLE: [(&str, &str); 2] = [("map", "dialogues"), ("maptest", "tests")];

/// What is wrong with the name of a file to write, found before anything is done. A pattern of the shell may have put a
/// dialogue behind the flag: one of those to be read, or another.
pub(crate) fn check_target(
    flag: &str,
    target: &Path,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), String> {
    check_place(flag, target, inputs)?;
    let shown = target.display();
    let ending = target.extension().unwrap_or_default();
    match OF_PEOPLE.iter().find(|(it, _)| ending.eq_ignore_ascii_case(it)) {
        Some((it, what)) => Err(format!("{flag} {shown}: .{it} is the ending of {what}; choose another")),
        None => Ok(()),
    }
}

/// The same whatever the ending.
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

/// Writes a file besides what is printed. What goes wrong is told on standard error and makes the exit code that of an
/// unreadable file: the result is known all the same. Whether it was written.
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

/// Gives a file this content, whether or not it exists: all of it or nothing. A device or a pipe is written to.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(it) if it.is_file() => replace(path, text),
        Ok(it) if it.is_dir() => Err(io::Error::other("it is a directory")),
        Ok(_) => OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes()),
        Err(_) if path.is_symlink() => Err(io::Error::other("it is a link to what is not there")),
        Err(_) => create(path, text),
    }
}

/// Writes a new file; one that exists is an error.
pub(crate) fn create(path: &Path, text: &str) -> io::Result<()> {
    undisturbed(|| {
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
    undisturbed(|| replace_now(path, content))
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

fn filled(builder: &mut Builder<'_, '_>, folder: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut temporary = builder.prefix(".map-").suffix(".tmp").tempfile_in(folder)?;
    temporary.write_all(text.as_bytes())?;
    Ok(temporary)
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
