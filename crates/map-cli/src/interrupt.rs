//! Ctrl-C: asks long work to stop and to print what is known; the second one stops at once, but not in the middle of
//! writing a file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use crate::exit::Exit;
use crate::process_group::kill_all;

/// Signals that come so soon after the first are the same Ctrl-C.
const SAME: Duration = Duration::from_millis(300);

/// How long a file that is being written is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// Writes a file, with a temporary one beside it; Ctrl-C does not leave that behind.
pub(crate) fn undisturbed<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock();
    write()
}

/// Ends the command as soon as no file is being written; if that takes long, anyway.
fn end() -> ! {
    let since = Instant::now();
    let mut writing = WRITING.try_lock();
    while matches!(writing, Err(TryLockError::WouldBlock)) && since.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
        writing = WRITING.try_lock();
    }
    std::process::exit(i32::from(Exit::Interrupted.code()))
}

/// Becomes true when the user wants to stop.
#[derive(Clone)]
pub(crate) struct Interrupt {
    wanted: Arc<AtomicBool>,
    /// Whether somebody is waited for: then there is nothing to be stopped but the command itself.
    waiting: Arc<AtomicBool>,
}

impl Interrupt {
    /// Takes over Ctrl-C. To be called once.
    pub(crate) fn install() -> Self {
        let interrupt = Self { wanted: Arc::default(), waiting: Arc::default() };
        let Self { wanted, waiting } = interrupt.clone();
        let mut since = Instant::now();
        // Without a handler Ctrl-C just kills the process, which is no worse than the second one does.
        let _ = ctrlc::set_handler(move || {
            let again = wanted.swap(true, Ordering::SeqCst);
            // Wrappers such as timeout(1) deliver one signal twice.
            if waiting.load(Ordering::SeqCst) || again && since.elapsed() > SAME {
                kill_all();
                end();
            }
            if !again {
                since = Instant::now();
            }
        });
        interrupt
    }

    /// Waits for somebody to type something; Ctrl-C meanwhile, or just before, ends the command.
    pub(crate) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.waiting.store(true, Ordering::SeqCst);
        if self.wanted.load(Ordering::SeqCst) {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
        let result = wait();
        self.waiting.store(false, Ordering::Relaxed);
        result
    }

    /// Forgets that the user wanted to stop: what was under way has stopped, and the command goes on.
    pub(crate) fn clear(&self) {
        self.wanted.store(false, Ordering::Relaxed);
    }

    /// What becomes true.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.wanted
    }

    pub(crate) fn is_set(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }
}
