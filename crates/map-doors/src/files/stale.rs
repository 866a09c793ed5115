//! Temporary files of processes that were killed while they wrote.
//!
//! Whoever writes holds a lock on the file, which the system takes away when the process ends, however that happens. So
//! a temporary file without a lock belongs to nobody.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What the names of temporary files begin with, how many letters and digits follow, and how they end.
pub(super) const PREFIX: &str = ".map-";
pub(super) const RANDOM: usize = 6;
pub(super) const SUFFIX: &str = ".tmp";

/// The folders that have been swept: once is enough.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Locks a new temporary file; whether it is still there. Between its creation and the lock somebody may have swept it.
pub(super) fn claim(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => is_linked(file),
        Err(TryLockError::WouldBlock) => false,
        // Where there are no locks nobody sweeps.
        Err(TryLockError::Error(_)) => true,
    }
}

/// Removes the temporary files in a folder that nobody writes any more. What cannot be removed stays.
pub(super) fn sweep(folder: &Path) {
    if !SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if is_temporary(&entry.file_name()) && entry.file_type().is_ok_and(|it| it.is_file()) {
            let path = entry.path();
            // Locked until it is gone: a writer that claims it in between would write what is removed.
            if let Ok(file) = File::open(&path)
                && file.try_lock().is_ok()
            {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

fn is_temporary(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    random.is_some_and(|it| it.len() == RANDOM && it.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(unix)]
fn is_linked(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.metadata().is_ok_and(|it| it.nlink() > 0)
}

// Elsewhere a file that is open cannot be removed.
#[cfg(not(unix))]
fn is_linked(_: &File) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::{claim, is_temporary, sweep};

    #[test]
    fn only_what_nobody_writes_is_swept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let names =
            [".map-abc123.tmp", ".map-ABCdef.tmp", ".map-notes.tmp", "map-abc123.tmp", ".map-ab_123.tmp"];
        for name in names {
            fs::write(path(name), "text").expect("it can be written");
        }
        let written = File::open(path(".map-ABCdef.tmp")).expect("it is there");
        assert!(claim(&written));
        sweep(folder.path());
        let left: Vec<&str> = names.into_iter().filter(|name| path(name).exists()).collect();
        assert_eq!(left, names[1..]);
        assert!(is_temporary(".map-abc123.tmp".as_ref()));
    }

    #[test]
    fn a_file_that_was_swept_is_not_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(".map-abc123.tmp");
        let file = File::create(&path).expect("it can be made");
        let sweeper = File::open(&path).expect("it is there");
        sweeper.try_lock().expect("nobody else has it");
        assert!(!claim(&file));
        fs::remove_file(&path).expect("it is there");
        drop(sweeper);
        assert_eq!(claim(&file), cfg!(not(unix)));
    }
}
