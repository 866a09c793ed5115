//! Asks the guard, which answers one request after the other on a thread of its own.

#[cfg(feature = "mcp")]
mod seat;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::SyncSender;

use super::peer::Input;

/// The way to the guard.
#[derive(Clone)]
pub(super) struct Asking {
    pub(super) inputs: SyncSender<Input>,
    pub(super) last: Arc<AtomicU64>,
}

impl Asking {
    pub(super) fn new(inputs: SyncSender<Input>) -> Self {
        Self { inputs, last: Arc::new(AtomicU64::new(0)) }
    }
}
