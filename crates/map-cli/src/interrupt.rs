//! Ctrl-C: asks long work to stop and to print what is known; the second one stops at once, but not in the middle of
//! writing a file. Where no work has begun, the first one does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use map_doors::files::end_of_writing;
use map_doors::{kill_all, remove_temporary_folders};

use crate::exit::Exit;
use crate::terminal_modes;

/// Signals that arrive this soon after the first count as the same Ctrl-C.
const DEBOUNCE: Duration = Duration::from_millis(300);

/// The longest wait for a file that is being written.
const WRITE_GRACE: Duration = Duration::from_secs(5);

/// Becomes true when the user wants to stop.
static WANTED: AtomicBool = AtomicBool::new(false);

/// Whether there is nothing to be stopped but the command itself: nobody has asked to hear, or somebody is waited for.
static WAITING: AtomicBool = AtomicBool::new(true);

/// Takes over Ctrl-C. To be called once, before anything is written.
pub(crate) fn listen() {
    let mut since = Instant::now();
    // Without a handler Ctrl-C just kills the process, which is no worse than the second one does.
    let _ = ctrlc::set_handler(move || {
        let again = WANTED.swap(true, Ordering::SeqCst);
        // Wrappers such as timeout(1) deliver one signal twice.
        if WAITING.load(Ordering::SeqCst) || again && since.elapsed() > DEBOUNCE {
            kill_all();
            remove_temporary_folders();
            end();
        }
        if !again {
            since = Instant::now();
        }
    });
}

/// Does what may take for ever, such as to write to a pipe that nobody reads; Ctrl-C meanwhile ends the command.
pub(crate) fn while_blocked<T>(block: impl FnOnce() -> T) -> T {
    let before = WAITING.swap(true, Ordering::SeqCst);
    let result = block();
    WAITING.store(before, Ordering::SeqCst);
    result
}

/// Ends the command as soon as no file is being written; if that takes long, anyway.
fn end() -> ! {
    end_of_writing(WRITE_GRACE);
    terminal_modes::restore();
    std::process::exit(i32::from(Exit::Interrupted.code()))
}

/// Somebody who hears when the user wants to stop.
#[derive(Clone)]
pub(crate) struct Interrupt(());

impl Interrupt {
    /// From now on the first Ctrl-C is heard, and does not end the command.
    pub(crate) fn install() -> Self {
        WAITING.store(false, Ordering::SeqCst);
        Self(())
    }

    /// Waits for somebody to type something. Ctrl-C meanwhile, or just before, ends the process.
    pub(crate) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        WAITING.store(true, Ordering::SeqCst);
        if self.is_set() {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
        let result = wait();
        WAITING.store(false, Ordering::SeqCst);
        result
    }

    /// Resets the request to stop, once the work has stopped and the command goes on.
    pub(crate) fn clear(&self) {
        WANTED.store(false, Ordering::Relaxed);
    }

    /// What becomes true.
    pub(crate) fn flag(&self) -> &'static AtomicBool {
        &WANTED
    }

    pub(crate) fn is_set(&self) -> bool {
        WANTED.load(Ordering::Relaxed)
    }
}
