//! The package for Python: `python/wheel` builds and checks it, in an environment of its own.

use std::path::Path;
use std::process::Command;

/// Builds the wheel and the sources.
///
/// # Errors
/// If they cannot be built, or the wheel says of itself what is not so.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    run_script(root, "python/wheel")
}

/// Runs a script of the repository.
///
/// # Errors
/// If it cannot be run, or fails.
pub(crate) fn run_script(root: &Path, script: &str) -> Result<(), String> {
    let status = Command::new(root.join(script)).status().map_err(|error| format!("{script}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{script}: {status}")) }
}
