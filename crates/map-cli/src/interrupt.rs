//! Ctrl-C: asks long work to stop and to print what is known; the second one stops at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::exit::Exit;

/// Signals that come so soon after the first are the same Ctrl-C.
const SAME: Duration = Duration::from_millis(300);

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
                crate::outside::kill_all();
                std::process::exit(i32::from(Exit::Interrupted.code()));
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
