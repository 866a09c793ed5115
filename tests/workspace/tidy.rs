//! The structure of the workspace: which crates may depend on which, that modules form no cycles, how long files may
//! be, and how they begin.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use map_tests::documentation::root;
use map_tests::module_graph::cycles;

/// The crates of the workspace that each crate may depend on, except in tests. A new edge also belongs in the picture
/// in `ARCHITECTURE.md`.
const EDGES: &[(&str, &[&str])] = &[
    ("map-diagnostics", &[]),
    ("map-syntax", &["map-diagnostics"]),
    ("map-check", &["map-diagnostics", "map-graph", "map-syntax"]),
    ("map-graph", &[]),
    ("map-ir", &[]),
    ("map-library", &[]),
    ("map-compile", &["map-check", "map-diagnostics", "map-ir", "map-syntax"]),
    ("map-ltl", &["map-graph"]),
    ("map-semantics", &["map-graph", "map-ir"]),
    ("map-simulate", &["map-ir", "map-semantics"]),
    ("map-conform", &["map-ir", "map-semantics"]),
    ("map-guard", &["map-conform", "map-graph", "map-ir", "map-ltl", "map-semantics", "map-simulate"]),
    ("map-store", &[]),
    ("map-verify", &["map-graph", "map-ir", "map-ltl", "map-semantics", "map-store"]),
    ("map-cluster", &["map-verify"]),
    ("map-views", &["map-graph", "map-ir", "map-semantics", "map-verify"]),
    ("map-export", &["map-ir", "map-semantics"]),
    ("map-render", &["map-ir", "map-semantics", "map-session", "map-simulate", "map-verify"]),
    (
        "map-explain",
        &[
            "map-check",
            "map-conform",
            "map-diagnostics",
            "map-ir",
            "map-render",
            "map-semantics",
            "map-session",
            "map-simulate",
            "map-syntax",
            "map-verify",
            "map-views",
        ],
    ),
    (
        "map-session",
        &[
            "map-check",
            "map-compile",
            "map-diagnostics",
            "map-ir",
            "map-semantics",
            "map-simulate",
            "map-syntax",
            "map-verify",
            "map-views",
        ],
    ),
    (
        "map-flags",
        &[
            "map-check",
            "map-diagnostics",
            "map-explain",
            "map-ir",
            "map-semantics",
            "map-session",
            "map-simulate",
            "map-syntax",
            "map-verify",
            "map-views",
        ],
    ),
    ("map-ide", &["map-check", "map-compile", "map-diagnostics", "map-library", "map-syntax"]),
    (
        "map-lsp",
        &[
            "map-diagnostics",
            "map-explain",
            "map-flags",
            "map-ide",
            "map-ir",
            "map-semantics",
            "map-session",
            "map-syntax",
            "map-verify",
        ],
    ),
    (
        "map-json",
        &[
            "map-conform",
            "map-diagnostics",
            "map-explain",
            "map-guard",
            "map-ir",
            "map-semantics",
            "map-session",
            "map-simulate",
            "map-syntax",
            "map-verify",
            "map-views",
        ],
    ),
    (
        "map-doors",
        &[
            "map-conform",
            "map-diagnostics",
            "map-explain",
            "map-guard",
            "map-ir",
            "map-json",
            "map-mcp",
            "map-procedures",
            "map-semantics",
            "map-session",
            "map-simulate",
            "map-spin",
            "map-trace",
            "map-verify",
        ],
    ),
    (
        "map-trace",
        &[
            "map-check",
            "map-diagnostics",
            "map-explain",
            "map-ir",
            "map-json",
            "map-semantics",
            "map-session",
            "map-simulate",
            "map-syntax",
            "map-verify",
        ],
    ),
    (
        "map-procedures",
        &["map-diagnostics", "map-explain", "map-ir", "map-json", "map-semantics", "map-syntax", "map-trace"],
    ),
    (
        "map-spin",
        &["map-diagnostics", "map-explain", "map-export", "map-ir", "map-json", "map-session", "map-verify"],
    ),
    (
        "map-mcp",
        &[
            "map-check",
            "map-compile",
            "map-conform",
            "map-diagnostics",
            "map-explain",
            "map-flags",
            "map-ir",
            "map-json",
            "map-library",
            "map-render",
            "map-semantics",
            "map-session",
            "map-simulate",
            "map-syntax",
            "map-verify",
        ],
    ),
    ("map-testkit", &["map-diagnostics", "map-syntax"]),
    (
        "map-web",
        &[
            "map-compile",
            "map-diagnostics",
            "map-explain",
            "map-flags",
            "map-ide",
            "map-ir",
            "map-json",
            "map-library",
            "map-render",
            "map-semantics",
            "map-session",
            "map-simulate",
            "map-syntax",
            "map-verify",
        ],
    ),
    (
        "map-cli",
        &[
            "map-check",
            "map-cluster",
            "map-compile",
            "map-conform",
            "map-diagnostics",
            "map-doors",
            "map-explain",
            "map-export",
            "map-flags",
            "map-guard",
            "map-ir",
            "map-json",
            "map-library",
            "map-lsp",
            "map-mcp",
            "map-procedures",
            "map-render",
            "map-semantics",
            "map-session",
            "map-simulate",
            "map-spin",
            "map-syntax",
            "map-trace",
            "map-verify",
            "map-views",
        ],
    ),
];

