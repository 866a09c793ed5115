//! The glossary: `map explain WORD`, and the page of the book that is made of it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use map_explain::words::{GLOSSARY, entries, explained};
use map_tests::documentation::root;
use serde_json::Value;

fn page() -> PathBuf {
    root().join("docs/book/src/glossary.md")
}

/// `docs/book/src/glossary.md`.
fn glossary() -> String {
    format!(
        "# Words of the reports\n\n\
         <!-- Generated from the pages of `map explain` by `MAP_UPDATE=1 cargo test -p map-tests --test workspace words`. -->\n\n\
         What the words of reports, charts and logs mean. `map explain livelock` prints the same in a terminal.\n\n\
         {GLOSSARY}"
    )
}

#[test]
fn the_page_of_the_book_is_up_to_date() {
    if std::env::var_os("MAP_UPDATE").is_some() {
        std::fs::write(page(), glossary()).expect("the page can be written");
    }
    let found = std::fs::read_to_string(page()).unwrap_or_default();
    assert!(found == glossary(), "docs/book/src/glossary.md is out of date: run with MAP_UPDATE=1");
}

/// Closed sets in the outputs for programs whose words are no words of reports: severities and what a mapping or a
/// request may say.
const NOT_OF_REPORTS: &[&str] = &["check.json", "guard-request.json", "mapping.json", "record.json"];

/// The fields whose values are told to people, too.
const FIELDS: &[&str] = &[
    "verdict", "kind", "state", "limit", "timeouts", "fairness", "status", "result", "ours", "arrivals",
    "cut_by",
];

/// All words that the schemas allow in these fields, and the kinds of refusals.
fn words_of_reports() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("docs/schemas")).expect("the schemas are there") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("it is a file").to_string_lossy().into_owned();
        if NOT_OF_REPORTS.contains(&name.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a schema can be read");
        let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
        for (title, definition) in schema["$defs"].as_object().into_iter().flatten().chain([(&name, &schema)])
        {
            for field in FIELDS {
                collect(&definition["properties"][field]["enum"], &mut words);
                collect(&definition["properties"][field]["items"]["enum"], &mut words);
            }
            if title == "GuardRefusalKind" {
                for kind in definition["oneOf"].as_array().into_iter().flatten() {
                    words.extend(kind["const"].as_str().map(str::to_owned));
                }
            }
        }
    }
    words
}

fn collect(values: &Value, words: &mut BTreeSet<String>) {
    words.extend(values.as_array().into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned)));
}

#[test]
fn every_word_of_the_outputs_is_explained() {
    let words = words_of_reports();
    for sample in ["livelock", "no proof", "not_its_word", "conforms_so_far", "quiescent", "stale", "refused"]
    {
        assert!(words.contains(sample), "{sample} is not found in the schemas any more");
    }
    let missing: Vec<&String> = words.iter().filter(|word| explained(word).is_none()).collect();
    assert!(missing.is_empty(), "no entry of the glossary explains {missing:?}");
}

#[test]
fn entries_are_short_and_in_order() {
    let heads: Vec<String> = entries().filter_map(|it| it.words().next().map(str::to_lowercase)).collect();
    assert!(heads.is_sorted(), "{heads:?}");
    assert_eq!(heads.len(), GLOSSARY.lines().filter(|line| line.starts_with("## ")).count());
    for line in GLOSSARY.lines() {
        assert!(line.chars().count() <= 120, "lines have at most 120 characters: {line}");
    }
    for entry in entries() {
        assert!((80..900).contains(&entry.page().len()), "{entry:?}");
    }
}
