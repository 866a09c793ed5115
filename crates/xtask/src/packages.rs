//! The crates that others wrote: what `cargo tree` and `Cargo.lock` say of them.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use map_tests::documentation::root;

#[cfg(test)]
mod tests;

/// A line of the tree of dependencies.
pub(crate) struct Line {
    /// How far below the root.
    pub(crate) depth: usize,
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) licence: String,
}

/// What `cargo tree` prints with these arguments. What is below a crate is listed only once.
pub(crate) fn tree(arguments: &[&str]) -> Result<Vec<Line>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--locked", "--prefix", "depth", "--format", "{p}\t{l}"])
        .args(arguments)
        .current_dir(root())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| read(line).ok_or_else(|| format!("not understood: {line}")))
        .collect()
}

/// Reads a line such as `2serde v1.0.229\tMIT OR Apache-2.0 (*)`.
fn read(line: &str) -> Option<Line> {
    let (package, licence) = line.split_once('\t')?;
    let depth = package.find(|sign: char| !sign.is_ascii_digit())?;
    let mut words = package[depth..].split(' ');
    Some(Line {
        depth: package[..depth].parse().ok()?,
        name: words.next()?.to_owned(),
        version: words.next()?.strip_prefix('v')?.to_owned(),
        licence: licence.trim_end_matches(" (*)").replace('/', " OR "),
    })
}

/// The digests (SHA-256) in `Cargo.lock`, by name and version. Crates of the workspace have none.
pub(crate) fn checksums() -> Result<BTreeMap<(String, String), String>, String> {
    let text =
        fs::read_to_string(root().join("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))?;
    let entries = text.split("[[package]]\n").skip(1).filter_map(|entry| {
        let value = |key: &str| {
            let value = entry.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
            Some(value.trim_matches('"').to_owned())
        };
        Some(((value("name")?, value("version")?), value("checksum")?))
    });
    Ok(entries.collect())
}
