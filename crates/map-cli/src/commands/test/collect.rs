//! Which tests there are: in files that are named, and in those found in folders.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::case::Case;
use crate::input::read_source;

/// The tests found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) cases: Vec<Case>,
    /// Those that could not be read.
    pub(super) unreadable: Vec<Unreadable>,
}

/// A test, or a file with tests, that could not be read.
pub(super) struct Unreadable {
    /// The file, or the folder.
    pub(super) file: String,
    /// In which line, from 1, if it is a line.
    pub(super) line: Option<usize>,
    pub(super) why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.why),
            None => write!(f, "{}: {}", self.file, self.why),
        }
    }
}

impl Found {
    fn refuse(&mut self, file: &str, line: Option<usize>, why: impl Into<String>) {
        self.unreadable.push(Unreadable { file: file.to_owned(), line, why: why.into() });
    }
}

/// The endings of files with tests.
const ENDINGS: [&str; 2] = ["map", "maptest"];

/// All tests, in the order of the paths; in a folder by name.
pub(super) fn collect(paths: &[String]) -> Found {
    let mut found = Found::default();
    for path in paths {
        if Path::new(path).is_dir() {
            let mut files = Vec::new();
            if let Err(why) = below(Path::new(path), &mut files) {
                found.refuse(path, None, why.to_string());
            }
            files.sort_unstable();
            let before = found.cases.len() + found.unreadable.len();
            for file in files {
                read(&file.to_string_lossy(), false, &mut found);
            }
            if found.cases.len() + found.unreadable.len() == before {
                found.refuse(path, None, "no file in it has a line with `//@ verify`");
            }
        } else {
            read(path, true, &mut found);
        }
    }
    found
}

/// The files below a folder that may have tests; folders that are hidden, or reached by a link, are passed over.
fn below(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (entry, path) = entry.map(|entry| (entry.file_type(), entry.path()))?;
        let kind = entry?;
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if kind.is_dir() && !hidden {
            below(&path, files)?;
        } else if kind.is_file()
            && path.extension().is_some_and(|it| ENDINGS.iter().any(|ending| it.eq_ignore_ascii_case(ending)))
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads the tests of a file; one that is named has to have some.
fn read(file: &str, named: bool, found: &mut Found) {
    let source = match read_source(file) {
        Ok(source) => source,
        Err(unreadable) => {
            found.refuse(file, None, unreadable.diagnostic.text);
            return;
        }
    };
    let mut dialogue = file.to_owned();
    let mut cases: Vec<Case> = Vec::new();
    let of_test = Path::new(file).extension().is_some_and(|it| it.eq_ignore_ascii_case("maptest"));
    let mut is_known = !of_test;
    // Lines about properties belong to the test above, also if that could not be read: then it has been told.
    let mut is_readable = true;
    for (index, line) in source.text().lines().enumerate() {
        let Some(line) = line.strip_prefix("//@").map(str::trim) else { continue };
        let words = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let result = match words {
            ("file", name) if of_test => {
                dialogue = beside(file, name.trim());
                is_known = true;
                Ok(())
            }
            ("verify", _) if !is_known => {
                is_readable = false;
                Err("no `//@ file` above says which dialogue it is about".to_owned())
            }
            ("verify", rest) => {
                let read = Case::read(file, index + 1, rest, &dialogue).map(|case| cases.push(case));
                is_readable = read.is_ok();
                read
            }
            ("property", _) if !is_readable => Ok(()),
            ("property", rest) => match cases.last_mut() {
                Some(case) => case.read_property(rest),
                None => Err("there is no `//@ verify` above".to_owned()),
            },
            // What never happens is compared by the tests of the library itself.
            ("never" | "unread", _) => Ok(()),
            // Casts that take minutes; the project's own tests verify them on request.
            ("large", _) => Ok(()),
            _ => Err("neither `verify` nor `property`".to_owned()),
        };
        if let Err(why) = result {
            found.refuse(file, Some(index + 1), format!("`//@ {line}`: {why}"));
        }
    }
    if cases.is_empty() && (named || of_test) && found.unreadable.iter().all(|it| it.file != file) {
        found.refuse(file, None, "there is no line with `//@ verify`");
    }
    found.cases.extend(cases);
}

/// A path as seen from the folder of a file.
fn beside(file: &str, name: &str) -> String {
    let folder = Path::new(file).parent().unwrap_or_else(|| Path::new(""));
    folder.join(name).to_string_lossy().into_owned()
}
