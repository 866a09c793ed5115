//! The texts that the grammars are tried on.

use std::ops::Range;
use std::path::PathBuf;

use map_diagnostics::Code;
use map_testkit::markdown::Page;
use map_testkit::scenes::Random;
use map_testkit::texts::words;
use map_tests::cases::map_files;
use map_tests::documentation::{pages, root};

/// Every `.map` file of the repository, with its path from the root.
///
/// # Panics
/// If a folder or a file cannot be read.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("the files are UTF-8 text");
        let name = path.strip_prefix(root()).expect("they are below the root").to_string_lossy().into_owned();
        (name, text)
    };
    let folders = [
        "protocols",
        "tests",
        "examples",
        "benches",
        "fuzz",
        "editors/vscode/scripts",
        "editors/vscode/tests",
    ];
    let paths = folders.iter().map(|folder| root().join(folder)).filter(|folder| folder.is_dir());
    let below = paths.flat_map(|folder| map_files(&folder).expect("the folder is part of the repository"));
    below.map(read).collect()
}

/// The MAP texts of the documentation and of the pages of codes, right and wrong, with where they stand.
#[must_use]
pub fn examples() -> Vec<(String, String)> {
    let codes = Code::ALL.iter().map(|code| (code.as_str().to_owned(), code.explanation().to_owned()));
    let mut found = Vec::new();
    for (name, text) in pages().into_iter().chain(codes) {
        let page = Page::read(&text);
        for block in page.blocks.iter().filter(|block| block.language == "map") {
            found.push((format!("{name}:{}", block.line), page.text(block)));
        }
    }
    found
}

/// The text with one word left out, doubled, or replaced by another or put before another.
pub fn broken(random: &mut Random, text: &str, donor: &str) -> String {
    let (own, others) = (words(text), words(donor));
    if own.is_empty() || others.is_empty() {
        return text.to_owned();
    }
    let word = random.pick(&own).clone();
    let other = &donor[random.pick(&others).clone()];
    let (range, by): (Range<usize>, String) = match random.below(4) {
        0 => (word, String::new()),
        1 => (word.end..word.end, format!(" {}", &text[word])),
        2 => (word, other.to_owned()),
        _ => (word.start..word.start, format!("{other} ")),
    };
    format!("{}{by}{}", &text[..range.start], &text[range.end..])
}
