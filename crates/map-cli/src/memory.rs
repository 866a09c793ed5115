//! How much memory the machine has and this process has used, as far as the system tells.

use std::fs;

/// What is used where the system does not tell: 4 GiB.
const FALLBACK: u64 = 4 << 30;

/// The default of `--max-memory`: three quarters of the machine's memory.
pub(crate) fn default_limit() -> u64 {
    field("/proc/meminfo", "MemTotal:").map_or(FALLBACK, |total| total / 4 * 3)
}

/// The most memory this process has occupied so far.
pub(crate) fn peak() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// The memory this process occupies now.
pub(crate) fn current() -> Option<u64> {
    field("/proc/self/status", "VmRSS:")
}

/// A field in kB, as bytes.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
