//! A folder of checkpoints belongs to one search at a time.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// A lock on a folder, for as long as it exists. The operating system keeps it, so it ends with the process, however
/// that ends; the file that stays behind means nothing.
pub(super) struct Lock {
    /// `None` where the file system has no locks.
    _file: Option<File>,
}

/// The file that is locked.
const NAME: &str = "lock";

impl Lock {
    /// Locks a folder: for this process alone or, if `together`, for any number of processes that ask so.
    ///
    /// # Errors
    /// That another search uses the folder, or why its file cannot be opened.
    pub(super) fn take(folder: &Path, together: bool) -> Result<Self, String> {
        let mut options = File::options();
        let file = options.create(true).truncate(false).write(true).open(folder.join(NAME));
        let file = file.map_err(|error| error.to_string())?;
        let locked = if together { file.try_lock_shared() } else { file.try_lock() };
        match locked {
            Ok(()) => Ok(Self { _file: Some(file) }),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                Ok(Self { _file: None })
            }
            Err(TryLockError::WouldBlock) => Err("another search keeps its checkpoints here".to_owned()),
            Err(TryLockError::Error(error)) => Err(error.to_string()),
        }
    }
}
