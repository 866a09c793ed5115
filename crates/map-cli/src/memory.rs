//! The machine's memory and this process's use of it, in bytes, where the system reports them (Linux's `/proc`).

use std::fs;

/// The default limit where the system does not report its memory: 4 GiB.
const FALLBACK: u64 = 4 << 30;

/// The default of `--max-memory`: three quarters of the machine's memory.
pub(crate) fn default_limit() -> u64 {
    field("/proc/meminfo", "MemTotal:").map_or(FALLBACK, |total| total / 4 * 3)
}

/// The peak resident memory of this process.
pub(crate) fn peak() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// The resident memory of this process now.
pub(crate) fn current() -> Option<u64> {
    field("/proc/self/status", "VmRSS:")
}

/// A field that is given in kB, as bytes.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
