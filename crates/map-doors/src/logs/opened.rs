//! Opens a log, once. What is no file with positions, such as a pipe, is copied into one without a name first.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::{LogFault, is_stdin, shown_log};

/// How much is read at a time.
const CHUNK: usize = 1 << 16;
/// How often to look whether the user wants to stop while nothing comes.
const PAUSE: Duration = Duration::from_millis(50);

/// A log in a file, to be read from any place.
#[derive(Clone)]
pub struct OpenLog {
    /// The name as it is shown.
    pub name: String,
    file: Arc<Mutex<File>>,
    /// Where the log begins in the file.
    base: u64,
}

/// What arrives of a log that has no positions, or may be long in coming.
pub(super) enum Arrival {
    /// It has been opened, and is a file.
    File(File),
    /// Some bytes.
    Bytes(Vec<u8>),
}

impl OpenLog {
    /// Opens a log, of which at most `most` bytes are copied if it is no file. If the user wants to stop meanwhile, the
    /// copy ends, and the flag is cleared: what has come by then is the log, and this returns true beside it.
    ///
    /// # Errors
    /// If it cannot be opened or copied, or is too large for that.
    pub fn open(path: &Path, most: u64, stop: &AtomicBool) -> Result<(Self, bool), LogFault> {
        let name = shown_log(path);
        let failed = |error: io::Error| LogFault::unreadable(path, &error);
        let arrivals = arrivals(path);
        let mut copy: Option<File> = None;
        let mut length = 0;
        let mut is_cut = false;
        loop {
            if stop.swap(false, Ordering::Relaxed) {
                is_cut = true;
                break;
            }
            let bytes = match arrivals.recv_timeout(PAUSE) {
                Ok(Ok(Arrival::File(mut file))) => {
                    let base = file.stream_position().map_err(failed)?;
                    return Ok((Self { name, file: Arc::new(Mutex::new(file)), base }, false));
                }
                Ok(Ok(Arrival::Bytes(bytes))) => bytes,
                Ok(Err(error)) => return Err(failed(error)),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            length += bytes.len() as u64;
            if length > most {
                return Err(LogFault::too_large(path, most));
            }
            if copy.is_none() {
                copy = Some(tempfile::tempfile().map_err(failed)?);
            }
            if let Some(copy) = &mut copy {
                copy.write_all(&bytes).map_err(failed)?;
            }
        }
        let file = match copy {
            Some(copy) => copy,
            None => tempfile::tempfile().map_err(failed)?,
        };
        Ok((Self { name, file: Arc::new(Mutex::new(file)), base: 0 }, is_cut))
    }

    /// Reads some bytes from a place on; none at the end.
    pub(super) fn read(&self, at: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.base.saturating_add(at)))?;
        bytes.clear();
        (&mut *file).take(CHUNK as u64).read_to_end(bytes).map(drop)
    }
}

/// Opens a log in another thread, which then reads it if it is no file: neither can be interrupted.
pub(super) fn arrivals(path: &Path) -> Receiver<io::Result<Arrival>> {
    let (sender, arrivals) = sync_channel(16);
    let path: PathBuf = path.to_owned();
    thread::spawn(move || {
        let opened = if is_stdin(&path) { stdin() } else { File::open(&path) };
        // What it is the descriptor tells, and not the name.
        let opened = opened.and_then(|file| file.metadata().map(|metadata| (file, metadata.is_file())));
        let mut file = match opened {
            Ok((file, true)) => return drop(sender.send(Ok(Arrival::File(file)))),
            Ok((file, false)) => file,
            Err(error) => return drop(sender.send(Err(error))),
        };
        loop {
            let mut bytes = vec![0; CHUNK];
            match file.read(&mut bytes) {
                Ok(0) => return,
                Ok(length) => bytes.truncate(length),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return drop(sender.send(Err(error))),
            }
            if sender.send(Ok(Arrival::Bytes(bytes))).is_err() {
                return;
            }
        }
    });
    arrivals
}

/// Standard input as a file, which it may be.
#[cfg(unix)]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Standard input as a file, which it may be.
#[cfg(windows)]
fn stdin() -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}
