//! Files that are written as a whole or not at all, what is left of those that were not, and where files are.

mod stale;
mod write;

use std::path::{Component, Path};

pub use write::{create, end_of_writing, put, replace};

/// Whether a file is inside a folder, links and all; one that is not there is.
#[must_use]
pub fn is_inside(folder: &Path, file: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (folder.canonicalize(), file.canonicalize()) {
        (Ok(folder), Ok(file)) => file.starts_with(folder),
        _ => !file.components().any(|part| matches!(part, Component::ParentDir)),
    }
}