/// A crate without examples in its documentation, or without unit tests, says so: running none of them costs a run of
/// `rustdoc`, or a second build of the crate.
#[test]
fn what_a_library_tests_is_what_it_has() {
    let is_fence =
        |line: &&str| line.trim_start().starts_with("//! ```") || line.trim_start().starts_with("/// ```");
    let sources = sources();
    for entry in std::fs::read_dir(root().join("crates")).expect("the workspace has crates") {
        let folder = entry.expect("the folder can be read").path();
        if !folder.join("src/lib.rs").exists() {
            continue;
        }
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a crate has a manifest");
        let (mut has_examples, mut has_tests) = (false, false);
        for path in sources.iter().filter(|path| path.starts_with(folder.join("src"))) {
            let text = std::fs::read_to_string(path).expect("sources are UTF-8");
            // Every other fence ends what the one before it has begun.
            has_examples |= text.lines().filter(is_fence).step_by(2).any(|line| !line.ends_with("text"));
            has_tests |= text.contains("#[test]");
        }
        let name = folder.display();
        assert_eq!(manifest.contains("doctest = false"), !has_examples, "{name}: `doctest` in `[lib]`");
        assert_eq!(manifest.contains("\ntest = false"), !has_tests, "{name}: `test` in `[lib]`");
    }
}

/// The most lines of a source file.
const MAX_LINES: usize = 800;

