//! `--save-trace`: writes the steps of a run to a file, atomically.

use std::path::{Path, PathBuf};

use map_trace::NewTrace;

use crate::console::Console;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};

/// The flag, as it appears in error messages.
pub(crate) const FLAG: &str = "--save-trace";

/// The flag that saves a trace.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SaveArgs {
    /// Save the trace to that file, for `map replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) save_trace: Option<PathBuf>,
}

impl SaveArgs {
    /// What is wrong with the file to write, found before anything is done.
    pub(crate) fn check(&self, inputs: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), String> {
        self.save_trace.as_deref().map_or(Ok(()), |target| check_target(FLAG, target, inputs))
    }
}

/// Writes a trace; what goes wrong is told on standard error and makes the exit code that of an unreadable file.
pub(crate) fn save(
    saved: NewTrace<'_, impl ToString>,
    target: &Path,
    console: &mut Console,
) -> Result<bool, Failure> {
    write_besides("the trace", target, &saved.to_text()?, console)
}
