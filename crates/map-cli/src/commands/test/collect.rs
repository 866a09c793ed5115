//! Collects tests from the files given and from those in the folders given.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::case::Case;
use crate::input::read_source;

/// The tests found.
#[derive(Default)]
pub(super) struct Discovered {
    pub(super) cases: Vec<Case>,
    /// Tests and files that could not be read.
    pub(super) unreadable: Vec<UnreadableTest>,
}

/// A test, or a file with tests, that could not be read.
pub(super) struct UnreadableTest {
    /// The file, or the folder.
    pub(super) file: String,
    /// The line, from 1, if it is one line.
    pub(super) line: Option<usize>,
    pub(super) why: String,
}

impl fmt::Display for UnreadableTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.why),
            None => write!(f, "{}: {}", self.file, self.why),
        }
    }
}

impl Discovered {
    fn refuse(&mut self, file: &str, line: Option<usize>, why: impl Into<String>) {
        self.unreadable.push(UnreadableTest { file: file.to_owned(), line, why: why.into() });
    }
}

/// The extensions of files with tests.
const EXTENSIONS: [&str; 2] = ["map", "maptest"];

/// All tests, in the order of the paths; within a folder, in the order of file names.
pub(super) fn collect(paths: &[String]) -> Discovered {
    let mut found = Discovered::default();
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

/// Collects the files below a folder that may contain tests. Hidden folders and symbolic links are skipped.
fn below(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (entry, path) = entry.map(|entry| (entry.file_type(), entry.path()))?;
        let kind = entry?;
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if kind.is_dir() && !hidden {
            below(&path, files)?;
        } else if kind.is_file()
            && path
                .extension()
                .is_some_and(|it| EXTENSIONS.iter().any(|extension| it.eq_ignore_ascii_case(extension)))
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads the tests of a file. It is an error if a file that was `named` explicitly has none.
fn read(file: &str, named: bool, found: &mut Discovered) {
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
    // Lines about properties belong to the test above. If that could not be read, it has been reported already.
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
            // Coverage is compared only by the tests of the protocol library.
            ("never" | "unread", _) => Ok(()),
            // Large casts, which take minutes: this project's own tests verify them on request.
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

/// Resolves a path relative to the folder of a file.
fn beside(file: &str, name: &str) -> String {
    let folder = Path::new(file).parent().unwrap_or_else(|| Path::new(""));
    folder.join(name).to_string_lossy().into_owned()
}
