//! The pages of `map explain`: each is complete, and its examples are as wrong or right as it claims.

use std::fmt::Write as _;

use map_check::CheckOptions;
use map_diagnostics::{Code, Diagnostic, SourceFile, render};
use map_tests::documentation::root;

/// Codes that no text of reasonable size can show, or that no check of a text reports: limits, files and encodings, the
/// command line, saved traces and exported models.
const NOT_IN_A_TEXT: &[&str] = &[
    "MAP002", "MAP003", "MAP004", "MAP010", "MAP011", "MAP012", "MAP111", "MAP401", "MAP402", "MAP403",
    "MAP404", "MAP410", "MAP411", "MAP412", "MAP413", "MAP414", "MAP415", "MAP416", "MAP417", "MAP418",
    "MAP419", "MAP420", "MAP421", "MAP422", "MAP423", "MAP424", "MAP425", "MAP426", "MAP427", "MAP428",
    "MAP429", "MAP430", "MAP431", "MAP432", "MAP433",
];

/// All diagnostics of a text, warnings included.
fn diagnostics(source: &SourceFile) -> Vec<Diagnostic> {
    map_compile::examine(source, &map_syntax::parse(source), &CheckOptions::default())
}

/// The `map` fence directly under a heading.
fn example<'p>(page: &'p str, heading: &str) -> Option<&'p str> {
    let (_, section) = page.split_once(&format!("\n## {heading}\n\n```map\n"))?;
    section.split_once("\n```").map(|(text, _)| text)
}

#[test]
fn examples_are_what_they_are_said_to_be() {
    let mut wrong = String::new();
    for code in Code::ALL {
        let page = code.explanation();
        let mut examine = |heading: &str, expected: &[&str]| {
            let Some(text) = example(page, heading) else {
                let _ = writeln!(wrong, "{}: no example under `## {heading}`", code.as_str());
                return;
            };
            let source = SourceFile::new(format!("{}, {heading}", code.as_str()), format!("{text}\n"));
            let found = diagnostics(&source);
            if found.iter().map(|it| it.code.as_str()).ne(expected.iter().copied()) {
                let shown: String = found.iter().map(|it| render(&source, it)).collect();
                let _ = writeln!(wrong, "{}, {heading}: expected {expected:?}\n{shown}", code.as_str());
            }
        };
        if NOT_IN_A_TEXT.contains(&code.as_str()) {
            assert!(!page.contains("```map"), "{} is listed as one that no text can show", code.as_str());
        } else {
            examine("Wrong", &[code.as_str()]);
            examine("Right", &[]);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn pages_have_a_title_and_say_something() {
    for code in Code::ALL {
        let (page, text) = (code.explanation(), code.as_str());
        let heading = format!("# {text}: {}\n\n", code.title());
        assert!(
            page.starts_with(&heading) && !code.title().is_empty(),
            "{text}: the first line is `# {text}: title`"
        );
        assert!(page.len() > 250, "{text}: too short to explain anything");
        assert!(page.ends_with('\n') && !page.contains("\n\n\n"), "{text}: blank lines");
        assert!(
            page.lines().all(|line| line.chars().count() <= 120),
            "{text}: lines have at most 120 characters"
        );
        assert!(page.matches("```").count() % 2 == 0, "{text}: an open fence");
    }
}

#[test]
fn every_page_is_of_a_code_and_every_code_is_found_by_its_text() {
    let mut pages: Vec<String> = std::fs::read_dir(root().join("crates/map-diagnostics/explain"))
        .expect("the pages are there")
        .map(|entry| entry.expect("the folder can be read").file_name().to_string_lossy().into_owned())
        .collect();
    pages.sort();
    let codes: Vec<String> = Code::ALL.iter().map(|code| format!("{}.md", code.as_str())).collect();
    assert_eq!(pages, codes);
    for code in Code::ALL {
        assert_eq!(Code::from_text(code.as_str()), Some(*code));
    }
}

/// `docs/book/src/codes.md`.
fn table() -> String {
    let mut text = String::from(
        "# All codes\n\n\
         <!-- Generated from the pages of `map explain` by `MAP_UPDATE=1 cargo test -p map-tests --test workspace explain`. -->\n\n\
         `map explain MAP204` says what a diagnostic means, with a wrong and a right example.\n\n\
         - `MAP0xx` are about the text, `MAP1xx` about names, roles and the cast, `MAP2xx` about the dialogue itself. A text\n  \
         with any of these is rejected.\n\
         - `MAP3xx` are warnings: the text can be run, but probably does not do what was meant. A warning that is harmless\n  \
         can be silenced by a comment, `// map: allow(MAP301)`; see MAP314.\n\
         - `MAP4xx` are about saved traces and exported models.\n\n\
         | code | severity | meaning |\n|---|---|---|\n",
    );
    for code in Code::ALL {
        let _ = writeln!(text, "| {} | {} | {} |", code.as_str(), code.severity().word(), code.title());
    }
    text
}

#[test]
fn the_table_of_codes_is_up_to_date() {
    let path = root().join("docs/book/src/codes.md");
    if std::env::var_os("MAP_UPDATE").is_some() {
        std::fs::write(&path, table()).expect("the table can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == table(), "docs/book/src/codes.md is out of date: run with MAP_UPDATE=1");
}
