//! The logs of real systems: whole, or while they are written.

mod checkpoint;
mod clock;
mod fault;
mod follow;
mod opened;
mod resumed;
mod whole;

use std::path::Path;

pub use checkpoint::{FoundCheckpoint, KeptReading, LogCheckpoint};
pub use clock::WallClock;
pub use fault::LogFault;
pub use follow::{Follow, KeptLogs, NextLine};
pub use opened::OpenLog;
pub use whole::{LogEntry, WholeLogs};

use crate::names::shown;

/// Whether standard input is meant.
fn is_stdin(name: &Path) -> bool {
    name.as_os_str() == "-"
}

/// The name of a log as it is shown.
fn shown_log(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { shown(path) }
}
