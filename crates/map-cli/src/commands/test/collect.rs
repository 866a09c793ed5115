//! Collects tests from the files given and from those in the folders given.

use std::fs;
use std::path::{Path, PathBuf};

use map_doors::{named, shown};
use map_flags::Directive;

use super::case::Case;
use crate::files::below;
use crate::input::{is_stdin, read_source};
use crate::json::UnreadableTest;

/// The tests found.
#[derive(Default)]
pub(super) struct Discovered {
    pub(super) cases: Vec<Case>,
    /// Tests and files that could not be read.
    pub(super) unreadable: Vec<UnreadableTest>,
}

impl Discovered {
    fn refuse(&mut self, file: &str, line: Option<usize>, why: impl Into<String>) {
        self.unreadable.push(UnreadableTest { file: file.to_owned(), line, why: why.into() });
    }
}

/// The extensions of files with tests.
const EXTENSIONS: [&str; 2] = ["map", "maptest"];

/// All tests, in the order of the paths; in a folder by name.
pub(super) fn collect(paths: &[PathBuf]) -> Discovered {
    let mut found = Discovered::default();
    for path in paths {
        let shown = shown(path);
        match fs::metadata(path) {
            Ok(it) if it.is_dir() => in_folder(path, &mut found),
            Ok(it) if !it.is_file() => found.refuse(&shown, None, "this is a device or a pipe, not a file"),
            _ if is_stdin(path) => found.refuse(&shown, None, "tests stand in files: name one, or a folder"),
            _ => read(path, true, &Reach::of_file(path), &mut found),
        }
    }
    found
}

fn in_folder(folder: &Path, found: &mut Discovered) {
    let files = below(folder, &EXTENSIONS).unwrap_or_else(|why| {
        found.refuse(&shown(folder), None, why.to_string());
        Vec::new()
    });
    let before = found.cases.len() + found.unreadable.len();
    let reach = Reach::of_folder(folder);
    for file in files {
        read(&file, false, &reach, found);
    }
    if found.cases.len() + found.unreadable.len() == before {
        found.refuse(&shown(folder), None, "no file in it has a line with `//@ verify`");
    }
}

/// What `//@ file` may name: tests that come with a folder have no business with other files of their reader.
struct Reach {
    /// Without links.
    folders: Vec<PathBuf>,
    /// What they are, as shown.
    what: String,
}

impl Reach {
    fn of_folder(folder: &Path) -> Self {
        Self { folders: fs::canonicalize(folder).into_iter().collect(), what: shown(folder) }
    }

    /// A file that is named itself reaches what lies below its own folder, and below the current one.
    fn of_file(file: &Path) -> Self {
        let own = file.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folders = [own, Path::new(".")].into_iter().filter_map(|it| fs::canonicalize(it).ok());
        Self { folders: folders.collect(), what: "its folder and the current one".to_owned() }
    }

    /// The dialogue that a line of a test names.
    fn dialogue(&self, test: &Path, name: &str) -> Result<PathBuf, String> {
        let path = named(test.parent().unwrap_or(Path::new("")), name);
        // What is not there is told when it is to be read.
        let Ok(whole) = fs::canonicalize(&path) else { return Ok(path) };
        if !self.folders.iter().any(|folder| whole.starts_with(folder)) {
            let what = &self.what;
            return Err(format!("this lies outside {what}; give `map test` a folder that holds both"));
        }
        match fs::metadata(&whole) {
            Ok(it) if !it.is_file() => Err("this is no file: a directory, a device or a pipe".to_owned()),
            _ => Ok(path),
        }
    }
}

/// Adds what a line says to the tests of the line `//@ verify` above.
fn add_below(cases: &mut [Case], mut add: impl FnMut(&mut Case) -> Result<(), String>) -> Result<(), String> {
    let line = cases.last().ok_or("there is no `//@ verify` above")?.line;
    cases.iter_mut().filter(|case| case.line == line).try_for_each(&mut add)
}

/// Reads the tests of a file; one that is named has to have some.
fn read(path: &Path, named: bool, reach: &Reach, found: &mut Discovered) {
    let source = match read_source(path) {
        Ok(source) => source,
        Err(unreadable) => {
            found.refuse(&shown(path), None, unreadable.diagnostic.text);
            return;
        }
    };
    let file = source.name();
    let mut cases: Vec<Case> = Vec::new();
    let of_test = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("maptest"));
    // What the lines are about; an error if that has been told already.
    let mut dialogue = match of_test {
        false => Ok(path.to_owned()),
        true => Err(Some("no `//@ file` above says which dialogue it is about")),
    };
    // Lines about properties belong to the test above, also if that could not be read: then it has been told.
    let mut is_readable = true;
    let overlooked = if of_test { Vec::new() } else { map_flags::unsaid(source.text()) };
    for number in overlooked {
        found.refuse(file, Some(number), "`//@` has to be the first on its line");
    }
    for Directive { number, words: line, .. } in map_flags::said(source.text()) {
        let words = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let result =
            match (words, &dialogue) {
                (("file", name), _) if of_test => {
                    let (now, result) = match reach.dialogue(path, name.trim()) {
                        Ok(path) => (Ok(path), Ok(())),
                        Err(why) => (Err(None), Err(why)),
                    };
                    dialogue = now;
                    result
                }
                (("verify", rest), Ok(dialogue)) => {
                    let read = Case::read(file, number, rest, dialogue).map(|of_line| cases.extend(of_line));
                    is_readable = read.is_ok();
                    read
                }
                (("verify", _), Err(why)) => {
                    is_readable = false;
                    why.map_or(Ok(()), |why| Err(why.to_owned()))
                }
                (("property" | "cost" | "never" | "unread", _), _) => match is_readable {
                    true => add_below(&mut cases, |case| case.expectation.read_below(line)),
                    false => Ok(()),
                },
                // Casts that take minutes; the project's own tests verify them on request.
                (("large", _), _) => Ok(()),
                _ => Err("neither `verify`, `property`, `cost`, `never entered`, `never acts` nor `unread`"
                    .to_owned()),
            };
        if let Err(why) = result {
            found.refuse(file, Some(number), format!("`//@ {line}`: {why}"));
        }
    }
    if cases.is_empty() && (named || of_test) && found.unreadable.iter().all(|it| it.file != file) {
        found.refuse(file, None, "there is no line with `//@ verify`");
    }
    found.cases.extend(cases);
}
