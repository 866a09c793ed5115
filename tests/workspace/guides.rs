//! `CONTRIBUTING.md` and `ARCHITECTURE.md` name what exists: crates, files and test targets; and they name every crate.

use std::fs;
use std::path::{Path, PathBuf};

/// Where the files live that they name.
const FOLDERS: [&str; 12] = [
    "benches",
    "crates",
    "docs",
    "editors",
    "examples",
    "fuzz",
    "grammar",
    "packaging",
    "playground",
    "protocols",
    "python",
    "tests",
];

/// What they name that is no file of the repository.
const NO_FILES: [&str; 7] = [
    "tests/cases-fmt/NAME.in.map",
    "NAME.out.map",
    "map-cli/src/commands/NAME.rs",
    ".ci/run",
    ".ci/nightly",
    "target/loom",
    "playground/dist/screenshots",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in a folder").to_owned()
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).expect("there are crates");
    let names = entries.map(|entry| entry.expect("it can be read").file_name().into_string());
    let mut names: Vec<String> = names.map(|name| name.expect("it is UTF-8")).collect();
    names.sort();
    names
}

/// All paths below a folder, from the root of the repository, but not what is built or installed there.
fn paths(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let relative =
            path.strip_prefix(root()).expect("it is below the root").to_string_lossy().into_owned();
        if path.is_dir() && !matches!(entry.file_name().to_str(), Some("target" | "node_modules" | ".venv")) {
            paths(&path, found);
        }
        found.push(relative);
    }
}

/// What stands between single backticks, and is a path: a single word with a slash or the ending of a source file.
fn named_paths(text: &str) -> Vec<&str> {
    let is_path = |word: &&str| {
        let is_plain = word.chars().all(|char| char.is_ascii_alphanumeric() || "/._-".contains(char));
        is_plain && !word.starts_with(['-', '/']) && (word.contains('/') || word.ends_with(".rs"))
    };
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).filter(is_path).collect()
}

/// The names after `--test` in a text.
fn named_tests(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let after = words.windows(2).filter(|pair| pair[0] == "--test").map(|pair| pair[1]);
    after.map(|name| name.trim_matches(|char: char| !char.is_ascii_alphanumeric() && char != '_')).collect()
}

/// Those of the paths that are missing: what is named may be the end of a longer path.
fn missing<'a>(named: &[&'a str], paths: &[String]) -> Vec<&'a str> {
    let exists = |word: &str| {
        let word = word.trim_end_matches('/');
        paths.iter().any(|path| {
            let path = path.strip_suffix(".rs").filter(|_| !word.ends_with(".rs")).unwrap_or(path);
            path.strip_suffix(word).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
    };
    named.iter().copied().filter(|word| !NO_FILES.contains(word) && !exists(word)).collect()
}

#[test]
fn every_crate_is_in_both_tables() {
    for (file, prefix) in [("CONTRIBUTING.md", "crates/"), ("ARCHITECTURE.md", "")] {
        let text = read(file);
        for name in crates() {
            let row = format!("| `{prefix}{name}` |");
            assert!(text.lines().any(|line| line.starts_with(&row)), "{file} has no row `{row}`");
        }
    }
}

#[test]
fn every_file_that_is_named_exists() {
    let mut all = Vec::new();
    FOLDERS.iter().for_each(|folder| {
        all.push((*folder).to_owned());
        paths(&root().join(folder), &mut all);
    });
    for file in ["CONTRIBUTING.md", "ARCHITECTURE.md"] {
        let text = read(file);
        let named = named_paths(&text);
        assert!(named.len() > 10, "{file} names files: {named:?}");
        assert_eq!(missing(&named, &all), Vec::<&str>::new(), "{file} names what does not exist");
    }
    assert_eq!(missing(&["termination/no_such.rs"], &all), ["termination/no_such.rs"]);
}

#[test]
fn every_test_target_that_is_named_exists() {
    let manifests = crates().into_iter().map(|name| format!("crates/{name}/Cargo.toml"));
    let manifests: Vec<String> =
        manifests.chain(["python/Cargo.toml".to_owned(), "tests/Cargo.toml".to_owned()]).collect();
    let is_target = |name: &str| {
        let declared = format!("name = \"{name}\"");
        let file = |manifest: &str| root().join(manifest).with_file_name(format!("tests/{name}.rs"));
        manifests.iter().any(|it| {
            let declares =
                read(it).split("[[test]]").skip(1).any(|part| part.lines().any(|line| line == declared));
            declares || file(it).exists() || file(it).with_extension("").join("main.rs").exists()
        })
    };
    for file in ["CONTRIBUTING.md", "ARCHITECTURE.md"] {
        let text = read(file);
        for name in named_tests(&text) {
            assert!(is_target(name), "{file} names a test target that does not exist: {name}");
        }
    }
    assert!(!is_target("format"));
}
