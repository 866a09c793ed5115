//! Temporary folders, which Ctrl-C does not leave behind.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

/// All that there are; `None` once no more may be made.
static LIVE: Mutex<Option<BTreeSet<PathBuf>>> = Mutex::new(Some(BTreeSet::new()));

/// How often the removal of a folder is tried, into which somebody may still be writing.
const TRIES: usize = 10;

/// A folder, removed with all that is in it when dropped.
pub(crate) struct Folder(TempDir);

/// Removes every folder and prevents new ones: for use just before the process exits.
pub fn remove_temporary_folders() {
    for folder in live().take().unwrap_or_default() {
        let _ = (0..TRIES).find(|_| fs::remove_dir_all(&folder).is_ok() || !folder.exists());
    }
}

fn live() -> MutexGuard<'static, Option<BTreeSet<PathBuf>>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Folder {
    pub(crate) fn create(prefix: &str) -> io::Result<Self> {
        let mut live = live();
        let Some(live) = &mut *live else { return Err(io::ErrorKind::Interrupted.into()) };
        let folder = tempfile::Builder::new().prefix(prefix).tempdir()?;
        live.insert(folder.path().to_owned());
        Ok(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It is removed right after, or by whoever has taken the list.
        if let Some(live) = &mut *live() {
            live.remove(self.path());
        }
    }
}
