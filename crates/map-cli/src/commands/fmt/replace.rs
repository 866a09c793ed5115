//! Replaces a file as a whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::Builder;

use crate::interrupt::undisturbed;

/// Gives the file a new content. Whoever reads it meanwhile, or after a crash, finds the old or the new one. Behind a
/// symbolic link its target is replaced. The file keeps its permissions, and its owner if that is allowed.
pub(in crate::commands) fn replace(path: &Path, content: &str) -> io::Result<()> {
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
    let mut temporary = Builder::new().prefix(".map-fmt-").suffix(".tmp").tempfile_in(folder)?;
    temporary.write_all(content.as_bytes())?;
    keep_owner(temporary.as_file(), &metadata);
    temporary.as_file().set_permissions(metadata.permissions())?;
    temporary.as_file().sync_all()?;
    temporary.persist(&target).map_err(|error| error.error)?;
    // The content is safe by now; only that the name leads to it may be lost with the power.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
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
