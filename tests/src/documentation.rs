//! The pages of the repository for users and developers.

use std::path::{Path, PathBuf};

/// The folder of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All pages except those of protocols: their paths from the root and their texts.
///
/// # Panics
/// If a page cannot be read.
#[must_use]
pub fn pages() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("docs"), PathBuf::from("examples"), PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).expect("the folder can be read") {
            let name = entry.expect("the folder can be read").file_name();
            let path = folder.join(name);
            let in_root = path.components().count() == 1;
            if root().join(&path).is_dir() {
                if !in_root {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    let text = |path: &PathBuf| std::fs::read_to_string(root().join(path)).expect("pages are UTF-8 text");
    found.iter().map(|path| (path.to_string_lossy().into_owned(), text(path))).collect()
}
