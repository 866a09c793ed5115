//! Completion of what is typed: the names of files behind `save`, and what [`Words`] know.

use std::fs;
use std::path::Path;

use map_diagnostics::is_unseen;
use map_explain::stepping::Words;

/// Where the word begins in which the line ends, and what it may become.
pub(super) fn completing(words: &Words, line: &str) -> (usize, Vec<String>) {
    match line.trim_start().split_once(char::is_whitespace) {
        Some(("save", path)) => {
            let path = path.trim_start();
            let name = path.rfind('/').map_or(path, |at| &path[at + 1..]);
            (line.len() - name.len(), files(path))
        }
        _ => words.completing(line),
    }
}

/// The last parts of the paths that begin so; folders end in `/`. Names that cannot be shown as they are cannot be
/// typed either, and are left out.
fn files(path: &str) -> Vec<String> {
    let (folder, name) = path.rfind('/').map_or(("", path), |at| path.split_at(at + 1));
    let folder = if folder.is_empty() { Path::new(".") } else { Path::new(folder) };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let mut known = entry.file_name().into_string().ok()?;
            let is_meant = known.starts_with(name) && !known.contains(is_unseen);
            if !is_meant || (known.starts_with('.') && name.is_empty()) {
                return None;
            }
            if entry.path().is_dir() {
                known.push('/');
            }
            Some(known)
        })
        .collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::completing;

    #[track_caller]
    fn check(line: &str, expected: &[String]) {
        let words = map_explain::stepping::Words { agents: Vec::new(), steps: Vec::new() };
        let (start, found) = completing(&words, line);
        let lines: Vec<String> = found.iter().map(|name| format!("{}{name}", &line[..start])).collect();
        assert_eq!(lines, expected, "{line:?}");
    }

    #[test]
    fn file_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        fs::create_dir(folder.path().join("traces")).unwrap();
        for name in ["trace 1.json", "other", ".hidden", "tr\u{1b}ap"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let expected = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| format!("save {path}/{name}")).collect()
        };
        let expect = |line: &str, names: &[&str]| {
            check(line, &expected(names));
        };
        expect(&format!("save {path}/tr"), &["trace 1.json", "traces/"]);
        expect(&format!("save {path}/trace "), &["trace 1.json"]);
        expect(&format!("save {path}/"), &["other", "trace 1.json", "traces/"]);
        expect(&format!("save {path}/.h"), &[".hidden"]);
        check("save /no/such/folder/", &[]);
    }
}
