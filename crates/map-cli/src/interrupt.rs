//! Ctrl-C: the first one asks long work to stop and report what is known; the second ends the process, though not in
//! the middle of writing a file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use crate::exit::Exit;
use crate::process_group::kill_all;

/// Signals that arrive this soon after the first count as the same Ctrl-C.
const DEBOUNCE: Duration = Duration::from_millis(300);

/// The longest wait for a file that is being written.
const WRITE_GRACE: Duration = Duration::from_secs(5);

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// Writes a file by way of a temporary one, which Ctrl-C must not leave behind.
pub(crate) fn uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock();
    write()
}

/// Ends the process as soon as no file is being written, or after [`WRITE_GRACE`].
fn end() -> ! {
    let since = Instant::now();
    let mut writing = WRITING.try_lock();
    while matches!(writing, Err(TryLockError::WouldBlock)) && since.elapsed() < WRITE_GRACE {
        std::thread::sleep(Duration::from_millis(5));
        writing = WRITING.try_lock();
    }
    std::process::exit(i32::from(Exit::Interrupted.code()))
}

/// Becomes true when the user wants to stop.
#[derive(Clone)]
pub(crate) struct Interrupt {
    wanted: Arc<AtomicBool>,
    /// Whether the command waits for input: then there is no work to stop, and Ctrl-C ends the process.
    waiting: Arc<AtomicBool>,
}

impl Interrupt {
    /// Installs the handler for Ctrl-C. To be called once.
    pub(crate) fn install() -> Self {
        let interrupt = Self { wanted: Arc::default(), waiting: Arc::default() };
        let Self { wanted, waiting } = interrupt.clone();
        let mut since = Instant::now();
        // Without a handler Ctrl-C kills the process, which is what the second one does anyway.
        let _ = ctrlc::set_handler(move || {
            let again = wanted.swap(true, Ordering::SeqCst);
            // Wrappers such as timeout(1) deliver one signal twice.
            if waiting.load(Ordering::SeqCst) || again && since.elapsed() > DEBOUNCE {
                kill_all();
                end();
            }
            if !again {
                since = Instant::now();
            }
        });
        interrupt
    }

    /// Waits for somebody to type something. Ctrl-C meanwhile, or just before, ends the process.
    pub(crate) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.waiting.store(true, Ordering::SeqCst);
        if self.wanted.load(Ordering::SeqCst) {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
        let result = wait();
        self.waiting.store(false, Ordering::Relaxed);
        result
    }

    /// Resets the request to stop, once the work has stopped and the command goes on.
    pub(crate) fn clear(&self) {
        self.wanted.store(false, Ordering::Relaxed);
    }

    /// The flag that Ctrl-C sets, for work that polls it.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.wanted
    }

    pub(crate) fn is_set(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }
}
