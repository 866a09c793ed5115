//! Ctrl-C: asks long work to stop and to print what is known; the second one stops at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::exit::Exit;

/// Signals that come so soon after the first are the same Ctrl-C.
const SAME: Duration = Duration::from_millis(300);

/// Becomes true when the user wants to stop.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Takes over Ctrl-C. To be called once.
    pub(crate) fn install() -> Self {
        let flag = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&flag);
        let mut first = None;
        // Without a handler Ctrl-C just kills the process, which is no worse than the second one does.
        let _ = ctrlc::set_handler(move || {
            seen.store(true, Ordering::Relaxed);
            // Wrappers such as timeout(1) deliver one signal twice.
            if first.get_or_insert_with(Instant::now).elapsed() > SAME {
                crate::outside::kill_all();
                std::process::exit(i32::from(Exit::Interrupted.code()));
            }
        });
        Self(flag)
    }

    /// What becomes true.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
