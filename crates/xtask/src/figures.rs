//! `cargo xtask figures`: measures again what the documentation says was measured, and tells which figures moved.
//!
//! A block of figures in a page is what a command printed, and says so above it:
//!
//! ````text
//! <!-- not run: measured -->
//! ```text
//! # 2026-11-27, commit 0123456789, AMD EPYC, 2 cores, 24 GiB: cargo xtask bench views
//! what the command printed
//! ```
//! ````
//!
//! `<!-- not run: measured once -->` marks what takes hours: it is measured again only with `--all`.

mod compare;
mod page;

use std::path::{Path, PathBuf};
use std::process::Command;

use page::Block;

use crate::study::measure::{commit, machine, today};

const USAGE: &str =
    "cargo xtask figures [--all] [--write] [PAGE]..; PAGE is a part of a path, such as benchmarks.md";

/// A figure that moved by more than this share of its documented value is reported.
const TOLERANCE: f64 = 0.2;

/// What the arguments ask for.
#[derive(Default)]
struct Request<'a> {
    /// Also what takes hours.
    all: bool,
    /// Replaces the blocks by what was measured.
    write: bool,
    /// Parts of the paths of pages; all pages, if none is given.
    pages: Vec<&'a str>,
}

/// Measures the blocks of all pages, or of those that the arguments name.
///
/// # Errors
/// Unknown flags, a page that cannot be read or written, a command that fails.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut request = Request::default();
    for &argument in arguments {
        match argument {
            "--all" => request.all = true,
            "--write" => request.write = true,
            flag if flag.starts_with('-') => return Err(USAGE.to_owned()),
            page => request.pages.push(page),
        }
    }
    let mut moved = 0;
    let mut measured = 0;
    for path in pages(root)? {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        if !request.pages.is_empty() && !request.pages.iter().any(|part| name.contains(part)) {
            continue;
        }
        let mut text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        for block in page::blocks(&text).map_err(|what| format!("{name}: {what}"))? {
            if block.rare && !request.all {
                println!("{name}: passed over, for it takes hours (--all): {}", block.command);
                continue;
            }
            let printed = output(root, &block.command)?;
            measured += 1;
            moved += report(&name, &block, &printed);
            if request.write {
                let heading =
                    format!("{}, commit {}, {}: {}", today()?, commit(root)?, machine(), block.command);
                text = page::with_block(&text, &block, &heading, &printed);
            }
        }
        if request.write {
            std::fs::write(&path, text).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    println!("{measured} blocks measured; {moved} lines moved by more than a fifth");
    Ok(())
}

/// Prints the lines that moved; returns their number.
fn report(name: &str, block: &Block, printed: &str) -> usize {
    let lines = compare::moved(&block.body, printed, TOLERANCE);
    println!("{name}: {}: {} of {} lines moved", block.command, lines.len(), printed.lines().count());
    for line in &lines {
        println!("  was {}\n  is  {}", line.was, line.is);
    }
    lines.len()
}

/// The README and the pages of the documentation, in the order of their paths.
fn pages(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = vec![root.join("README.md")];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// What a command prints to its standard output, started in the root of the workspace.
fn output(root: &Path, command: &str) -> Result<String, String> {
    let ran = Command::new("bash").args(["-c", command]).current_dir(root).output();
    let ran = ran.map_err(|error| format!("bash: {error}"))?;
    if !ran.status.success() {
        return Err(format!("{command}: {}", String::from_utf8_lossy(&ran.stderr)));
    }
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{page, pages};

    #[test]
    fn every_block_of_the_documentation_says_what_printed_it() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut found = 0;
        for path in pages(&root).expect("the pages can be listed") {
            let text = std::fs::read_to_string(&path).expect("the page can be read");
            let blocks = page::blocks(&text).unwrap_or_else(|what| panic!("{}: {what}", path.display()));
            found += blocks.len();
        }
        assert!(found >= 4, "{found} blocks");
    }
}