/// The `[dependencies]` of a manifest.
fn dependencies(manifest: &str) -> Vec<String> {
    let section =
        manifest.split("\n[").find(|section| section.starts_with("dependencies]")).unwrap_or_default();
    section
        .lines()
        .skip(1)
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| name.starts_with("map-"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn crates_know_only_what_they_may() {
    let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    for entry in std::fs::read_dir(root().join("crates")).expect("the workspace has crates") {
        let folder = entry.expect("the folder can be read").path();
        let name =
            folder.file_name().and_then(|name| name.to_str()).expect("crate names are ASCII").to_owned();
        if name == "xtask" {
            continue;
        }
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a crate has a manifest");
        assert!(
            manifest.contains(&format!("name = \"{name}\"")),
            "{name}: the folder is named after the crate"
        );
        let may = allowed.get(name.as_str()).unwrap_or_else(|| panic!("{name} is not in the list of edges"));
        for dependency in dependencies(&manifest) {
            assert!(may.contains(&dependency.as_str()), "{name} must not know {dependency}");
        }
    }
}

/// All Rust files of the workspace.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("crates"), root().join("tests"), root().join("python/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let sources = sources();
    assert!(sources.len() > 50, "the sources are found");
    for path in sources {
        let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
        assert!(text.starts_with("//! "), "{}: the first line says what the file is for", path.display());
        let lines = text.lines().count();
        assert!(lines <= MAX_LINES, "{}: {lines} lines; split it by subject", path.display());
    }
}

/// The most columns of a line of comments.
const MAX_COMMENT: usize = 120;

#[test]
fn comments_fit_on_a_screen() {
    for path in sources() {
        let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
        for (index, line) in text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//"))
        {
            let columns = line.chars().count();
            let is_wrapped = columns <= MAX_COMMENT || line.trim_start().contains("http");
            assert!(is_wrapped, "{}:{}: a comment of {columns} columns", path.display(), index + 1);
        }
    }
}

#[test]
fn methods_that_change_are_verbs() {
    for path in sources() {
        let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
        for (index, line) in text.lines().enumerate() {
            let asks = ["fn is_", "fn has_"].iter().any(|start| line.contains(start));
            assert!(
                !(asks && line.contains("(&mut self")),
                "{}:{}: a question that changes what it asks; name what it does",
                path.display(),
                index + 1
            );
        }
    }
}

/// Participles that do not end in `ed`, and words that do and are none.
const PARTICIPLES: &[&str] = &[
    "Drawn", "Found", "Gone", "Held", "Kept", "Known", "Led", "Lost", "Made", "Met", "Said", "Seen", "Sent",
    "Shown", "Spoken", "Taken", "Told", "Written",
];
const NOUNS: &[&str] = &["Feed", "Need", "Seed", "Speed"];

#[test]
fn public_types_are_nouns() {
    for path in sources() {
        let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
        for (index, line) in text.lines().enumerate() {
            let declared = ["pub struct ", "pub enum ", "pub trait ", "pub type "];
            let Some(rest) = declared.iter().find_map(|start| line.trim_start().strip_prefix(start)) else {
                continue;
            };
            let name = rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
            let is_one_word = !name.chars().skip(1).any(char::is_uppercase);
            let is_participle = PARTICIPLES.contains(&name) || name.ends_with("ed") && !NOUNS.contains(&name);
            assert!(
                !(is_one_word && is_participle),
                "{}:{}: {name} says what happened to it; name what it is",
                path.display(),
                index + 1
            );
        }
    }
}

/// Crates, or folders of modules, in which modules may form cycles, and why. Nothing should be added: break a new cycle
/// by moving code to where it belongs.
const CYCLES: &[(&str, &str)] = &[
    ("map-testkit::oracle", "the oracle is one recursive interpreter in the order of the reference"),
    ("map-testkit::scenes", "what builds a random scene calls what it is made of, and that the other way"),
];

#[test]
fn modules_form_no_cycles() {
    let mut needed = BTreeSet::new();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).expect("the workspace has crates") {
        let folder = entry.expect("the folder can be read").path();
        let name = folder.file_name().and_then(|name| name.to_str()).expect("crate names are ASCII");
        for cycle in cycles(&folder.join("src")) {
            let place =
                if cycle.parent.is_empty() { name.to_owned() } else { format!("{name}::{}", cycle.parent) };
            match CYCLES.iter().find(|(allowed, _)| place.starts_with(allowed)) {
                Some((allowed, _)) => _ = needed.insert(*allowed),
                None => found.push(format!("in {place}: {:?}\n{:#?}", cycle.modules, cycle.edges)),
            }
        }
    }
    assert!(found.is_empty(), "these modules use each other:\n{}", found.join("\n"));
    for (allowed, _) in CYCLES {
        assert!(needed.contains(allowed), "{allowed} has no circles any more: take it off the list");
    }
}
