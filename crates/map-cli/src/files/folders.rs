//! Folders, searched for files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The paths, with each folder replaced by the `.map` files below it, by name. One without any stays: what reads it
/// says that it is a folder.
pub(crate) fn with_dialogues(paths: &[PathBuf]) -> Vec<PathBuf> {
    let in_place = |path: &PathBuf| match path.is_dir() {
        true => below(path, &["map"]).ok().filter(|files| !files.is_empty()),
        false => None,
    };
    paths.iter().flat_map(|path| in_place(path).unwrap_or_else(|| vec![path.clone()])).collect()
}

/// The files below a folder with one of these extensions, by name. Folders that are hidden, or reached by a link, are
/// passed over.
///
/// # Errors
/// If a folder cannot be listed.
pub(crate) fn below(folder: &Path, extensions: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    add_below(folder, extensions, &mut files)?;
    files.sort_unstable();
    Ok(files)
}

fn add_below(folder: &Path, extensions: &[&str], files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (kind, path) = entry.map(|entry| (entry.file_type(), entry.path()))?;
        let kind = kind?;
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let is_meant = || {
            path.extension().is_some_and(|it| extensions.iter().any(|known| it.eq_ignore_ascii_case(known)))
        };
        if kind.is_dir() && !is_hidden {
            add_below(&path, extensions, files)?;
        } else if kind.is_file() && is_meant() {
            files.push(path);
        }
    }
    Ok(())
}
